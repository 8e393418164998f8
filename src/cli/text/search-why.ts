// The reason of a passage's place in a search, as lines below the passage.
import type { SearchedPassage } from "../../operations/setup/search-corpus.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { wrappedLines } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";

/** "" where none is given. */
export function whyText({ why, score }: SearchedPassage, width: number, indent: string, style: Style): string {
  if (why === undefined) return "";
  const { words, section, nearness, entry } = why.score;
  const lines = [
    `score ${number(score)} = ${number(words)} for its words + ${number(section)} for those of its section${more(nearness, "for words near each other")}${more(entry, "for the entry of a queried term")}`,
    `has ${why.holds.map(heldText).join(", ")}`,
    ...(why.lacks.length === 0
      ? []
      : [`lacks ${why.lacks.map(({ word, weight }) => `${word} ${number(weight)}`).join(", ")}`]),
    ...why.folded.map(({ path, start }) => `left out as nearly the same: ${path} from byte ${start}`),
  ];
  return lines
    .flatMap((line) => wrappedLines(shownLine(line), width))
    .map((line) => `${indent}${style.dim(line)}\n`)
    .join("");
}

function heldText({
  word,
  weight,
  in_text,
  in_headings,
}: NonNullable<SearchedPassage["why"]>["holds"][number]): string {
  const headings = in_headings === 0 ? "" : `, ${in_headings} in headings`;
  return `${word} ${number(weight)} (${in_text} in the text${headings})`;
}

function more(part: number, what: string): string {
  return part === 0 ? "" : ` + ${number(part)} ${what}`;
}

function number(value: number): string {
  return value.toFixed(2);
}
