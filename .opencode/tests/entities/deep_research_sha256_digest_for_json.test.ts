// The digest of JSON values: canonical, so that only the value counts.
import { describe, expect, test } from "bun:test";
import { sha256DigestForJson } from "../../tools/deep_research_cli/wave_tools_shared.ts";

describe("sha256DigestForJson", () => {
  test("does not depend on the order of keys, at any depth", () => {
    const left = { stage: "wave1", inputs: [{ id: 1, tags: { x: true, y: null } }] };
    const right = { inputs: [{ tags: { y: null, x: true }, id: 1 }], stage: "wave1" };
    expect(JSON.stringify(left)).not.toBe(JSON.stringify(right));
    expect(sha256DigestForJson(left)).toBe(sha256DigestForJson(right));
  });

  test("depends on everything else", () => {
    const values = [{ a: 1 }, { a: "1" }, { a: [1] }, { a: null }, {}, [], [1, 2], [2, 1], "a", "", 0, false, null];
    expect(new Set(values.map(sha256DigestForJson)).size).toBe(values.length);
  });

  test("is the sha256 of the canonical form, in lower-case hex", () => {
    const hex = new Bun.CryptoHasher("sha256").update('{"a":1,"b":"ü"}').digest("hex");
    expect(sha256DigestForJson({ b: "ü", a: 1 })).toBe(`sha256:${hex}`);
  });

  test("refuses what has no canonical form", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "\ud800", undefined, new Date(0)]) {
      expect(() => sha256DigestForJson({ value: [value] })).toThrow("no canonical JSON");
    }
  });
});
