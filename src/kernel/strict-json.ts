// Reads JSON that may be hostile: bytes -> size -> fatal UTF-8 -> depth and duplicate keys -> parse -> numbers.
import { decodeUtf8 } from "./decoded-text.ts";
import { RunError } from "./errors.ts";
import { MAX_JSON_DEPTH } from "./canonical-json.ts";
import { jsonFaultOf } from "./json-fault.ts";

export const MAX_JSON_BYTES = 32 * 1024 * 1024;

/**
 * Parses strict JSON from bytes. Refuses a byte order mark, invalid UTF-8, nesting beyond 200, duplicate keys, lone
 * surrogates and integers that a double cannot hold. A `__proto__` key becomes an ordinary property.
 * Errors: `INPUT_TOO_LARGE`, `SCHEMA_VALIDATION_FAILED` with the `line` and `column`, from 1, of what is wrong.
 */
export function parseStrictJson(bytes: Uint8Array, maxBytes: number = MAX_JSON_BYTES): unknown {
  if (bytes.byteLength > maxBytes) {
    throw new RunError("INPUT_TOO_LARGE", {
      reason: "JSON input is too large",
      bytes: bytes.byteLength,
      max_bytes: maxBytes,
    });
  }
  return parseStrictJsonText(decodeUtf8(bytes));
}

export function parseStrictJsonText(text: string): unknown {
  refuseDeepOrDuplicate(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const fault = jsonFaultOf(text);
    throw refused(text, fault?.at ?? 0, fault?.what ?? "not JSON", { cause });
  }
  return value;
}

/**
 * One pass over the text that follows strings, nesting and keys. It trusts JSON.parse for the grammar and only looks
 * for what JSON.parse lets through.
 */
function refuseDeepOrDuplicate(text: string): void {
  /** Per open container: the keys seen so far, or null for an array. */
  const open: (Set<string> | null)[] = [];
  let expectsKey = false;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      const literal = text.slice(at, end);
      if (literal.includes("\\u") && !decodedString(text, at, literal).isWellFormed())
        throw refused(text, at, "a lone surrogate");
      if (expectsKey && keys) {
        const key = literal.includes("\\") ? decodedString(text, at, literal) : literal.slice(1, -1);
        if (keys.has(key)) throw refused(text, at, "a duplicate key", { key });
        keys.add(key);
        expectsKey = false;
      }
      at = end;
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (open.length >= MAX_JSON_DEPTH) throw refused(text, at, `deeper than ${MAX_JSON_DEPTH} levels`);
      open.push(code === OPEN_BRACE ? new Set() : null);
      expectsKey = code === OPEN_BRACE;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop();
      expectsKey = false;
    } else if (code === COMMA) {
      expectsKey = open.at(-1) instanceof Set;
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      at = endOfNumber(text, at);
      continue;
    }
    at++;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
  throw refused(text, start, "text in quotes that does not end");
}

function decodedString(text: string, at: number, literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch (cause) {
    throw refused(text, at, "text in quotes with a line break or a wrong escape in it", { cause });
  }
}

const NUMBER = /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  const found = NUMBER.exec(text);
  if (found === null) return start + 1;
  const value = Number(found[0]);
  if (!Number.isFinite(value)) throw refused(text, start, "a number out of range", { number: found[0].slice(0, 40) });
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw refused(text, start, "an integer beyond 2^53-1", { number: found[0].slice(0, 40) });
  }
  return NUMBER.lastIndex;
}

/** `at`: where in the text the fault is. */
function refused(text: string, at: number, what: string, extra: Record<string, unknown> = {}): RunError {
  const { cause, ...facts } = extra;
  const before = text.slice(0, at).split("\n");
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return new RunError("SCHEMA_VALIDATION_FAILED", { reason: `not valid JSON: ${what}`, ...place, ...facts }, { cause });
}
