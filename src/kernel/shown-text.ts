// Makes text from outside safe to show: nothing in it controls a terminal or turns a page around. Stored text stays as it is.

/**
 * Embeddings, overrides and isolates: one that is left open would reorder the text behind it. Marks (U+200E, U+200F, U+061C)
 * stay, since they change only their neighbours, and Arabic and Hebrew texts need them.
 */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** All but tab and line feed. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text of several lines. */
export function shownText(text: string): string {
  return text.replace(TURNS, "").replace(LINE_ENDS, "\n").replace(CONTROLS, "\uFFFD");
}

/** On one line, with single spaces. */
export function shownLine(text: string): string {
  return shownText(text).replace(/\s+/g, " ").trim();
}
