// The brief of the pivot: the planner reads what was found and says what is missing. It may add parts to the question and drop
// some. How strong the evidence for a part is, is counted.
import { counted } from "../../kernel/counted.ts";
import { freeName } from "../../kernel/ids.ts";
import { z } from "../../kernel/zod.ts";
import type { Tasks } from "../../ports/driver.ts";
import { contentWords } from "../../corpus/words/terms.ts";
import {
  subjectIdSchema,
  type FindingQuote,
  type Findings,
  type Gap,
  type Pivot,
  type Plan,
} from "../../run/report/research.ts";
import { spanKey } from "../../run/report/source.ts";
import type { Brief } from "../asking/brief.ts";
import { PromptFile } from "../asking/prompt-file.ts";
import words from "./pivot.txt" with { type: "text" };
import { GAP_PREFIX, MAX_ID_LENGTH, MAX_PARTS } from "./plan-brief.ts";

type Input = Tasks["pivot"]["input"];

const MAX_GAPS = 20;

const lookSchema = z.object({
  gaps: z
    .array(
      z.object({
        part_id: subjectIdSchema,
        missing: z.string().min(1).max(300).describe("what is to be looked for, in a few words"),
        queries: z.array(z.string().min(1).max(400)).min(1).max(8),
      }),
    )
    .max(MAX_GAPS),
  add_parts: z
    .array(z.object({ id: subjectIdSchema.max(MAX_ID_LENGTH), text: z.string().min(1).max(300) }))
    .max(MAX_PARTS)
    .optional()
    .describe("parts that the question turned out to have; each needs a gap"),
  drop_parts: z
    .array(z.object({ part_id: subjectIdSchema, reason: z.enum(["not_asked", "asked_by_another"]) }))
    .max(MAX_PARTS)
    .optional()
    .describe("parts that are beside the question"),
});
export type Look = z.infer<typeof lookSchema>;
export type AddedPart = NonNullable<Look["add_parts"]>[number];

const PIVOT = new PromptFile(words);

const EXAMPLE: Look = {
  gaps: [{ part_id: "recovery", missing: "how long a takeover takes", queries: ["takeover seconds", "lease expiry"] }],
};

/** Null when the limits allow no further search, so that no planner is needed. */
export function pivotBrief(input: Input): Brief<Look, Look> | null {
  const { limits, wave } = input;
  if (limits.max_depth < wave || limits.max_gaps === 0) return null;
  const tried = triedIn(input);
  return {
    name: "pivot",
    role: "planner",
    who: PIVOT.part("who"),
    demands: PIVOT.list("demands", { max_gaps: limits.max_gaps, max_parts: MAX_PARTS }),
    task: boardOf(input, tried),
    answer: {
      schema: lookSchema,
      description: "Says what is missing, with other searches for each gap.",
      example: EXAMPLE,
    },
    problemsOf: (look) => problemsOf(look, input, tried),
    resultOf: (look) => look,
  };
}

/** `isAsking`: true when the text of a part asserts nothing. Any other part is not added, since its text is shown on the page. */
export function pivotOf(
  look: Look,
  { plan, findings, ...input }: Input,
  isAsking: (part: AddedPart) => boolean,
): Pivot {
  const wished = look.add_parts ?? [];
  const added = wished.filter(isAsking);
  const refused = wished.filter((part) => !added.includes(part)).map(({ id }) => id);
  const parts = plan.parts.map(({ id }) => strengthOf(id, findings));
  const gaps: Gap[] = [];
  for (const gap of look.gaps)
    if (!refused.includes(gap.part_id)) gaps.push(gapOf(gap, [...input.gaps, ...gaps], parts));
  const dropped = (look.drop_parts ?? []).map(({ part_id, reason }) => ({ part_id, reason }));
  const notes = notesOf(plan, { added, refused: refused.length, dropped });
  return {
    parts: [
      ...parts.filter(({ part_id }) => !dropped.some((gone) => gone.part_id === part_id)),
      ...added.map(({ id }) => strengthOf(id, findings)),
    ],
    gaps,
    ...(gaps.length === 0
      ? { decision: "skip", reason: "the planner has seen what was found and asks for nothing more" }
      : { decision: "wave2", reason: `the planner asks for another search for ${counted(gaps.length, "gap")}` }),
    ...(added.length === 0 ? {} : { added: added.map((part) => ({ ...part, terms: contentWords(part.text) })) }),
    ...(dropped.length === 0 ? {} : { dropped }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** The pivot of a run that may not search again. */
export function pivotWithoutSearch({ plan, findings, limits: { max_depth } }: Input): Pivot {
  const parts = plan.parts.map(({ id }) => strengthOf(id, findings));
  const thin = parts.filter(({ evidence }) => evidence !== "strong").length;
  const isDeep = max_depth >= 2;
  const limit = isDeep ? "0 gaps" : "one wave";
  const note = `No second search for ${counted(thin, "part")} of the question with little evidence (limit of ${limit}).`;
  return {
    parts,
    gaps: [],
    decision: "skip",
    reason: `the settings allow ${isDeep ? "no gap to be filled" : "one wave only"}`,
    ...(thin === 0 ? {} : { notes: [note] }),
  };
}

const DROPPED: Record<NonNullable<Pivot["dropped"]>[number]["reason"], string> = {
  not_asked: "the question does not ask it",
  asked_by_another: "another part asks it as well",
};

/** Notes for the page, in words of this program, since what a model says about its reading was not checked. */
function notesOf(
  { parts }: Pick<Plan, "parts">,
  { added, refused, dropped }: { added: readonly AddedPart[]; refused: number; dropped: Pivot["dropped"] & {} },
): string[] {
  const textOf = (part_id: string): string => parts.find(({ id }) => id === part_id)?.text ?? part_id;
  return [
    ...added.map(({ text }) => `A part was added to the question after the first search: “${text}”.`),
    ...dropped.map(
      ({ part_id, reason }) => `A part was dropped from the question: “${textOf(part_id)}” (${DROPPED[reason]}).`,
    ),
    ...(refused === 0
      ? []
      : [`${counted(refused, "part")} that the planner wanted to add said more than a question does.`]),
  ];
}

/** The task of the planner: what was found for each part, and what was searched for. */
function boardOf({ question, plan, findings, limits, wave }: Input, tried: readonly string[]) {
  const quotes = findings.flatMap((found) => found.quotes);
  return {
    question,
    parts: plan.parts.map(({ id, text }) => ({
      id,
      part: text,
      sources: strengthOf(id, findings).sources,
    })),
    found: quotes.map((quote) => ({ statement: heldBy(quote), part_ids: quote.part_ids })),
    notes: findings.flatMap(({ notes }) => notes),
    tried,
    most_gaps: limits.max_gaps,
    waves_left: limits.max_depth - wave + 1,
  };
}

/** What was searched for: as researchers did, where that is known, else as it was planned. */
function triedIn({ plan, gaps, findings }: Input): string[] {
  const searched = new Map<string, string[] | undefined>(findings.map(({ subject, queries }) => [subject, queries]));
  const all = [...plan.perspectives, ...gaps].flatMap(({ id, queries }) => searched.get(id) ?? queries);
  return [...new Set(all)];
}

/** What was recorded, in the words of the quote where the verifier did not find the statement in it. */
function heldBy({ statement, text, judged }: FindingQuote): string {
  return judged === undefined || judged.verdict === "supported" ? (statement ?? text) : text;
}

const STRONG_QUOTES = 3;
const STRONG_SOURCES = 2;

function strengthOf(part_id: string, findings: readonly Findings[]): Pivot["parts"][number] {
  const own = findings.flatMap(({ quotes }) => quotes).filter(({ part_ids }) => part_ids.includes(part_id));
  const quotes = new Set(own.map(spanKey)).size;
  const sources = new Set(own.map(({ source_digest }) => source_digest)).size;
  const isStrong = quotes >= STRONG_QUOTES && sources >= STRONG_SOURCES;
  return { part_id, evidence: quotes === 0 ? "none" : isStrong ? "strong" : "weak", quotes, sources };
}

function problemsOf(
  { gaps, add_parts: added = [], drop_parts: dropped = [] }: Look,
  { plan, findings, limits }: Input,
  tried: readonly string[],
): string[] {
  const problems: string[] = [];
  if (gaps.length > limits.max_gaps)
    problems.push(`there are ${gaps.length} gaps, at most ${limits.max_gaps} are searched for`);
  const known = plan.parts.map(({ id }) => id);
  const all = [...known, ...added.map(({ id }) => id)];
  for (const { part_id } of dropped)
    if (!known.includes(part_id)) problems.push(`there is no part ${part_id} to drop; there are: ${known.join(", ")}`);
  // Parts that were dropped before may have quotes, so their ids are taken.
  const taken = new Set(findings.flatMap(({ quotes }) => quotes.flatMap(({ part_ids }) => part_ids)));
  if (new Set(all).size !== all.length || added.some(({ id }) => taken.has(id)))
    problems.push("a part that is added has the id of another");
  const left = all.filter((id) => !dropped.some(({ part_id }) => part_id === id));
  if (left.length > MAX_PARTS)
    problems.push(`there are ${left.length} parts with those that are added, at most ${MAX_PARTS} may be`);
  if (known.every((id) => !left.includes(id))) problems.push("every part of the question is dropped");
  for (const { id } of added)
    if (!gaps.some(({ part_id }) => part_id === id)) problems.push(`no gap looks for the part ${id}, which is added`);
  for (const { part_id, missing, queries } of gaps) {
    if (!left.includes(part_id)) problems.push(`there is no part ${part_id}; there are: ${left.join(", ")}`);
    if (queries.every((query) => tried.includes(query)))
      problems.push(`every query for "${missing}" was tried already`);
  }
  return problems;
}

/** The gap as the plan has it. The ids of further gaps of one part are numbered. */
function gapOf(
  { part_id, missing, queries }: Look["gaps"][number],
  earlier: readonly Gap[],
  parts: Pivot["parts"],
): Gap {
  const part = parts.find((one) => one.part_id === part_id);
  const taken = earlier.map(({ id }) => id);
  const found = part?.quotes ?? 0;
  return {
    id: freeName(`${GAP_PREFIX}${part_id}`, taken),
    part_id,
    title: missing,
    evidence: found === 0 ? "none" : "weak",
    reason:
      found === 0
        ? "nothing was found"
        : `there were ${counted(found, "quote")} from ${counted(part?.sources ?? 0, "source")}`,
    queries,
  };
}
