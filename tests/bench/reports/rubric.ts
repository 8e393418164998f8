// The contents of a good report on a question, in words and numbers that code finds: nobody has to judge.

/** One of them has to stand there: the beginning of a word in any case, or a whole number. */
export type Words = readonly string[];
/** Of each group a word, all of them in one place: a paragraph, an item, a row or an excerpt. */
export type Says = readonly Words[];

export interface Question {
  id: string;
  /** Folder below documents/. */
  corpus: string;
  ask: string;
  facts: { fact: string; says: Says }[];
  /** What the page must not say in its own words. A sentence that holds one of `unless` says something else. */
  wrong: { claim: string; says: Says; unless?: Words }[];
  /** Things are compared: a table is due. */
  isTableDue?: true;
  /** Somebody asks what to do: the answer has to conclude it. */
  recommends?: { what: string; says: Says };
  /** The documents do not say it: the page has to say so. */
  unanswered?: { what: string; says: Says }[];
}

export function holds(text: string, says: Says): boolean {
  const plain = plainText(text);
  return says.every((words) => words.some((word) => patternOf(plainText(word)).test(plain)));
}

/** In lower case, in one spelling of numbers: 4,000 and 4 000 and 4000, 22.00 and 22,00 and 22. */
export function plainText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[*_`]/g, "")
    .replace(/\s+/g, " ")
    .replace(/(?<=\d)[,.' ](?=\d{3}(?!\d))/g, "")
    .replace(/(?<=\d)[,.]00?(?!\d)/g, "");
}

function patternOf(word: string): RegExp {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const begins = /^\d/.test(word) ? "(?<!\\d|\\d[.,])" : /^[\p{Script=Latin}]/u.test(word) ? "(?<![\\p{L}])" : "";
  const ends = /\d$/.test(word) ? "(?!\\d|[.,]\\d)" : "";
  return new RegExp(`${begins}${escaped}${ends}`, "u");
}
