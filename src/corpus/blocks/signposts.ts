// Finds text that only leads elsewhere, such as a "See also": nearly all of it is links, in the markup of its file.

/** The share of letters and digits that are in links, from which on a text says nothing itself. A paragraph with many links has less. */
const LINKED_SHARE = 0.6;
const LINKS = [
  // Markdown: links and references, an item that is one, and what it refers to.
  String.raw`!?\[[^[\]]*\](?:\([^()\s]*(?:\s"[^"\n]*")?\)|\[[^[\]]*\])`,
  String.raw`^[ \t]*[-*+][ \t]+\[[^[\]\n]{2,}\][ \t]*$`,
  String.raw`^ {0,3}\[[^[\]\n]+\]:\s*\S.*$`,
  // reST: roles and links.
  String.raw`:[a-z][a-z:+.-]{0,40}:` + "`[^`]{1,300}`",
  "`[^`]{1,300}`__?(?![\\p{L}\\p{N}])",
  // AsciiDoc.
  String.raw`(?:xref|link):[^\s[\]]{1,300}\[[^[\]]*\]`,
  String.raw`<<[^<>\n]{1,300}>>`,
  // Manual pages: tar(1).
  String.raw`[\p{L}\p{N}_.:+-]{1,80}\(\d[a-z]{0,4}\)`,
];
const LINK = new RegExp(LINKS.join("|"), "gimu");

/** True for prose of which nearly all is links, and for one without a letter or digit. */
export function isSignpost(text: string): boolean {
  const signs = countSigns(text);
  return signs === 0 || 1 - countSigns(text.replace(LINK, "")) / signs >= LINKED_SHARE;
}

function countSigns(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
