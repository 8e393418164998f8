// Checks citations: the quote byte for byte against its source, then whether it supports what it was recorded for.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Citation, Citations } from "../../run/research.ts";
import { checkCitations as checkVerbatim } from "../local/citations.ts";
import { isUnclear, judgeSupport, type Judged } from "./support.ts";

export async function checkCitations(
  { subject, findings, earlier }: Tasks["check_citations"]["input"],
  tools: TaskTools,
): Promise<Citations> {
  const { citations } = await checkVerbatim({ subject, findings }, tools);
  const stated = citations.map((citation, index): Citation => {
    const { statement, part_ids } = findings.quotes[index] ?? {};
    const recorded = { ...citation, ...(part_ids === undefined ? {} : { part_ids }) };
    return statement === undefined ? recorded : { ...recorded, statement };
  });
  const given = new Map(
    earlier?.citations.flatMap((one) => (one.verdict === "not_checked" ? [] : [[one.citation_id, one] as const])),
  );
  const statements = stated.flatMap(({ citation_id, found, statement, quote }) =>
    found && statement !== undefined && !given.has(citation_id)
      ? [{ id: citation_id, text: statement, quotes: [quote.text] }]
      : [],
  );
  const judged = await judgeSupport(`verify:${subject}`, statements, tools);
  return {
    subject,
    citations: stated.map((one) =>
      one.found ? (given.get(one.citation_id) ?? asJudged(one, judged.get(one.citation_id))) : one,
    ),
  };
}

/** A statement that its quote does not make is let go, and the quote speaks for itself: that it stands was checked. */
function asJudged(citation: Citation, judged: Judged | undefined): Citation {
  if (judged === undefined) return citation;
  if (!isUnclear(judged)) return { ...citation, ...judged };
  const { statement: _letGo, ...quoted } = citation;
  return quoted;
}
