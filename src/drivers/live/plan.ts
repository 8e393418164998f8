// The plan by a model: parts of the question and perspectives, checked as gate A checks them.
import { z } from "../../kernel/schema.ts";
import { contentWords } from "../../corpus/terms.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { DocumentCollection } from "../../ports/provider.ts";
import { perspectiveSchema, subjectIdSchema, type Plan } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { system } from "./prompts.ts";
import { GAP_PREFIX, MAX_ID_LENGTH, MAX_PARTS, planDemands, PLANNER } from "./research-prompts.ts";
import { performTask } from "./task-loop.ts";

const idSchema = subjectIdSchema.max(MAX_ID_LENGTH);

const wishedPlanSchema = z.object({
  parts: z
    .array(z.object({ id: idSchema, text: z.string().min(1).max(300) }))
    .min(1)
    .max(MAX_PARTS),
  perspectives: z.array(
    z.object({
      id: idSchema,
      title: z.string().min(1).max(200),
      kind: z.enum(["overview", "facet", "practice", "contrarian"]),
      questions: z.array(z.string().min(1).max(500)).min(1).max(8),
      queries: z.array(z.string().min(1).max(400)).min(1).max(8),
      part_ids: z.array(idSchema).min(1),
    }),
  ),
});
type WishedPlan = z.infer<typeof wishedPlanSchema>;

export async function plan({ question, limits }: Tasks["plan"]["input"], tools: TaskTools): Promise<Plan> {
  const { result } = await performTask<WishedPlan>(
    {
      name: "plan",
      role: "planner",
      system: system(PLANNER, planDemands(limits)),
      user: `The question: ${question}${describedDocuments(await tools.collections?.())}`,
      tools: [],
      result: { schema: wishedPlanSchema, description: "Hands the plan in." },
      problemOf: (wished) => problemOf(wished, limits),
      maxTurns: 8,
    },
    tools,
  );
  return {
    parts: result.parts.map((part) => ({ ...part, terms: contentWords(part.text) })),
    perspectives: result.perspectives.map((perspective) => perspectiveSchema.parse(perspective)),
  };
}

/** Titles come from documents: they stand in fields of their own. */
function describedDocuments(collections: readonly DocumentCollection[] = []): string {
  if (collections.length === 0) return "";
  return `\n\nThe documents: ${JSON.stringify(collections)}`;
}

function problemOf({ parts, perspectives }: WishedPlan, limits: Limits): string | null {
  const ids = perspectives.map(({ id }) => id);
  const titles = perspectives.map(({ title }) => title.toLowerCase());
  const partIds = new Set(parts.map(({ id }) => id));
  if (perspectives.length === 0) return "there is no perspective";
  if (perspectives.length > limits.max_perspectives)
    return `at most ${limits.max_perspectives} perspectives are allowed`;
  if (new Set(ids).size !== ids.length) return "two perspectives have the same id";
  if (new Set(titles).size !== titles.length) return "two perspectives have the same title";
  if (partIds.size !== parts.length) return "two parts have the same id";
  const strange = perspectives.flatMap(({ part_ids }) => part_ids).find((id) => !partIds.has(id));
  if (strange !== undefined) return `there is no part ${strange}`;
  const left = parts.find(({ id }) => !perspectives.some(({ part_ids }) => part_ids.includes(id)));
  if (left !== undefined) return `no perspective looks for part ${left.id}`;
  if (ids.some((id) => id.startsWith(GAP_PREFIX))) return `the id of a perspective does not begin with "${GAP_PREFIX}"`;
  if (perspectives.length > 1 && !perspectives.some(({ kind }) => kind === "contrarian"))
    return "no perspective is of kind contrarian";
  return null;
}
