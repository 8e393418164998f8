// The summary of a subject by a model: points, each resting on citations that stand.
import { z } from "../../kernel/schema.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Citation, Summary } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { MAX_POINTS, mostPoints, summaryDemands, system, WRITER } from "./prompts.ts";
import { performTask } from "./task-loop.ts";

const pointsSchema = z.object({
  points: z
    .array(z.object({ text: z.string().min(1).max(1_000), citation_ids: z.array(z.string()).min(1).max(10) }))
    .max(MAX_POINTS),
});
type Points = z.infer<typeof pointsSchema>;

export async function summarize(
  { findings, citations, limits }: Tasks["summarize"]["input"],
  tools: TaskTools,
): Promise<Summary> {
  const { subject, subject_kind, title, questions } = findings;
  const head = { schema_version: "summary.v1" as const, subject, subject_kind, title };
  const usable = citations.citations.filter(({ found }) => found);
  if (usable.length === 0) return { ...head, points: [] };
  const known = usable.map(({ citation_id }) => citation_id);
  const { result } = await performTask<Points>(
    {
      name: `summary:${subject}`,
      role: "writer",
      system: system(WRITER, summaryDemands(limits)),
      user: JSON.stringify({ angle: title, questions, citations: usable.map(shown) }),
      tools: [],
      result: { schema: pointsSchema, description: "Hands the points in, the most important first." },
      problemOf: ({ points }) => problemOf(points, known, limits),
      maxTurns: 6,
    },
    tools,
  );
  const points = result.points.map((point, index) => ({ ...point, score: 1 / (index + 1) }));
  return { ...head, points };
}

export function shown({ citation_id, verdict, reason, statement, quote }: Citation) {
  return { citation_id, verdict, ...(reason === undefined ? {} : { reason }), statement, document_text: quote.text };
}

/** Gate D holds summaries to the same limits. */
function problemOf(points: Points["points"], known: readonly string[], limits: Limits): string | null {
  if (points.length === 0) return "there is no point";
  if (points.length > mostPoints(limits)) return `there are ${points.length} points, at most ${mostPoints(limits)}`;
  const words = points.reduce((sum, { text }) => sum + text.split(/\s+/u).length, 0);
  if (words > limits.max_words_per_subject)
    return `the points hold ${words} words, at most ${limits.max_words_per_subject}`;
  const strange = points.flatMap(({ citation_ids }) => citation_ids).find((id) => !known.includes(id));
  return strange === undefined ? null : `there is no citation ${strange}`;
}
