// Checks one report version: its claims, quotes and list of sources against what is stored.
import type { FileProblem } from "../kernel/errors.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { decodedText } from "../kernel/decoded-text.ts";
import { digestOfJson } from "../kernel/digest.ts";
import { headingText } from "../kernel/heading-text.ts";
import { reportFiles } from "../run/log/layout.ts";
import type { Report } from "../run/report/report.ts";
import { claimsOf, evidenceOf, quotingOf } from "../run/report/statements.ts";
import { withLetters } from "../run/report/quote-letters.ts";
import type { ReportVersion } from "../run/report/report-version.ts";
import { isVerbatim, type Quote, type Source } from "../run/report/source.ts";
import { reportFaults } from "../run/report/draft-faults.ts";
import { quotesUnderNumbers } from "../run/report/number-faults.ts";

/** A quote, with the report file and the statement that it is in. */
export interface PlacedQuote extends Quote {
  path: string;
  statement_id: string;
  /** Headings that have to be above the quote in its source, because a number of the report rests on them. */
  headings: readonly string[];
}

/**
 * `version`: the metadata of the report, whose digest fits its bytes. `sources`: those of the journal, by digest. The quotes
 * still have to be looked up in the texts of their sources, by `quoteProblem`.
 */
export function reportProblems(
  report: Report,
  version: Omit<ReportVersion, "created_at">,
  question: string,
  sources: ReadonlyMap<string, Source>,
): { claims: number; quotes: PlacedQuote[]; problems: FileProblem[] } {
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
  expect("answered", version.answered, report.answered);
  expect("sources", version.sources, report.sources.length);
  expect("evidence_digest", version.evidence_digest, report.evidence_digest);
  expect("evidence_digest of the quotes", digestOfJson(evidenceOf(report)), report.evidence_digest);
  for (const problem of sourceListProblems(report, sources)) problems.push({ path, ...problem });
  for (const problem of letterProblems(report)) problems.push({ path, ...problem });
  for (const text of reportFaults(report))
    problems.push({ path, expected: "a report that holds together", found: text });
  const resting = new Set(quotesUnderNumbers(report));
  const quotes = quotingOf(report).flatMap(({ statement_id, quotes: own }) =>
    own.map((quote): PlacedQuote => {
      const headings = resting.has(quote) ? (quote.anchor?.section ?? []) : [];
      return { path, statement_id, headings, ...quote };
    }),
  );
  for (const quote of quotes)
    if (!sources.has(quote.source_digest)) problems.push(problemOf(quote, "no such source in the journal"));
  return { claims: claims.length, quotes, problems };
}

/** Null for a quote that is byte for byte in the text of its source, below the headings that a number rests on. */
export function quoteProblem(quote: PlacedQuote, text: Uint8Array): FileProblem | null {
  if (!isVerbatim(quote, text)) return problemOf(quote, "other bytes");
  if (quote.headings.length === 0) return null;
  const above = new Set(decodedText(text.subarray(0, quote.start)).split(LINE_END).map(headingText));
  // Earlier versions kept the sign of some headings, and the words of other headings begin with one.
  const missing = quote.headings.find((heading) => !above.has(heading) && !above.has(headingText(heading)));
  return missing === undefined ? null : problemOf(quote, `no heading “${missing}” above it`);
}

const LINE_END = /\r\n|\r|\n/u;

function problemOf({ path, source_digest, start, end, statement_id }: PlacedQuote, found: string): FileProblem {
  return {
    path,
    expected: `the quote at bytes ${start} to ${end} of ${source_digest} (statement ${statement_id})`,
    found,
  };
}

/** Where quotes have letters, each has the one that its place in the text gives it, so that a mark leads to one quote. */
function letterProblems(report: Report): { expected: string; found: string }[] {
  const wanted = withLetters(report).map(({ quotes }) => canonicalJson(quotes ?? []));
  return report.sources.flatMap(({ number, quotes }, at) => {
    if (quotes === undefined || canonicalJson(quotes) === wanted[at]) return [];
    return [{ expected: `the letters of source ${number}: ${wanted[at]}`, found: canonicalJson(quotes) }];
  });
}

/** Every quoted source is in the list once, numbered from 1, under the title and origin it was stored with. */
function sourceListProblems(
  report: Report,
  sources: ReadonlyMap<string, Source>,
): { expected: string; found: string }[] {
  const problems: { expected: string; found: string }[] = [];
  const listed = new Set<string>();
  report.sources.forEach((entry, index) => {
    if (entry.number !== index + 1)
      problems.push({ expected: `source number ${index + 1}`, found: String(entry.number) });
    if (listed.has(entry.source_digest))
      problems.push({ expected: "each source once", found: `${entry.source_digest} twice` });
    listed.add(entry.source_digest);
    const source = sources.get(entry.source_digest);
    if (source === undefined)
      problems.push({ expected: "a stored source", found: `${entry.source_digest} is not in the journal` });
    else
      for (const field of ["title", "origin", "dated", "version"] as const) {
        if (source[field] !== entry[field])
          problems.push({ expected: `${field} ${source[field]}`, found: String(entry[field]) });
      }
  });
  for (const { source_digest } of evidenceOf(report)) {
    if (!listed.has(source_digest))
      problems.push({ expected: `${source_digest} in the source list`, found: "not there" });
  }
  return problems;
}
