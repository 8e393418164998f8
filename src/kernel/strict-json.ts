// Reads JSON that may be hostile: checks size and UTF-8, looks for the first fault in one pass, and then parses.
import { MAX_JSON_DEPTH } from "./canonical-json.ts";
import { decodeUtf8 } from "./decoded-text.ts";
import { RunError } from "./errors.ts";

export const MAX_JSON_BYTES = 32 * 1024 * 1024;

/**
 * Parses strict JSON from bytes. Refuses a byte order mark, invalid UTF-8, nesting beyond 200, duplicate keys, lone
 * surrogates and integers that a double cannot hold. A `__proto__` key becomes an ordinary property.
 * Errors: `INPUT_TOO_LARGE`, `SCHEMA_VALIDATION_FAILED` with the `line` and `column`, from 1, of what is wrong.
 */
export function parseStrictJson(bytes: Uint8Array, maxBytes: number = MAX_JSON_BYTES): unknown {
  if (bytes.byteLength > maxBytes)
    throw new RunError("INPUT_TOO_LARGE", {
      reason: "JSON input is too large",
      bytes: bytes.byteLength,
      max_bytes: maxBytes,
    });
  return parseStrictJsonText(decodeUtf8(bytes));
}

export function parseStrictJsonText(text: string): unknown {
  const fault = faultIn(text);
  if (fault === null) return JSON.parse(text);
  const { at, what, ...facts } = fault;
  const before = text.slice(0, at).split("\n");
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  throw new RunError("SCHEMA_VALIDATION_FAILED", { reason: `not valid JSON: ${what}`, ...place, ...facts });
}

interface Fault {
  /** Index into the text. */
  at: number;
  what: string;
  key?: string;
  number?: string;
}

type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";

const WORD_OR_NUMBER = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** Null for strict JSON. */
function faultIn(text: string): Fault | null {
  /** The keys so far of each open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  let expected: Expected = "value";
  let commaAt = 0;
  let at = 0;
  const behindValue = (): Expected => (open.length === 0 ? "nothing" : "comma or end");
  while (at < text.length) {
    const sign = text[at] ?? "";
    const isKey: boolean = expected === "key" || expected === "key or end";
    const isValue: boolean = expected === "value" || expected === "value or end";
    if (sign === " " || sign === "\n" || sign === "\t" || sign === "\r") at++;
    else if (sign === '"' && (isKey || isValue)) {
      const end = stringEnd(text, at);
      if (end === null)
        return { at, what: "text in quotes that does not end, or holds a line break or a wrong escape" };
      const literal = text.slice(at, end);
      if (literal.includes("\\u") && !unquoted(literal).isWellFormed()) return { at, what: "a lone surrogate" };
      if (isKey) {
        const key = unquoted(literal);
        if (open.at(-1)?.has(key) === true) return { at, what: "a duplicate key", key };
        open.at(-1)?.add(key);
      }
      expected = isKey ? "colon" : behindValue();
      at = end;
    } else if ((sign === "{" || sign === "[") && isValue) {
      if (open.length >= MAX_JSON_DEPTH) return { at, what: `deeper than ${MAX_JSON_DEPTH} levels` };
      open.push(sign === "{" ? new Set() : null);
      expected = sign === "{" ? "key or end" : "value or end";
      at++;
    } else if ((sign === "}" || sign === "]") && mayEnd(sign, open.at(-1), expected)) {
      open.pop();
      expected = behindValue();
      at++;
    } else if (sign === "," && expected === "comma or end") {
      expected = open.at(-1) === null ? "value" : "key";
      commaAt = at++;
    } else if (sign === ":" && expected === "colon") {
      expected = "value";
      at++;
    } else {
      WORD_OR_NUMBER.lastIndex = at;
      const [word] = (isValue ? WORD_OR_NUMBER.exec(text) : null) ?? [];
      if (word === undefined) return unexpected(text, at, expected, commaAt);
      const what = numberFault(word);
      if (what !== null) return { at, what, number: word.slice(0, 40) };
      expected = behindValue();
      at += word.length;
    }
  }
  return expected === "nothing" ? null : { at, what: "it ends too early" };
}

/** True when the bracket ends what was opened last. */
function mayEnd(sign: "}" | "]", opened: Set<string> | null | undefined, expected: Expected): boolean {
  const isOfObject = sign === "}";
  if (opened === undefined || isOfObject !== (opened !== null)) return false;
  return expected === "comma or end" || expected === (isOfObject ? "key or end" : "value or end");
}

function unexpected(text: string, at: number, expected: Expected, commaAt: number): Fault {
  const sign = text[at] ?? "";
  if ((sign === "}" && expected === "key") || (sign === "]" && expected === "value"))
    return { at: commaAt, what: "a comma with nothing behind it" };
  if (sign === "/" && (text[at + 1] === "/" || text[at + 1] === "*"))
    return { at, what: "a comment, which JSON does not have" };
  if (sign === "'") return { at, what: "a single quote, where JSON has double quotes" };
  if (sign === "\ufeff") return { at, what: "a byte order mark" };
  return { at, what: EXPECTED[expected] };
}

const EXPECTED: Readonly<Record<Expected, string>> = {
  value: "a value is expected here",
  "value or end": "a value or ] is expected here",
  key: "a key in double quotes is expected here",
  "key or end": "a key in double quotes or } is expected here",
  colon: "a colon is expected here",
  "comma or end": "a comma or a closing bracket is expected here",
  nothing: "something follows the end",
};

// oxlint-disable-next-line no-control-regex
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Behind the quote that ends the text; null where no such quote is, or where JSON does not allow the text. */
function stringEnd(text: string, start: number): number | null {
  for (let at = start + 1; ; at = ESCAPE.lastIndex) {
    PLAIN.lastIndex = at;
    PLAIN.test(text);
    ESCAPE.lastIndex = PLAIN.lastIndex;
    if (text[PLAIN.lastIndex] === '"') return PLAIN.lastIndex + 1;
    if (!ESCAPE.test(text)) return null;
  }
}

function unquoted(literal: string): string {
  return literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

/** Null for `true`, `false` and `null` as well. */
function numberFault(word: string): string | null {
  const value = Number(word);
  if (Math.abs(value) === Infinity) return "a number out of range";
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? "an integer beyond 2^53-1" : null;
}
