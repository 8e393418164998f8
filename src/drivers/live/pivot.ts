// The pivot: coverage is counted as the local driver counts it; a model says how the gaps could be filled.
import { z } from "../../kernel/schema.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Pivot } from "../../run/research.ts";
import { pivot as countCoverage } from "../local/pivot.ts";
import { pivotDemands, PLANNER, system } from "./prompts.ts";
import { performTask } from "./task-loop.ts";

const queriesSchema = z.object({
  gaps: z.array(z.object({ id: z.string(), queries: z.array(z.string().min(1).max(400)).min(1).max(8) })),
});
type Queries = z.infer<typeof queriesSchema>;

export async function pivot(input: Tasks["pivot"]["input"], tools: TaskTools): Promise<Pivot> {
  const counted = countCoverage(input);
  if (counted.decision === "skip") return counted;
  const tried = input.plan.perspectives.flatMap(({ queries }) => queries);
  const { result } = await performTask<Queries>(
    {
      name: "pivot",
      role: "planner",
      system: system(PLANNER, pivotDemands()),
      user: JSON.stringify({
        question: input.question,
        gaps: counted.gaps.map(({ id, title, reason }) => ({ id, title, reason })),
        tried,
        notes: input.findings.flatMap(({ notes }) => notes),
      }),
      tools: [],
      result: { schema: queriesSchema, description: "Hands in other searches for each gap." },
      problemOf: ({ gaps }) => problemOf(gaps, counted, tried),
      maxTurns: 5,
    },
    tools,
  );
  const queries = new Map(result.gaps.map((gap) => [gap.id, gap.queries]));
  return { ...counted, gaps: counted.gaps.map((gap) => ({ ...gap, queries: queries.get(gap.id) ?? gap.queries })) };
}

function problemOf(gaps: Queries["gaps"], { gaps: wanted }: Pivot, tried: readonly string[]): string | null {
  const missing = wanted.find(({ id }) => !gaps.some((gap) => gap.id === id));
  if (missing !== undefined) return `there are no queries for ${missing.id}`;
  const stale = gaps.find(({ queries }) => queries.every((query) => tried.includes(query)));
  return stale === undefined ? null : `every query for ${stale.id} was tried already`;
}
