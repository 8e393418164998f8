// The pivot: what the best excerpt holds of each part. There is no second wave: the same words would find the same passages.
import { counted } from "../../kernel/counted.ts";
import type { Tasks } from "../../ports/driver.ts";
import type { Pivot } from "../../run/research.ts";
import { ANSWERS_FROM } from "./coverage.ts";

export function pivot({ plan, findings }: Tasks["pivot"]["input"]): Pivot {
  const all = findings.flatMap(({ quotes }) => quotes);
  const parts = plan.parts.map(({ id }) => {
    const quotes = all.filter(({ part_ids }) => part_ids.includes(id));
    const isAnswered = quotes.some(({ coverage = 0 }) => coverage >= ANSWERS_FROM);
    const evidence = quotes.length === 0 ? "none" : isAnswered ? "strong" : "weak";
    const sources = new Set<string>(quotes.map(({ source_digest }) => source_digest)).size;
    return { part_id: id, evidence, quotes: quotes.length, sources } as const;
  });
  const open = parts.filter(({ evidence }) => evidence !== "strong").length;
  const reason =
    open === 0
      ? "an excerpt covers every part of the question"
      : `no excerpt covers ${counted(open, "part")} of the question, and other words need a model`;
  return { parts, gaps: [], decision: "skip", reason };
}
