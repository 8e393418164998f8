// The words by which a sentence shows how a thing is done, or what speaks against it.
import type { Perspective } from "../../run/research.ts";

export type Stance = "any" | "practice" | "contrarian";

const SPEAKS_AGAINST =
  /\b(not|cannot|never|nor|neither|none|unable|unless|except|deprecated|obsolete|unsupported|unsafe|insecure|vulnerab\w+|limit(s|ed|ation|ations)?|restrict\w*|warnings?|caution|beware|avoid\w*|fail(s|ed|ure|ures)?|bugs?|problems?|breaking|incompatib\w+|drawbacks?|slow(er)?|danger\w*|lacks?|discouraged|ambiguous|ambiguit\w+)\b|n['’]t\b|\bno longer\b/i;
const SPEAKS_SOFTLY_AGAINST =
  /\b(only|however|but|although|instead|without|despite|rather than|errors?|issues?|must|requires?|ignored?)\b/i;
const SHOWS_PRACTICE =
  /\b(use[ds]?|using|examples?|call(s|ed)?|pass(es|ed)?|set(s|ting)?|specif(y|ies|ied)|configur\w+|run(s|ning)?|import(s|ed)?|create[ds]?|add(s|ed)?|define[ds]?|enable[ds]?|provide[ds]?|returns?|by default|can be|you can|to do so)\b/i;

const SOFT_FACTOR = 0.75;
const WITHOUT_PRACTICE_FACTOR = 0.6;

/** 0 when a sentence does not fit a stance at all, 1 when it fits well. */
export function fitOf(sentence: string, stance: Stance): number {
  switch (stance) {
    case "any":
      return 1;
    case "practice":
      return SHOWS_PRACTICE.test(sentence) ? 1 : WITHOUT_PRACTICE_FACTOR;
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
