// The journal: one record per line, chained by digest. Schemas of the records, and the rules for what counts.
import { z } from "zod";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { digestOfBytes, type Digest } from "../kernel/digest.ts";
import { contentRefSchema, countSchema, digestSchema, providerIdSchema, runIdSchema, stepKeySchema, timestampSchema } from "./common.ts";
import { gateVerdictSchema } from "./gate.ts";
import { haltSchema } from "./halt.ts";
import { executionStateSchema } from "./lifecycle.ts";
import { reportVersionSchema } from "./report.ts";
import { limitsSchema, modeSchema, querySchema, settingsSchema } from "./settings.ts";
import { sourceSchema } from "./source.ts";
import { stageSchema } from "./stage.ts";
import { stepErrorSchema } from "./step.ts";

export const JOURNAL_FILE = "journal.jsonl";

/** A record and its line may not be longer than this. */
export const MAX_RECORD_BYTES = 1024 * 1024;

// --- what each kind carries ---------------------------------------------------------------------------------------

export const failureSchema = z.object({
  kind: z.string().min(1),
  stage: stageSchema,
  message: z.string(),
  retryable: z.boolean(),
  ts: timestampSchema,
  details: z.record(z.string(), z.unknown()),
});
export type Failure = z.infer<typeof failureSchema>;

/** What a finished step leaves: its value in the record or in `content`, and further files for people. */
const stepResultFields = {
  key: stepKeySchema,
  stage: stageSchema,
  inputs_digest: digestSchema,
  result_digest: digestSchema,
  value: z.unknown().optional(),
  content: contentRefSchema.optional(),
  files: z.array(contentRefSchema),
};

export const provenanceSchema = z.object({
  requested_provider_id: providerIdSchema,
  resolved_provider_id: providerIdSchema,
  resolved_from: z.enum(["run", "workspace", "default"]),
  answered_provider_id: providerIdSchema.optional(),
  fallback_from_provider_id: providerIdSchema.optional(),
  source_count: countSchema,
  quote_count: countSchema,
  error: z.string().optional(),
});
export type Provenance = z.infer<typeof provenanceSchema>;

export const forkedFromSchema = z.object({
  run_id: runIdSchema,
  seq: countSchema,
  digest: digestSchema,
  /** The offers of finished steps, as a content file of the new run; null when the old run had none. */
  offers: contentRefSchema.nullable(),
});

export const recordDataSchemas = {
  "run.created": z.object({
    schema_version: z.literal("journal.v1"),
    run_id: runIdSchema,
    tool_version: z.string(),
    query: querySchema,
    mode: modeSchema,
    settings: settingsSchema,
    settings_digest: digestSchema,
    limits: limitsSchema,
    forked_from: forkedFromSchema.optional(),
  }),
  "settings.changed": z.object({ settings: settingsSchema, settings_digest: digestSchema, limits: limitsSchema, reason: z.string() }),
  "state.changed": z.object({
    from: executionStateSchema,
    to: executionStateSchema,
    reason: z.string(),
    failure: failureSchema.optional(),
    /** Only on the change to `completed`: the report version that the same record publishes. */
    report: reportVersionSchema.optional(),
    report_files: z.array(contentRefSchema).optional(),
  }),
  "lease.taken": z.object({
    owner_id: z.string(),
    pid: z.number().int(),
    hostname: z.string(),
    reason: z.string().optional(),
    took_over: z.string().optional(),
  }),
  "tick.started": z.object({
    tick: countSchema,
    reason: z.string().optional(),
    tool_version: z.string(),
    uptime_ms: z.number().min(0),
    boot_id: z.string(),
  }),
  "tick.ended": z.object({
    tick: countSchema,
    stopped_by: z.string(),
    /** Time worked since the last progress, under the lease. */
    worked_ms: z.number().min(0),
  }),
  "stage.planned": z.object({ stage: stageSchema, keys: z.array(stepKeySchema) }),
  "stage.entered": z.object({
    from: stageSchema,
    to: stageSchema,
    reason: z.string(),
    inputs_digest: digestSchema,
    gates_revision: countSchema,
    /** The folds that the stage that was left leaves behind. */
    folds: z.array(contentRefSchema),
  }),
  "step.started": z.object({ key: stepKeySchema, stage: stageSchema, attempt: z.number().int().min(1), inputs_digest: digestSchema }),
  "step.completed": z.object({ ...stepResultFields, attempt: z.number().int().min(1) }),
  "step.failed": z.object({ key: stepKeySchema, stage: stageSchema, attempt: z.number().int().min(1), error: stepErrorSchema }),
  "step.adopted": z.object({ ...stepResultFields, from_run: runIdSchema, from_seq: countSchema }),
  "source.stored": z.object({ source: sourceSchema, files: z.array(contentRefSchema) }),
  "provider.resolved": provenanceSchema,
  "gate.judged": gateVerdictSchema,
  "halt.raised": z.object({ halt: haltSchema }),
  "halt.cleared": z.object({ kind: z.string(), reason: z.string() }),
  "request.pause": z.object({ request_id: z.string(), reason: z.string(), requested_at: timestampSchema }),
  "request.abort": z.object({ request_id: z.string(), reason: z.string(), requested_at: timestampSchema }),
  "report.published": z.object({ report: reportVersionSchema, count: z.number().int().min(1), report_files: z.array(contentRefSchema) }),
  "manifest.patched": z.object({ patch: z.record(z.string(), z.unknown()), patch_digest: digestSchema, reason: z.string() }),
  "drift.accepted": z.object({ differences: z.array(z.object({ what: z.string(), frozen: z.string(), found: z.string() })), reason: z.string() }),
  "repair.done": z.object({
    reason: z.string(),
    quarantined: z.array(z.string()),
    dropped_records: countSchema,
    rebuilt: z.array(z.string()),
  }),
} satisfies Record<string, z.ZodType>;

export type RecordKind = keyof typeof recordDataSchemas;
export type RecordData<K extends RecordKind> = z.infer<(typeof recordDataSchemas)[K]>;

/** A record that is still to be appended: what happened, without its place in the chain. */
export type RecordDraft = { [K in RecordKind]: { kind: K; data: RecordData<K> } }[RecordKind];

interface RecordPlace {
  seq: number;
  ts: string;
  epoch: number;
  prev: Digest | null;
  digest: Digest;
}
export type JournalRecord = { [K in RecordKind]: RecordPlace & { kind: K; data: RecordData<K> } }[RecordKind];

/** A record of a kind that this version does not know: it counts, and changes nothing here. */
export type UnknownRecord = RecordPlace & { kind: "unknown"; data: unknown };
export type AnyRecord = JournalRecord | UnknownRecord;

/** A record with the place of its line: bytes from the start of the file; `end` is just behind the line feed. */
export interface PlacedRecord {
  record: AnyRecord;
  offset: number;
  end: number;
}

// --- writing ------------------------------------------------------------------------------------------------------

export interface ChainHead {
  seq: number;
  epoch: number;
  digest: Digest | null;
}

export const CHAIN_START: ChainHead = { seq: 0, epoch: 0, digest: null };

/** The line of a record, without its line feed, and the record itself. */
export function sealRecord(draft: RecordDraft, place: Omit<RecordPlace, "digest">): { record: JournalRecord; line: string } {
  const body = canonicalJson({ ...place, kind: draft.kind, data: draft.data });
  const digest = digestOfBytes(body);
  // Canonical order is data, digest, epoch, ...; behind the last `,"epoch":` nothing can look like it.
  const at = body.lastIndexOf(',"epoch":');
  const line = `${body.slice(0, at)},"digest":"${digest}"${body.slice(at)}`;
  return { record: { ...place, kind: draft.kind, data: draft.data, digest } as JournalRecord, line };
}

/** What one write puts on disk for a record: a line that ends any debris before it, then the record's own line. */
export function frameRecord(line: string): string {
  return ` \n${line}\n`;
}

// --- reading ------------------------------------------------------------------------------------------------------

const placeSchema = z.object({
  seq: z.number().int().min(1),
  ts: timestampSchema,
  epoch: z.number().int().min(0),
  kind: z.string().min(1).max(60),
  data: z.record(z.string(), z.unknown()),
  prev: digestSchema.nullable(),
  digest: digestSchema,
});

const DIGEST_MARK = ',"digest":"sha256:';
const DIGEST_MEMBER_LENGTH = DIGEST_MARK.length + 64 + 1;

export type LineReading = { kind: "record"; record: AnyRecord } | { kind: "damage"; reason: string } | { kind: "newer"; version: string };

/** Reads one line that is neither debris nor a tail. Its digest is checked over the bytes as they stand. */
export function readRecordLine(line: string): LineReading {
  const at = line.lastIndexOf(DIGEST_MARK);
  if (at < 0) return { kind: "damage", reason: "no digest" };
  const digest = line.slice(at + DIGEST_MARK.length - "sha256:".length, at + DIGEST_MEMBER_LENGTH - 1);
  if (digestOfBytes(line.slice(0, at) + line.slice(at + DIGEST_MEMBER_LENGTH)) !== digest) {
    return { kind: "damage", reason: "the digest does not fit the record" };
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: "damage", reason: "not JSON" };
  }
  const place = placeSchema.safeParse(value);
  if (!place.success) return { kind: "damage", reason: "not a journal record" };
  const { kind, data, ...rest } = place.data;
  if (kind === "run.created" && typeof data["schema_version"] === "string" && data["schema_version"] !== "journal.v1") {
    return { kind: "newer", version: data["schema_version"] };
  }
  if (!Object.hasOwn(recordDataSchemas, kind)) return { kind: "record", record: { ...rest, kind: "unknown", data } };
  const parsed = recordDataSchemas[kind as RecordKind].safeParse(data);
  if (!parsed.success) return { kind: "damage", reason: `the data of ${kind} does not fit its schema` };
  return { kind: "record", record: { ...rest, kind, data: parsed.data } as JournalRecord };
}

export interface JournalDamage {
  offset: number;
  reason: string;
}

export interface JournalScan {
  /** The records that count, in order. */
  records: PlacedRecord[];
  head: ChainHead;
  /** Offset just behind the last terminated line. */
  end: number;
  /** Offset of the lines that were skipped as debris, an unterminated tail among them; the framing lines are not. */
  debris: number[];
  /** Whole records that hang on an earlier counted one: they lost their race. */
  lost: { offset: number; epoch: number; digest: Digest }[];
  /** The first damaged line; nothing behind it is read. */
  damage: JournalDamage | null;
  /** Set when the journal was written by a newer major version. */
  newer: string | null;
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;

/**
 * Reads journal bytes that start at `baseOffset` of the file. `from` is the chain before the first byte. When the scan
 * starts inside the file, a record that hangs on one before the start looks like damage: then scan from the first byte.
 */
export function scanJournal(bytes: Uint8Array, baseOffset = 0, from: ChainHead = CHAIN_START): JournalScan {
  const scan: JournalScan = { records: [], head: from, end: baseOffset, debris: [], lost: [], damage: null, newer: null };
  const counted = new Set<Digest | null>([from.digest]);
  let lineStart = 0;
  while (lineStart < bytes.length) {
    const lineEnd = bytes.indexOf(LINE_FEED, lineStart);
    const offset = baseOffset + lineStart;
    if (lineEnd < 0) {
      scan.debris.push(offset);
      break;
    }
    const line = bytes.subarray(lineStart, lineEnd);
    lineStart = lineEnd + 1;
    scan.end = baseOffset + lineStart;
    if (line.at(-1) === SPACE || line.includes(0)) {
      if (line.length !== 1) scan.debris.push(offset);
      continue;
    }
    const text = decodeLine(line);
    const reading: LineReading = text === null ? { kind: "damage", reason: "not valid UTF-8" } : readRecordLine(text);
    if (reading.kind === "newer") {
      scan.newer = reading.version;
      return scan;
    }
    if (reading.kind === "damage") {
      scan.damage = { offset, reason: reading.reason };
      return scan;
    }
    const { record } = reading;
    const { head } = scan;
    if (record.prev === head.digest && record.seq === head.seq + 1 && record.epoch >= head.epoch) {
      scan.records.push({ record, offset, end: scan.end });
      scan.head = { seq: record.seq, epoch: record.epoch, digest: record.digest };
      counted.add(record.digest);
    } else if (record.prev !== head.digest && counted.has(record.prev)) {
      scan.lost.push({ offset, epoch: record.epoch, digest: record.digest });
    } else {
      scan.damage = { offset, reason: "the record does not hang on any record before it" };
      return scan;
    }
  }
  return scan;
}

function decodeLine(line: Uint8Array): string | null {
  try {
    return UTF8.decode(line);
  } catch {
    return null;
  }
}
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
