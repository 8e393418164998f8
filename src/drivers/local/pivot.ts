// The pivot: how well each part of the question is covered, and whether a second wave should look for the rest.
import { counted } from "../../kernel/counted.ts";
import type { Tasks } from "../../ports/driver.ts";
import type { Gap, Pivot, QuestionPart } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";

const STRONG_QUOTES = 3;
const STRONG_SOURCES = 2;
const MAX_QUERIES = 4;

export function pivot({ plan, findings, limits }: Tasks["pivot"]["input"]): Pivot {
  const parts = plan.parts.map((part) => {
    const quotes = distinctQuotes(findings, part.id);
    const sources = new Set(quotes.map((quote) => quote.source_digest)).size;
    return { part_id: part.id, evidence: strengthOf(quotes.length, sources), quotes: quotes.length, sources };
  });
  const thin = parts.filter((part) => part.evidence !== "strong");
  // Nothing at all comes before too little, and then the order of the question.
  const ordered = [
    ...thin.filter((part) => part.evidence === "none"),
    ...thin.filter((part) => part.evidence === "weak"),
  ];
  const gaps = ordered.slice(0, limits.max_gaps).flatMap((part) => {
    const asked = plan.parts.find((candidate) => candidate.id === part.part_id);
    return asked === undefined ? [] : [gapOf(asked, part)];
  });
  return { parts, gaps, ...decide(thin.length, gaps.length, limits.max_depth), notes: notesOf(thin.length, limits) };
}

function notesOf(thin: number, { max_depth, max_gaps }: Limits): string[] {
  const searched = max_depth < 2 ? 0 : Math.min(thin, max_gaps);
  if (searched === thin) return [];
  const limit = max_depth < 2 ? "one wave" : `${max_gaps} gap${max_gaps === 1 ? "" : "s"}`;
  const left = thin - searched;
  return [`No second search for ${counted(left, "part")} of the question with little evidence (limit of ${limit}).`];
}

function decide(thin: number, gaps: number, maxDepth: number): Pick<Pivot, "decision" | "reason"> {
  if (thin === 0) return { decision: "skip", reason: "every part of the question has strong evidence" };
  const found = `${thin} of the question's parts ${thin === 1 ? "has" : "have"} weak or no evidence`;
  if (maxDepth < 2) return { decision: "skip", reason: `${found}, and the settings allow one wave only` };
  if (gaps === 0) return { decision: "skip", reason: `${found}, and the settings allow no gap to be filled` };
  return { decision: "wave2", reason: found };
}

function strengthOf(quotes: number, sources: number): Pivot["parts"][number]["evidence"] {
  if (quotes === 0) return "none";
  return quotes >= STRONG_QUOTES && sources >= STRONG_SOURCES ? "strong" : "weak";
}

function distinctQuotes(findings: Tasks["pivot"]["input"]["findings"], partId: string): { source_digest: string }[] {
  const quotes = findings.flatMap((finding) => finding.quotes).filter((quote) => quote.part_ids.includes(partId));
  return [...new Map(quotes.map((quote) => [`${quote.source_digest} ${quote.start} ${quote.end}`, quote])).values()];
}

function gapOf(part: QuestionPart, { evidence, quotes, sources }: Pivot["parts"][number]): Gap {
  return {
    id: `gap-${part.id}`,
    part_id: part.id,
    title: `More on: ${part.text}`,
    evidence: evidence === "none" ? "none" : "weak",
    reason: evidence === "none" ? "nothing was found" : `only ${quotes} quotes from ${sources} sources were found`,
    queries: reformulate(part),
  };
}

/** Other ways to ask: the sentence as it stands, neighbouring words, and each word alone. */
function reformulate({ text, terms }: QuestionPart): string[] {
  const pairs = terms.slice(1).map((term, index) => `${terms[index]} ${term}`);
  const byLength = [...terms].sort(
    (left, right) => right.length - left.length || (left < right ? -1 : left > right ? 1 : 0),
  );
  return [...new Set([text, ...pairs.slice(0, 2), ...byLength])].slice(0, MAX_QUERIES);
}
