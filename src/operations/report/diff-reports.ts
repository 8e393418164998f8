// `report diff`: what one report version says that another does not.
import { digestOfJson } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import type { Claim, Report, Verdict } from "../../run/report/report.ts";
import { claimsOf, quotingOf } from "../../run/report/statements.ts";
import type { ReadOutcome } from "../outcome.ts";
import { factsOf, readReport, versionOf, withProblemsOf, type ReportWanted } from "./read-report.ts";

export interface DiffOptions extends Pick<ReportWanted, "allowDamaged"> {
  from?: number;
  to?: number;
}

export type ReportDiff = ReturnType<typeof diffOf>;

/** Compares two versions, by default the two newest. Errors: `NOT_FOUND`, and as `report show`. */
export async function diffReports(
  ports: Ports,
  runRoot: string,
  options: DiffOptions,
): Promise<ReadOutcome<ReportDiff>> {
  const look = await ports.store.look(runRoot);
  const versions = chosen(look, options);
  const withOld = await withProblemsOf(ports, look, versionOf(look, versions.from), options);
  const run = await withProblemsOf(ports, withOld, versionOf(look, versions.to), options);
  const [before, after] = [await readReport(ports, run, versions.from), await readReport(ports, run, versions.to)];
  return { result: diffOf(versions, before, after), run, error: null };
}

function diffOf(versions: { from: number; to: number }, before: Report, after: Report) {
  const [old, now] = [claimsOf(before), claimsOf(after)];
  const claims = changeOf(
    old,
    now,
    ({ text }) => text,
    ({ statement_id, text, verdict }) => ({ statement_id, text, verdict }),
  );
  const judged_anew = judgedAnew(old, now);
  const nearest = changeOf(
    nearestIn(before),
    nearestIn(after),
    (text) => text,
    (text) => ({ text }),
  );
  const sources = changeOf(
    before.sources,
    after.sources,
    ({ source_digest }) => source_digest,
    ({ source_digest, title, origin }) => ({ source_digest, title, origin }),
  );
  const gaps = changeOf(
    before.gaps,
    after.gaps,
    ({ text }) => text,
    ({ text, reason }) => ({ text, reason }),
  );
  const evidence_equal = before.evidence_digest === after.evidence_digest;
  const page_equal = pageDigest(before) === pageDigest(after);
  const unfinished = { from: unfinishedOf(before), to: unfinishedOf(after) };
  const areEquallyDone = digestOfJson(unfinished.from) === digestOfJson(unfinished.to);
  const changes = [claims, nearest, sources, gaps].flatMap(({ added, removed }) => [...added, ...removed]);
  return {
    ...versions,
    /** Nothing below differs. */
    equal: areEquallyDone && evidence_equal && page_equal && changes.length === 0 && judged_anew.length === 0,
    /** Both rest on the same spans of the same sources. */
    evidence_equal,
    /** Both show the same statements in the same blocks under the same title. */
    page_equal,
    /** Claims are the same when their text is. */
    claims: { ...claims, judged_anew },
    /** Passages that came near and claim nothing. */
    nearest,
    /** Whether each answers the question; null where it does not say. */
    answered: { from: before.answered ?? null, to: after.answered ?? null },
    sources,
    gaps,
    /** Null for a version that the run had finished; else what it had not done when the version was made. */
    unfinished,
  };
}

/** Without `to` the newest version, without `from` the one before it. */
function chosen(run: RunLook, options: DiffOptions): { from: number; to: number } {
  // For a run without a report this error comes before all others.
  const newest = versionOf(run, options.to ?? run.manifest.report_versions.at(-1)?.version_index).version_index;
  const from = options.from ?? newest - 1;
  if (from < 1) throw new RunError("NOT_FOUND.report", { reason: "there is no version before it", ...factsOf(run) });
  return { from: versionOf(run, from).version_index, to: newest };
}

function changeOf<T, Entry>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (one: T) => string,
  entryOf: (one: T) => Entry,
): { added: Entry[]; removed: Entry[] } {
  const missingIn = (others: readonly T[], list: readonly T[]): Entry[] => {
    const keys = new Set(others.map(keyOf));
    return list.filter((one) => !keys.has(keyOf(one))).map(entryOf);
  };
  return { added: missingIn(before, after), removed: missingIn(after, before) };
}

function nearestIn(report: Report): string[] {
  return quotingOf(report).flatMap(({ basis, text }) => (basis === "nearest" ? [text] : []));
}

function pageDigest({ title = "", blocks, statements }: Report): string {
  return digestOfJson({ title, blocks, statements });
}

function unfinishedOf({ partial, made }: Report): string[] | null {
  return partial ? (made.unfinished ?? []) : null;
}

function judgedAnew(before: readonly Claim[], after: readonly Claim[]): { text: string; from: Verdict; to: Verdict }[] {
  const verdicts = new Map(before.map(({ text, verdict }) => [text, verdict]));
  return after.flatMap(({ text, verdict }) => {
    const from = verdicts.get(text);
    return from === undefined || from === verdict ? [] : [{ text, from, to: verdict }];
  });
}
