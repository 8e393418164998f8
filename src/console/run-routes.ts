// The routes that read, start and change runs. Each calls a verb. A change is answered with the resulting state of the run.
import { RunError } from "../kernel/errors.ts";
import { newRunId } from "../kernel/ids.ts";
import type { ListResult } from "../operations/look/list-runs.ts";
import type { VerbUse } from "../surface/verb-use.ts";
import type { Envelope } from "../surface/envelope.ts";
import { headlineOf } from "../surface/state-words.ts";
import { type Action, ACTIONS, INSPECT, LIST, START, TRIAGE } from "./verb-uses.ts";
import {
  addressOf,
  callVerb,
  startAnswer,
  type RouteRequest,
  type ConsoleParts,
  type Handler,
  isNotThere,
  readRun,
  runRootOf,
} from "./request.ts";
import { interruptedRun } from "./interrupted-run.ts";
import { json, refused } from "./replies.ts";
import { sessionOf } from "./session.ts";
import { STAGE_NAMES } from "../surface/stage-words.ts";
import { isOfHaltedRun } from "./statuses.ts";

export function runRoutes(parts: ConsoleParts) {
  const view =
    (command: VerbUse, givenOf: (call: RouteRequest) => object = () => ({})): Handler =>
    async (call) => {
      const runRoot = await runRootOf(parts, call);
      return answered(await callVerb(parts, command, { run: runRoot, ...givenOf(call) }, { ...call, runRoot }));
    };
  const action =
    (name: Action): Handler =>
    async (call) => {
      // A stop does not wait for other changes.
      const waits = call.body["expected_revision"] !== undefined && name !== "pause" && name !== "abort";
      const work = async (): Promise<Response> => await act(parts, name, call);
      return waits ? await parts.turns.take(await runRootOf(parts, call), work) : await work();
    };
  const names = Object.keys(ACTIONS) as Action[];
  const actions = Object.fromEntries(names.map((name) => [name, action(name)])) as Record<Action, Handler>;
  return {
    list: async (call) => {
      const { query } = call;
      const state = query.getAll("state");
      const given = { ...(state.length === 0 ? {} : { state }), ...numberIn(query, "limit") };
      const envelope = await callVerb(parts, LIST, given, { ...call, runRoot: parts.runsRoot });
      return envelope.error === null ? json(listing(parts, envelope.result as ListResult)) : refused(envelope);
    },
    start: async (call) => await start(parts, call),
    snapshot: async (call) => {
      try {
        const run = await readRun(parts, call);
        return json(await snapshot(parts, call, run));
      } catch (error) {
        if (!isNotThere(error)) throw error;
        const envelope = await startAnswer(parts, call);
        return answered(envelope, { run_id: call.params["run"] });
      }
    },
    inspect: view(INSPECT, ({ query }) => (query.has("step") ? { step: query.get("step") } : {})),
    triage: view(TRIAGE),
    ...actions,
  } satisfies Record<string, Handler>;
}

/** The runs, each with its state in words and the address of its routes. */
function listing({ isReadOnly }: ConsoleParts, { runs, ...list }: ListResult) {
  return {
    ...list,
    is_read_only: isReadOnly,
    runs: runs.map((run) => ({
      ...run,
      headline: headlineOf(run),
      stage_name: STAGE_NAMES[run.stage_current],
      address: addressOf(run.run_root.slice(run.run_root.lastIndexOf("/") + 1)),
    })),
  };
}

function answered(envelope: Envelope, more: object = {}): Response {
  return envelope.error === null ? json({ ...more, ...(envelope.result as object) }) : refused(envelope);
}

/** Errors: `INVALID_ARGS`. */
export function numberIn(query: URLSearchParams, name: string): Record<string, number> {
  const given = query.get(name);
  if (given === null) return {};
  if (!/^\d{1,9}$/.test(given))
    throw new RunError("INVALID_ARGS", { reason: `${name} is a whole number`, found: given.slice(0, 100) });
  return { [name]: Number(given) };
}

async function snapshot(parts: ConsoleParts, { query }: RouteRequest, run: Awaited<ReturnType<typeof readRun>>) {
  const verification = parts.verifications.get(run.runRoot) ?? null;
  return { ...(await sessionOf(parts.ports, run, query.get("text") === "1")), verification };
}

// --- work and changes ---------------------------------------------------------------------------------------------

/**
 * Answers with what was done and with the current state of the run. `isHere`: it is the run that the path names; other folders may
 * hold a run of the same id.
 */
async function done(
  parts: ConsoleParts,
  call: RouteRequest,
  envelope: Envelope,
  more: { isNew?: boolean; isWork?: boolean; isHere?: boolean; extra?: object } = {},
): Promise<Response> {
  const { error, contract, result, command } = envelope;
  const run_id = contract.run_id ?? call.params["run"] ?? null;
  if (error !== null && !(more.isWork === true && isOnItsWay(envelope))) return refused(envelope);
  const isHeld = error?.code === "LOCK_HELD";
  const work = isHeld ? "going_on" : ((result as { work?: string } | null)?.work ?? "ended");
  const { isNew = false, isHere = false } = more;
  const said = {
    work,
    ...more.extra,
    did: { command, result: work === "ended" ? result : null, error },
  };
  const status = isNew ? 201 : 200;
  try {
    const run = await readRun(parts, isHere ? call : { params: { run: run_id ?? "" } });
    return json({ ...(await snapshot(parts, call, run)), ...said }, status);
  } catch (failure) {
    if (!isNotThere(failure)) throw failure;
    return json({ run_id, ...said }, status);
  }
}

/** True for errors after which the work is done or continues: a halt, or a repeated start whose run is at work. */
function isOnItsWay({ error, contract, command }: Envelope): boolean {
  if (error === null) return false;
  // The process of the first start may not have made the run yet.
  if ((command === "start" || command === "ask") && error.code === "LOCK_HELD") return true;
  return contract.revision !== null && isOfHaltedRun(error.code);
}

async function act(parts: ConsoleParts, name: Action, call: RouteRequest): Promise<Response> {
  const command: VerbUse = ACTIONS[name];
  const { expected_revision, ...options } = call.body;
  const run = await readRun(parts, call);
  refuseMoved(run.manifest.revision, expected_revision);
  const runRoot = run.runRoot;
  const given = name === "abort" ? confirmed(options) : options;
  const envelope = await callVerb(parts, command, { ...given, run: runRoot }, { ...call, runRoot });
  if (name === "ask") return await done(parts, call, envelope, { isNew: true, isWork: true });
  if (envelope.error !== null || name !== "fork") {
    const isHere = envelope.contract.run_id === run.manifest.run_id;
    return await done(parts, call, envelope, { isWork: name === "resume", isHere });
  }
  const { run_id } = envelope.result as { run_id: string };
  const contract = { ...envelope.contract, run_id };
  return await done(parts, call, { ...envelope, contract }, { isNew: true });
}

/** Errors: `REVISION_MISMATCH` with both numbers. */
function refuseMoved(revision: number, expected: unknown): void {
  if (expected === undefined || expected === revision) return;
  if (!Number.isSafeInteger(expected))
    throw new RunError("INVALID_ARGS", { reason: "expected_revision is a whole number" });
  throw new RunError("REVISION_MISMATCH", { expected_revision: expected, revision });
}

function confirmed({ confirm, ...options }: Record<string, unknown>): object {
  if (confirm !== true)
    throw new RunError("INVALID_ARGS", { reason: "abort ends research for good: it needs confirm: true" });
  return { ...options, yes: true };
}

async function start(parts: ConsoleParts, call: RouteRequest): Promise<Response> {
  const { resume, ...options } = withResume(call.body);
  const interrupted = resume ? await interruptedRun(parts, options) : null;
  if (interrupted !== null) return await continueRun(parts, call, interrupted);
  return await begin(parts, call, options);
}

/** Errors: `INVALID_ARGS` for what is neither true nor false. */
export function withResume({ resume = false, ...options }: RouteRequest["body"]): {
  resume: boolean;
  [name: string]: unknown;
} {
  if (typeof resume !== "boolean") throw new RunError("INVALID_ARGS", { reason: "resume is true or false" });
  return { resume, ...options };
}

/** Resumes an interrupted run. `extra` is added to the answer. */
export async function continueRun(
  parts: ConsoleParts,
  call: RouteRequest,
  runRoot: string,
  extra: object = {},
): Promise<Response> {
  const envelope = await callVerb(parts, ACTIONS.resume, { run: runRoot }, { ...call, runRoot });
  return await done(parts, call, envelope, { isWork: true, extra: { resumed: true, ...extra } });
}

/** Begins a run with the options of `start`, or continues with the one of the id that they name. */
export async function begin(
  parts: ConsoleParts,
  call: RouteRequest,
  options: Readonly<Record<string, unknown>>,
  extra: object = {},
): Promise<Response> {
  const { clock, random } = parts.ports;
  const { run_id = newRunId(clock.nowMs(), random.bytes(6)), ...rest } = options;
  const run = String(run_id);
  const there = await readRun(parts, { params: { run } }).catch(() => null);
  const where = { ...call, runRoot: `${parts.runsRoot}/${run}` };
  const envelope = await callVerb(parts, START, { ...rest, run_id }, where);
  return await done(parts, { ...call, params: { run } }, envelope, {
    isWork: true,
    isNew: there === null,
    extra: { resumed: false, ...extra },
  });
}
