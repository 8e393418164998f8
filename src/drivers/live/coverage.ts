// How well a written draft answers each part of the question, and where its sources differ: counted by rule, as the local
// driver counts, whatever a model says of it.
import { counted } from "../../kernel/counted.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Claim, Comparison, Draft, PartStrength } from "../../run/report.ts";
import type { Citation, Plan } from "../../run/research.ts";
import { comparisonsOf } from "../local/comparisons.ts";
import { independentSources } from "../local/independent-sources.ts";
import { Lexicon } from "../local/lexicon.ts";
import { strengthOf } from "../local/strengths.ts";

export interface CoveringClaim {
  claim: Claim;
  cited: readonly Citation[];
}

export interface WrittenGap {
  part_id: string;
  evidence: "none" | "weak";
}

const UNANSWERED = "No supported claim rests on a quote that was recorded for this part.";
const NO_QUOTE = "The writer found no quote that answers it.";
const THIN = "The writer found the quotes thin.";

/**
 * A claim backs the parts that its quotes were recorded for, when it is supported. A writer can call a part worse answered
 * than the count does, never better. Null for citations of before, which do not say what they were recorded for.
 */
export async function strengthsOf(
  { parts }: Plan,
  claims: readonly CoveringClaim[],
  written: readonly WrittenGap[],
  tools: TaskTools,
): Promise<PartStrength[] | null> {
  if (!claims.some(({ cited }) => cited.some(({ part_ids }) => part_ids !== undefined))) return null;
  const supported = claims.filter(({ claim }) => claim.verdict === "supported");
  const digests = supported.flatMap(({ cited }) => cited.map(({ quote }) => quote.source_digest));
  const groups = await independentSources(digests, tools);
  return parts.map((part) => {
    const backing = supported.flatMap(({ claim, cited }) =>
      cited.flatMap(({ part_ids = [], quote }) => (part_ids.includes(part.id) ? [{ text: claim.text, quote }] : [])),
    );
    const strength = strengthOf(part, {
      claims: new Set(backing.map(({ text }) => text)).size,
      digests: backing.map(({ quote }) => quote.source_digest),
      groups,
      otherwise: UNANSWERED,
    });
    return lowered(strength, written.find(({ part_id }) => part_id === part.id)?.evidence);
  });
}

function lowered(strength: PartStrength, said: WrittenGap["evidence"] | undefined): PartStrength {
  if (said === undefined || strength.evidence === "none") return strength;
  if (said === "none") return { ...strength, evidence: "none", claims: 0, sources: 0, reason: NO_QUOTE };
  return { ...strength, evidence: "weak", reason: `${strength.reason} ${THIN}` };
}

/** Words that are compared stand in quotes: a claim in other words is no evidence for them. */
export function differencesOf(question: string, claims: readonly CoveringClaim[]): Comparison[] {
  const all = claims.map(({ claim }) => claim).filter(({ verdict }) => verdict === "supported");
  // A sentence that stands in two sections is compared once.
  const supported = [...new Map(all.map((claim) => [claim.text, claim])).values()];
  const quotesOf = new Map(supported.map(({ claim_id, quotes }) => [claim_id, quotes]));
  return comparisonsOf(supported, new Lexicon(question)).filter(({ sides }) =>
    sides.every(({ claim_id, value }) => quotesOf.get(claim_id)?.some(({ text }) => text.includes(value))),
  );
}

/** What the count finds none or little for, by part and in our own words; without a count, what the writer calls so. */
export function gapsOf(
  { parts }: Plan,
  written: readonly WrittenGap[],
  strengths: readonly PartStrength[] | null,
): Draft["gaps"] {
  return parts.flatMap(({ id, text }, index): Draft["gaps"] => {
    const said = written.find(({ part_id }) => part_id === id)?.evidence;
    const strength = strengths?.[index];
    if (strength === undefined)
      return said === undefined ? [] : [{ text, reason: said === "none" ? NO_QUOTE : THIN, evidence: said }];
    const { evidence, claims, sources, reason } = strength;
    if (evidence === "none") return [{ text, reason, evidence }];
    if (evidence !== "weak") return [];
    const few = `Only ${counted(claims, "claim")} from ${counted(sources, "source")}.`;
    return [{ text, reason: said === undefined ? few : THIN, evidence }];
  });
}
