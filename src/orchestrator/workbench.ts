// What the steps of a run work with: the driver, the evidence so far, the corpora once they are needed.
import { RunError } from "../kernel/errors.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import type { Driver, TaskTools } from "../ports/driver.ts";
import { halting } from "../ports/interruption.ts";
import type { Ports } from "../ports/ports.ts";
import type { CorpusReport, Provider } from "../ports/provider.ts";
import type { RunLog } from "../ports/run-log.ts";
import { parseWith } from "../run/common.ts";
import type { Provenance } from "../run/provenance.ts";
import type { RecordDraft } from "../run/record.ts";
import { findingsSchema } from "../run/research.ts";
import type { Manifest } from "../run/manifest.ts";
import { provenanceOf, provenanceOfStep } from "./provenance.ts";
import { settingsDigest, type ModelSettings } from "../run/settings.ts";
import { stepOfferSchema, type StepOffer } from "../run/step.ts";
import { wantedProviders } from "../run/wanted-providers.ts";
import type { StageContext } from "../stages/stage-definition.ts";
import { checkModels } from "../conversations/model-check.ts";
import type { StepPlace } from "../conversations/open-conversations.ts";
import type { Session } from "./session.ts";
import { z } from "../kernel/schema.ts";

/** What was found otherwise than it was frozen. */
export interface Difference {
  what: string;
  frozen: string;
  found: string;
}

export class Workbench {
  readonly offers: ReadonlyMap<string, StepOffer>;
  readonly #ports: Ports;
  readonly #driver: Driver;
  #opening: Promise<void> | null = null;
  #corpora: { provider: Provider; reports: CorpusReport[] } | null = null;

  private constructor(ports: Ports, driver: Driver, offers: ReadonlyMap<string, StepOffer>) {
    this.#ports = ports;
    this.#driver = driver;
    this.offers = offers;
  }

  /** Errors: `INVALID_ARGS` when a model of the run has no key, or may not be reached. */
  static async open(ports: Ports, runRoot: string, manifest: Readonly<Manifest>): Promise<Workbench> {
    const { settings, query } = manifest;
    if (settings.models !== undefined) checkModels(await ports.loadModels(), settings.models, query.sensitivity);
    const driver = await ports.loadDriver(settings.driver);
    return new Workbench(ports, driver, await readOffers(ports.store, runRoot, manifest));
  }

  async contextFor(session: Session): Promise<StageContext> {
    return {
      manifest: session.writer.manifest,
      evidence: session.evidence,
      driver: this.#driver,
    };
  }

  /** Opens the corpora and compares them with what the run was made over. Errors: `READ_FAILED` when one is gone. */
  async openCorpora(session: Session): Promise<Difference[]> {
    const { settings } = session.writer.manifest;
    this.#corpora ??= await this.#open(session, settings.corpora);
    return this.#corpora.reports.flatMap(({ corpus }, index) => {
      const frozen = settings.corpora[index];
      return frozen === undefined || frozen.digest === corpus.digest
        ? []
        : [{ what: `corpus ${corpus.name}`, frozen: frozen.digest, found: corpus.digest }];
    });
  }

  async #open(
    { writer, signal, observer, view }: Session,
    corpora: Manifest["settings"]["corpora"],
  ): ReturnType<Ports["openCorpora"]> {
    try {
      const { settings, query, limits } = writer.manifest;
      return await this.#ports.openCorpora(corpora, {
        signal,
        wanted: {
          providers: settings.providers,
          sensitivity: query.sensitivity,
          mostQueries: mostQueries(settings, limits),
          answered: (await view.records()).flatMap((record) =>
            record.kind === "engine.answered" ? [record.data] : [],
          ),
        },
        ...(observer.onIndex === undefined ? {} : { onProgress: observer.onIndex }),
      });
    } catch (error) {
      if (!(error instanceof RunError) || error.code !== "INVALID_ARGS") throw error;
      const corpus_moved = error.facts["provider"] === undefined;
      const facts = { ...error.facts, run_root: writer.runRoot, corpus_moved };
      // Nobody gave wrong arguments: the run was made over a corpus that was there.
      const isGone = corpus_moved && typeof error.facts["path"] === "string";
      throw new RunError(isGone ? "READ_FAILED" : "INVALID_ARGS", facts, { cause: error });
    }
  }

  driverDrift({ driver, driver_version }: Manifest["settings"]): Difference[] {
    const { version } = this.#driver;
    if (driver_version === undefined || driver_version === version) return [];
    return [{ what: `driver ${driver}`, frozen: driver_version, found: version }];
  }

  /** The records that accept what was found as the settings from now on. */
  acceptDrift(session: Session, differences: Difference[], reason: string, models?: ModelSettings): RecordDraft[] {
    const { settings, limits } = session.writer.manifest;
    const reports = this.#corpora?.reports ?? [];
    const corpora = settings.corpora.map((corpus, index) => ({
      ...corpus,
      ...reports[index]?.corpus,
      name: corpus.name,
      path: corpus.path,
    }));
    const changed = {
      ...settings,
      corpora,
      driver_version: this.#driver.version,
      ...(models === undefined || settings.models === undefined ? {} : { models }),
    };
    return [
      { kind: "drift.accepted", data: { differences, reason } },
      {
        kind: "settings.changed",
        data: { settings: changed, settings_digest: settingsDigest(changed), limits, reason },
      },
    ];
  }

  toolsFor(session: Session): (place: StepPlace, signal: AbortSignal) => TaskTools {
    const { conversations, declaredTools, sources } = session;
    return (place, signal) => ({
      search: async (query, limit) => {
        await this.#ports.clock.turn();
        signal.throwIfAborted();
        const provider = await this.#provider(session);
        return await this.#noting(session, provider, () => provider.search(query, limit, signal));
      },
      countWords: async (question) => {
        const provider = await this.#provider(session);
        return (await provider.countWords?.(question, signal)) ?? null;
      },
      keep: async (passage) => {
        const provider = await this.#provider(session);
        return await this.#noting(session, provider, () => sources.keep(provider, passage, signal));
      },
      ...(readsPages(session.writer.manifest)
        ? {
            pages: {
              keep: async (address: string) => {
                const provider = await this.#provider(session);
                return await this.#noting(session, provider, () => sources.keepPage(provider, address, signal));
              },
              bytesOf: async (digest: string) => await sources.bytes(digest),
            },
          }
        : {}),
      collections: async () => (await this.#provider(session)).collections?.() ?? [],
      isRepeatable: async (origin) => {
        const provider = await this.#provider(session);
        const declarations = await provider.declaredTools?.(origin, signal);
        return declarations === undefined || (await declaredTools.onlyRead(declarations));
      },
      sourceText: async (digest) => await sources.text(digest),
      resultLength: resultLengthOf(session.writer.manifest.settings),
      converse: async (options) => await conversations.converse(place, options, signal),
      ...(place.lesson === undefined ? {} : { lesson: place.lesson }),
      say: (what) => session.observer.onSay?.(place.key, what),
      signal,
    });
  }

  /** What could not be reached is written down before anybody acts on it. */
  async #noting<T>(session: Session, provider: Provider, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      const blocked = provider.takeBlocked?.() ?? [];
      if (blocked.length > 0) await session.blocked.note(blocked);
      const answered = provider.takeAnswered?.() ?? [];
      if (answered.length > 0) await session.writer.commit(answered.map((data) => ({ kind: "engine.answered", data })));
    }
  }

  /** A stage that searches late, as a review may ask for, learns here whether the documents are what they were. */
  async #openLate(session: Session): Promise<void> {
    const differences = await this.openCorpora(session);
    if (differences.length === 0) return;
    const { on_drift: policy } = session.writer.manifest.settings.policies;
    if (policy !== "continue") {
      this.close();
      throw halting("drift", { policy, differences });
    }
    await session.writer.commit(this.acceptDrift(session, differences, `policy ${policy}`));
  }

  async #provider(session: Session): Promise<Provider> {
    if (this.#corpora === null) await (this.#opening ??= this.#openLate(session).finally(() => (this.#opening = null)));
    if (this.#corpora === null) throw new RunError("INVALID_ARGS", { reason: "the run has no corpus" });
    return this.#corpora.provider;
  }

  /** What each provider brought that answered, once a wave is over; nothing before the first one. */
  async provenance(session: Session, { evidence }: StageContext): Promise<RecordDraft[]> {
    const findings = await evidence.findings();
    if (findings.length === 0) return [];
    const sources = await evidence.sources();
    const answers = this.#corpora?.provider.answers?.() ?? [];
    return provenanceOf(session.writer.manifest.settings, { findings, sources, answers });
  }

  /** Undefined for a result that holds no findings. */
  async provenanceOfStep(
    session: Session,
    { evidence }: StageContext,
    value: unknown,
  ): Promise<Provenance[] | undefined> {
    const findings = findingsSchema.safeParse(value);
    if (!findings.success) return undefined;
    return provenanceOfStep(session.writer.manifest.settings, findings.data, await evidence.sources());
  }

  close(): void {
    this.#corpora?.provider.close();
    this.#corpora = null;
  }
}

async function readOffers(
  store: RunLog,
  runRoot: string,
  manifest: Readonly<Manifest>,
): Promise<ReadonlyMap<string, StepOffer>> {
  const ref = manifest.forked_from?.offers ?? null;
  if (ref === null) return new Map();
  const offers = parseWith(z.array(stepOfferSchema), parseStrictJson(await store.readContent(runRoot, ref)), {
    path: ref.path,
  });
  return new Map(offers.map((offer) => [offer.key, offer]));
}

/** Pages that other pages name are read where the web may be read freely. */
function readsPages({ settings, query }: Readonly<Manifest>): boolean {
  return query.sensitivity === "normal" && wantedProviders(settings.providers).ids.includes("web");
}

const QUERIES_PER_SUBJECT = 12;

/** Search engines are paid for by the query: no driver asks without end, and one without a model asks as one subject. */
function mostQueries({ driver }: Manifest["settings"], limits: Manifest["limits"]): number {
  const { max_perspectives, max_gaps, max_depth, max_rounds } = limits;
  const later = max_depth - 1 + (max_rounds > 1 ? 1 : 0);
  return driver === "local" ? QUERIES_PER_SUBJECT : QUERIES_PER_SUBJECT * (max_perspectives + max_gaps * later);
}

const LONGEST_RESULT = 24_000;
/** Even where each character is a token, this many results of one reply fit beside the reply itself. */
const RESULTS_AT_ONCE = 4;

function resultLengthOf({ models }: Manifest["settings"]): number {
  const room = models === undefined ? LONGEST_RESULT : models.context_tokens - models.max_output_tokens;
  return Math.max(1_000, Math.min(LONGEST_RESULT, Math.floor(room / RESULTS_AT_ONCE)));
}
