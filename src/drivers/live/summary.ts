// The summary of a subject by a model: points, each resting on citations that stand.
import { z } from "../../kernel/schema.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Citation, Summary } from "../../run/research.ts";
import { system, WRITER } from "./prompts.ts";
import { performTask } from "./task-loop.ts";

const MAX_POINTS = 20;

const pointsSchema = z.object({
  points: z
    .array(z.object({ text: z.string().min(1).max(1_000), citation_ids: z.array(z.string()).min(1).max(10) }))
    .max(MAX_POINTS),
});
type Points = z.infer<typeof pointsSchema>;

export async function summarize(
  { findings, citations }: Tasks["summarize"]["input"],
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
      system: system(WRITER, [
        "every point names at least one citation_id that was given, and says no more than its quotes do",
        `there are at most ${MAX_POINTS} points`,
      ]),
      user: JSON.stringify({ angle: title, questions, citations: usable.map(shown) }),
      tools: [],
      result: { schema: pointsSchema, description: "Hands the points in, the most important first." },
      problemOf: ({ points }) => problemOf(points, known),
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

function problemOf(points: Points["points"], known: readonly string[]): string | null {
  if (points.length === 0) return "there is no point";
  const strange = points.flatMap(({ citation_ids }) => citation_ids).find((id) => !known.includes(id));
  return strange === undefined ? null : `there is no citation ${strange}`;
}
