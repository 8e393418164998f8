// Fallbacks: providers that answered in place of another one, as the provenance of a run names them.
import { expect, test } from "bun:test";
import { fallbacksOf, type Provenance } from "../../src/run/log/provenance.ts";

const WEB = {
  requested_provider_id: "web",
  resolved_provider_id: "web",
  resolved_from: "run",
  source_count: 0,
  quote_count: 0,
} as const;
const instead = (source_count: number, error?: string): Provenance => ({
  ...WEB,
  answered_provider_id: "filesystem",
  fallback_from_provider_id: "web",
  source_count,
  ...(error === undefined ? {} : { error }),
});

test("an answer of the provider that was asked, or none, is no fallback", () => {
  expect(fallbacksOf([WEB, { ...WEB, answered_provider_id: "web", source_count: 3 }])).toEqual([]);
  expect(fallbacksOf([{ ...WEB, error: "web: dns" }])).toEqual([]);
});

test("each pair stands once, with all reasons and the last count", () => {
  const records = [instead(1, "web: dns"), instead(1, "web: quota"), instead(4, "web: dns"), instead(4)];
  expect(fallbacksOf([WEB, ...records])).toEqual([
    {
      answered_provider_id: "filesystem",
      fallback_from_provider_id: "web",
      errors: ["web: dns", "web: quota"],
      source_count: 4,
    },
  ]);
});
