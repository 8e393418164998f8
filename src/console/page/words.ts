// Small words of the page: how long ago, and names of stages and gates.
import type { Stage } from "./wire.ts";

/** In the order in which a run goes through them. */
export const STAGE_NAMES: Record<Stage, string> = {
  init: "Set up",
  perspectives: "Plan",
  wave1: "First search",
  pivot: "Gaps",
  wave2: "Second search",
  citations: "Citations",
  summaries: "Summaries",
  synthesis: "Draft",
  review: "Review",
  finalize: "Report",
};

export const GATE_NAMES: Record<string, string> = {
  A: "The plan covers the question",
  B: "The research found quotes",
  C: "Every quote was looked up",
  D: "Every subject is summarized",
  E: "The draft holds what it says",
  F: "All that is stored verifies",
};

/** `12 s`, `3 min`, `5 h`, `2 d` */
export function ago(ts: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(ts)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}
