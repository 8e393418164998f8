// Judges the question, the id, the limits and the settings of a new run. All that can be refused is refused here.
import { given } from "../../kernel/given.ts";
import { RunError } from "../../kernel/errors.ts";
import { newRunId, RUN_ID_PATTERN } from "../../kernel/ids.ts";
import { loadDriverFor } from "../../orchestrator/performer.ts";
import type { Observer } from "../../ports/observer.ts";
import { timestamp } from "../../ports/clock.ts";
import type { Ports } from "../../ports/ports.ts";
import { type CorpusReport, noCorpus } from "../../ports/provider.ts";
import { type Mode } from "../../run/settings/fields.ts";
import {
  assignmentOf,
  DEFAULT_SETTINGS,
  LIMITS_BY_MODE,
  limitsSchema,
  MAX_QUESTION_BYTES,
  settingsSchema,
  type Limits,
  type Settings,
} from "../../run/settings/settings.ts";
import { readStoredDocuments } from "../../run/settings/stored-documents.ts";
import { STAGES, type Stage } from "../../run/stage.ts";
import { chatIdSchema, parseWith } from "../../run/common.ts";
import { wantedProviders } from "../../run/log/provenance.ts";
import { checkTimeouts, liveTimeouts, modelSettingsOf } from "./model-settings.ts";
import { rankSettingsOf } from "./rank-settings.ts";
import type { ReadBundle } from "../bundle-folder.ts";
import type { InitOptions } from "../options.ts";
import { settingsOfReplay } from "./replay.ts";

export function checkQuestion(question: string): void {
  const bytes = Buffer.byteLength(question);
  if (bytes > MAX_QUESTION_BYTES)
    throw new RunError("INPUT_TOO_LARGE", { reason: "the question is too long", bytes, max_bytes: MAX_QUESTION_BYTES });
  if (question.trim() === "") throw new RunError("INVALID_ARGS", { reason: "the question is empty" });
  // A printed command was pasted with its placeholder in it.
  if (!/[\p{L}\p{N}]/u.test(question))
    throw new RunError("INVALID_ARGS", { reason: "the question holds no word: put your own between the quotes" });
  if (!question.isWellFormed() || /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(question)) {
    throw new RunError("INVALID_ARGS", { reason: "the question holds control characters or broken Unicode" });
  }
}

/** Errors: `INVALID_ARGS`. */
export function chatIdIn(label: unknown): string {
  const { data } = chatIdSchema.safeParse(label);
  if (data !== undefined) return data;
  const reason = "a chat is named by a label of at most 200 characters, without control characters";
  throw new RunError("INVALID_ARGS", { reason, option: "--chat-id" });
}

/** The id that was given, else one made from the time. */
export function runIdFor({ clock, random }: Ports, { runId }: Pick<InitOptions, "runId">): string {
  const run_id = runId ?? newRunId(clock.nowMs(), random.bytes(6));
  if (RUN_ID_PATTERN.test(run_id)) return run_id;
  throw new RunError("PATH_TRAVERSAL.run_id", { reason: "not a run id", run_id, option: "--run-id" });
}

export function limitsFor(mode: Mode, limits: InitOptions["limits"]): Limits {
  const all = { ...LIMITS_BY_MODE[mode], ...given(limits) };
  return parseWith(limitsSchema, all, { reason: "a limit is out of range" });
}

/** Steps of a live run mostly wait for their model. */
const LIVE_CONCURRENCY = 8;

export async function settingsFor(
  ports: Ports,
  options: InitOptions,
  replay: ReadBundle | null,
  observer: Observer,
  signal?: AbortSignal,
): Promise<{ settings: Settings; reports: CorpusReport[] }> {
  const live = await modelSettingsOf(ports, options);
  const roles = roleDriversOf(options);
  const played = { driver: options.driver, ...live, ...roles };
  const { driver } = await loadDriverFor(ports, played, replay?.bundle);
  const rank = await rankSettingsOf(ports, options, driver, live.models);
  const evidence = await evidenceFor(ports, options, replay, observer, signal);
  const { lease, policies, stageTimeoutSeconds } = options;
  const defaults = DEFAULT_SETTINGS.timeouts;
  const timeouts =
    stageTimeoutSeconds === undefined
      ? { ...(live.models === undefined ? defaults : liveTimeouts(defaults, live.models)), ...options.timeouts }
      : (Object.fromEntries(STAGES.map((stage) => [stage, stageTimeoutSeconds])) as Record<Stage, number>);
  const nameOf = (stage: Stage): string =>
    stageTimeoutSeconds === undefined ? `timeouts.${stage}` : "DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS";
  if (live.models !== undefined) checkTimeouts(timeouts, live.models, nameOf);
  const settings = {
    ...DEFAULT_SETTINGS,
    driver: options.driver,
    driver_version: driver.version,
    ...assignmentOf({ asked_on: questionDay(ports, options), audience: options.audience, length: options.length }),
    ...evidence.settings,
    ...live,
    ...given({ rank }),
    ...roles,
    ...(live.models === undefined ? {} : { steps: { ...DEFAULT_SETTINGS.steps, concurrency: LIVE_CONCURRENCY } }),
    timeouts,
    lease: leaseSettings({ ...ports.usualLease, ...lease }),
    policies: { ...DEFAULT_SETTINGS.policies, ...policies },
  };
  return {
    settings: parseWith(settingsSchema, settings, { reason: "a setting is out of range" }),
    reports: evidence.reports,
  };
}

/** The providers and corpora. The corpora are opened once here, to be read; a replay has those of its bundle. */
async function evidenceFor(
  ports: Ports,
  options: InitOptions,
  replay: ReadBundle | null,
  observer: Observer,
  signal?: AbortSignal,
): Promise<{ settings: Pick<Settings, "bundle" | "corpora" | "providers">; reports: CorpusReport[] }> {
  if (replay !== null) return { settings: { ...settingsOfReplay(replay), corpora: [] }, reports: [] };
  const { userProviders: user = [], workspaceProviders: workspace = [] } = options;
  const providers = { run: options.providers, workspace, ...(user.length === 0 ? {} : { user }) };
  if (options.corpora.length === 0 && wantedProviders(providers).ids.includes("filesystem")) throw noCorpus();
  const { provider, reports } = await ports.openCorpora(namedCorpora(options.corpora), {
    signal: signal ?? new AbortController().signal,
    wanted: { providers, sensitivity: options.sensitivity },
    ...(observer.onIndex === undefined ? {} : { onProgress: observer.onIndex }),
  });
  provider.close();
  return { settings: { providers, corpora: reports.map(({ corpus }) => corpus) }, reports };
}

/** Errors: `INVALID_ARGS` where an answer from outside would have to be judged, and no role can judge it. */
function roleDriversOf({ driver, roleDrivers = {} }: InitOptions): Pick<Settings, "role_drivers"> {
  const roles = Object.keys(roleDrivers);
  if (roles.length === 0 || driver === "task") return {};
  const option = "--role-driver";
  if (driver === "fixture")
    throw new RunError("INVALID_ARGS", { reason: "a replay has no roles to give away", option });
  const needsJudge = roles.filter((role) => role !== "reviewer" && role !== "verifier");
  if (driver === "local" && needsJudge.length > 0 && roleDrivers.verifier === undefined)
    throw new RunError("INVALID_ARGS", {
      reason: `what the ${needsJudge.join(" and the ")} outside submits has to be judged: add verifier=task`,
      option,
    });
  return { role_drivers: roleDrivers };
}

/** The day of the question, which only models read. */
function questionDay({ clock }: Ports, { driver, questionDay: before }: InitOptions): string | undefined {
  const hasModels = driver === "live" || driver === "task";
  return before ?? (hasModels ? timestamp(clock.nowMs()).slice(0, "2026-01-31".length) : undefined);
}

function leaseSettings(said: InitOptions["lease"]): Settings["lease"] {
  const lease = { ...DEFAULT_SETTINGS.lease, ...said };
  const { lease_seconds } = lease;
  const heartbeat_seconds = said?.heartbeat_seconds ?? Math.min(lease.heartbeat_seconds, lease_seconds / 4);
  const reason = "the heartbeat has to be shorter than the lease";
  if (heartbeat_seconds >= lease_seconds)
    throw new RunError("INVALID_ARGS", { reason, heartbeat_seconds, lease_seconds });
  return { ...lease, heartbeat_seconds };
}

/** Each folder gets its own name; folders of one name are numbered in the order given. */
export function namedCorpora(paths: readonly string[]): { name: string; path: string }[] {
  const seen = new Map<string, number>();
  return paths.map((path) => {
    const stored = readStoredDocuments(path)?.name;
    const base = stored ?? (path.replace(/\/+$/, "").split("/").at(-1) || "root");
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return { name: count === 1 ? base : `${base}-${count}`, path };
  });
}
