// `fork`: a new run that adopts the finished steps, the sources and the settings of an old one.
import { canonicalJson } from "../kernel/canonical-json.ts";
import { digestOfBytes } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import type { Observer } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { NewContent } from "../ports/run-store.ts";
import type { ContentRef } from "../run/common.ts";
import type { AnyRecord, RecordData, RecordDraft } from "../run/record.ts";
import { resultFile } from "../run/layout.ts";
import { settingsDigest } from "../run/settings.ts";
import type { StepOffer } from "../run/step.ts";
import { announce, checkQuestion, createRun, limitsFor, runIdFor, settingsFor } from "./init-run.ts";
import type { InitOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";

export interface ForkResult {
  run_id: string;
  run_root: string;
  forked_from: string;
  /** Finished steps that the new run takes over where its own inputs are the same. */
  offered_steps: number;
  sources: number;
}

/** Options that are given override those of the old run. Errors: as `init`. */
export async function forkRun(
  ports: Ports,
  runRoot: string,
  overrides: Partial<InitOptions> & { runsRoot: string },
  observer: Observer,
): Promise<Outcome<ForkResult>> {
  const { manifest } = await ports.store.look(runRoot);
  const options = optionsOf(manifest, overrides);
  checkQuestion(options.question);
  const run_id = runIdFor(ports, options);
  const { settings } = await settingsFor(ports, options, observer);
  const keepsTimeouts = overrides.stageTimeoutSeconds === undefined && options.driver === manifest.settings.driver;
  const kept = { ...settings, timeouts: keepsTimeouts ? manifest.settings.timeouts : settings.timeouts };
  const baggage = await pack(ports, runRoot, manifest.run_id);
  const offers = new TextEncoder().encode(canonicalJson(baggage.offers));
  const digest = digestOfBytes(offers);
  const offersRef: ContentRef = { path: resultFile(digest), sha256: digest, bytes: offers.byteLength };
  const created: RecordData<"run.created"> = {
    schema_version: "journal.v1",
    run_id,
    tool_version: ports.toolVersion,
    query: { text: options.question, sensitivity: options.sensitivity },
    mode: options.mode,
    settings: kept,
    settings_digest: settingsDigest(kept),
    limits: limitsFor(options),
    forked_from: {
      run_id: manifest.run_id,
      seq: manifest.journal.seq,
      digest: manifest.journal.digest,
      offers: offersRef,
    },
  };
  const run_root = `${options.runsRoot}/${run_id}`;
  const contents = [...baggage.contents, { path: offersRef.path, bytes: offers }];
  const { outcome, run } = await createRun(ports, run_root, created, baggage.sources, contents);
  if (outcome === "exists")
    throw new RunError("ALREADY_EXISTS", { reason: "a run has this id already", run_id, run_root });
  await announce(ports, run_root, observer);
  const result = {
    run_id,
    run_root,
    forked_from: manifest.run_id,
    offered_steps: baggage.offers.length,
    sources: baggage.sources.length,
  };
  return { result, run, error: null };
}

type Parent = Awaited<ReturnType<Ports["store"]["look"]>>["manifest"];

function optionsOf(
  { query, mode, settings, limits }: Parent,
  overrides: Partial<InitOptions> & { runsRoot: string },
): InitOptions {
  const given = Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => value !== undefined),
  ) as typeof overrides;
  const keepsDriver = overrides.driver === undefined || overrides.driver === settings.driver;
  const keepsMode = overrides.mode === undefined || overrides.mode === mode;
  return {
    question: query.text,
    driver: settings.driver,
    mode,
    sensitivity: query.sensitivity,
    corpora: settings.corpora.map(({ path }) => path),
    providers: settings.providers.run,
    workspaceProviders: settings.providers.workspace,
    lease: settings.lease,
    ...(settings.models === undefined || !keepsDriver ? {} : { models: settings.models }),
    ...(settings.budgets === undefined || !keepsDriver ? {} : { budgets: settings.budgets }),
    ...given,
    limits: { ...(keepsMode ? limits : {}), ...overrides.limits },
    policies: { ...settings.policies, ...overrides.policies },
  };
}

// --- what comes along ---------------------------------------------------------------------------------------------

interface Baggage {
  offers: StepOffer[];
  sources: RecordDraft[];
  contents: NewContent[];
}

/** Finished steps and sources whose files still verify; what is damaged stays behind and is done again. */
async function pack(ports: Ports, runRoot: string, runId: string): Promise<Baggage> {
  const records = (await ports.store.records(runRoot)).map(({ record }) => record);
  const contents = new Map<string, NewContent>();
  const load = async (refs: readonly ContentRef[]): Promise<boolean> => {
    const loaded: NewContent[] = [];
    for (const ref of refs) {
      await ports.clock.turn();
      const bytes = await readSound(ports, runRoot, ref);
      if (bytes === null) return false;
      loaded.push({ path: ref.path, bytes });
    }
    for (const content of loaded) contents.set(content.path, content);
    return true;
  };
  const sources: RecordDraft[] = [];
  const lost: string[] = [];
  for (const record of records) {
    if (record.kind !== "source.stored") continue;
    if (await load(record.data.files)) sources.push({ kind: "source.stored", data: record.data });
    else lost.push(record.data.source.source_digest);
  }
  const offers = new Map<string, StepOffer>();
  for (const record of records) {
    if (record.kind === "step.reopened") offers.delete(record.data.key);
    const offer = offerOf(record, runId);
    if (offer === null) continue;
    const files = offer.content === undefined ? offer.files : [offer.content, ...offer.files];
    const stands = (await load(files)) && !restsOn(lost, offer, contents);
    if (stands) offers.set(offer.key, offer);
    else offers.delete(offer.key);
  }
  return { offers: [...offers.values()], sources, contents: [...contents.values()] };
}

async function readSound(ports: Ports, runRoot: string, ref: ContentRef): Promise<Uint8Array | null> {
  try {
    return await ports.store.readContent(runRoot, ref);
  } catch (error) {
    if (error instanceof RunError && (error.code === "INTEGRITY_ERROR" || error.code === "MISSING_ARTIFACT"))
      return null;
    throw error;
  }
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

function restsOn(lost: readonly string[], offer: StepOffer, contents: ReadonlyMap<string, NewContent>): boolean {
  if (lost.length === 0) return false;
  const bytes = offer.content === undefined ? undefined : contents.get(offer.content.path)?.bytes;
  const text = bytes === undefined ? JSON.stringify(offer.value) : new TextDecoder().decode(bytes);
  return lost.some((digest) => text.includes(digest));
}
