// How well each part of the question is answered, by counting independent sources.
import { counted } from "../../kernel/counted.ts";
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
    const digests = own.flatMap(({ claim }) => claim.quotes.map((quote) => quote.source_digest));
    const strength = strengthOf(part, { claims: own.length, digests, groups, otherwise: NONE });
    return { ...strength, reason: `${strength.reason}${besides(near.length - own.length)}` };
  });
}

/** The claims of the report that the count leaves out. */
function besides(touching: number): string {
  return touching === 0
    ? ""
    : ` ${counted(touching, "more quote")} ${touching === 1 ? "mentions" : "mention"} this part without answering it.`;
}

const ONLY_NEAR = "The quotes mention this part, but none gives what it asks for.";
const NONE = "No sentence holds enough of this part's words.";

export interface Backing {
  claims: number;
  /** Of the sources that back them. */
  digests: readonly string[];
  /** See independentSources. */
  groups: ReadonlyMap<string, string>;
  /** What is said when there is no claim. */
  otherwise: string;
}

/** By how many documents that are no copies of each other a part is backed. */
export function strengthOf(part: QuestionPart, { claims, digests, groups, otherwise }: Backing): PartStrength {
  const sources = new Set(digests).size;
  const independent = new Set(digests.map((digest) => groups.get(digest) ?? digest)).size;
  const copies = independent === sources ? "" : ` among ${sources}: near copies of each other count once`;
  const reason = claims === 0 ? otherwise : `${counted(independent, "independent document")}${copies}.`;
  return { text: part.text, evidence: evidenceBy(independent), claims, sources, reason: `${reason}${absence(part)}` };
}

function evidenceBy(sources: number): PartStrength["evidence"] {
  if (sources >= STRONG_SOURCES) return "strong";
  if (sources >= MODERATE_SOURCES) return "moderate";
  return sources === 1 ? "weak" : "none";
}

/** The words that the corpus does not hold, for people. */
export function absence({ absent = [] }: QuestionPart): string {
  if (absent.length === 0) return "";
  return ` The documents do not hold ${absent.length === 1 ? "the word" : "the words"} ${absent.map((word) => `“${word}”`).join(", ")}.`;
}
