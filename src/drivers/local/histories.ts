// Tells passages of histories: what changed from version to version or day to day, as changelogs and release notes list it.
import { wordsOf } from "../../corpus/terms.ts";
import type { Passage } from "../../ports/provider.ts";

/** A version, or a day. */
const VERSION =
  /(?<![\p{L}\p{N}./_-])v?\p{N}{1,4}(?:\.\p{N}{1,4}){1,3}(?![.\p{N}])|(?<!\p{N})\p{N}{4}-\p{N}{2}-\p{N}{2}(?!\p{N})/iu;
/** "3.2 Locks": what numbers a section is no version. */
const SECTION_NUMBER = /^\p{N}+(?:\.\p{N}+)*\.?\s+(?=\p{L})/u;
/** Many have no headings, but are named like this, or lie in a folder that is. */
const NAME = /(?<=^|\/)(?:change(?:s|logs?)|histor(?:y|ies)|news|rel(?:ease)?[-_]?notes?)(?=[-_./]|$)/i;

/**
 * What stands under the name of a version: the outermost of several headings may say of which version a whole manual is.
 * `asked`: the words of the question; what is asked about is content.
 */
export function isOfHistory(
  { origin, title }: Pick<Passage, "origin" | "title">,
  asked: ReadonlySet<string> = new Set(),
): boolean {
  const [outermost = "", ...others] = title.split(" > ");
  const headings = others.length > 0 ? others : [outermost];
  if (headings.some((heading) => namesVersion(heading.replace(SECTION_NUMBER, "")))) return true;
  const [name = ""] = NAME.exec(origin) ?? [];
  return name !== "" && !wordsOf(name).some((word) => asked.has(word));
}

export function namesVersion(text: string): boolean {
  return VERSION.test(text);
}
