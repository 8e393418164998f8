// The performers of all tasks, which ask a model, or an agent or a person outside. The code of a task is loaded with its first step, since
// most commands perform steps of one task or none.
import type { TaskKind } from "../ports/driver.ts";
import type { Performer, Performers } from "./driver-of.ts";

const CODE = {
  citations: () => import("./verdicts/citations.ts"),
  quotes: () => import("./research/judge-quotes.ts"),
  judging: () => import("./writing/judge-claims.ts"),
  planner: () => import("./planning/planner.ts"),
  research: () => import("./research/research.ts"),
  review: () => import("./writing/review.ts"),
  summary: () => import("./research/summary.ts"),
  writing: () => import("./writing/writing.ts"),
};

export const PERFORMERS = {
  plan: late(async () => (await CODE.planner()).plan),
  research: late(async () => (await CODE.research()).research),
  pivot: late(async () => (await CODE.planner()).pivot),
  fill_gap: late(async () => (await CODE.research()).fillGap),
  judge_findings: late(async () => (await CODE.quotes()).judgeFindings),
  check_citations: late(async () => (await CODE.citations()).checkCitations),
  summarize: late(async () => (await CODE.summary()).summarize),
  draft: late(async () => (await CODE.writing()).draft),
  outline: late(async () => (await CODE.writing()).outline),
  section: late(async () => (await CODE.writing()).section),
  answer: late(async () => (await CODE.writing()).answer),
  judge_claims: late(async () => (await CODE.judging()).judgeClaims),
  review: late(async () => (await CODE.review()).review),
} satisfies Performers;

/** Loads the code of every task. */
export async function loadPerformers(): Promise<void> {
  await Promise.all(Object.values(CODE).map((load) => load()));
}

function late<K extends TaskKind>(load: () => Promise<Performer<K>>): Performer<K> {
  return async (...task) => await (await load())(...task);
}
