// Checks citations: compares each quote byte for byte with its source, then takes the verdict on its statement from research, or
// asks the verifier when it was not judged there.
import { shortened } from "../../kernel/shortened.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Citation, Citations, FindingQuote } from "../../run/report/research.ts";
import { isVerbatim } from "../../run/report/source.ts";
import { inContext } from "./quote-context.ts";
import { isUnclear, judgeSaid } from "./support.ts";
import type { StatementToJudge, Judged } from "./verdicts-brief.ts";

export async function checkCitations(
  { question, parts, subject, findings, earlier, judges }: Tasks["check_citations"]["input"],
  tools: TaskTools,
): Promise<Citations> {
  const citations: Citation[] = [];
  for (const [index, found] of findings.quotes.entries())
    citations.push(await checkedCitation(`${subject}-q${index + 1}`, subject, found, tools));
  if (judges === "later")
    return {
      subject,
      citations: citations.map((one, index) => asJudged(one, findings.quotes[index]?.judged ?? UNSAID)),
    };
  const given = new Map(
    earlier?.citations.flatMap((one) => (one.verdict === "not_checked" ? [] : [[one.citation_id, one] as const])),
  );
  const open = citations.filter(
    ({ citation_id, found, statement }, index) =>
      found && statement !== undefined && !given.has(citation_id) && findings.quotes[index]?.judged === undefined,
  );
  const contexts = await inContext(open, findings.sources, tools);
  const statements = open.map(({ citation_id, statement = "" }, index): StatementToJudge => {
    const context = contexts[index];
    return { id: citation_id, text: statement, asks: "cited", quotes: context === undefined ? [] : [context] };
  });
  const judged = await judgeSaid({ name: `verify:${subject}`, question, parts }, statements, tools);
  return {
    subject,
    citations: citations.map((one, index) => {
      if (!one.found) return one;
      const inResearch = findings.quotes[index]?.judged;
      return given.get(one.citation_id) ?? asJudged(one, inResearch ?? judged.get(one.citation_id));
    }),
  };
}

/** Errors: those of a stored source that cannot be read. They are no verdict, so they end the tick. */
async function checkedCitation(
  citation_id: string,
  subject: string,
  { source_digest, start, end, text, anchor, statement, part_ids, marks, coverage, lacks }: FindingQuote,
  tools: TaskTools,
): Promise<Citation> {
  tools.signal.throwIfAborted();
  const quote = { source_digest, start, end, text, anchor };
  const stands = isVerbatim(quote, await tools.sourceText(source_digest));
  return {
    citation_id,
    subject,
    quote,
    found: stands,
    verdict: stands ? "supported" : "not_checked",
    method: "verbatim",
    ...(stands ? {} : { reason: "the quote is not in its stored source" }),
    statement,
    part_ids,
    marks,
    coverage,
    lacks,
  };
}

const MAX_REASON = 500;
/** As if the verifier had found the statement unclear: the quote stays, without it. */
const UNSAID = { verdict: "not_checked", method: "later", reason: "it is judged with the page" } as const;

/**
 * The citation with its verdict. A statement that its quote does not support is removed, and the quote stays, since it was found.
 * The reason says to the writer what the quote does not say.
 */
function asJudged(
  citation: Citation,
  judged: (FindingQuote["judged"] & Pick<Judged, "part_ids">) | undefined,
): Citation {
  if (judged === undefined) return citation;
  const { verdict, method, reason, part_ids = citation.part_ids } = judged;
  const related = { ...citation, part_ids };
  if (!isUnclear(judged)) return { ...related, verdict, method, reason };
  const { statement = "", ...quoted } = related;
  return { ...quoted, reason: shortened(`Not said by the quote: “${statement}” (${reason})`, MAX_REASON) };
}
