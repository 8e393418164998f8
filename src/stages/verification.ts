// Checks a run from its reports down to the stored bytes and the chain of the journal. Gate F and `verify` make the same checks,
// so that a run which completes also verifies.
import { digestOfJson } from "../kernel/digest.ts";
import { isDamage } from "../kernel/damage.ts";
import { describeCause, type ErrorFacts, type Fault, RunError, type FileProblem } from "../kernel/errors.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import type { RunLog } from "../ports/run-log.ts";
import { parseWith, type ContentRef } from "../run/common.ts";
import { JOURNAL_FILE, reportFiles, sourceFiles } from "../run/log/layout.ts";
import type { AnyRecord } from "../run/log/record.ts";
import { namedContent } from "../run/log/named-content.ts";
import type { Manifest } from "../run/log/manifest.ts";
import type { ReportVersion } from "../run/report/report-version.ts";
import { reportSchema } from "../run/report/stored-report.ts";
import { settingsDigest } from "../run/settings/settings.ts";
import { isTextOf, sourceSchema, type Source } from "../run/report/source.ts";
import type { Publication } from "./publication.ts";
import { quoteProblem, reportProblems, type PlacedQuote } from "./report-problems.ts";

/** How many of each kind were checked. */
export interface Checked {
  journal_records: number;
  step_results: number;
  files: number;
  sources: number;
  reports: number;
  claims: number;
  quotes: number;
}

export interface Verification {
  problems: FileProblem[];
  /** No record of the journal is of this run. */
  isLost: boolean;
  checked: Checked;
  /** Remarks that are no damage. */
  notes: string[];
}

/** What a store reports as found for a file that is missing. */
const NOTHING = "nothing";

/** The problems as an error: `MISSING_ARTIFACT` when nothing but missing files is wrong, else `INTEGRITY_ERROR`. */
export function damageError(files: readonly FileProblem[], facts: ErrorFacts, of: "" | ".of_report" = ""): RunError {
  const onlyMissing = files.every(({ found }) => found === NOTHING);
  return new RunError<Fault>(`${onlyMissing ? "MISSING_ARTIFACT" : "INTEGRITY_ERROR"}${of}`, {
    reason: onlyMissing ? "stored files are missing" : "what is stored does not verify",
    ...facts,
    files,
  });
}

/**
 * Checks everything that a run rests on. It writes nothing and reads each file once. `draft`: a report that is about to be
 * published, which is checked as published ones are. Errors: `INTEGRITY_ERROR` when nothing of the journal can be read,
 * `NOT_FOUND`, `SCHEMA_UNSUPPORTED`.
 */
export async function verification(store: RunLog, runRoot: string, draft?: Publication): Promise<Verification> {
  const { records, manifest, isLost, problems, notes } = await store.inspect(runRoot, { withContent: false });
  const walk = new Walk(store, runRoot, records);
  walk.add(problems);
  if (manifest !== null) {
    walk.checkSettings(manifest);
    for (const version of manifest.report_versions) await walk.checkReport(version, manifest);
    if (draft !== undefined) walk.checkDraft(draft, manifest);
    await walk.checkFiles();
  }
  return { problems: walk.problems(), isLost, checked: walk.checked(), notes };
}

/** The problems of one report version and of the sources that it quotes. */
export async function verificationOfReport(
  store: RunLog,
  { runRoot, manifest }: { runRoot: string; manifest: Manifest },
  version: ReportVersion,
): Promise<FileProblem[]> {
  const walk = new Walk(store, runRoot, await store.records(runRoot));
  await walk.checkReport(version, manifest);
  await walk.checkQuotedSources();
  return walk.problems();
}

class Walk {
  readonly #counts = { step_results: 0, sources: 0, reports: 0, claims: 0, quotes: 0 };
  readonly #store: RunLog;
  readonly #runRoot: string;
  readonly #records: readonly AnyRecord[];
  readonly #problems = new Map<string, FileProblem>();
  readonly #sources = new Map<string, Source>();
  /** The quotes of the reports by source, so that each text is read once. */
  readonly #quotes = new Map<string, PlacedQuote[]>();
  readonly #named: ReadonlyMap<string, ContentRef>;
  readonly #read = new Set<string>();

  constructor(store: RunLog, runRoot: string, records: readonly AnyRecord[]) {
    this.#store = store;
    this.#runRoot = runRoot;
    this.#records = records;
    this.#named = new Map(namedContent(records).map((ref) => [ref.path, ref]));
    for (const { kind, data } of records)
      if (kind === "source.stored") this.#sources.set(data.source.source_digest, data.source);
  }

  /** A file is named once for each thing that was expected of it. */
  add(problems: readonly FileProblem[]): void {
    for (const problem of problems) this.#problems.set(`${problem.path} ${problem.expected}`, problem);
  }

  #note(path: string, expected: string, found: string): void {
    this.add([{ path, expected, found }]);
  }

  problems(): FileProblem[] {
    return [...this.#problems.values()];
  }

  checked(): Checked {
    return { journal_records: this.#records.length, ...this.#counts, files: this.#named.size };
  }

  checkSettings({ settings, settings_digest }: Manifest): void {
    const found = settingsDigest(settings);
    if (found !== settings_digest) this.#note(JOURNAL_FILE, `settings ${settings_digest}`, found);
  }

  // --- reports ----------------------------------------------------------------------------------------------------

  /** Checks all but the quotes, which are checked with their sources. */
  async checkReport(version: ReportVersion, manifest: Manifest): Promise<void> {
    const paths = reportFiles(version.version_index);
    await this.#content({ path: paths.markdown, sha256: version.report_md_digest });
    const bytes = await this.#content({ path: paths.json, sha256: version.digest });
    this.#checkReportBytes(bytes, version, manifest);
  }

  /** Checks a report that is in no file yet. */
  checkDraft({ files: [, json], version }: Publication, manifest: Manifest): void {
    this.#checkReportBytes(json.bytes, version, manifest);
  }

  #checkReportBytes(bytes: Uint8Array | null, version: Publication["version"], { query }: Manifest): void {
    this.#counts.reports++;
    if (bytes === null) return;
    const path = reportFiles(version.version_index).json;
    let report;
    try {
      report = parseWith(reportSchema, parseStrictJson(bytes), { path });
    } catch (error) {
      this.#note(path, "a report", describeCause(error));
      return;
    }
    const { claims, quotes, problems } = reportProblems(report, version, query.text, this.#sources);
    this.#counts.claims += claims;
    this.#counts.quotes += quotes.length;
    this.add(problems);
    for (const quote of quotes) {
      const { source_digest } = quote;
      const known = this.#quotes.get(source_digest);
      if (known === undefined) this.#quotes.set(source_digest, [quote]);
      else known.push(quote);
    }
  }

  // --- files ------------------------------------------------------------------------------------------------------

  async checkFiles(): Promise<void> {
    for (const record of this.#records) await this.#checkRecord(record);
    for (const ref of this.#named.values()) if (!this.#read.has(keyOf(ref))) await this.#content(ref);
  }

  async #checkRecord(record: AnyRecord): Promise<void> {
    if (record.kind === "step.completed" || record.kind === "step.adopted") {
      this.#counts.step_results++;
      await this.#checkResult(record.seq, record.data);
    } else if (record.kind === "source.stored") {
      this.#counts.sources++;
      await this.#checkSource(record.data.source, record.data.files);
    }
  }

  async #checkResult(
    seq: number,
    data: { key: string; result_digest: string; value?: unknown; content?: ContentRef | undefined },
  ): Promise<void> {
    const { content, result_digest, value } = data;
    if (content === undefined) {
      const found = digestOfJson(value ?? null);
      if (found !== result_digest)
        this.#note(JOURNAL_FILE, `result ${result_digest} in record ${seq} (${data.key})`, found);
      return;
    }
    const bytes = await this.#content(content);
    if (bytes === null) return;
    const found = readable(() => digestOfJson(parseStrictJson(bytes)));
    if (found !== result_digest) this.#note(content.path, `result ${result_digest}`, found);
  }

  async #checkSource(source: Source, files: readonly ContentRef[]): Promise<void> {
    const paths = sourceFiles(source.source_digest);
    for (const path of Object.values(paths)) {
      if (!files.some((file) => file.path === path))
        this.#note(JOURNAL_FILE, `${path} named by its source.stored record`, "not named");
    }
    const bytes = await this.#content({ path: paths.bytes, sha256: source.source_digest });
    const text = await this.#checkText(source);
    if (bytes !== null && bytes.byteLength !== source.bytes)
      this.#note(paths.meta, `${bytes.byteLength} bytes`, `${source.bytes} bytes`);
    if (bytes !== null && text !== null && !isTextOf(source, bytes, text))
      this.#note(paths.text, "the text of the stored bytes", "another text");
    await this.#checkMeta(source, files);
  }

  /** Checks those sources alone that the reports quote. */
  async checkQuotedSources(): Promise<void> {
    for (const digest of this.#quotes.keys()) {
      const source = this.#sources.get(digest);
      if (source === undefined) continue;
      await this.#content({ path: sourceFiles(digest).bytes, sha256: source.source_digest });
      await this.#checkText(source);
    }
  }

  /** Checks the text and each quote from it. Null, with a problem noted, when the text cannot be read. */
  async #checkText({ source_digest, text_digest }: Source): Promise<Uint8Array | null> {
    const text = await this.#content({ path: sourceFiles(source_digest).text, sha256: text_digest });
    if (text === null) return null;
    for (const quote of this.#quotes.get(source_digest) ?? []) {
      const problem = quoteProblem(quote, text);
      if (problem !== null) this.add([problem]);
    }
    return text;
  }

  /** Checks that the file which people read next to the source says the same as the record. */
  async #checkMeta(source: Source, files: readonly ContentRef[]): Promise<void> {
    const meta = files.find(({ path }) => path === sourceFiles(source.source_digest).meta);
    const bytes = meta === undefined ? null : await this.#content(meta);
    if (meta === undefined || bytes === null) return;
    const found = readable(() => digestOfJson(parseWith(sourceSchema, parseStrictJson(bytes), { path: meta.path })));
    if (found !== digestOfJson(source)) this.#note(meta.path, "the source as its record has it", found);
  }

  /** The bytes of a file. Null, with a problem noted, when they are not what was stored. */
  async #content(ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array | null> {
    this.#read.add(keyOf(ref));
    try {
      return await this.#store.readContent(this.#runRoot, ref);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#note(ref.path, ref.sha256, error.code === "MISSING_ARTIFACT" ? NOTHING : foundIn(error));
      return null;
    }
  }
}

function keyOf({ path, sha256 }: Pick<ContentRef, "path" | "sha256">): string {
  return `${path} ${sha256}`;
}

function foundIn(error: RunError<"INTEGRITY_ERROR" | "MISSING_ARTIFACT">): string {
  return error.facts.files?.[0]?.found ?? describeCause(error);
}

function readable(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return describeCause(error);
  }
}
