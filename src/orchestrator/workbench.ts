// What the steps of a run work with: the driver, the evidence so far, the corpora once they are needed.

import { RunError } from "../kernel/errors.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import type { Driver, TaskTools } from "../ports/driver.ts";
import type { Ports } from "../ports/ports.ts";
import type { CorpusReport, Provider } from "../ports/provider.ts";
import type { RunStore } from "../ports/run-store.ts";
import { parseWith } from "../run/common.ts";
import type { RecordDraft } from "../run/record.ts";
import type { Manifest } from "../run/manifest.ts";
import { settingsDigest } from "../run/settings.ts";
import { stepOfferSchema, type StepOffer } from "../run/step.ts";
import { Evidence, type EvidenceReader } from "../stages/evidence.ts";
import type { StageContext } from "../stages/stage-definition.ts";
import type { Session } from "./session.ts";
import { SourceKeeper } from "./source-keeper.ts";
import { z } from "../kernel/schema.ts";

export class Workbench {
  readonly offers: ReadonlyMap<string, StepOffer>;
  readonly #ports: Ports;
  readonly #driver: Driver;
  readonly #keepers = new WeakMap<Session, SourceKeeper>();
  #corpora: { provider: Provider; reports: CorpusReport[] } | null = null;

  private constructor(ports: Ports, driver: Driver, offers: ReadonlyMap<string, StepOffer>) {
    this.#ports = ports;
    this.#driver = driver;
    this.offers = offers;
  }

  static async open(ports: Ports, runRoot: string, manifest: Readonly<Manifest>): Promise<Workbench> {
    const driver = await ports.loadDriver(manifest.settings.driver);
    return new Workbench(ports, driver, await readOffers(ports.store, runRoot, manifest));
  }

  async contextFor(session: Session): Promise<StageContext> {
    return {
      manifest: session.writer.manifest,
      evidence: evidenceFor(this.#ports.store, session),
      driver: this.#driver,
    };
  }

  /** Opens the corpora and compares them with what the run was made over. Errors: `INVALID_ARGS` when one is gone. */
  async openCorpora(session: Session): Promise<{ what: string; frozen: string; found: string }[]> {
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
    { writer, signal, observer }: Session,
    corpora: Manifest["settings"]["corpora"],
  ): ReturnType<Ports["openCorpora"]> {
    try {
      return await this.#ports.openCorpora(corpora, {
        signal,
        ...(observer.onIndex === undefined ? {} : { onProgress: observer.onIndex }),
      });
    } catch (error) {
      if (!(error instanceof RunError) || error.code !== "INVALID_ARGS") throw error;
      throw new RunError(
        "INVALID_ARGS",
        { ...error.facts, run_root: writer.runRoot, corpus_moved: true },
        { cause: error },
      );
    }
  }

  driverDrift({ driver, driver_version }: Manifest["settings"]): { what: string; frozen: string; found: string }[] {
    const { version } = this.#driver;
    if (driver_version === undefined || driver_version === version) return [];
    return [{ what: `driver ${driver}`, frozen: driver_version, found: version }];
  }

  /** The records that accept what was found as the settings from now on. */
  acceptDrift(
    session: Session,
    differences: { what: string; frozen: string; found: string }[],
    reason: string,
  ): RecordDraft[] {
    const { settings, limits } = session.writer.manifest;
    const reports = this.#corpora?.reports ?? [];
    const corpora = settings.corpora.map((corpus, index) => ({
      ...corpus,
      ...reports[index]?.corpus,
      name: corpus.name,
      path: corpus.path,
    }));
    const changed = { ...settings, corpora, driver_version: this.#driver.version };
    return [
      { kind: "drift.accepted", data: { differences, reason } },
      {
        kind: "settings.changed",
        data: { settings: changed, settings_digest: settingsDigest(changed), limits, reason },
      },
    ];
  }

  toolsFor(session: Session): (key: string, signal: AbortSignal) => TaskTools {
    const keeper = this.#keepers.get(session) ?? new SourceKeeper(session, evidenceFor(this.#ports.store, session));
    this.#keepers.set(session, keeper);
    return (key, signal) => ({
      search: async (query, limit) => {
        await this.#ports.clock.turn();
        signal.throwIfAborted();
        return await (await this.#provider(session)).search(query, limit, signal);
      },
      keep: async (passage) => await keeper.keep(await this.#provider(session), passage, signal),
      sourceText: async (digest) => await keeper.text(digest),
      say: (what) => session.observer.onSay?.(key, what),
      signal,
    });
  }

  async #provider(session: Session): Promise<Provider> {
    if (this.#corpora === null) await this.openCorpora(session);
    if (this.#corpora === null) throw new RunError("INVALID_ARGS", { reason: "the run has no corpus" });
    return this.#corpora.provider;
  }

  /** What the provider that answered brought, once a wave is over. */
  async provenance(session: Session, { evidence }: StageContext): Promise<RecordDraft> {
    const findings = await evidence.findings();
    const { providers } = session.writer.manifest.settings;
    const requested = providers.run[0] ?? providers.workspace[0] ?? "filesystem";
    return {
      kind: "provider.resolved",
      data: {
        requested_provider_id: requested,
        resolved_provider_id: requested,
        resolved_from: providers.run.length > 0 ? "run" : providers.workspace.length > 0 ? "workspace" : "default",
        answered_provider_id: this.#corpora?.provider.id ?? "filesystem",
        source_count: new Set(findings.flatMap(({ sources }) => sources.map(({ source_digest }) => source_digest)))
          .size,
        quote_count: findings.reduce((sum, { quotes }) => sum + quotes.length, 0),
      },
    };
  }

  close(): void {
    this.#corpora?.provider.close();
    this.#corpora = null;
  }
}

/** Evidence read through the owner's handle, so that it is what the owner wrote. */
export function evidenceFor(store: RunStore, { writer }: Pick<Session, "writer">): Evidence {
  const reader: EvidenceReader = {
    readSteps: (stage) => writer.readSteps(stage),
    readResult: (ref) => writer.readResult(ref),
    readContent: (ref) => writer.readContent(ref),
    readRecords: async () => (await store.records(writer.runRoot)).map(({ record }) => record),
    verifyRun: async () => await verification(store, writer.runRoot),
  };
  return new Evidence(reader);
}

async function verification(store: RunStore, runRoot: string): ReturnType<EvidenceReader["verifyRun"]> {
  const { manifest, problems, scan } = await store.inspect(runRoot);
  const found = problems.map(({ path, found: what }) => `${path}: ${what}`);
  if (manifest !== null && settingsDigest(manifest.settings) !== manifest.settings_digest)
    found.push("the settings do not fit their digest");
  return {
    problems: found,
    records: scan.records.length,
    files: scan.records.filter(({ record }) => record.kind === "source.stored").length,
  };
}

async function readOffers(
  store: RunStore,
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
