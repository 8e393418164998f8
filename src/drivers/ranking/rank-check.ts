// The check of a model that is to rank: twelve requests whose answers are known, and what its replies get right.
import type { RankCheck } from "../../ports/driver.ts";
import type { RankGate } from "../../run/settings/rank.ts";
import { CHECK_ITEMS } from "./check-items.ts";
import { readOrder } from "./read-order.ts";
import { RANK_PROMPT, RANK_SYSTEM, RANK_TOOL, requestText } from "./shown.ts";

export const RANK_CHECK: RankCheck = {
  prompt: RANK_PROMPT,
  requests: CHECK_ITEMS.map(({ question, passages }) => ({
    system: RANK_SYSTEM,
    user: requestText(question, passages),
    tool: RANK_TOOL,
  })),
  judge: judged,
};

function judged(replies: readonly string[]): RankGate {
  let [first, verdicts] = [0, 0];
  for (const [at, { passages, right }] of CHECK_ITEMS.entries()) {
    const sentences = passages.map((passage) => passage.sentences.length);
    const order = readOrder(replies[at] ?? "", sentences);
    if (order === null) continue;
    if (right !== null && order.order[0] === right) first++;
    if (order.answers === (right === null ? "no" : "yes")) verdicts++;
  }
  return { first, verdicts };
}
