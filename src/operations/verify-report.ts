// The checks of one report version: claims, quotes and source list against what is stored.
import { digestOfJson } from "../kernel/digest.ts";
import type { FileProblem } from "../ports/run-store.ts";
import { reportFiles } from "../run/layout.ts";
import { claimsOf, evidenceOf, type Report, type ReportVersion } from "../run/report.ts";
import { isVerbatim, type Quote, type Source } from "../run/source.ts";

/** What the checks may ask of the stored sources. */
export interface Evidence {
  sourceOf(sourceDigest: string): Source | undefined;
  /** The extracted text, or null when it is not what was stored. */
  textOf(sourceDigest: string): Promise<Uint8Array | null>;
}

export interface ReportCheck {
  claims: number;
  quotes: number;
  problems: FileProblem[];
}

/** Checks a report whose bytes already have the published digest. */
export async function reportProblems(
  report: Report,
  version: ReportVersion,
  question: string,
  evidence: Evidence,
): Promise<ReportCheck> {
  const path = reportFiles(version.version_index).json;
  const claims = claimsOf(report);
  const problems: FileProblem[] = [];
  const expect = (what: string, expected: unknown, found: unknown): void => {
    if (expected !== found) problems.push({ path, expected: `${what} ${String(expected)}`, found: String(found) });
  };
  expect("version_index", version.version_index, report.version_index);
  expect("trigger_type", version.trigger_type, report.trigger_type);
  expect("partial", version.partial, report.partial);
  expect("question", question, report.question);
  expect("claims", version.claims, claims.length);
  expect("sources", version.sources, report.sources.length);
  expect("evidence_digest", version.evidence_digest, report.evidence_digest);
  expect("evidence_digest of the quotes", digestOfJson(evidenceOf(report)), report.evidence_digest);
  for (const problem of sourceListProblems(report, evidence)) problems.push({ path, ...problem });
  let quotes = 0;
  for (const claim of claims) {
    if (claim.verdict === "supported" && claim.quotes.length === 0) {
      problems.push({ path, expected: `a quote for the supported claim ${claim.claim_id}`, found: "none" });
    }
    for (const quote of claim.quotes) {
      quotes++;
      const problem = await quoteProblem(quote, evidence);
      if (problem !== null)
        problems.push({ path, expected: `${problem.expected} (claim ${claim.claim_id})`, found: problem.found });
    }
  }
  return { claims: claims.length, quotes, problems };
}

async function quoteProblem(quote: Quote, evidence: Evidence): Promise<{ expected: string; found: string } | null> {
  const { source_digest, start, end } = quote;
  const expected = `the quote at bytes ${start} to ${end} of ${source_digest}`;
  if (evidence.sourceOf(source_digest) === undefined) return { expected, found: "no such source in the journal" };
  const text = await evidence.textOf(source_digest);
  // A text that cannot be read is named by itself already.
  if (text === null || isVerbatim(quote, text)) return null;
  return { expected, found: "other bytes" };
}

/** Every quoted source stands in the list once, numbered from 1, under the title and origin it was stored with. */
function sourceListProblems(report: Report, evidence: Evidence): { expected: string; found: string }[] {
  const problems: { expected: string; found: string }[] = [];
  const listed = new Set<string>();
  report.sources.forEach((entry, index) => {
    if (entry.number !== index + 1)
      problems.push({ expected: `source number ${index + 1}`, found: String(entry.number) });
    if (listed.has(entry.source_digest))
      problems.push({ expected: "each source once", found: `${entry.source_digest} twice` });
    listed.add(entry.source_digest);
    const source = evidence.sourceOf(entry.source_digest);
    if (source === undefined)
      problems.push({ expected: "a stored source", found: `${entry.source_digest} is not in the journal` });
    else
      for (const field of ["title", "origin"] as const) {
        if (source[field] !== entry[field])
          problems.push({ expected: `${field} ${source[field]}`, found: entry[field] });
      }
  });
  for (const { source_digest } of evidenceOf(report)) {
    if (!listed.has(source_digest))
      problems.push({ expected: `${source_digest} in the source list`, found: "not there" });
  }
  return problems;
}
