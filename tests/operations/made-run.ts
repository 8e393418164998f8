// Runs made record by record in a temporary folder, with the real file store: no driver, no stages.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { digestOfBytes, digestOfJson, hexOf } from "../../src/kernel/digest.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RunWriter } from "../../src/ports/run-log.ts";
import type { RecordDraft } from "../../src/run/log/record.ts";
import type { Claim, Draft } from "../../src/run/report/report.ts";
import type { Source, TextFrom } from "../../src/run/report/source.ts";
import { DEFAULT_SETTINGS, LIMITS_BY_MODE, settingsDigest, type Settings } from "../../src/run/settings/settings.ts";
import { NO_USAGE } from "../../src/run/money/usage.ts";
import { publicationOf } from "../../src/stages/publication.ts";
import { makePorts } from "../../src/wiring.ts";
import { listed } from "../stages/listed-claims.ts";

export const QUESTION = "How are options parsed?";
export const SOURCE_TEXT = "Options begin with a dash.\nEverything else is an operand.\n";

export interface TemporaryFolder extends Disposable {
  path: string;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "deep-research-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function testPorts(): Ports {
  return makePorts({ indexFolder: null, cliInvocation: "deep-research" });
}

const SETTINGS: Settings = {
  driver: "local",
  providers: { run: ["filesystem"], workspace: [] },
  corpora: [],
  ...DEFAULT_SETTINGS,
};

/** An idle run at `<runsRoot>/<folder>`. */
export async function makeRun(
  ports: Ports,
  runsRoot: string,
  runId: string,
  folder = runId,
  more: { chat_id?: string } = {},
): Promise<string> {
  const runRoot = join(runsRoot, folder);
  const data = {
    schema_version: "journal.v1" as const,
    run_id: runId,
    tool_version: "0.0.0",
    query: { text: QUESTION, sensitivity: "normal" as const },
    mode: "standard" as const,
    settings: SETTINGS,
    settings_digest: settingsDigest(SETTINGS),
    limits: LIMITS_BY_MODE.standard,
    ...more,
  };
  await ports.store.create(runRoot, [{ kind: "run.created", data }], []);
  return runRoot;
}

/** Takes the lease, works, and releases it. */
export async function withWriter(
  ports: Ports,
  runRoot: string,
  work: (writer: RunWriter) => Promise<void>,
): Promise<void> {
  const acquisition = await ports.store.acquire(runRoot);
  if (acquisition.kind !== "acquired") throw new Error("the lease is held");
  try {
    await work(acquisition.writer);
    await acquisition.writer.foldNow();
  } finally {
    await acquisition.writer.release();
  }
}

export const TO_RUNNING: RecordDraft = { kind: "state.changed", data: { from: "idle", to: "running", reason: "test" } };
export const TO_PAUSED: RecordDraft = {
  kind: "state.changed",
  data: { from: "running", to: "paused", reason: "test" },
};

/** The system counts its uptime in such steps: work between two of them takes no time. */
export const UPTIME_STEP_MS = 10;

export function tickStarted(ports: Ports): RecordDraft {
  const { boot_id } = ports.processes.self();
  return { kind: "tick.started", data: { tick: 1, tool_version: "0.0.0", uptime_ms: ports.clock.uptimeMs(), boot_id } };
}

export function noEvidenceHalt(runRoot: string, runId: string): RecordDraft {
  const halt = {
    schema_version: "halt.v1" as const,
    created_at: "2026-01-01T00:00:00.000Z",
    run_id: runId,
    manifest_path: `${runRoot}/manifest.json`,
    stage: "citations" as const,
    last_step: null,
    last_good_checkpoint: { seq: 1, digest: digestOfBytes("") },
    usage: NO_USAGE,
    next_commands: [`deep-research resume ${runRoot}`],
    kind: "no_evidence" as const,
    details: { reasons: ["nothing was found"] },
  };
  return { kind: "halt.raised", data: { halt } };
}

/** Stores a source as providers do, and the record that names it. */
export async function storeSource(
  writer: RunWriter,
  text: string,
  origin: string,
  { textFrom, bytes = new TextEncoder().encode(text) }: { textFrom?: TextFrom; bytes?: Uint8Array } = {},
): Promise<Source> {
  const textBytes = new TextEncoder().encode(text);
  const source: Source = {
    schema_version: "source.v1",
    source_digest: digestOfBytes(bytes),
    text_digest: digestOfBytes(textBytes),
    media_type: "text/plain",
    title: origin,
    origin,
    provider_id: "filesystem",
    retrieved_at: "2026-01-01T00:00:00.000Z",
    bytes: bytes.byteLength,
    ...textFrom,
  };
  const base = `sources/${hexOf(source.source_digest)}`;
  const meta = new TextEncoder().encode(`${canonicalJson(source)}\n`);
  const files = [
    await writer.storeContent(base, bytes),
    await writer.storeContent(`${base}.txt`, textBytes),
    await writer.storeContent(`${base}.json`, meta),
  ];
  await writer.commit([{ kind: "source.stored", data: { source, files } }]);
  return source;
}

/** A draft of one claim that quotes the first line of the source. */
export function draftOf(source: Source, text = SOURCE_TEXT): Draft {
  const sentence = text.split("\n")[0] ?? "";
  const quote = { source_digest: source.source_digest, start: 0, end: Buffer.byteLength(sentence), text: sentence };
  const claim: Claim = {
    statement_id: "c1",
    text: sentence,
    basis: "quoted",
    verdict: "supported",
    method: "verbatim",
    quotes: [quote],
  };
  return {
    question: QUESTION,
    ...listed([{ title: "Findings", claims: [claim] }]),
    sources: [{ number: 1, source_digest: source.source_digest, title: source.title, origin: source.origin }],
    gaps: [],
    parts: [],
    made: { notes: [] },
  };
}

/** A run that is completed with one step, one source and the report of `change(draft)`. */
export async function makeCompletedRun(
  ports: Ports,
  runsRoot: string,
  runId: string,
  change: (draft: Draft) => Draft = (draft) => draft,
): Promise<string> {
  const runRoot = await makeRun(ports, runsRoot, runId);
  await withWriter(ports, runRoot, async (writer) => {
    await writer.commit([TO_RUNNING, tickStarted(ports)]);
    const key = "init:check";
    const inputs_digest = digestOfJson({ question: QUESTION });
    await writer.commit([{ kind: "step.started", data: { key, stage: "init", attempt: 1, inputs_digest } }]);
    const value = { documents: 1 };
    await writer.commit([
      {
        kind: "step.completed",
        data: { key, stage: "init", attempt: 1, inputs_digest, result_digest: digestOfJson(value), value, files: [] },
      },
    ]);
    const source = await storeSource(writer, SOURCE_TEXT, "docs/options.md");
    const { files, version } = publicationOf(change(draftOf(source)), writer.manifest, {
      trigger: "auto_natural_stop",
      partial: false,
    });
    const report_files = [
      await writer.storeContent(files[0].path, files[0].bytes),
      await writer.storeContent(files[1].path, files[1].bytes),
    ];
    const report = { ...version, created_at: "2026-01-01T00:00:00.000Z" };
    await writer.commit([
      { kind: "tick.ended", data: { tick: 1, stopped_by: "completed", worked_ms: 0 } },
      { kind: "state.changed", data: { from: "running", to: "completed", reason: "test", report, report_files } },
    ]);
  });
  return runRoot;
}

/** The code of the error that the work ends with. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => "no error",
    (error: { code: unknown }) => error.code,
  );
}
