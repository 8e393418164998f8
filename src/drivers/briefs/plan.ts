// The brief of the plan: the planner takes the question apart and chooses perspectives. It refuses what gate A refuses.
import { z } from "../../kernel/zod.ts";
import { contentWords } from "../../corpus/words/terms.ts";
import type { Stance, Tasks } from "../../ports/driver.ts";
import type { DocumentCollection } from "../../ports/provider.ts";
import { planFaults } from "../../run/report/plan-faults.ts";
import { perspectiveSchema, subjectIdSchema, type Plan } from "../../run/report/research.ts";
import type { Limits } from "../../run/settings/settings.ts";
import type { Brief } from "./brief.ts";

export const MAX_PARTS = 8;
/** Shorter than ids may be, since the id of a gap is made of the id of its part. */
export const MAX_ID_LENGTH = 50;
export const GAP_PREFIX = "gap-";

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

const PERSPECTIVE: WishedPlan["perspectives"][number] = {
  id: "durability",
  title: "Durability of the cache",
  kind: "facet",
  questions: ["What is written to disk, and when?"],
  queries: ["cache fsync", "crash recovery cache"],
  part_ids: ["survival"],
};

const PLANNER = `You plan research in a collection of documents. You take the question apart, and choose the perspectives from which researchers look for evidence, each by themselves.

How to plan well:
- Parts are what the report has to answer: the question itself, cut where it asks several things. One part is enough for a simple question.
- Perspectives share the work. Kinds: overview (the subject as a whole), facet (one part in depth), practice (how it is done), contrarian (what speaks against the expected answer). Take as many as the question needs, rather than as many as are allowed.
- A title names the subject and promises nothing: "Memory of the index", rather than "How to save memory".
- Queries are two to five telling words that such documents use: names from the titles below, other words for the same thing, in the language of the documents. No sentences.

Example of a perspective for "Does the cache survive a crash?": ${JSON.stringify(PERSPECTIVE)}`;
const EXAMPLE: WishedPlan = {
  parts: [{ id: "survival", text: "Does the cache survive a crash?" }],
  perspectives: [PERSPECTIVE],
};

const AS: Record<Stance, string> = {
  primary: "",
  independent: "\n\nSomebody else plans at the same time. Plan on your own, from the question and the documents alone.",
  contrarian:
    "\n\nSomebody else plans at the same time. Plan as one who doubts the expected answer: what would speak against it, and what is usually overlooked?",
};

function demandsOf(limits: Limits): string[] {
  return [
    `there are 1 to ${MAX_PARTS} parts, with different ids`,
    `there are 1 to ${limits.max_perspectives} perspectives, with different titles and ids`,
    "every perspective has at least one question and one search query",
    "one perspective is of kind contrarian (unless there is only one)",
    "every part_id of a perspective names a part of the question, and every part is named by a perspective",
    `ids are lower case letters, digits and dashes, begin with a letter or digit, and have at most ${MAX_ID_LENGTH} characters; that of a perspective does not begin with "${GAP_PREFIX}"`,
  ];
}

export function planBrief(
  { question, limits }: Tasks["plan"]["input"],
  collections: readonly DocumentCollection[] = [],
  stance: Stance = "primary",
): Brief<WishedPlan, Plan> {
  return {
    name: "plan",
    role: "planner",
    who: `${PLANNER}${AS[stance]}`,
    demands: demandsOf(limits),
    asked: `The question: ${question}${describedDocuments(collections)}`,
    answer: { schema: wishedPlanSchema, description: "Hands the plan in.", example: EXAMPLE },
    problemsOf: (wished) => problemsOf(wished, limits),
    resultOf: ({ parts, perspectives }) => ({
      parts: parts.map((part) => ({ ...part, terms: contentWords(part.text) })),
      perspectives: perspectives.map((perspective) => perspectiveSchema.parse(perspective)),
    }),
  };
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
