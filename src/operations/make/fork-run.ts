// `fork`: a new run that adopts the finished steps, the sources and the settings of an old one.
import { given } from "../../kernel/given.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { digestOfBytes } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { parseStrictJson } from "../../kernel/strict-json.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { LaterContent } from "../../ports/run-log.ts";
import type { ContentRef } from "../../run/common.ts";
import type { AnyRecord, RecordDraft } from "../../run/log/record.ts";
import { resultFile } from "../../run/log/layout.ts";
import { LIMITS_BY_MODE, settingsDigest, type Limits, type ModelSettings } from "../../run/settings/settings.ts";
import type { StepOffer } from "../../run/log/step.ts";
import { storedBundle } from "../bundle-folder.ts";
import { CarriedContent } from "./carried-content.ts";
import { announce, createRun, describeRun } from "./init-run.ts";
import { differencesBetween, DIFFERENCES, isDoneAgain, madeWith, madeWithByStep } from "./made-with.ts";
import type { MadeDifference, MadeWith } from "./made-with.ts";
import { modelsWith } from "./model-settings.ts";
import type { InitOptions } from "../options.ts";
import type { Outcome } from "../outcome.ts";

export interface ForkResult {
  run_id: string;
  run_root: string;
  forked_from: string;
  /** Finished steps that the new run takes over where its own inputs are the same. */
  offered_steps: number;
  /** Offered steps that another driver or other models made: their results are not reused. */
  done_again: number;
  /** Offered steps for another question, other documents or limits: a result is reused where the inputs are the same. */
  perhaps_done_again: number;
  /** The settings for which steps are done again, or may be. */
  differs_in: MadeDifference[];
  sources: number;
  /** Limits that a person named for the old run, kept under another mode. */
  kept_limits: Partial<Limits>;
}

/** Given settings of models replace those of the old run one by one. */
export type ForkOptions = Partial<Omit<InitOptions, "models">> & { runsRoot: string; models?: Partial<ModelSettings> };

/** Options that are given override those of the old run. Errors: as `init`. */
export async function forkRun(
  ports: Ports,
  runRoot: string,
  overrides: ForkOptions,
  observer: Observer,
): Promise<Outcome<ForkResult>> {
  const { manifest } = await ports.store.look(runRoot);
  const options = await withStoredBundle(ports, runRoot, manifest, optionsOf(manifest, overrides));
  const { runRoot: run_root, created: fresh, attached } = await describeRun(ports, options, observer);
  const { run_id } = fresh;
  const keepsTimeouts = overrides.stageTimeoutSeconds === undefined && options.driver === manifest.settings.driver;
  const settings = keepsTimeouts ? { ...fresh.settings, timeouts: manifest.settings.timeouts } : fresh.settings;
  const baggage = await pack(ports, runRoot, manifest.run_id);
  const offers = new TextEncoder().encode(canonicalJson(baggage.offers));
  const digest = digestOfBytes(offers);
  const offersRef: ContentRef = { path: resultFile(digest), sha256: digest, bytes: offers.byteLength };
  const { seq, digest: headDigest } = manifest.journal;
  const created = {
    ...fresh,
    settings,
    settings_digest: settingsDigest(settings),
    forked_from: { run_id: manifest.run_id, seq, digest: headDigest, offers: offersRef },
  };
  const contents = [...baggage.contents, ...attached.contents, { path: offersRef.path, bytes: offers }];
  const { outcome, run } = await createRun(ports, run_root, created, baggage.sources, contents);
  if (outcome === "exists")
    throw new RunError("ALREADY_EXISTS", { reason: "a run has this id already", run_id, run_root });
  await announce(ports, run_root, observer);
  const finished = baggage.offers.filter(({ opened_again }) => opened_again !== true);
  const result = {
    run_id,
    run_root,
    forked_from: manifest.run_id,
    offered_steps: finished.length,
    ...doneAgain({ ...baggage, offers: finished }, madeWith(created)),
    sources: baggage.sources.length,
    kept_limits: options.mode === manifest.mode ? {} : keptLimits(manifest, overrides.limits),
  };
  return { result, run, error: null };
}

type Parent = Awaited<ReturnType<Ports["store"]["look"]>>["manifest"];

/** The options of a new run with the settings of another one. */
export function optionsOf(parent: Parent, { models: givenModels, runsRoot, ...overrides }: ForkOptions): InitOptions {
  const { query, mode, settings, limits, chat_id: chatId } = parent;
  const { run: providers, workspace: workspaceProviders, user: userProviders } = settings.providers;
  const { lease, asked_on: questionDay, audience, length, rank } = settings;
  const keepsDriver = overrides.driver === undefined || overrides.driver === settings.driver;
  const keepsMode = overrides.mode === undefined || overrides.mode === mode;
  return {
    runsRoot,
    question: query.text,
    driver: settings.driver,
    mode,
    sensitivity: query.sensitivity,
    corpora: settings.corpora.map(({ path }) => path),
    providers,
    workspaceProviders,
    lease,
    ...given({ userProviders, questionDay, audience, length, chatId }),
    ...(keepsDriver && given({ budgets: settings.budgets, roleDrivers: settings.role_drivers, rank: rank?.by })),
    ...forkedModels(keepsDriver ? settings.models : undefined, givenModels),
    ...given(overrides),
    limits: { ...(keepsMode ? limits : keptLimits(parent, overrides.limits)), ...overrides.limits },
    policies: { ...settings.policies, ...overrides.policies },
  };
}

/** A fork of a replay replays the same bundle. Errors: `INVALID_ARGS` for a run of another driver. */
async function withStoredBundle(
  ports: Ports,
  runRoot: string,
  { settings }: Parent,
  options: InitOptions,
): Promise<InitOptions> {
  if (options.driver !== "fixture") return options;
  if (settings.bundle === undefined)
    throw new RunError("INVALID_ARGS", {
      reason: "only a replay is forked into a replay: make one with start --bundle",
      option: "--driver",
    });
  return { ...options, bundle: await storedBundle(ports, runRoot, settings.bundle.content) };
}

/** Limits that differ from those of the mode: a person named them for the old run. */
function keptLimits({ mode, limits }: Parent, requested: Partial<Limits> = {}): Partial<Limits> {
  const ofMode = new Map(Object.entries(LIMITS_BY_MODE[mode]));
  const named = new Map(Object.entries(requested));
  const kept = Object.entries(limits).filter(
    ([name, value]) => ofMode.get(name) !== value && named.get(name) === undefined,
  );
  return Object.fromEntries(kept);
}

function forkedModels(
  kept: ModelSettings | undefined,
  requested: Partial<ModelSettings> | undefined,
): Pick<InitOptions, "models"> {
  if (requested === undefined) return kept === undefined ? {} : { models: kept };
  if (kept !== undefined) return { models: modelsWith(kept, requested) };
  const { default: model } = requested;
  if (model === undefined)
    throw new RunError("INVALID_ARGS", { reason: "the run that is forked has no model", option: "--model" });
  return { models: { ...requested, default: model } };
}

function doneAgain(
  { offers, madeWith: made }: Baggage,
  now: MadeWith,
): Pick<ForkResult, "done_again" | "perhaps_done_again" | "differs_in"> {
  const all = offers.map(({ key }) => differencesBetween(made.get(key) ?? now, now));
  const differing = all.filter((differences) => differences.length > 0);
  const done_again = differing.filter(isDoneAgain).length;
  return {
    done_again,
    perhaps_done_again: differing.length - done_again,
    differs_in: DIFFERENCES.filter((what) => differing.some((differences) => differences.includes(what))),
  };
}

// --- what comes along ---------------------------------------------------------------------------------------------

interface Baggage {
  offers: StepOffer[];
  sources: RecordDraft[];
  contents: LaterContent[];
  /** The settings of each step, by its key. */
  madeWith: ReadonlyMap<string, MadeWith>;
}

/**
 * The finished steps and the sources whose files still verify. What is damaged is left behind and done again. Each file is
 * checked here, and read again when the new run stores it, so that one file at a time is in memory.
 */
async function pack(ports: Ports, runRoot: string, runId: string): Promise<Baggage> {
  const records = await ports.store.records(runRoot);
  const carried = new CarriedContent(ports, runRoot);
  const { sources, lost } = await carried.sources(records);
  const offers = new Map<string, StepOffer>();
  for (const record of records) {
    const opened = record.kind === "step.reopened" ? offers.get(record.data.key) : undefined;
    if (opened !== undefined) offers.set(opened.key, { ...opened, opened_again: true });
    if (looksAgain(record)) for (const { key, stage } of offers.values()) if (stage === "wave1") offers.delete(key);
    const offer = offerOf(record, runId);
    if (offer === null) continue;
    const files = offer.content === undefined ? offer.files : [offer.content, ...offer.files];
    const stands = (await carried.takes(files)) && !(await restsOn(lost, offer, carried.contents));
    if (stands) offers.set(offer.key, offer);
    else offers.delete(offer.key);
  }
  return {
    offers: [...offers.values()],
    sources,
    contents: [...carried.contents.values()],
    madeWith: madeWithByStep(records),
  };
}

/** A wave found nothing and a person had it done again: the steps of the first time are not offered. */
function looksAgain(record: AnyRecord): boolean {
  if (record.kind !== "halt.cleared" || record.data.kind !== "no_evidence") return false;
  return record.data.by !== "time" && record.data.by !== "answer";
}

function offerOf(record: AnyRecord, runId: string): StepOffer | null {
  if (record.kind !== "step.completed" && record.kind !== "step.adopted") return null;
  const { key, stage, inputs_digest, result_digest, value, content, files, provenance } = record.data;
  const place = content === undefined ? { value } : { content };
  const from =
    record.kind === "step.adopted"
      ? { from_run: record.data.from_run, from_seq: record.data.from_seq }
      : { from_run: runId, from_seq: record.seq };
  const came = provenance === undefined ? {} : { provenance };
  return { key, stage, inputs_digest, result_digest, ...place, files, ...from, ...came };
}

async function restsOn(
  lost: readonly string[],
  offer: StepOffer,
  contents: ReadonlyMap<string, LaterContent>,
): Promise<boolean> {
  if (lost.length === 0) return false;
  const bytes = offer.content === undefined ? undefined : await contents.get(offer.content.path)?.read();
  return namesAny(bytes === undefined ? offer.value : parseStrictJson(bytes, bytes.byteLength), new Set(lost));
}

/** True when a value of JSON has one of the digests in it, as a result names the sources that it rests on. */
function namesAny(value: unknown, digests: ReadonlySet<string>): boolean {
  if (typeof value === "string") return digests.has(value);
  return typeof value === "object" && value !== null && Object.values(value).some((one) => namesAny(one, digests));
}
