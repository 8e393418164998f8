// A conclusion holds no better than what it follows from.
import { expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { withDoubtedConclusions } from "../../src/run/report/doubted-conclusions.ts";
import type { Claim, Verdict } from "../../src/run/report/report.ts";

const TEXT = "Heron is blue.";
const QUOTE = { source_digest: digestOfBytes("source"), start: 0, end: TEXT.length, text: TEXT };
const METHOD = "model x:y";

function cited(statement_id: string, verdict: Verdict): Claim {
  return { statement_id, text: TEXT, basis: "cited", verdict, method: METHOD, reason: "so read", quotes: [QUOTE] };
}

function derived(statement_id: string, from: string[], verdict: Verdict = "supported"): Claim {
  return { statement_id, text: "So take Heron.", basis: "derived", verdict, method: METHOD, quotes: [QUOTE], from };
}

function verdictsOf(...claims: Claim[]): Record<string, Verdict> {
  const statements = Object.fromEntries(claims.map((claim) => [claim.statement_id, claim]));
  const { statements: doubted } = withDoubtedConclusions({ statements });
  return Object.fromEntries(Object.values(doubted).map((one) => [one.statement_id, one.verdict]));
}

test.each(["contradicted", "not_checked"] as const)(
  "what follows from a claim that is %s is not checked",
  (verdict) => {
    const claims = [cited("s1", verdict), cited("s2", "supported"), derived("s3", ["s2", "s1"]), derived("s4", ["s3"])];
    expect(verdictsOf(...claims)).toEqual({ s1: verdict, s2: "supported", s3: "not_checked", s4: "not_checked" });
  },
);

test("the conclusion says why", () => {
  const statements = { s1: cited("s1", "contradicted"), s2: derived("s2", ["s1"]) };
  expect(withDoubtedConclusions({ statements }).statements["s2"]).toMatchObject({
    verdict: "not_checked",
    reason: "follows from what is contradicted by its quotes: “Heron is blue.”",
  });
});

test("control: what follows from supported claims stays, and what is contradicted itself stays so", () => {
  expect(verdictsOf(cited("s1", "supported"), derived("s2", ["s1"]))).toMatchObject({ s2: "supported" });
  expect(verdictsOf(cited("s1", "not_checked"), derived("s2", ["s1"], "contradicted"))).toMatchObject({
    s2: "contradicted",
  });
});
