// Has the verifier judge what researchers recorded: if each quote supports its statement, and which parts of the question it
// answers. A researcher may think too well of its own work.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { FindingQuote, Findings } from "../../run/report/research.ts";
import { inContext } from "../verdicts/quote-context.ts";
import { placed } from "../verdicts/quote-places.ts";
import { isJudged, judgeSaid } from "../verdicts/support.ts";
import type { Judged, StatementToJudge } from "../verdicts/verdicts-brief.ts";

type Input = Tasks["judge_findings"]["input"];
type Placing = Parameters<typeof placed>[1];

/** The findings of several researchers, in as few calls as they fit. What was judged before keeps its verdict. */
export async function judgeFindings(
  { question, parts, findings, sources }: Omit<Input, "sources"> & { sources: Placing },
  tools: TaskTools,
): Promise<Findings[]> {
  const open = findings.flatMap((found) => found.quotes.filter(isOpen).map((quote) => ({ quote, found })));
  const ids = new Map(open.map(({ quote }, index) => [quote, `s${index + 1}`]));
  const quotes = await placed(open.map(spanOf), sources, tools);
  const contexts = await inContext(
    quotes,
    open.flatMap(({ found }) => found.sources),
    tools,
  );
  const statements = open.flatMap(({ quote }, index): StatementToJudge[] => {
    const [context, id] = [contexts[index], ids.get(quote)];
    if (context === undefined || id === undefined) return [];
    return [{ id, text: quote.statement ?? quote.text, asks: "cited", quotes: [context] }];
  });
  const judged = await judgeSaid({ name: "judge", question, parts }, statements, tools);
  return findings.map((found) => withVerdicts(found, (quote) => judged.get(ids.get(quote) ?? "")));
}

function isOpen({ judged, statement }: FindingQuote): boolean {
  return judged === undefined && statement !== undefined;
}

function spanOf({ quote: { source_digest, start, end, text } }: { quote: FindingQuote }) {
  return { quote: { source_digest, start, end, text } };
}

/** Keeps the quotes that answer a part, with these parts, and those that could not be judged, as they were recorded. */
function withVerdicts(found: Findings, verdictOn: (quote: FindingQuote) => Judged | undefined): Findings {
  const unjudged: string[] = [];
  const quotes = found.quotes.flatMap((quote): FindingQuote[] => {
    if (!isOpen(quote)) return [quote];
    const one = verdictOn(quote);
    if (one === undefined || !isJudged(one)) {
      unjudged.push(one?.reason ?? "it was not judged");
      return [quote];
    }
    const { verdict, method, reason, part_ids = [] } = one;
    return part_ids.length === 0 ? [] : [{ ...quote, part_ids, judged: { verdict, method, reason } }];
  });
  const notes: string[] = [];
  if (unjudged.length > 0)
    notes.push(`Which parts of the question ${unjudged.length} quotes answer was not checked: ${unjudged[0]}`);
  const leftOut = found.quotes.length - quotes.length;
  if (leftOut > 0)
    notes.push(
      `${leftOut} of ${found.quotes.length} recorded quotes were left out: the verifier found no part of the question that they answer.`,
    );
  const used = new Set(quotes.map(({ source_digest }) => source_digest));
  return {
    ...found,
    quotes,
    sources: found.sources.filter(({ source_digest }) => used.has(source_digest)),
    notes: [...found.notes, ...notes],
  };
}
