// The conditions that a run can be in, each with what is known of it.
import type { DiskFacts, ErrorCode, ErrorFacts, FileProblem } from "../../kernel/errors.ts";
import type { TimeoutJudgement } from "../../orchestrator/watchdog.ts";
import type { KnownHalt } from "../../run/log/halt-details.ts";
import type { Failure } from "../../run/log/failure.ts";
import type { Halt } from "../../run/log/halt.ts";
import type { ExecutionState } from "../../run/log/lifecycle.ts";
import type { Request } from "../../run/log/request.ts";
import type { StepError } from "../../run/log/step.ts";
import type { NextStep } from "../../run/next-steps/next-step.ts";
import type { BlockedUrl } from "../../run/report/blocked-urls.ts";
import type { Settings } from "../../run/settings/settings.ts";
import type { Stage } from "../../run/stage.ts";
import type { LeaseSummary } from "./status.ts";

/** What every condition says. */
interface Always {
  /** When it began: RFC 3339. */
  since: string;
  /** A process writes a report of the run, which stays as it is. */
  is_reporting?: true;
  /** The run of a fork that has begun, or that waits to be started. */
  went_on_in?: string;
  fork_waits?: string;
}

interface AtWork extends TimeoutJudgement {
  stage: Stage;
  lease: LeaseSummary;
}

/** Why a run is in a condition, beyond when that began; `triage --json` shows it as it is. */
interface StateWhys {
  not_started: { forked_from?: string | undefined };
  working: AtWork;
  held: AtWork;
  late: AtWork;
  between_ticks: AtWork;
  /** `until`: when its lease runs out. */
  silent: AtWork & { until: string };
  /** `state` only of a run that was not started, `stage` of every other. */
  corpus_missing: { path: string; found: "empty" | "absent"; state?: "idle"; stage?: Stage };
  cannot_write: { stage: Stage; path: string; errno: string };
  interrupted: {
    stage: Stage;
    tick: number;
    /** Why its owner has lost the lease. */
    lease: string;
    policy: Settings["policies"]["on_interrupt"];
    reason?: string | undefined;
  };
  paused: { stage: Stage; reason?: string | undefined };
  /** `state` where it is not `running`. `time_has_come`: the next tick ends the halt. */
  halted: KnownHalt & {
    stage: Stage;
    last_step: Halt["last_step"];
    state?: ExecutionState;
    time_has_come?: true;
  };
  completed: object;
  failed: { stage: Stage; failure?: Failure | undefined; reason?: string | undefined };
  aborted: { reason?: string | undefined };
}

/** A run that could not be read: the error as it is. */
type Unread = ErrorFacts & DiskFacts & { code?: ErrorCode };

interface FurtherWhys {
  request_waits: { requests: Pick<Request, "kind" | "requested_at" | "reason">[] };
  /** `what`: the workers lack. `gave_up`: no worker takes it before a person has seen it. `workers`: how many there are. */
  waits_for_worker: { what: string[]; workers: number; gave_up: boolean };
  failed_attempts: { steps: { key: string; attempts: number; error: StepError | undefined }[] };
  not_reached: { urls: BlockedUrl[] };
  damaged: Unread & { files?: FileProblem[] };
  unreadable: Unread;
}

type Whys = { [C in keyof StateWhys]: StateWhys[C] & Always } & {
  [C in keyof FurtherWhys]: FurtherWhys[C] & Partial<Always>;
};

export type StateCondition = keyof StateWhys;
export type Condition = keyof Whys;
export type Why<C extends Condition> = Whys[C];

/** A condition of a run, why it is in it, and the next steps. */
export type Finding<C extends Condition = Condition> = {
  [K in C]: {
    condition: K;
    /** A person or an agent has to do something. */
    needs_attention: boolean;
    why: Why<K>;
    next: NextStep[];
  };
}[C];

/** The one condition that the state of a run puts it in. */
export type Standing = Finding<StateCondition>;

export function finding<C extends Condition>(condition: C, needs_attention: boolean, why: Why<C>, next: NextStep[]) {
  return { condition, needs_attention, why, next } as Finding<C>;
}
