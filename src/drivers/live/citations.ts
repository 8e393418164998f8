// Checks citations: the quote byte for byte against its source, then whether it supports what it was recorded for.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Citation, Citations } from "../../run/research.ts";
import { checkCitations as checkVerbatim } from "../local/citations.ts";
import { judgeSupport } from "./support.ts";

export async function checkCitations(
  { subject, findings }: Tasks["check_citations"]["input"],
  tools: TaskTools,
): Promise<Citations> {
  const { citations } = await checkVerbatim({ subject, findings }, tools);
  const stated = citations.map((citation, index): Citation => {
    const { statement, part_ids } = findings.quotes[index] ?? {};
    const recorded = { ...citation, ...(part_ids === undefined ? {} : { part_ids }) };
    return statement === undefined ? recorded : { ...recorded, statement };
  });
  const statements = stated.flatMap(({ citation_id, found, statement, quote }) =>
    found && statement !== undefined ? [{ id: citation_id, text: statement, quotes: [quote.text] }] : [],
  );
  const judged = await judgeSupport(`verify:${subject}`, statements, tools);
  return { subject, citations: stated.map((citation) => ({ ...citation, ...judged.get(citation.citation_id) })) };
}
