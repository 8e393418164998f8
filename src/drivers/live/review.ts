// The review of a draft by a model: what the next draft has to do otherwise.
import { z } from "../../kernel/schema.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import { claimsOf } from "../../run/report.ts";
import { directiveSchema, type Review } from "../../run/research.ts";
import { reviewDemands, REVIEWER, system } from "./prompts.ts";
import { performTask } from "./task-loop.ts";

const judgementSchema = z.object({
  decision: z.enum(["accept", "revise"]),
  directives: z.array(directiveSchema).max(40),
});
type Judgement = z.infer<typeof judgementSchema>;

export async function review(
  { question, plan, draft, draft_number, limits }: Tasks["review"]["input"],
  tools: TaskTools,
): Promise<Review> {
  const targets = new Set([
    ...claimsOf(draft).map(({ claim_id }) => claim_id),
    ...draft.sections.map(({ title }) => title),
  ]);
  const { result } = await performTask<Judgement>(
    {
      name: "review",
      role: "reviewer",
      system: system(REVIEWER, reviewDemands(draft_number, limits)),
      user: JSON.stringify({
        question,
        parts: plan.parts.map(({ text }) => text),
        sections: draft.sections.map(({ title, claims }) => ({
          title,
          claims: claims.map(({ claim_id, text, verdict, reason, quotes }) => ({
            claim_id,
            text,
            verdict,
            reason,
            document_text: quotes.map((quote) => quote.text),
          })),
        })),
        gaps: draft.gaps,
      }),
      tools: [],
      result: { schema: judgementSchema, description: "Hands the review in." },
      problemOf: (judgement) => problemOf(judgement, targets),
      maxTurns: 5,
    },
    tools,
  );
  return { draft: draft_number, ...result };
}

function problemOf({ decision, directives }: Judgement, targets: ReadonlySet<string>): string | null {
  if (decision === "accept") return directives.length === 0 ? null : "a draft that is accepted has no directives";
  if (directives.length === 0) return "a draft that is to be revised needs a directive";
  const strange = directives.find(({ kind, target }) => kind !== "other" && !targets.has(target));
  return strange === undefined ? null : `there is no claim or section ${strange.target}`;
}
