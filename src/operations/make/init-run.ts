// `init`: makes a run. All that can be refused is refused before anything is on disk.
import { RunError } from "../../kernel/errors.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import { type CorpusReport } from "../../ports/provider.ts";
import type { LaterContent, NewContent, RunLook } from "../../ports/run-log.ts";
import type { FirstDrafts, RecordData, RecordDraft } from "../../run/log/record.ts";
import { DEFAULT_MODE } from "../../run/settings/fields.ts";
import { settingsDigest, type Limits } from "../../run/settings/settings.ts";
import { chatOf } from "../../run/common.ts";
import { digestOfJson } from "../../kernel/digest.ts";
import type { AttachedRecords } from "../bundle-folder.ts";
import type { InitOptions } from "../options.ts";
import { chatIdIn, checkQuestion, limitsFor, runIdFor, settingsFor } from "./first-settings.ts";
import type { Outcome } from "../outcome.ts";
import { replayFor } from "./replay.ts";

export interface InitResult {
  run_id: string;
  run_root: string;
  /** False when a run of the same question and settings was already there. */
  created: boolean;
  corpora: CorpusReport[];
}

/** Errors: `INVALID_ARGS`, `INPUT_TOO_LARGE`, `ALREADY_EXISTS` when the run id names a run of another question or settings. */
export async function initRun(
  ports: Ports,
  options: InitOptions,
  observer: Observer,
  signal?: AbortSignal,
): Promise<Outcome<InitResult>> {
  const {
    runRoot: run_root,
    created,
    reports: corpora,
    attached,
  } = await describeRun(ports, options, observer, signal);
  const { outcome, run } = await createRun(ports, run_root, created, attached.records, attached.contents);
  const isCreated = outcome === "created";
  if (isCreated) await announce(ports, run_root, observer);
  else {
    await refuseOtherRun(ports, run_root, created, options.limits);
    // Another process made the run: it is made durable before it is acknowledged.
    await ports.folders.makeDurable(run_root);
  }
  return { result: { run_id: created.run_id, run_root, created: isCreated, corpora }, run, error: null };
}

export interface DescribedRun {
  runRoot: string;
  created: RecordData<"run.created">;
  reports: CorpusReport[];
  /** The records and files of a bundle; none without one. */
  attached: AttachedRecords;
}

/** Reads the corpora and refuses what can be refused, before anything is on disk. Errors: as `initRun`. */
export async function describeRun(
  ports: Ports,
  options: InitOptions,
  observer: Observer,
  signal?: AbortSignal,
): Promise<DescribedRun> {
  const replay = await replayFor(ports, options, signal);
  // A line end of another system is a line end.
  const question = (options.question ?? replay?.bundle.question ?? "").replace(/\r\n?/gu, "\n");
  checkQuestion(question);
  const run_id = runIdFor(ports, options);
  const mode = options.mode ?? replay?.bundle.scope.mode ?? DEFAULT_MODE;
  const limits = replay?.bundle.scope.limits ?? limitsFor(mode, options.limits);
  const { settings, reports } = await settingsFor(ports, options, replay, observer, signal);
  const created: RecordData<"run.created"> = {
    schema_version: "journal.v2",
    run_id,
    tool_version: ports.toolVersion,
    query: { text: question, sensitivity: options.sensitivity },
    mode,
    settings,
    settings_digest: settingsDigest(settings),
    limits,
    ...(options.chatId === undefined ? {} : { chat_id: chatIdIn(options.chatId) }),
  };
  const attached = replay?.attached ?? { records: [], contents: [] };
  return { runRoot: `${options.runsRoot}/${run_id}`, created, reports, attached };
}

/** `named`: the limits that a person named. Errors: `ALREADY_EXISTS` when the run of this id differs from the request. */
export async function refuseOtherRun(
  ports: Ports,
  run_root: string,
  created: RecordData<"run.created">,
  named: Partial<Limits>,
): Promise<void> {
  const [first] = await ports.store.records(run_root);
  if (first?.kind !== "run.created")
    throw new RunError("INTEGRITY_ERROR", { reason: "the journal does not begin with run.created", run_root });
  const differs_in = differences(first.data, created, named);
  if (differs_in.length === 0) return;
  const { run_id } = created;
  throw new RunError("ALREADY_EXISTS", { reason: "a run of this id differs", differs_in, run_id, run_root });
}

/** Makes the run root with its first records. In them the stage `init` is already left. */
export async function createRun(
  ports: Ports,
  runRoot: string,
  created: RecordData<"run.created">,
  attached: RecordDraft[],
  contents: readonly (NewContent | LaterContent)[],
): Promise<{ outcome: "created" | "exists"; run: RunLook }> {
  const { kind } = await ports.store.create(runRoot, firstDrafts(created, attached), contents);
  return { outcome: kind, run: await ports.store.look(runRoot) };
}

/** The records that a run begins with. */
export function firstDrafts(created: RecordData<"run.created">, attached: readonly RecordDraft[] = []): FirstDrafts {
  return [{ kind: "run.created", data: created }, ...attached, leavingInit(created)];
}

/** Reports the first records to the observer: no owner committed them, so no other does. */
export async function announce(ports: Ports, runRoot: string, observer: Observer): Promise<void> {
  if (observer.onRecord === undefined) return;
  for (const record of await ports.store.records(runRoot)) observer.onRecord(runRoot, record);
}

/** The stage `init` has no steps, so it leaves no folds. */
function leavingInit({ settings_digest }: RecordData<"run.created">): RecordDraft {
  const inputs_digest = digestOfJson({ from: "init", to: "perspectives", settings_digest });
  const move = { from: "init", to: "perspectives", reason: "the run was made" } as const;
  return { kind: "stage.entered", data: { ...move, inputs_digest, gates_revision: 0, folds: [] } };
}

/**
 * The parts in which an existing run differs from the requested one. It is compared as it was made, since a resume may
 * have changed its settings. Other documents or another driver version are no difference: the drift policy judges those.
 */
function differences(
  made: RecordData<"run.created">,
  requested: RecordData<"run.created">,
  named: Partial<Limits>,
): string[] {
  const { corpora: madeCorpora, driver_version: _made, asked_on: _day, ...madeSettings } = made.settings;
  const {
    corpora: requestedCorpora,
    driver_version: _requested,
    asked_on: _today,
    ...requestedSettings
  } = requested.settings;
  const isSameVersion = made.tool_version === requested.tool_version;
  const namedOf = (limits: Limits) => Object.fromEntries(Object.entries(limits).filter(([name]) => name in named));
  const parts: [string, unknown, unknown][] = [
    ["question", made.query, requested.query],
    ["mode", made.mode, requested.mode],
    // The limits of a mode may be others in another version, for the same line.
    ["limits", { ...(isSameVersion ? made.limits : requested.limits), ...namedOf(made.limits) }, requested.limits],
    ["settings", madeSettings, requestedSettings],
    ["chat", chatOf(made), chatOf(requested)],
    ["corpus", madeCorpora.map(({ name }) => name), requestedCorpora.map(({ name }) => name)],
  ];
  return parts.filter(([, ours, theirs]) => digestOfJson(ours) !== digestOfJson(theirs)).map(([name]) => name);
}
