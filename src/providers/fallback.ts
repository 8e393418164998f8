// Queries providers one after the other until one answers, and notes which were queried, which answered and why.
import { assert } from "../kernel/assert.ts";
import { ProviderFailure } from "../ports/provider-failure.ts";
import type {
  Declarations,
  DocumentCollection,
  FetchOutcome,
  Passage,
  Provider,
  ProviderAnswer,
  WordCounts,
} from "../ports/provider.ts";
import type { BlockedUrl } from "../run/report/blocked-urls.ts";
import type { EngineAnswer } from "../run/report/engine-answer.ts";
import type { ProviderId } from "../run/common.ts";
import type { Provenance } from "../run/log/provenance.ts";
import { mostHopeful } from "./most-hopeful.ts";

interface FallbackOptions {
  /** The providers in the order in which they are queried. The first one is the resolved one. */
  providers: readonly Provider[];
  /** The requested provider. */
  requested: ProviderId;
  resolvedFrom: Provenance["resolved_from"];
}

export class FallbackProvider implements Provider {
  readonly #options: FallbackOptions;
  readonly #resolved: Provider;
  readonly #answers = new Map<string, ProviderAnswer>();
  /** The provider that found a passage, by digest and origin. */
  readonly #found = new Map<string, Provider>();

  constructor(options: FallbackOptions) {
    const [first] = options.providers;
    assert(first !== undefined, "there is a provider to query");
    this.#options = options;
    this.#resolved = first;
  }

  get id(): ProviderId {
    return this.#resolved.id;
  }

  /** Throws a `ProviderFailure` when every provider failed. Finding nothing is an answer, and no further provider is queried. */
  async search(query: string, limit: number, signal: AbortSignal): Promise<Passage[]> {
    const failures: ProviderFailure[] = [];
    for (const provider of this.#options.providers) {
      try {
        const passages = await provider.search(query, limit, signal);
        for (const passage of passages) this.#found.set(keyOf(passage), provider);
        this.#note(provider, failures);
        return passages;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ProviderFailure)) throw error;
        failures.push(error);
      }
    }
    this.#note(null, failures);
    throw mostHopeful(failures);
  }

  /** The counts of the first provider, whose passages a search gives. */
  async countWords(question: string, signal: AbortSignal): Promise<WordCounts | null> {
    return (await this.#resolved.countWords?.(question, signal)) ?? null;
  }

  /** Reads the document from the provider that found the passage, or from any if an earlier process searched. */
  async fetch(passage: Pick<Passage, "origin" | "document_digest">, signal: AbortSignal): Promise<FetchOutcome> {
    const finder = this.#found.get(keyOf(passage));
    const providers = finder === undefined ? this.#options.providers : [finder];
    return await firstDocument(providers, (provider) => provider.fetch(passage, signal));
  }

  /** Reads the document from the first provider that knows the name. */
  async open(origin: string, signal: AbortSignal): Promise<FetchOutcome> {
    return await firstDocument(this.#options.providers, async (provider) =>
      provider.open === undefined ? UNKNOWN : await provider.open(origin, signal),
    );
  }

  /** The declarations of all providers, since any of them may be queried. */
  async declaredTools(origin: string | undefined, signal: AbortSignal): Promise<Declarations> {
    const { providers } = this.#options;
    const all = await Promise.all(providers.map(async (provider) => await provider.declaredTools?.(origin, signal)));
    return {
      tools: all.flatMap((declared) => declared?.tools ?? []),
      isComplete: all.every((declared) => declared?.isComplete ?? true),
    };
  }

  collections(): DocumentCollection[] {
    return this.#options.providers.flatMap((provider) => provider.collections?.() ?? []);
  }

  /** Each different way in which answers came so far, in the order of their first time. */
  answers(): ProviderAnswer[] {
    return [...this.#answers.values()];
  }

  takeBlocked(): BlockedUrl[] {
    return this.#options.providers.flatMap((provider) => provider.takeBlocked?.() ?? []);
  }

  takeAnswered(): EngineAnswer[] {
    return this.#options.providers.flatMap((provider) => provider.takeAnswered?.() ?? []);
  }

  close(): void {
    for (const provider of this.#options.providers) provider.close();
  }

  #note(answered: Provider | null, failures: readonly ProviderFailure[]): void {
    const answer: ProviderAnswer = {
      requested_provider_id: this.#options.requested,
      resolved_provider_id: this.#resolved.id,
      resolved_from: this.#options.resolvedFrom,
      ...(answered === null ? {} : { answered_provider_id: answered.id }),
      ...(answered === null || answered === this.#resolved ? {} : { fallback_from_provider_id: this.#resolved.id }),
      ...(failures.length === 0 ? {} : { error: failures.map(errorOf).join("; ") }),
    };
    this.#answers.set(JSON.stringify(answer), answer);
  }
}

const UNKNOWN: FetchOutcome = { kind: "gone", reason: "no provider knows it" };

async function firstDocument(
  providers: readonly Provider[],
  read: (provider: Provider) => Promise<FetchOutcome>,
): Promise<FetchOutcome> {
  let outcome = UNKNOWN;
  for (const provider of providers) {
    outcome = await read(provider);
    if (outcome.kind === "document")
      return { kind: "document", document: { ...outcome.document, provider_id: provider.id } };
    if (outcome.kind === "changed") return outcome;
  }
  return outcome;
}

function keyOf({ origin, document_digest }: Pick<Passage, "origin" | "document_digest">): string {
  return `${document_digest} ${origin}`;
}

/** The failure without times and counts, so that the same failure is noted once. */
function errorOf({ failure }: ProviderFailure): string {
  return `${failure.provider_id}: ${failure.reason}`;
}
