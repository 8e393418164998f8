// Cuts texts into paragraphs and sentences for the measures, by rules of its own: it must not share the driver's faults.

/** Blocks of a text: paragraphs, items of lists, rows of tables, definitions; white space is one space. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*+] |\d+\. |: |\|))/)
    .map((block) => block.replace(/\s+/g, " ").trim())
    .filter((block) => block !== "");
}

export function sentencesOf(text: string, language: string): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  return paragraphsOf(text).flatMap((paragraph) =>
    [...segmenter.segment(paragraph)].map(({ segment }) => segment.trim()).filter((sentence) => sentence !== ""),
  );
}

export function wordCount(text: string, language: string): number {
  const segmenter = new Intl.Segmenter(language, { granularity: "word" });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}
