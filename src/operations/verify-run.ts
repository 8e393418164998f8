// Walks a run from its reports down to the stored bytes and the journal chain, and says what does not fit.
import { digestOfJson } from "../kernel/digest.ts";
import { describeCause, RunError } from "../kernel/errors.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import type { Ports } from "../ports/ports.ts";
import type { FileProblem, RunLook } from "../ports/run-store.ts";
import { parseWith, type ContentRef } from "../run/common.ts";
import { JOURNAL_FILE, type JournalScan } from "../run/journal.ts";
import { contentNamedBy, type AnyRecord } from "../run/record.ts";
import { reportFiles, sourceFiles } from "../run/layout.ts";
import { refuseNewer, type Manifest } from "../run/manifest.ts";
import { reportSchema, type ReportVersion } from "../run/report.ts";
import { isTextOf, sourceSchema, type Source } from "../run/source.ts";
import type { Outcome } from "./outcome.ts";
import { reportProblems, type Evidence } from "./verify-report.ts";

/** How much was checked. */
export interface VerifyResult {
  journal_records: number;
  step_results: number;
  files: number;
  sources: number;
  reports: number;
  claims: number;
  quotes: number;
  /** What is noteworthy and no damage: folds that are behind, debris between records. */
  notes: string[];
}

/**
 * Checks everything a run rests on; writes nothing. Errors: `INTEGRITY_ERROR`, or `MISSING_ARTIFACT` when files are
 * missing and nothing else is wrong, both with `files: [{path, expected, found}]`; `NOT_FOUND`; `SCHEMA_UNSUPPORTED`.
 */
export async function verifyRun(ports: Ports, runRoot: string): Promise<Outcome<VerifyResult>> {
  const { scan, manifest, problems, notes } = await ports.store.inspect(runRoot);
  if (scan.newer !== null) throw refuseNewer(scan.newer, JOURNAL_FILE);
  const walk = new Walk(ports, runRoot);
  walk.add(problems);
  if (scan.damage !== null)
    walk.note(JOURNAL_FILE, "a record that counts", `${scan.damage.reason} at byte ${scan.damage.offset}`);
  if (manifest !== null) {
    for (const { record } of scan.records) await walk.checkRecord(record);
    for (const version of manifest.report_versions) await walk.checkReport(version, manifest);
  }
  walk.refuseProblems(scan);
  const run: RunLook = await ports.store.look(runRoot);
  return { result: { journal_records: scan.records.length, ...walk.counts(), notes }, run, error: null };
}

/** How a store says that a file is not there. */
const NOTHING = "nothing";

class Walk implements Evidence {
  readonly #counts = { step_results: 0, sources: 0, reports: 0, claims: 0, quotes: 0 };
  readonly #ports: Ports;
  readonly #runRoot: string;
  readonly #problems = new Map<string, FileProblem>();
  readonly #sources = new Map<string, Source>();
  readonly #files = new Set<string>();
  /** The extracted text read last: the quotes of a claim mostly come from one source. */
  #lastText: { digest: string; text: Uint8Array | null } | null = null;

  constructor(ports: Ports, runRoot: string) {
    this.#ports = ports;
    this.#runRoot = runRoot;
  }

  /** A file that is met on several ways is named once for the same expectation. */
  add(problems: readonly FileProblem[]): void {
    for (const problem of problems) this.#problems.set(`${problem.path} ${problem.expected}`, problem);
  }

  note(path: string, expected: string, found: string): void {
    this.add([{ path, expected, found }]);
  }

  counts(): Omit<VerifyResult, "journal_records" | "notes"> {
    return { ...this.#counts, files: this.#files.size };
  }

  // --- records ----------------------------------------------------------------------------------------------------

  /** What the values in a record say; that every file it names is there was seen by `inspect`. */
  async checkRecord(record: AnyRecord): Promise<void> {
    for (const { path } of contentNamedBy(record)) this.#files.add(path);
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
        this.note(JOURNAL_FILE, `result ${result_digest} in record ${seq} (${data.key})`, found);
      return;
    }
    const bytes = await this.#read(content);
    if (bytes === null) return;
    const found = readable(() => digestOfJson(parseStrictJson(bytes)));
    if (found !== result_digest) this.note(content.path, `result ${result_digest}`, found);
  }

  // --- sources ----------------------------------------------------------------------------------------------------

  async #checkSource(source: Source, files: readonly ContentRef[]): Promise<void> {
    this.#sources.set(source.source_digest, source);
    const paths = sourceFiles(source.source_digest);
    for (const path of Object.values(paths)) {
      if (!files.some((file) => file.path === path))
        this.note(JOURNAL_FILE, `${path} named by its source.stored record`, "not named");
    }
    const bytes = await this.#read({ path: paths.bytes, sha256: source.source_digest });
    const text = await this.#read({ path: paths.text, sha256: source.text_digest });
    if (bytes !== null && bytes.byteLength !== source.bytes)
      this.note(paths.meta, `${bytes.byteLength} bytes`, `${source.bytes} bytes`);
    if (bytes !== null && text !== null && !isTextOf(source, bytes, text))
      this.note(paths.text, "the text of the stored bytes", "another text");
    await this.#checkMeta(source, files);
  }

  /** The file that people read beside the source says the same as the record. */
  async #checkMeta(source: Source, files: readonly ContentRef[]): Promise<void> {
    const meta = files.find(({ path }) => path === sourceFiles(source.source_digest).meta);
    const bytes = meta === undefined ? null : await this.#read(meta);
    if (meta === undefined || bytes === null) return;
    const found = readable(() => digestOfJson(parseWith(sourceSchema, parseStrictJson(bytes), { path: meta.path })));
    if (found !== digestOfJson(source)) this.note(meta.path, "the source as its record has it", found);
  }

  sourceOf(sourceDigest: string): Source | undefined {
    return this.#sources.get(sourceDigest);
  }

  async textOf(sourceDigest: string): Promise<Uint8Array | null> {
    if (this.#lastText?.digest === sourceDigest) return this.#lastText.text;
    const source = this.#sources.get(sourceDigest);
    const text =
      source === undefined
        ? null
        : await this.#read({ path: sourceFiles(sourceDigest).text, sha256: source.text_digest });
    this.#lastText = { digest: sourceDigest, text };
    return text;
  }

  // --- reports ----------------------------------------------------------------------------------------------------

  async checkReport(version: ReportVersion, manifest: Manifest): Promise<void> {
    this.#counts.reports++;
    const paths = reportFiles(version.version_index);
    await this.#read({ path: paths.markdown, sha256: version.report_md_digest });
    const bytes = await this.#read({ path: paths.json, sha256: version.digest });
    if (bytes === null) return;
    let report;
    try {
      report = parseWith(reportSchema, parseStrictJson(bytes), { path: paths.json });
    } catch (error) {
      this.note(paths.json, "report.v1", describeCause(error));
      return;
    }
    const { claims, quotes, problems } = await reportProblems(report, version, manifest.query.text, this);
    this.#counts.claims += claims;
    this.#counts.quotes += quotes;
    this.add(problems);
  }

  // --- files ------------------------------------------------------------------------------------------------------

  /** The bytes of a file, or null when they are not what was stored, which is then noted. */
  async #read(ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array | null> {
    try {
      return await this.#ports.store.readContent(this.#runRoot, ref);
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      if (error.code !== "MISSING_ARTIFACT" && error.code !== "INTEGRITY_ERROR") throw error;
      this.note(ref.path, ref.sha256, error.code === "MISSING_ARTIFACT" ? NOTHING : foundIn(error));
      return null;
    }
  }

  refuseProblems(scan: JournalScan): void {
    const files = [...this.#problems.values()];
    if (files.length === 0) return;
    const onlyMissing = files.every(({ found }) => found === NOTHING);
    throw new RunError(onlyMissing ? "MISSING_ARTIFACT" : "INTEGRITY_ERROR", {
      reason: onlyMissing ? "stored files are missing" : "what is stored does not verify",
      run_root: this.#runRoot,
      files,
      checked: { journal_records: scan.records.length, ...this.counts() },
    });
  }
}

function foundIn(error: RunError): string {
  const [file] = (error.facts["files"] ?? []) as { found?: string }[];
  return file?.found ?? describeCause(error);
}

function readable(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return describeCause(error);
  }
}
