// The performers of all tasks: each asks whoever plays its role, a model or somebody outside.
// The code of a task is loaded with the first step that it performs: most commands perform steps of one task, or none.
import type { Performer, Performers } from "../driver-of.ts";
import type { TaskKind } from "../../ports/driver.ts";

export const PERFORMERS = {
  plan: late(async () => (await import("./planner.ts")).plan),
  research: late(async () => (await import("./research.ts")).research),
  pivot: late(async () => (await import("./planner.ts")).pivot),
  fill_gap: late(async () => (await import("./research.ts")).fillGap),
  check_citations: late(async () => (await import("./citations.ts")).checkCitations),
  summarize: late(async () => (await import("./summary.ts")).summarize),
  draft: late(async () => (await import("./writing.ts")).draft),
  outline: late(async () => (await import("./writing.ts")).outline),
  section: late(async () => (await import("./writing.ts")).section),
  answer: late(async () => (await import("./writing.ts")).answer),
  judge_claims: late(async () => (await import("./judge-claims.ts")).judgeClaims),
  review: late(async () => (await import("./planner.ts")).review),
} satisfies Performers;

function late<K extends TaskKind>(load: () => Promise<Performer<K>>): Performer<K> {
  return async (...asked) => await (await load())(...asked);
}
