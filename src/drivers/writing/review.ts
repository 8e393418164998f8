// The review: the reviewer reads a draft as the asker would, and says what the next draft has to change.
import { z } from "../../kernel/zod.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Draft } from "../../run/report/report.ts";
import { claimsOf, statementsOf } from "../../run/report/statements.ts";
import { directiveSchema, type Plan, type Review } from "../../run/report/research.ts";
import type { Limits } from "../../run/settings/settings.ts";
import { spanKey } from "../../run/report/source.ts";
import type { Brief } from "../asking/brief.ts";
import { performBrief } from "../asking/performer.ts";
import { PromptFile } from "../asking/prompt-file.ts";
import { nameAmong } from "../asking/read-answer.ts";
import { pageText } from "./page/page-text.ts";
import words from "./review.txt" with { type: "text" };

function judgementSchema(targets: Iterable<string>) {
  return z.object({
    decision: z.enum(["accept", "revise"]),
    directives: z.array(directiveSchema.extend({ target: nameAmong(targets) })).max(40),
  });
}
type Judgement = z.infer<ReturnType<typeof judgementSchema>>;

const EXAMPLE: Judgement = {
  decision: "revise",
  directives: [
    { kind: "drop_duplicate", target: "s7", detail: "It repeats what the first section says: leave it out." },
  ],
};

const REVIEW = new PromptFile(words);

export async function review(input: Tasks["review"]["input"], tools: TaskTools): Promise<Review> {
  return await performBrief(reviewBrief(input), tools);
}

function reviewBrief({
  question,
  assignment = {},
  plan,
  draft,
  draft_number,
  earlier = [],
  wishes,
  limits,
}: Tasks["review"]["input"]): Brief<Judgement, Review> {
  const headings = draft.blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : []));
  const targets = new Set([...statementsOf(draft).map(({ statement_id }) => statement_id), ...headings]);
  return {
    name: "review",
    role: "reviewer",
    who: REVIEW.part("who"),
    demands: demandsOf(draft_number, limits, wishes),
    task: {
      question,
      ...assignment,
      parts: plan.parts.map(({ id, text }) => ({ part_id: id, text })),
      ...shownDraft(draft),
      ...(earlier.length === 0 ? {} : { your_earlier_remarks: earlier }),
    },
    answer: { schema: judgementSchema(targets), description: "Hands the review in.", example: EXAMPLE },
    problemsOf: (judgement) => problemsOf(judgement, targets, plan, wishes),
    resultOf: (judgement) => ({ draft: draft_number, ...judgement }),
  };
}

function demandsOf(draft_number: number, { max_rounds }: Limits, wishes: number): string[] {
  return REVIEW.list("demands", {
    research: wishes === 0 ? REVIEW.part("without_research") : REVIEW.part("with_research", { wishes }),
    draft_number,
    max_rounds,
    last: draft_number >= max_rounds ? REVIEW.part("last") : "",
  });
}

/** The page with the ids of quotes in its marks, each quote once, and the gaps. */
function shownDraft(draft: Draft) {
  const quotes = new Map(
    claimsOf(draft).flatMap((claim) => claim.quotes.map((quote) => [spanKey(quote), quote] as const)),
  );
  const ids = new Map([...quotes.keys()].map((span, index) => [span, `q${index + 1}`]));
  const titles = new Map(draft.sources.map(({ source_digest, title }) => [source_digest, title]));
  return {
    page: pageText(draft, (quote) => ids.get(spanKey(quote)) ?? "?"),
    quotes: [...quotes].map(([span, { source_digest, text }]) => ({
      id: ids.get(span),
      title: titles.get(source_digest),
      document_text: text,
    })),
    gaps: draft.gaps.map(({ gap_id, text, reason }) => ({ gap_id, text, reason })),
  };
}

function problemsOf(
  { decision, directives }: Judgement,
  targets: ReadonlySet<string>,
  { parts }: Plan,
  mostWishes: number,
): string[] {
  const problems: string[] = [];
  if (decision === "revise" && directives.length === 0)
    problems.push("a draft that is to be revised needs a directive");
  const strange = directives.filter(({ target }) => !targets.has(target));
  if (strange.length > 0)
    problems.push(`there is no statement or heading ${strange.map(({ target }) => JSON.stringify(target)).join(", ")}`);
  const wishes = directives.filter(({ kind }) => kind === "research");
  if (wishes.length > mostWishes)
    problems.push(
      mostWishes === 0
        ? "this review may not ask for research"
        : `${wishes.length} directives ask for research, at most ${mostWishes} may`,
    );
  if (wishes.length > 0 && decision === "accept")
    problems.push("a draft for which research is wanted is to be revised");
  const known = parts.map(({ id }) => id);
  if (wishes.some(({ part_id = "" }) => !known.includes(part_id)))
    problems.push(`research is for a part of the question, by its part_id: ${known.join(", ")}`);
  if (wishes.some(({ queries = [] }) => queries.length === 0)) problems.push("research needs queries to begin with");
  return problems;
}
