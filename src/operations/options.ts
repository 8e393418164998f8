// The options of the operations that change a run; surfaces fill them from argv or from a request.
import type { DriveOptions } from "../orchestrator/drive.ts";
import type { ProviderId } from "../run/common.ts";
import type { Mode, RankBy } from "../run/settings/fields.ts";
import type {
  Budgets,
  DriverId,
  Limits,
  ModelSettings,
  ReportLength,
  Sensitivity,
  Settings,
} from "../run/settings/settings.ts";
import type { Stage } from "../run/stage.ts";
import type { ReadBundle } from "./bundle-folder.ts";

export type { StopSignals } from "../ports/observer.ts";

/** How a person names a run. Where nothing is set, the newest run is meant, for resume the newest that can be resumed. */
export interface RunSelector {
  runsRoot: string;
  /** A run id, a unique prefix of one, or an absolute path of a run root or manifest. */
  ref?: string;
}

/** The models of a run. Settings that are left out are built in. */
export type GivenModels = Pick<ModelSettings, "default"> & Partial<ModelSettings>;

export interface InitOptions {
  runsRoot: string;
  /** Left out only where a bundle has it. */
  question?: string;
  runId?: string;
  chatId?: string;
  driver: DriverId;
  /** Else that of the bundle, or standard. */
  mode?: Mode;
  sensitivity: Sensitivity;
  /** Absolute folders. */
  corpora: string[];
  providers: ProviderId[];
  limits: Partial<Limits>;
  /** What a replay replays: an absolute folder, or what the forked run keeps. */
  bundle?: string | ReadBundle;
  /** For whom and how long the report is, where a model writes it; `questionDay`: the day of the run that is forked. */
  audience?: string;
  length?: ReportLength;
  questionDay?: string;
  /** Of the live driver, and of the local one where a model ranks. */
  models?: GivenModels;
  budgets?: Budgets;
  /** Who puts found passages in order. A live run has its researchers read them by themselves. */
  rank?: RankBy;
  /** Beside a local or live driver. */
  roleDrivers?: Settings["role_drivers"];
  policies: Partial<Settings["policies"]>;
  lease?: Partial<Settings["lease"]>;
  /** One time limit for every stage, in seconds; before `timeouts`. */
  stageTimeoutSeconds?: number;
  /** Time limits of single stages, in seconds. */
  timeouts?: Partial<Record<Stage, number>>;
  /** Providers that the file of the workspace names, for a run that names none. */
  workspaceProviders?: ProviderId[];
  /** Providers that the file of the user names. The workspace comes first. */
  userProviders?: ProviderId[];
}

export type TickOptions = Pick<DriveOptions, "maxSteps" | "reason">;
export type RunOptions = Pick<DriveOptions, "untilStage" | "maxTicks">;

export interface ResumeOptions
  extends RunOptions, Pick<DriveOptions, "onDrift" | "corpora" | "limits" | "budgets" | "modelBaseUrl"> {
  /** Only lifts what blocks the run. */
  noRun?: boolean;
  /** The same, and wakes the workers of the store. */
  detach?: boolean;
  /** Settings of models that replace those of the run; a drift. */
  models?: Partial<ModelSettings>;
}
