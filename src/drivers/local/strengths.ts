// How well each part of the question is answered, by counting independent sources.
import type { PartStrength } from "../../run/report.ts";
import type { Plan, QuestionPart } from "../../run/research.ts";
import type { Point } from "./points.ts";

const STRONG_SOURCES = 3;
const MODERATE_SOURCES = 2;

/** `core`: see coreClaimsOf; `groups`: see independentSources. */
export function strengthsOf(
  { parts }: Plan,
  points: readonly Point[],
  core: ReadonlyMap<string, readonly Point[]>,
  groups: ReadonlyMap<string, string>,
): PartStrength[] {
  return parts.map((part) => {
    const near = points.filter(({ part_ids }) => part_ids.includes(part.id));
    const own = core.get(part.id) ?? [];
    if (own.length === 0 && near.length > 0)
      return { text: part.text, evidence: "weak", claims: 0, sources: 0, reason: `${ONLY_NEAR}${absence(part)}` };
    const digests = new Set(own.flatMap(({ claim }) => claim.quotes.map((quote) => quote.source_digest)));
    const independent = new Set([...digests].map((digest) => groups.get(digest) ?? digest)).size;
    return {
      text: part.text,
      evidence: evidenceBy(independent),
      claims: own.length,
      sources: digests.size,
      reason: reasonFor(part, own.length, digests.size, independent),
    };
  });
}

const ONLY_NEAR = "The quotes touch this part, but none holds all that it asks for.";

function evidenceBy(sources: number): PartStrength["evidence"] {
  if (sources >= STRONG_SOURCES) return "strong";
  if (sources >= MODERATE_SOURCES) return "moderate";
  return sources === 1 ? "weak" : "none";
}

function reasonFor(part: QuestionPart, claims: number, sources: number, independent: number): string {
  if (claims === 0) return `No sentence holds enough of the words of this part.${absence(part)}`;
  const copies = independent === sources ? "" : ` among ${sources}: near copies of each other count once`;
  return `${counted(independent, "independent document")}${copies}.${absence(part)}`;
}

/** The words that the corpus does not hold, for people. */
export function absence({ absent = [] }: QuestionPart): string {
  if (absent.length === 0) return "";
  return ` The documents do not hold ${absent.length === 1 ? "the word" : "the words"} ${absent.map((word) => `“${word}”`).join(", ")}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
