// The review of a draft by a model that reads it as the asker would: what the next draft has to do otherwise.
import { z } from "../../kernel/schema.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import { claimsOf, statementsOf, type Draft } from "../../run/report.ts";
import { directiveSchema, type Plan, type Review } from "../../run/research.ts";
import { pageText } from "./page-text.ts";
import { reviewDemands, REVIEWER, system } from "./prompts.ts";
import { performTask } from "./task-loop.ts";
import { spanOf } from "./coverage.ts";

const judgementSchema = z.object({
  decision: z.enum(["accept", "revise"]),
  directives: z.array(directiveSchema).max(40),
});
type Judgement = z.infer<typeof judgementSchema>;

export async function review(
  { question, assignment = {}, plan, draft, draft_number, earlier = [], wishes, limits }: Tasks["review"]["input"],
  tools: TaskTools,
): Promise<Review> {
  const headings = draft.blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : []));
  const targets = new Set([...statementsOf(draft).map(({ statement_id }) => statement_id), ...headings]);
  const { result } = await performTask<Judgement>(
    {
      name: "review",
      role: "reviewer",
      system: system(REVIEWER, reviewDemands(draft_number, limits, wishes)),
      user: JSON.stringify({
        question,
        ...assignment,
        parts: plan.parts.map(({ id, text }) => ({ part_id: id, text })),
        ...shownDraft(draft),
        ...(earlier.length === 0 ? {} : { your_earlier_remarks: earlier }),
      }),
      tools: [],
      result: { schema: judgementSchema, description: "Hands the review in." },
      problemOf: (judgement) => problemOf(judgement, targets) ?? problemOfWishes(judgement, plan, wishes),
      maxTurns: 5,
    },
    tools,
  );
  return { draft: draft_number, ...result };
}

/** The page with its marks, and each quote once. */
function shownDraft(draft: Draft) {
  const quotes = new Map(
    claimsOf(draft).flatMap((claim) => claim.quotes.map((quote) => [spanOf(quote), quote] as const)),
  );
  const ids = new Map([...quotes.keys()].map((span, index) => [span, `c${index + 1}`]));
  const titles = new Map(draft.sources.map(({ source_digest, title }) => [source_digest, title]));
  return {
    page: pageText(draft, (quote) => ids.get(spanOf(quote)) ?? "?"),
    quotes: [...quotes].map(([span, { source_digest, text }]) => ({
      id: ids.get(span),
      title: titles.get(source_digest),
      document_text: text,
    })),
    gaps: draft.gaps.map(({ gap_id, text, reason }) => ({ gap_id, text, reason })),
  };
}

function problemOf({ decision, directives }: Judgement, targets: ReadonlySet<string>): string | null {
  if (decision === "revise" && directives.length === 0) return "a draft that is to be revised needs a directive";
  const strange = directives.filter(({ target }) => !targets.has(target));
  if (strange.length === 0) return null;
  return `there is no statement or heading ${strange.map(({ target }) => JSON.stringify(target)).join(", ")}`;
}

function problemOfWishes({ decision, directives }: Judgement, { parts }: Plan, most: number): string | null {
  const wishes = directives.filter(({ kind }) => kind === "research");
  if (wishes.length > most)
    return most === 0
      ? "this review may not ask for research"
      : `${wishes.length} directives ask for research, at most ${most} may`;
  if (wishes.length > 0 && decision === "accept") return "a draft that research is asked for is to be revised";
  const known = parts.map(({ id }) => id);
  const strange = wishes.find(({ part_id = "" }) => !known.includes(part_id));
  if (strange !== undefined) return `research is for a part of the question, by its part_id: ${known.join(", ")}`;
  return wishes.some(({ queries = [] }) => queries.length === 0) ? "research needs queries to begin with" : null;
}
