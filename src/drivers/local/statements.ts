// A claim as it is compared with others, and what a comparison is about.
import type { Claim } from "../../run/report.ts";
import { spacedText } from "../../corpus/terms.ts";
import type { Lexicon } from "./lexicon.ts";

export interface Statement {
  claim: Claim;
  /** Digest of its document; two versions of one document count as two. */
  source: string;
  terms: ReadonlySet<string>;
}

/** The words of a text as it writes them, also where its script puts no space between them. */
export function writtenWords(text: string): string[] {
  return spacedText(text).match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu) ?? [];
}

/** The words of a sentence that others hold too, as it writes them: what the comparison is about. */
export function subjectOf(text: string, shared: ReadonlySet<string>, lexicon: Lexicon): string {
  const words = writtenWords(text).filter((word) => lexicon.termsOf(word).some((term) => shared.has(term)));
  const distinct = [...new Map(words.map((word) => [lexicon.termsOf(word).join(" "), word])).values()];
  const subject = (distinct.length > 0 ? distinct : [...shared]).slice(0, MAX_SUBJECT_WORDS).join(", ");
  const [first = ""] = subject;
  return (first.toUpperCase() + subject.slice(first.length)).slice(0, MAX_SUBJECT_LENGTH).toWellFormed();
}

const MAX_SUBJECT_WORDS = 5;
const MAX_SUBJECT_LENGTH = 120;
