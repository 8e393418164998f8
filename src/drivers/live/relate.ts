// Which parts of the question quotes answer, as the verifying model reads them: a researcher may believe too much of its own.
import { z } from "../../kernel/schema.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { QuestionPart } from "../../run/research.ts";
import { system } from "./prompts.ts";
import { relationDemands, RELATOR } from "./research-prompts.ts";
import { askVerifier } from "./verifier-task.ts";

const QUOTES_PER_CALL = 10;

const relationsSchema = z.object({
  answers: z.array(z.object({ id: z.string(), part_ids: z.array(z.string()).max(20) })),
});
type Relations = z.infer<typeof relationsSchema>;

interface Recorded {
  title: string;
  text: string;
  part_ids: string[];
}

export interface Related<Q> {
  /** Those that answer a part, each with the parts that it answers. */
  quotes: Q[];
  notes: string[];
}

/** What could not be judged stays as it was recorded, and is noted. */
export async function relate<Q extends Recorded>(
  question: string,
  parts: readonly QuestionPart[],
  recorded: readonly Q[],
  tools: TaskTools,
): Promise<Related<Q>> {
  const related: Related<Q> = { quotes: [], notes: [] };
  let leftOut = 0;
  for (let from = 0; from < recorded.length; from += QUOTES_PER_CALL) {
    const batch = recorded.slice(from, from + QUOTES_PER_CALL);
    const name = `relate:${from / QUOTES_PER_CALL + 1}`;
    const answered = await relateBatch(name, { question, parts, quotes: batch }, tools);
    if (typeof answered === "string") {
      related.quotes.push(...batch);
      related.notes.push(`Which parts of the question ${batch.length} quotes answer was not checked: ${answered}`);
      continue;
    }
    const answering = batch.flatMap((quote, index) => {
      const part_ids = answered[index] ?? [];
      return part_ids.length === 0 ? [] : [{ ...quote, part_ids }];
    });
    leftOut += batch.length - answering.length;
    related.quotes.push(...answering);
  }
  if (leftOut > 0)
    related.notes.push(
      `${leftOut} of ${recorded.length} recorded quotes were left out: the verifier found no part of the question that they answer.`,
    );
  return related;
}

/** The parts by quote; or why nobody judged. */
async function relateBatch(
  name: string,
  { question, parts, quotes }: { question: string; parts: readonly QuestionPart[]; quotes: readonly Recorded[] },
  tools: TaskTools,
): Promise<string[][] | string> {
  const ids = quotes.map((_, index) => `q${index + 1}`);
  const known = parts.map(({ id }) => id);
  const answered = await askVerifier<Relations>(
    {
      name,
      system: system(RELATOR, relationDemands()),
      user: JSON.stringify({
        question,
        parts: parts.map(({ id, text }) => ({ id, part: text })),
        quotes: quotes.map(({ title, text }, index) => ({ id: ids[index], title, document_text: text })),
      }),
      result: { schema: relationsSchema, description: "Says which parts each quote answers." },
      problemOf: ({ answers }) => problemOf(answers, ids, known),
      maxTurns: 5,
    },
    tools,
  );
  if ("failed" in answered) return answered.failed;
  const byId = new Map(answered.result.answers.map(({ id, part_ids }) => [id, [...new Set(part_ids)]]));
  return ids.map((id) => byId.get(id) ?? []);
}

function problemOf(answers: Relations["answers"], ids: readonly string[], parts: readonly string[]): string | null {
  const missing = ids.filter((id) => !answers.some((answer) => answer.id === id));
  if (missing.length > 0) return `nothing is said of ${missing.join(", ")}`;
  const strange = answers.find(({ id }, index) => !ids.includes(id) || answers.findIndex((a) => a.id === id) !== index);
  if (strange !== undefined) return `${strange.id} was not asked for, or stands twice`;
  const unknown = answers.flatMap(({ part_ids }) => part_ids).find((id) => !parts.includes(id));
  return unknown === undefined ? null : `there is no part ${unknown}; there are: ${parts.join(", ")}`;
}
