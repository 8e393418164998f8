// The brief of the plan: the planner takes the question apart and chooses perspectives. It refuses what gate A refuses.
import { z } from "../../kernel/zod.ts";
import { given } from "../../kernel/given.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { contentWords } from "../../corpus/words/terms.ts";
import type { PlanRevision, Stance, Tasks } from "../../ports/driver.ts";
import type { DocumentCollection } from "../../ports/provider.ts";
import { shortened } from "../../kernel/shortened.ts";
import { EARLIER, followingNote, type EarlierEvidence } from "../../run/report/earlier-evidence.ts";
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
/** The most quotes of the earlier evidence that the planner is shown, and characters of each. */
const MOST_SHOWN = 60;
const MAX_SHOWN_LENGTH = 300;
const MAX_ANSWER_LENGTH = 2_000;

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
  held: z
    .array(z.object({ part_id: idSchema, evidence_ids: z.array(z.string().max(20)).max(MOST_SHOWN) }))
    .max(MAX_PARTS)
    .optional()
    .describe(
      "for a question that follows another: the earlier evidence that answers a part, and gaps that belong to it",
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

const PLAN = new PromptFile(words);
const EXAMPLE: WishedPlan = {
  parts: [{ id: "survival", text: "Does the cache survive a crash?" }],
  perspectives: [PERSPECTIVE],
  assumptions: ["one machine, and the version of the manual"],
};

const FOLLOWING: WishedPlan = {
  parts: [
    { id: "survival", text: "Does the cache survive a crash of Windows?" },
    { id: "settings", text: "Which settings does that need there?" },
  ],
  held: [{ part_id: "survival", evidence_ids: ["e3", "e7", "g1"] }],
  perspectives: [{ ...PERSPECTIVE, id: "windows", title: "Settings on Windows", part_ids: ["settings"] }],
};

function whoIn(stance: Stance): string {
  return PLAN.part("who", {
    example: JSON.stringify(PERSPECTIVE),
    stance: stance === "primary" ? "" : `\n\n${PLAN.part(stance)}`,
  });
}

export function planBrief(
  { question, limits, earlier, revision }: Omit<Tasks["plan"]["input"], "drafts">,
  collections: readonly DocumentCollection[] = [],
  stance: Stance = "primary",
): Brief<WishedPlan, Plan> {
  const before = earlier === undefined ? "" : `\n\nWhat was found before: ${JSON.stringify(shownEvidence(earlier))}`;
  const wished =
    revision === undefined ? "" : `\n\nThe plan so far, and wishes: ${JSON.stringify(shownRevision(revision))}`;
  const advice = [
    ...(earlier === undefined ? [] : [PLAN.part("following")]),
    ...(revision === undefined ? [] : [PLAN.part("revising")]),
  ];
  return {
    // Each wish is answered in a conversation of its own.
    name: revision === undefined ? "plan" : `plan:${revision.instructions.length + 1}`,
    role: "planner",
    who: whoIn(stance),
    ...(advice.length === 0 ? {} : { advice: advice.join("\n\n") }),
    demands: [
      ...PLAN.list(earlier === undefined ? "demands" : "demands_following", {
        max_parts: MAX_PARTS,
        max_perspectives: limits.max_perspectives,
      }),
      ...PLAN.list("demands_of_ids", { max_id_length: MAX_ID_LENGTH, gap_prefix: GAP_PREFIX }),
    ],
    task: `The question: ${question}${describedDocuments(collections)}${before}${wished}`,
    answer: {
      schema: earlier === undefined ? wishedPlanSchema.omit({ held: true }) : wishedPlanSchema,
      description: "Hands the plan in.",
      example: earlier === undefined ? EXAMPLE : FOLLOWING,
    },
    problemsOf: (wished) => problemsOf(wished, limits, earlier),
    resultOf: (wished) => withWishes(planOf(wished, earlier), revision),
  };
}

/** The page says what its asker wished of the plan. */
function withWishes(plan: Plan, revision: PlanRevision | undefined): Plan {
  if (revision === undefined) return plan;
  const wishes = revision.instructions.map(
    (one) => `The asker had the plan made again, with the wish: “${shownLine(one)}”.`,
  );
  return { ...plan, notes: [...(plan.notes ?? []), ...wishes] };
}

/** The plan that waited, in the form of an answer, and what was wished of it. */
function shownRevision({ plan: { parts, perspectives, assumptions, held }, instructions }: PlanRevision) {
  return {
    plan: {
      parts: parts.map(({ id, text }) => ({ id, text })),
      perspectives: perspectives.filter(({ id }) => id !== EARLIER),
      ...given({ assumptions }),
      ...given({
        held: held?.map(({ part_id, quotes, gaps = [] }) => ({
          part_id,
          evidence_ids: [...quotes.map((at) => `e${at + 1}`), ...gaps.map((at) => `g${at + 1}`)],
        })),
      }),
    },
    wishes: instructions,
  };
}

function planOf({ parts, perspectives, assumptions, held = [] }: WishedPlan, earlier?: EarlierEvidence): Plan {
  const planned = {
    parts: parts.map((part) => ({ ...part, terms: contentWords(part.text) })),
    perspectives: perspectives.map((perspective) => perspectiveSchema.parse(perspective)),
    // What was taken for granted before still is, unless the planner says what is now.
    ...assumed(assumptions ?? earlier?.assumptions ?? []),
  };
  const adopted = held
    .map(({ part_id, evidence_ids }) => ({ part_id, ...numbersOf(evidence_ids, earlier) }))
    .filter(({ quotes, gaps }) => quotes.length > 0 || gaps !== undefined);
  const before = earlier?.thread.at(-1);
  if (earlier === undefined || before === undefined) return planned;
  const taken = new Set(adopted.flatMap(({ quotes }) => quotes)).size;
  const notes = [followingNote(earlier, taken, perspectives.length)];
  if (adopted.length === 0) return { ...planned, notes };
  const own = perspectiveSchema.parse({
    id: EARLIER,
    title: "What was found before",
    kind: "overview",
    questions: [shortened(before.question, 500)],
    queries: [shortened(before.question, 400)],
    part_ids: [...new Set(adopted.map(({ part_id }) => part_id))],
  });
  return {
    ...planned,
    perspectives: [own, ...planned.perspectives],
    notes,
    held: adopted,
  };
}

/** The evidence as the planner reads it. All of it is data. */
function shownEvidence({ thread, answer, quotes, sources, gaps, assumptions }: EarlierEvidence) {
  const titles = new Map(sources.map(({ source_digest, title }) => [source_digest, title]));
  return {
    questions: thread.map(({ question }) => question),
    answer: shortened(answer, MAX_ANSWER_LENGTH),
    evidence: quotes.slice(0, MOST_SHOWN).map(({ source_digest, statement, text }, at) => ({
      id: `e${at + 1}`,
      title: titles.get(source_digest),
      says: shortened(statement ?? text, MAX_SHOWN_LENGTH),
    })),
    not_found: gaps.slice(0, MOST_SHOWN).map(({ text }, at) => ({ id: `g${at + 1}`, text })),
    ...given({ assumed: assumptions }),
  };
}

/** The numbers from 0 of the quotes `e1`, `e2` and of the gaps `g1` that were shown. Other ids name nothing. */
function numbersOf(
  ids: readonly string[],
  earlier: EarlierEvidence | undefined,
): Pick<NonNullable<Plan["held"]>[number], "quotes" | "gaps"> {
  const of = (form: RegExp, all: readonly unknown[] = []): number[] => {
    const numbers = ids.map((id) => Number(form.exec(id.trim())?.[1] ?? 0) - 1);
    return [...new Set(numbers)].filter((number) => number >= 0 && number < Math.min(MOST_SHOWN, all.length));
  };
  const gaps = of(/^g(\d{1,3})$/iu, earlier?.gaps);
  return { quotes: of(/^e(\d{1,3})$/iu, earlier?.quotes), ...(gaps.length === 0 ? {} : { gaps }) };
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

function problemsOf(wished: WishedPlan, limits: Limits, earlier?: EarlierEvidence): string[] {
  const { parts } = wished;
  const { perspectives, held = [] } = planOf(wished, earlier);
  const faults = planFaults({ parts, perspectives }, limits);
  if (wished.perspectives.length === 0 && perspectives.length > 0 && held.every(({ quotes }) => quotes.length === 0))
    faults.push("nothing that was found before is held, so some perspective has to look for evidence");
  if (wished.perspectives.some(({ id }) => id === EARLIER))
    faults.push(`no perspective is called "${EARLIER}": name its evidence under held`);
  if (new Set(parts.map(({ id }) => id)).size !== parts.length) faults.push("two parts have the same id");
  for (const { id } of parts)
    if (!perspectives.some(({ part_ids }) => part_ids.includes(id)))
      faults.push(
        `no perspective looks for part ${id}${earlier === undefined ? "" : ", and no evidence that was given is held for it"}`,
      );
  if (perspectives.some(({ id }) => id.startsWith(GAP_PREFIX)))
    faults.push(`the id of a perspective does not begin with "${GAP_PREFIX}"`);
  return faults;
}
