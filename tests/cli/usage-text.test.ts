// Words for spending: an unknown price is said and never counted as zero.
import { expect, test } from "bun:test";
import { budgetText, shortUsageText, spentParts, usageText, withBudgetInWords } from "../../src/surface/usage-words.ts";
import { shownFact } from "../../src/surface/fact-words.ts";
import { usageTable } from "../../src/cli/text/inspect-text.ts";
import { NO_USAGE } from "../../src/run/money/usage.ts";

const SPENT = { ...NO_USAGE, calls: 12, tokens: 34_567, cost_usd: 1.2345 };

test("calls, tokens, the cache, money", () => {
  expect(usageText(NO_USAGE)).toBeNull();
  expect(usageText(SPENT)).toBe("12 calls, 34,567 tokens, $1.23");
  expect(usageText({ ...SPENT, calls: 1, cached_input_tokens: 1200, cost_usd: 0.00417 })).toBe(
    "1 call, 34,567 tokens (1,200 of them cached), $0.0042",
  );
  expect(shortUsageText(NO_USAGE)).toBe("");
  expect(shortUsageText(SPENT)).toBe("12 calls, $1.23");
});

test("a price that is not known, for all calls or for some", () => {
  expect(usageText({ ...SPENT, cached_input_tokens: 1_200, cache_write_tokens: 300 })).toBe(
    "12 calls, 34,567 tokens (1,200 of them cached, 300 put into the cache), $1.23",
  );
  expect(usageText({ ...SPENT, cost_usd: 0, unpriced_calls: 12 })).toEndWith("at an unknown price");
  expect(usageText({ ...SPENT, unpriced_calls: 3 })).toEndWith("$1.23 and 3 calls at an unknown price");
  expect(usageTable({ wave1: { ...SPENT, cost_usd: 0, unpriced_calls: 2 } }, "")).not.toContain("$0");
});

test("calls without figures are said, with the sums that are no more than bounds", () => {
  const bound = { ...SPENT, estimated_calls: 2 };
  expect(usageText(bound)).toBe("12 calls, 34,567 tokens, $1.23; at the most: 2 calls without figures");
  expect(usageText({ ...bound, estimated_calls: 1, reserved_tokens: 10 })).toEndWith(
    "; at the most: 1 call without figures; reserved: 10 tokens",
  );
  expect(usageTable({ wave1: bound }, "")).toContain("$1.23; at the most: 2 calls without figures");
  expect(usageTable({ wave1: SPENT }, "")).not.toContain("without figures");
});

test("what is reserved is next to what is spent, never in it", () => {
  const underWay = { ...SPENT, reserved_usd: 0.5, reserved_tokens: 1000 };
  expect(usageText(underWay)).toEndWith("; reserved: 1,000 tokens, $0.5");
  expect(budgetText({ max_cost_usd: 2, max_tokens: 50_000 }, underWay)).toBe(
    "$1.23 of $2, $0.5 more reserved; 34,567 of 50,000 tokens, 1,000 more reserved",
  );
  expect(usageText({ ...SPENT, reserved_usd: 0, reserved_tokens: 1000 })).toEndWith("$1.23; reserved: 1,000 tokens");
  expect(usageTable({ wave1: underWay }, "")).toContain("$1.23  reserved: 1,000 tokens, $0.5");
  expect(budgetText({ max_calls: 20, max_minutes: 90 }, { ...SPENT, worked_ms: 61_000 })).toBe(
    "12 of 20 calls; 1 min 1 s of 1 h 30 min",
  );
  expect(budgetText(null, SPENT)).toBeNull();
});

test("a budget that was reached is told in one sentence", () => {
  const told = (facts: object): unknown => withBudgetInWords({ ...facts, stage: "wave1" });
  expect(told({ budget: "max_calls", limit: 36, held_back: 6, would_be: 31 })).toEqual({
    budget:
      "36 calls, with 6 calls reserved for the report, so 30 calls before it; with the next call it would have been 31 calls",
    stage: "wave1",
  });
  expect(told({ budget: "max_cost_usd", limit: 2, held_back: 0, would_be: 2.345 })).toMatchObject({
    budget: "$2; with the next call it would have been $2.35",
  });
  expect(told({ budget: "max_minutes", limit: 10, held_back: 0, would_be: 10.5 })).toMatchObject({
    budget: "10 minutes; worked by then 10.5 minutes",
  });
  const unpriced = { budget: "max_cost_usd", unknown_price: "compatible:x" };
  expect(told(unpriced)).toEqual({ ...unpriced, stage: "wave1" });
});

test("facts of halts", () => {
  expect(shownFact("usage", SPENT)).toBe("12 calls, 34,567 tokens, $1.23");
  expect(shownFact("held_back", 1.2000000000000002)).toBe("1.2");
});

test("the head of the live lines has the calls beside their estimate, and before the first reply what is reserved", () => {
  const begun = { ...NO_USAGE, calls: 1, reserved_tokens: 2_400 };
  expect(spentParts(begun, null, 40)).toEqual(["1 of about 41 calls", "2,400 reserved tokens"]);
  const later = { ...NO_USAGE, calls: 12, tokens: 34_567 };
  expect(spentParts(later, null, 28)).toEqual(["12 of about 40 calls", "34,567 tokens"]);
  expect(spentParts(later, null)).toEqual(["12 calls", "34,567 tokens"]);
  expect(spentParts(later, { max_calls: 100 }, 28)).toEqual(["12 of 100 calls", "34,567 tokens"]);
  expect(spentParts(NO_USAGE, null, 40)).toEqual([]);
});
