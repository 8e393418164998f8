// Decides who performs a task: a model in a conversation of the step, or an agent or a person outside with an answer.
import type { OutsideWork, TaskTools } from "../../ports/driver.ts";
import type { Role } from "../../run/role.ts";
import { answerFromModel } from "./answer-from-model.ts";
import { answerFromOutside } from "./answer-from-outside.ts";
import type { Brief } from "./brief.ts";

/** The way of a model or that of people and agents outside, for a task that they do in different ways. */
export function performedBy<T>(
  role: Role,
  { outside }: TaskTools,
  ways: { model: () => T; outside: (work: OutsideWork) => T },
): T {
  return outside?.plays(role) === true ? ways.outside(outside) : ways.model();
}

/** The result of a task that needs one answer. Errors: those of `answerFromModel` and `answerFromOutside`. */
export async function performBrief<Answer, Result>(brief: Brief<Answer, Result>, tools: TaskTools): Promise<Result> {
  return await performedBy(brief.role, tools, {
    model: () => answerFromModel(brief, tools),
    outside: (work) => answerFromOutside(brief, work),
  });
}
