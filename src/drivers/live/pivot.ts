// The pivot: quotes are counted for each part, and the planner looks once at what was found and says what is missing.
import { counted } from "../../kernel/counted.ts";
import { z } from "../../kernel/schema.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Findings, Gap, Pivot } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { system } from "./prompts.ts";
import { GAP_FINDER, gapDemands, GAP_PREFIX } from "./research-prompts.ts";
import { spanKey } from "./research-state.ts";
import { performTask } from "./task-loop.ts";

type Input = Tasks["pivot"]["input"];

const MAX_GAPS = 20;

const lookSchema = z.object({
  gaps: z
    .array(
      z.object({
        part_id: z.string(),
        missing: z.string().min(1).max(300).describe("what is to be looked for, in a few words"),
        queries: z.array(z.string().min(1).max(400)).min(1).max(8),
      }),
    )
    .max(MAX_GAPS),
});
type Look = z.infer<typeof lookSchema>;

export async function pivot(input: Input, tools: TaskTools): Promise<Pivot> {
  const { limits, plan, findings } = input;
  const parts = plan.parts.map(({ id }) => strengthOf(id, findings));
  const thin = parts.filter(({ evidence }) => evidence !== "strong").length;
  if (limits.max_depth < 2 || limits.max_gaps === 0) return { parts, gaps: [], ...noSecondWave(thin, limits) };
  const tried = plan.perspectives.flatMap(({ queries }) => queries);
  const { result } = await performTask<Look>(
    {
      name: "pivot",
      role: "planner",
      system: system(GAP_FINDER, gapDemands(limits)),
      user: JSON.stringify(boardOf(input, parts, tried)),
      tools: [],
      result: { schema: lookSchema, description: "Says what is missing, with other searches for each gap." },
      problemOf: ({ gaps }) => problemOf(gaps, input, tried),
      maxTurns: 5,
    },
    tools,
  );
  const gaps = result.gaps.map((gap, index, all) => gapOf(gap, all.slice(0, index), parts));
  return gaps.length === 0
    ? { parts, gaps, decision: "skip", reason: "the planner has seen what was found and asks for nothing more" }
    : {
        parts,
        gaps,
        decision: "wave2",
        reason: `the planner asks for another look at ${counted(gaps.length, "gap")}`,
      };
}

/** What was found so far, part by part. */
function boardOf({ question, plan, findings, limits }: Input, strengths: Pivot["parts"], tried: readonly string[]) {
  const quotes = findings.flatMap((found) => found.quotes);
  return {
    question,
    parts: plan.parts.map(({ id, text }) => ({
      id,
      part: text,
      sources: strengths.find(({ part_id }) => part_id === id)?.sources ?? 0,
      found: quotes.flatMap(({ part_ids, statement, text: quoted }) =>
        part_ids.includes(id) ? [{ statement: statement ?? quoted }] : [],
      ),
    })),
    notes: findings.flatMap(({ notes }) => notes),
    tried,
    most_gaps: limits.max_gaps,
  };
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

function noSecondWave(thin: number, { max_depth }: Limits): Pick<Pivot, "decision" | "reason" | "notes"> {
  const limit = max_depth < 2 ? "one wave" : "0 gaps";
  const notes = [
    `No second search for ${counted(thin, "part")} of the question with little evidence (limit of ${limit}).`,
  ];
  return {
    decision: "skip",
    reason: `the settings allow ${max_depth < 2 ? "one wave only" : "no gap to be filled"}`,
    ...(thin === 0 ? {} : { notes }),
  };
}

function problemOf(gaps: Look["gaps"], { plan, limits }: Input, tried: readonly string[]): string | null {
  if (gaps.length > limits.max_gaps)
    return `there are ${gaps.length} gaps, at most ${limits.max_gaps} are searched for`;
  const strange = gaps.find(({ part_id }) => !plan.parts.some(({ id }) => id === part_id));
  if (strange !== undefined)
    return `there is no part ${strange.part_id}; there are: ${plan.parts.map(({ id }) => id).join(", ")}`;
  const stale = gaps.find(({ queries }) => queries.every((query) => tried.includes(query)));
  return stale === undefined ? null : `every query for "${stale.missing}" was tried already`;
}

/** A second gap of the same part is numbered. */
function gapOf({ part_id, missing, queries }: Look["gaps"][number], earlier: Look["gaps"], parts: Pivot["parts"]): Gap {
  const part = parts.find((one) => one.part_id === part_id);
  const number = earlier.filter((one) => one.part_id === part_id).length + 1;
  const found = `${counted(part?.quotes ?? 0, "quote")} from ${counted(part?.sources ?? 0, "source")}`;
  return {
    id: `${GAP_PREFIX}${part_id}${number === 1 ? "" : `-${number}`}`,
    part_id,
    title: missing,
    evidence: part?.quotes === 0 ? "none" : "weak",
    reason: part?.quotes === 0 ? "nothing was found" : `there were ${found}`,
    queries,
  };
}
