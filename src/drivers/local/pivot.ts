// Says how well the excerpts cover each part. No second wave follows, since the same words would find the same passages.
import { counted } from "../../kernel/counted.ts";
import type { Tasks } from "../../ports/driver.ts";
import type { Pivot } from "../../run/report/research.ts";
import { countedOf, doesAnswer, leadOf } from "./coverage.ts";

export function pivot({ plan, findings }: Tasks["pivot"]["input"]): Pivot {
  const all = findings.flatMap(({ quotes }) => quotes);
  const parts = plan.parts.map(({ id }) => {
    const quotes = all.filter(({ part_ids }) => part_ids.includes(id));
    const lead = leadOf(quotes);
    const coverage = lead === undefined ? 0 : countedOf(lead);
    const evidence = lead === undefined ? "none" : doesAnswer(lead) ? "strong" : "weak";
    const sources = new Set<string>(quotes.map(({ source_digest }) => source_digest)).size;
    return { part_id: id, evidence, quotes: quotes.length, sources, coverage } as const;
  });
  const open = parts.filter(({ evidence }) => evidence !== "strong").length;
  const reason = `${counted(open, "part")} of the question without an answer; other words need a model`;
  return { parts, gaps: [], decision: "skip", reason };
}
