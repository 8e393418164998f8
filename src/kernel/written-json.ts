// Reads JSON as models write it: in a fence, with a comma too many, with escapes that are none, with line breaks inside a text.
import { parseStrictJsonText } from "./strict-json.ts";

/** What is strict JSON is read as such. Errors: those of `parseStrictJsonText`, about the text as it was written. */
export function parseWrittenJson(text: string): unknown {
  try {
    return parseStrictJsonText(text);
  } catch (error) {
    const repaired = withoutSlips(unfenced(text));
    if (repaired === text) throw error;
    try {
      return parseStrictJsonText(repaired);
    } catch {
      throw error;
    }
  }
}

/** The text inside a fence around all of it. */
export function unfenced(text: string): string {
  const lines = text.trim().split("\n");
  const [first = "", last = ""] = [lines[0], lines.at(-1)];
  return lines.length > 2 && /^```\w*$/u.test(first.trim()) && last.trim() === "```"
    ? lines.slice(1, -1).join("\n")
    : text;
}

/** Ends and beginnings of texts, escapes, backslashes that begin none, control characters, and commas with nothing behind them. */
// oxlint-disable-next-line no-control-regex
const PIECES = /"|\\(?:u[0-9a-f]{4}|["\\/bfnrt'])?|[\u0000-\u001f]|,(?=\s*(?:[}\]]|$))/giu;

function withoutSlips(text: string): string {
  let isInside = false;
  return text.replace(PIECES, (piece) => {
    if (piece === '"') isInside = !isInside;
    if (piece === ",") return isInside ? piece : "";
    return isInside ? repairedSlip(piece) : piece;
  });
}

function repairedSlip(piece: string): string {
  if (piece === "\\'") return "'";
  if (piece === "\\") return "\\\\";
  return piece.length > 1 || piece === '"' ? piece : JSON.stringify(piece).slice(1, -1);
}
