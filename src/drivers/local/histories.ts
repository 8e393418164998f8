// Finds out whether a passage is from a history, such as a changelog or release notes, which lists changes by version or day.
import { wordsOf } from "../../corpus/words/terms.ts";
import type { Passage } from "../../ports/provider.ts";

/** A version (`1.2.3`, `v0.9`) or a day (`2026-01-31`). */
const VERSION =
  /(?<![\p{L}\p{N}./_-])v?\p{N}{1,4}(?:\.\p{N}{1,4}){1,3}(?![.\p{N}])|(?<!\p{N})\p{N}{4}-\p{N}{2}-\p{N}{2}(?!\p{N})/iu;
/** The number of a section is no version: "3.2 Locks". */
const SECTION_NUMBER = /^\p{N}+(?:\.\p{N}+)*\.?\s+(?=\p{L})/u;
/** Many histories have no headings, but such a name, or lie in a folder with such a name. */
const NAME = /(?<=^|\/)(?:change(?:s|logs?)|histor(?:y|ies)|news|rel(?:ease)?[-_]?notes?)(?=[-_./]|$)/i;

/**
 * True when a heading names a version, other than the outermost of several, which may name the version of a whole manual. True
 * also by the name of the file, unless the question asks for it. `questionWords`: the words of the question.
 */
export function isOfHistory(
  { origin, title }: Pick<Passage, "origin" | "title">,
  questionWords: ReadonlySet<string> = new Set(),
): boolean {
  const [outermost = "", ...others] = title.split(" > ");
  const headings = others.length > 0 ? others : [outermost];
  if (headings.some((heading) => namesVersion(heading.replace(SECTION_NUMBER, "")))) return true;
  const [name = ""] = NAME.exec(origin) ?? [];
  return name !== "" && !wordsOf(name).some((word) => questionWords.has(word));
}

export function namesVersion(text: string): boolean {
  return VERSION.test(text);
}
