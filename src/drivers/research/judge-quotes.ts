// Has the verifier judge what a researcher recorded: if each quote supports its statement, and which parts of the question it
// answers. A researcher may think too well of its own work.
import type { TaskTools } from "../../ports/driver.ts";
import type { FindingQuote, QuestionPart } from "../../run/report/research.ts";
import { inContext } from "../verdicts/quote-context.ts";
import { placed } from "../verdicts/quote-places.ts";
import { isJudged, judgeSaid } from "../verdicts/support.ts";
import type { StatementToJudge } from "../verdicts/verdicts-brief.ts";
import type { Quoted } from "./research-state.ts";

export type JudgedQuote = Quoted & Pick<FindingQuote, "judged">;

export interface JudgedQuotes {
  /** The quotes that answer a part, with these parts, and those that could not be judged, as they were recorded. */
  quotes: JudgedQuote[];
  notes: string[];
}

export async function judgeQuotes(
  question: string,
  parts: readonly QuestionPart[],
  recorded: readonly Quoted[],
  tools: TaskTools,
): Promise<JudgedQuotes> {
  const statements = await statementsToJudge(recorded, tools);
  const judged = await judgeSaid({ name: "judge", question, parts }, statements, tools);
  const quotes: JudgedQuote[] = [];
  const unjudged: string[] = [];
  for (const [index, quote] of recorded.entries()) {
    const one = judged.get(idOf(index));
    if (one === undefined || !isJudged(one)) {
      unjudged.push(one?.reason ?? "it was not judged");
      quotes.push(quote);
      continue;
    }
    const { verdict, method, reason, part_ids = [] } = one;
    if (part_ids.length === 0) continue;
    quotes.push({ ...quote, part_ids, judged: { verdict, method, reason } });
  }
  const notes: string[] = [];
  if (unjudged.length > 0)
    notes.push(`Which parts of the question ${unjudged.length} quotes answer was not checked: ${unjudged[0]}`);
  const leftOut = recorded.length - quotes.length;
  if (leftOut > 0)
    notes.push(
      `${leftOut} of ${recorded.length} recorded quotes were left out: the verifier found no part of the question that they answer.`,
    );
  return { quotes, notes };
}

async function statementsToJudge(recorded: readonly Quoted[], tools: TaskTools): Promise<StatementToJudge[]> {
  const known = recorded.map(({ source_digest, start, end, text }) => ({ quote: { source_digest, start, end, text } }));
  const contexts = await inContext(await placed(known, recorded, tools), recorded, tools);
  return contexts.map((context, index) => ({
    id: idOf(index),
    text: recorded[index]?.statement ?? context.quote.text,
    asks: "cited",
    quotes: [context],
  }));
}

function idOf(index: number): string {
  return `s${index + 1}`;
}
