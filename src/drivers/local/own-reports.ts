// Tells a report that this tool made from a document: what it quotes is the word of others, who have to be quoted themselves.

const HEAD_BYTES = 4_000;
/** See introductionOf in the stages. */
const INTRODUCTION = /\p{Nd}+ claims? from \p{Nd}+ sources?[,:][^\n]*\. Whether a source is right was not judged\./u;

export function isOwnReport(text: Uint8Array): boolean {
  return INTRODUCTION.test(new TextDecoder("utf-8").decode(text.subarray(0, HEAD_BYTES)));
}
