// The brief of the plan: the planner takes the question apart and chooses perspectives. It refuses what gate A refuses.
import { z } from "../../kernel/zod.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { contentWords } from "../../corpus/words/terms.ts";
import type { Stance, Tasks } from "../../ports/driver.ts";
import type { DocumentCollection } from "../../ports/provider.ts";
import { planFaults } from "../../run/report/plan-faults.ts";
import { MAX_ASSUMPTIONS, perspectiveSchema, subjectIdSchema, type Plan } from "../../run/report/research.ts";
import type { Limits } from "../../run/settings/settings.ts";
import type { Brief } from "../asking/brief.ts";
import { PromptFile } from "../asking/prompt-file.ts";
import words from "./plan.txt" with { type: "text" };

export const MAX_PARTS = 8;
/** Shorter than ids may be, since the id of a gap is made of the id of its part. */
export const MAX_ID_LENGTH = 50;
export const GAP_PREFIX = "gap-";

const idSchema = subjectIdSchema.max(MAX_ID_LENGTH);

/** More than are kept may be written. */
const MAX_WRITTEN = 20;

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
  assumptions: z.array(z.string().max(300)).max(MAX_WRITTEN).optional(),
});
type WishedPlan = z.infer<typeof wishedPlanSchema>;

const PERSPECTIVE: WishedPlan["perspectives"][number] = {
  id: "durability",
  title: "Durability of the cache",
  kind: "facet",
  questions: ["What is written to disk, and when?"],
  queries: ["cache fsync", "crash recovery cache"],
  part_ids: ["survival"],
};

const PLAN = new PromptFile(words);
const EXAMPLE: WishedPlan = {
  parts: [{ id: "survival", text: "Does the cache survive a crash?" }],
  perspectives: [PERSPECTIVE],
  assumptions: ["one machine, and the version of the manual"],
};

function whoIn(stance: Stance): string {
  return PLAN.part("who", {
    example: JSON.stringify(PERSPECTIVE),
    stance: stance === "primary" ? "" : `\n\n${PLAN.part(stance)}`,
  });
}

export function planBrief(
  { question, limits }: Tasks["plan"]["input"],
  collections: readonly DocumentCollection[] = [],
  stance: Stance = "primary",
): Brief<WishedPlan, Plan> {
  return {
    name: "plan",
    role: "planner",
    who: whoIn(stance),
    demands: PLAN.list("demands", {
      max_parts: MAX_PARTS,
      max_perspectives: limits.max_perspectives,
      max_id_length: MAX_ID_LENGTH,
      gap_prefix: GAP_PREFIX,
    }),
    task: `The question: ${question}${describedDocuments(collections)}`,
    answer: { schema: wishedPlanSchema, description: "Hands the plan in.", example: EXAMPLE },
    problemsOf: (wished) => problemsOf(wished, limits),
    resultOf: ({ parts, perspectives, assumptions = [] }) => ({
      parts: parts.map((part) => ({ ...part, terms: contentWords(part.text) })),
      perspectives: perspectives.map((perspective) => perspectiveSchema.parse(perspective)),
      ...assumed(assumptions),
    }),
  };
}

/** The first of them, each once. */
export function assumed(all: readonly string[]): Pick<Plan, "assumptions"> {
  const distinct = [...new Set(all.map((one) => shownLine(one)))].filter((one) => one !== "");
  return distinct.length === 0 ? {} : { assumptions: distinct.slice(0, MAX_ASSUMPTIONS) };
}

/** The collections as JSON, since their titles come from documents. */
function describedDocuments(collections: readonly DocumentCollection[]): string {
  if (collections.length === 0) return "";
  return `\n\nThe documents: ${JSON.stringify(collections)}`;
}

function problemsOf(wished: WishedPlan, limits: Limits): string[] {
  const { parts, perspectives } = wished;
  const faults = planFaults(wished, limits);
  if (new Set(parts.map(({ id }) => id)).size !== parts.length) faults.push("two parts have the same id");
  for (const { id } of parts)
    if (!perspectives.some(({ part_ids }) => part_ids.includes(id))) faults.push(`no perspective looks for part ${id}`);
  if (perspectives.some(({ id }) => id.startsWith(GAP_PREFIX)))
    faults.push(`the id of a perspective does not begin with "${GAP_PREFIX}"`);
  return faults;
}
