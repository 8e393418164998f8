// `report diff`: what one report version says that another does not.
import { digestOfJson } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { claimsOf, type Claim, type Report, type Verdict } from "../run/report.ts";
import type { Outcome } from "./outcome.ts";
import { factsOf, parseReport, readReportBytes, versionOf } from "./read-report.ts";

export interface DiffOptions {
  from?: number;
  to?: number;
}

interface Change<T> {
  added: T[];
  removed: T[];
}
type ClaimEntry = Pick<Claim, "statement_id" | "text" | "verdict">;

export interface ReportDiff {
  from: number;
  to: number;
  /** Nothing below differs. */
  equal: boolean;
  /** Both rest on the same spans of the same sources. */
  evidence_equal: boolean;
  /** Both show the same statements in the same blocks under the same title. */
  page_equal: boolean;
  /** Claims are the same when their text is. */
  claims: Change<ClaimEntry> & { judged_anew: { text: string; from: Verdict; to: Verdict }[] };
  sources: Change<{ source_digest: string; title: string; origin: string }>;
  gaps: Change<{ text: string; reason: string }>;
  /** Null for a version that the run had finished; else what it had not done when the version was made. */
  unfinished: { from: string[] | null; to: string[] | null };
}

/** Compares two versions, by default the two newest. Errors: `NOT_FOUND`, and as `report show`. */
export async function diffReports(ports: Ports, runRoot: string, options: DiffOptions): Promise<Outcome<ReportDiff>> {
  const run = await ports.store.look(runRoot);
  const { from, to } = chosen(run, options);
  const [before, after] = [await read(ports, run, from), await read(ports, run, to)];
  const claims = {
    ...changeOf(before, after, claimsOf, ({ text }) => text, claimEntry),
    judged_anew: judgedAnew(before, after),
  };
  const sources = changeOf(
    before,
    after,
    (report) => report.sources,
    ({ source_digest }) => source_digest,
    ({ source_digest, title, origin }) => ({ source_digest, title, origin }),
  );
  const gaps = changeOf(
    before,
    after,
    (report) => report.gaps,
    ({ text }) => text,
    ({ text, reason }) => ({ text, reason }),
  );
  const changes = [claims.added, claims.removed, claims.judged_anew, sources.added, sources.removed, gaps.added];
  const evidence_equal = before.evidence_digest === after.evidence_digest;
  const unfinished = { from: unfinishedOf(before), to: unfinishedOf(after) };
  const equallyDone = digestOfJson(unfinished.from) === digestOfJson(unfinished.to);
  const page_equal = pageDigest(before) === pageDigest(after);
  const equal =
    equallyDone && evidence_equal && page_equal && [...changes, gaps.removed].every((list) => list.length === 0);
  return {
    result: { from, to, equal, evidence_equal, page_equal, claims, sources, gaps, unfinished },
    run,
    error: null,
  };
}

/** Without `to` the newest version, without `from` the one before it. */
function chosen(run: RunLook, options: DiffOptions): { from: number; to: number } {
  // A run without any report says so first.
  const newest = versionOf(run, options.to ?? run.manifest.report_versions.at(-1)?.version_index).version_index;
  const from = options.from ?? newest - 1;
  if (from < 1) throw new RunError("NOT_FOUND", { reason: "there is no version before it", ...factsOf(run) });
  return { from: versionOf(run, from).version_index, to: newest };
}

async function read(ports: Ports, run: RunLook, versionIndex: number): Promise<Report> {
  const version = versionOf(run, versionIndex);
  return parseReport((await readReportBytes(ports, run.runRoot, version)).json, version);
}

function changeOf<T, Entry>(
  before: Report,
  after: Report,
  listOf: (report: Report) => readonly T[],
  keyOf: (one: T) => string,
  entryOf: (one: T) => Entry,
): Change<Entry> {
  const missingIn = (others: readonly T[], list: readonly T[]): Entry[] => {
    const keys = new Set(others.map(keyOf));
    return list.filter((one) => !keys.has(keyOf(one))).map(entryOf);
  };
  const [old, now] = [listOf(before), listOf(after)];
  return { added: missingIn(old, now), removed: missingIn(now, old) };
}

function pageDigest({ title = "", blocks, statements }: Report): string {
  return digestOfJson({ title, blocks, statements });
}

function unfinishedOf({ partial, made }: Report): string[] | null {
  return partial ? (made.unfinished ?? []) : null;
}

function claimEntry({ statement_id, text, verdict }: Claim): ClaimEntry {
  return { statement_id, text, verdict };
}

function judgedAnew(before: Report, after: Report): ReportDiff["claims"]["judged_anew"] {
  const verdicts = new Map(claimsOf(before).map(({ text, verdict }) => [text, verdict]));
  return claimsOf(after).flatMap(({ text, verdict }) => {
    const from = verdicts.get(text);
    return from === undefined || from === verdict ? [] : [{ text, from, to: verdict }];
  });
}
