// The corpora of a run under one ownership. They are opened once, compared with what they were, and queried by a provider.
import { type Fault, isFault, RunError } from "../kernel/errors.ts";
import type { OwnedRun } from "../conversations/owned-run.ts";
import { halting } from "../ports/interruption.ts";
import type { Ports } from "../ports/ports.ts";
import type { CorpusReport, Provider, ProviderAnswer } from "../ports/provider.ts";
import type { BlockedUrl } from "../run/report/blocked-urls.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { blockedIn } from "../run/log/stage-folds.ts";
import { acceptedDrift, corpusDrift, type Difference } from "./drift.ts";
import type { Performer } from "./performer.ts";

export interface CorporaOwner extends Pick<OwnedRun, "observer" | "signal" | "view" | "writer"> {
  readonly ports: Pick<Ports, "openCorpora">;
  readonly performer: Performer;
  readonly blocked: { note(blocked: readonly BlockedUrl[]): Promise<void> };
}

export class Corpora {
  readonly #owner: CorporaOwner;
  #opened: { provider: Provider; reports: CorpusReport[] } | null = null;
  #openingLate: Promise<void> | null = null;

  constructor(owner: CorporaOwner) {
    this.#owner = owner;
  }

  get reports(): readonly CorpusReport[] {
    return this.#opened?.reports ?? [];
  }

  /** Which providers have answered so far. */
  get answers(): readonly ProviderAnswer[] {
    return this.#opened?.provider.answers?.() ?? [];
  }

  /** Opens the corpora and compares them with what the run was made over. Errors: `READ_FAILED` when one is gone. */
  async open(): Promise<Difference[]> {
    this.#opened ??= await this.#open();
    return corpusDrift(this.#owner.writer.manifest.settings, this.#opened.reports);
  }

  /** The provider of the run. Where nothing is open yet, this opens the corpora and finds out whether they have changed. */
  async provider(): Promise<Provider> {
    if (this.#opened === null) await (this.#openingLate ??= this.#openLate().finally(() => (this.#openingLate = null)));
    if (this.#opened === null) throw new RunError("INVALID_ARGS", { reason: "the run has no corpus" });
    return this.#opened.provider;
  }

  /** Asks the provider. What it could not reach is recorded before anybody acts on the answer. */
  async ask<T>(question: (provider: Provider) => Promise<T>): Promise<T> {
    const provider = await this.provider();
    const { blocked, writer } = this.#owner;
    try {
      return await question(provider);
    } finally {
      const unreached = provider.takeBlocked?.() ?? [];
      if (unreached.length > 0) await blocked.note(unreached);
      const answered = provider.takeAnswered?.() ?? [];
      if (answered.length > 0) await writer.commit(answered.map((data) => ({ kind: "engine.answered", data })));
    }
  }

  close(): void {
    this.#opened?.provider.close();
    this.#opened = null;
  }

  async #open(): ReturnType<Ports["openCorpora"]> {
    const { ports, writer, signal, observer, view } = this.#owner;
    try {
      const { settings, query, limits } = writer.manifest;
      const records = await view.records();
      return await ports.openCorpora(settings.corpora, {
        signal,
        wanted: {
          providers: settings.providers,
          sensitivity: query.sensitivity,
          mostQueries: mostQueries(settings, limits),
          answered: records.flatMap((record) => (record.kind === "engine.answered" ? [record.data] : [])),
          unreached: records.flatMap(blockedIn),
        },
        ...(observer.onIndex === undefined ? {} : { onProgress: observer.onIndex }),
      });
    } catch (error) {
      if (!(error instanceof RunError) || !["INVALID_ARGS", "READ_FAILED"].includes(error.code)) throw error;
      throw ofRun(error, writer.runRoot);
    }
  }

  async #openLate(): Promise<void> {
    const { writer, performer } = this.#owner;
    const differences = await this.open();
    if (differences.length === 0) return;
    const { on_drift: policy } = writer.manifest.settings.policies;
    if (policy !== "continue") {
      this.close();
      throw halting("drift", { policy, differences });
    }
    const found = { driver: performer.driver, reports: this.reports };
    await writer.commit(acceptedDrift(writer.manifest, differences, `policy ${policy}`, found));
  }
}

/** The arguments were right when the run was made: a corpus that cannot be opened now is gone. */
function ofRun(error: RunError, run_root: string): RunError {
  // A provider that is not set up names itself.
  if (error.facts.provider !== undefined) return error.with({ run_root, corpus_moved: false });
  const about = { run_root, corpus_moved: true };
  return isFault(error, "READ_FAILED.vanished", "INVALID_ARGS.unreadable_corpus", "INVALID_ARGS.too_many_files")
    ? new RunError("READ_FAILED.corpus", { ...error.facts, ...about }, { cause: error })
    : new RunError<Fault>(
        error.code === "INVALID_ARGS" ? "INVALID_ARGS.corpus" : error.fault,
        { ...error.facts, ...about },
        { cause: error },
      );
}

const QUERIES_PER_SUBJECT = 12;

/** Search engines charge by the query, so each run has a limit. A driver without a model asks as a single subject does. */
function mostQueries({ driver }: Manifest["settings"], limits: Manifest["limits"]): number {
  const { max_perspectives, max_gaps, max_depth, max_rounds } = limits;
  const later = max_depth - 1 + (max_rounds > 1 ? 1 : 0);
  return driver === "local" ? QUERIES_PER_SUBJECT : QUERIES_PER_SUBJECT * (max_perspectives + max_gaps * later);
}
