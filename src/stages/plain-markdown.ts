// Puts text that others wrote into Markdown so that it reads as it stands: on one line, with nothing in it alive.

/** A whole code span: what stands in it is not alive, and escaped it would not read as it stands. */
const CODE = /((?<!`)`[^`]+`(?!`))/;

/** No emphasis, link, image, tag, entity, heading or list comes of it. Code stays code. */
export function plainText(text: string): string {
  const pieces = oneLine(text).split(CODE);
  return pieces
    .map((piece) => (CODE.test(piece) ? piece : escaped(piece)))
    .join("")
    .replace(/^[-+>=]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}

function escaped(text: string): string {
  return (
    text
      .replace(/[\\`*[\]<~]/g, "\\$&")
      // Between letters, as in snake_case, it marks nothing.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
      .replace(/&(?=#?\w+;)/g, "\\&")
      .replace(/(^|\s)#/g, "$1\\#")
      // Bare addresses become links on many pages.
      .replace(/:(?=\/\/)/g, "\\:")
      .replace(/\b(www)\./gi, "$1\\.")
  );
}

/** The text as code, whatever backticks are in it. */
export function codeSpan(text: string): string {
  const code = oneLine(text);
  const longest = Math.max(0, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? fence + code + fence : `${fence} ${code} ${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
