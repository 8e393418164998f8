// Hostile JSON is refused typed, or harmless (D3).
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { decodeUtf8 } from "../../src/kernel/decoded-text.ts";
import { MAX_JSON_BYTES, parseStrictJson, parseStrictJsonText } from "../../src/kernel/strict-json.ts";
import { workedMs } from "../cpu-time.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function refusalOf(input: Uint8Array | string): string {
  try {
    parseStrictJson(typeof input === "string" ? encode(input) : input);
    return "taken";
  } catch (error) {
    if (error instanceof RunError) return error.code;
    throw error;
  }
}

describe("what is refused", () => {
  test.each<[string, Uint8Array | string]>([
    ["nothing", ""],
    ["a byte order mark", "\ufeff{}"],
    ["bytes that are no UTF-8", Uint8Array.of(0x22, 0xff, 0x22)],
    ["an overlong NUL", Uint8Array.of(0x22, 0xc0, 0x80, 0x22)],
    ["a surrogate in UTF-8", Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ["a cut UTF-8 sequence", Uint8Array.of(0x22, 0xe2, 0x82)],
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
    ["a duplicate key", '{"a":1,"a":2}'],
    ["a duplicate key, one escaped", '{"a":1,"\\u0061":2}'],
    ["a duplicate key deep inside", '[{"x":[{"k":1,"j":[],"k":3}]}]'],
    ["a duplicate __proto__", '{"__proto__":1,"__proto__":2}'],
    ["a lone high surrogate", '"\\ud800"'],
    ["a lone low surrogate", '"a\\udc00b"'],
    ["a lone surrogate in a key", '{"\\ud83d":1}'],
    ["surrogates the wrong way round", '"\\ude00\\ud83d"'],
    ["2^53 + 1", "9007199254740993"],
    ["2^53", "9007199254740992"],
    ["-2^53", '{"n":[-9007199254740992]}'],
    ["1e400", "1e400"],
    ["an integer with an exponent beyond 2^53", "1e16"],
    ["NaN", "NaN"],
    ["a comment", "{} // x"],
    ["a trailing comma", "[1,]"],
    ["single quotes", "{'a':1}"],
    ["two values", "{}{}"],
    ["a control character in a string", '"a\nb"'],
    ["an unterminated string", '"abc'],
    ["a backslash at the end", '"abc\\'],
    ["a malformed escape", '{"\\x":1}'],
    ["a leading zero", "01"],
    ["an unclosed container", '{"a":['],
    ["containers that close too often", "[]]"],
  ])("%s", (_name, input) => {
    expect(refusalOf(input)).toBe("SCHEMA_VALIDATION_FAILED");
  });

  test("nesting beyond 200, be it 100,000 deep, and quickly", () => {
    expect(refusalOf("[".repeat(200) + "]".repeat(200))).toBe("taken");
    expect(refusalOf("[".repeat(201) + "]".repeat(201))).toBe("SCHEMA_VALIDATION_FAILED");
    expect(refusalOf('{"a":'.repeat(201) + "1" + "}".repeat(201))).toBe("SCHEMA_VALIDATION_FAILED");
    const before = process.cpuUsage();
    expect(refusalOf("[".repeat(100_000))).toBe("SCHEMA_VALIDATION_FAILED");
    expect(refusalOf("[".repeat(100_000) + "]".repeat(100_000))).toBe("SCHEMA_VALIDATION_FAILED");
    expect(workedMs(before)).toBeLessThan(500);
  });

  test("more bytes than the limit, before anything else is looked at", () => {
    const large = new Uint8Array(MAX_JSON_BYTES + 1).fill(0xff);
    expect(refusalOf(large)).toBe("INPUT_TOO_LARGE");
    expect(() => parseStrictJson(encode('"abc"'), 4)).toThrow("INPUT_TOO_LARGE");
  });
});

describe("what is harmless", () => {
  test("a string of nearly 32 MB", () => {
    const bytes = new Uint8Array(MAX_JSON_BYTES).fill(0x61);
    bytes[0] = bytes[bytes.length - 1] = 0x22;
    expect((parseStrictJson(bytes) as string).length).toBe(MAX_JSON_BYTES - 2);
  });

  test("__proto__, constructor and prototype are ordinary properties", () => {
    const value = parseStrictJsonText(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    ) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect((value as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("braces, quotes and commas inside strings are not structure", () => {
    expect(parseStrictJsonText('{"a":"{\\"b\\":1,","b":"]}[","c,":1}')).toEqual({ a: '{"b":1,', b: "]}[", "c,": 1 });
    expect(parseStrictJsonText('["a","a",{"k":"k"},{"k":"k"}]')).toEqual(["a", "a", { k: "k" }, { k: "k" }]);
  });

  test("pairs of surrogates, NUL escapes and every number that a double holds", () => {
    expect(parseStrictJsonText('"\\ud83d\\ude00 \\u0000"')).toBe("😀 \0");
    expect(parseStrictJsonText("[9007199254740991,-9007199254740991,0.1,-0,1e-7,1.5e3]")).toEqual([
      9007199254740991, -9007199254740991, 0.1, -0, 1e-7, 1500,
    ]);
  });

  test("a byte order mark inside a text is kept, so that offsets stay true", () => {
    expect(decodeUtf8(encode("\ufeffabc"))).toBe("\ufeffabc");
  });
});

test("what has a canonical form is read back as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      let text: string;
      try {
        text = canonicalJson(value);
      } catch (error) {
        return error instanceof RunError;
      }
      return canonicalJson(parseStrictJson(encode(text))) === text;
    }),
    { numRuns: 500 },
  );
});

test("any bytes are parsed or refused typed, and never disagree with JSON.parse", () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    '"a"',
    '"b"',
    "1",
    "-",
    "e9",
    "null",
    " ",
    "\\u00",
    "\\ud800",
    "\0",
    "é",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join("");
      const outcome = refusalOf(text);
      if (outcome !== "taken") return true;
      return JSON.stringify(JSON.parse(text)) === JSON.stringify(parseStrictJsonText(text));
    }),
    { numRuns: 3_000 },
  );
});
