// How well a sentence shows how a thing is done, or what speaks against it.
import type { Perspective } from "../../run/research.ts";
import { SHOWS_PRACTICE, SPEAKS_AGAINST, SPEAKS_SOFTLY_AGAINST } from "./cues/sentence-cues.ts";

export type Stance = "any" | "practice" | "contrarian";

const SOFT_FACTOR = 0.5;

/** 0 when a sentence does not fit a stance at all, 1 when it fits well. */
export function fitOf(sentence: string, stance: Stance): number {
  switch (stance) {
    case "any":
      return 1;
    case "practice":
      return SHOWS_PRACTICE.test(sentence) ? 1 : 0;
    case "contrarian":
      if (SPEAKS_AGAINST.test(sentence)) return 1;
      return SPEAKS_SOFTLY_AGAINST.test(sentence) ? SOFT_FACTOR : 0;
  }
}

/** `isOnly`: the one perspective of its plan answers as well as it contradicts. */
export function stanceOf(kind: Perspective["kind"], isOnly: boolean): Stance {
  if (isOnly || kind === "overview" || kind === "facet") return "any";
  return kind;
}
