// Counts the sources and quotes of each provider, by the provider of the query and by the one that answered.
import type { ProviderAnswer } from "../ports/provider.ts";
import type { GiverId } from "../run/common.ts";
import { type Provenance, wantedProviders } from "../run/log/provenance.ts";
import type { RecordDraft } from "../run/log/record.ts";
import type { Findings } from "../run/report/research.ts";
import type { Settings } from "../run/settings/settings.ts";
import type { Source } from "../run/report/source.ts";

export interface Gathered {
  findings: readonly Findings[];
  sources: readonly Source[];
  /** Answers that this process got. Earlier ones are read off the sources. */
  answers: readonly ProviderAnswer[];
}

/** One record for each way in which answers came. There is at least one, even if nothing was kept. */
export function provenanceOf({ providers }: Pick<Settings, "providers">, gathered: Gathered): RecordDraft[] {
  const resolved = resolvedOf(providers);
  const kept = keptFrom(gathered);
  const known = new Set(gathered.answers.map(({ answered_provider_id: id }) => id));
  const earlier = [...kept.keys()].flatMap((id) => (id === undefined || known.has(id) ? [] : [id]));
  const silent = gathered.answers.length === 0 && earlier.length === 0 ? [resolved.resolved_provider_id] : [];
  const answers = [...gathered.answers, ...[...earlier, ...silent].map((id) => answeredBy(id, resolved))];
  return answers.map((answer) => {
    const { sources, quotes } = kept.get(answer.answered_provider_id) ?? { sources: 0, quotes: 0 };
    return { kind: "provider.resolved", data: { ...answer, source_count: sources, quote_count: quotes } };
  });
}

/** The sources and quotes that one step kept, by provider. A step that kept nothing has one entry without an answer. */
export function provenanceOfStep(
  { providers }: Pick<Settings, "providers">,
  findings: Findings,
  sources: readonly Source[],
): Provenance[] {
  const resolved = resolvedOf(providers);
  const kept = [...keptFrom({ findings: [findings], sources })].flatMap(([id, counts]) =>
    id === undefined ? [] : [{ ...answeredBy(id, resolved), source_count: counts.sources, quote_count: counts.quotes }],
  );
  return kept.length > 0 ? kept : [{ ...resolved, source_count: 0, quote_count: 0 }];
}

/** The provenance fields of a source. For an attached source there was no query. */
export function provenanceOfSource({ providers }: Pick<Settings, "providers">, provider_id: GiverId) {
  if (provider_id === "operator") return { provider_id };
  const { answered_provider_id, resolved_from: _from, ...way } = answeredBy(provider_id, resolvedOf(providers));
  return { provider_id: answered_provider_id, ...way };
}

type Resolved = Pick<ProviderAnswer, "requested_provider_id" | "resolved_provider_id" | "resolved_from">;

/** The providers, and who named them. */
export function resolvedOf(providers: Settings["providers"]): Resolved {
  const { ids, from } = wantedProviders(providers);
  return { requested_provider_id: ids[0], resolved_provider_id: ids[0], resolved_from: from };
}

function answeredBy(id: GiverId, resolved: Resolved) {
  const isFallback = id !== resolved.resolved_provider_id && id !== "operator";
  return {
    ...resolved,
    answered_provider_id: id,
    ...(isFallback ? { fallback_from_provider_id: resolved.resolved_provider_id } : {}),
  };
}

type Counts = Map<GiverId | undefined, { sources: number; quotes: number }>;

function keptFrom({ findings, sources }: Omit<Gathered, "answers">): Counts {
  const providerOf = new Map(sources.map(({ source_digest, provider_id }) => [source_digest, provider_id]));
  const counts: Counts = new Map();
  const count = (digest: Source["source_digest"], what: "sources" | "quotes"): void => {
    const id = providerOf.get(digest);
    const before = counts.get(id) ?? { sources: 0, quotes: 0 };
    counts.set(id, { ...before, [what]: before[what] + 1 });
  };
  const used = new Set(findings.flatMap((one) => one.sources.map(({ source_digest }) => source_digest)));
  for (const digest of used) count(digest, "sources");
  for (const { quotes } of findings) for (const { source_digest } of quotes) count(source_digest, "quotes");
  return counts;
}
