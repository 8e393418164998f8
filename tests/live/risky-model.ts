// The well-behaved model with one habit more: before it hands its research in, it posts a note with a tool that is not safe.
import type { Answer, SeenRequest } from "../models/answers.ts";
import { asksFor } from "../models/answers.ts";
import { named, PLAN, researchCalls, submits, taskOf, wellBehaved } from "./well-behaved.ts";

export const RISKY_TOOL = {
  name: "post_note",
  description: "Posts a note to a board outside.",
  input_schema: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
};

/** One researcher at a time, so that a kill always meets the same place. */
const ONE_PERSPECTIVE = { ...PLAN, perspectives: PLAN.perspectives.slice(0, 1) };
export const ONE_AT_A_TIME = { max_perspectives: 1, max_gaps: 1, results_per_query: 4, max_quotes_per_subject: 4 };

export function riskyModel(request: Pick<SeenRequest, "body">): Answer {
  const task = taskOf(request);
  return task.who === "plan" ? asksFor(named(task, [submits(ONE_PERSPECTIVE)])) : postsNotes(request);
}

/** The same with as many perspectives as it likes. */
export function postsNotes(request: Pick<SeenRequest, "body">): Answer {
  const task = taskOf(request);
  if (task.who !== "research") return wellBehaved(request);
  const calls = researchCalls(task);
  const hasPosted = task.messages.some(({ tool_calls }) =>
    tool_calls.some((call) => call.function.name === RISKY_TOOL.name),
  );
  if (calls[0]?.name !== "submit" || hasPosted) return wellBehaved(request);
  const angle = /Your angle: (.*)/.exec(task.user)?.[1] ?? "";
  // Two at once, so that there is a place between them.
  return asksFor(
    named(
      task,
      [1, 2].map((number) => ({ name: RISKY_TOOL.name, arguments: { note: `${angle} ${number}` } })),
    ),
  );
}
