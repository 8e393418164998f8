// The journal: one record per line, chained by digest. How a line is made, and the rules for what counts.
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { z } from "../../kernel/zod.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { digestOfBytes, type Digest } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { digestSchema, timestampSchema, type FoldedUpTo } from "../common.ts";
import { newerJournal } from "./journal-version.ts";
import {
  dataSchemaOf,
  isRecordKind,
  type AnyRecord,
  type JournalRecord,
  type PlacedRecord,
  type RecordDraft,
  type RecordPlace,
} from "./record.ts";
import { hasSeal, sealOf, type ChainHead } from "./record-seal.ts";

/** A record and its line may not be longer than this. */
export const MAX_RECORD_BYTES = 1024 * 1024;

// --- writing ------------------------------------------------------------------------------------------------------

export const CHAIN_START: ChainHead = { seq: 0, epoch: 0, digest: null };

/** The line of a record, without its line feed, and the record itself. */
export function sealRecord(
  draft: RecordDraft,
  place: Omit<RecordPlace, "digest">,
): { record: JournalRecord; line: string } {
  const body = canonicalJson({ ...place, kind: draft.kind, data: draft.data });
  const digest = digestOfBytes(body);
  // Canonical order is data, digest, epoch, and so on. Nothing behind the last `,"epoch":` can look like it.
  const at = body.lastIndexOf(',"epoch":');
  const line = `${body.slice(0, at)},"digest":"${digest}"${body.slice(at)}`;
  return { record: { ...place, kind: draft.kind, data: draft.data, digest } as JournalRecord, line };
}

/** The line before every record: a space and a line feed. */
const FRAME_BYTES = 2;

/** The bytes of a record on disk: a line that ends any debris before it, then the record's own line. */
export function frameRecord(line: string): string {
  return ` \n${line}\n`;
}

/** Records that are ready to be written, with the places that they get when no other process writes. */
export interface SealedRecords {
  placed: PlacedRecord[];
  bytes: Uint8Array;
  epoch: number;
}

/** Chains drafts behind a record. Errors: `INPUT_TOO_LARGE`, `SCHEMA_VALIDATION_FAILED`. */
export function sealRecords(
  drafts: readonly RecordDraft[],
  behind: { end: number; head: ChainHead },
  epoch: number,
  ts: string,
): SealedRecords {
  const placed: PlacedRecord[] = [];
  let text = "";
  let { end } = behind;
  let { seq, digest: prev } = behind.head;
  for (const draft of drafts) {
    const { record, line } = sealRecord(draft, { seq: seq + 1, ts, epoch, prev });
    const bytes = Buffer.byteLength(line);
    if (bytes > MAX_RECORD_BYTES) {
      throw new RunError("INPUT_TOO_LARGE", {
        reason: "the record is too large",
        kind: draft.kind,
        bytes,
        max_bytes: MAX_RECORD_BYTES,
      });
    }
    text += frameRecord(line);
    const offset = end + FRAME_BYTES;
    end = offset + bytes + 1;
    placed.push({ record, offset, end });
    seq = record.seq;
    prev = record.digest;
  }
  return { placed, bytes: new TextEncoder().encode(text), epoch };
}

// --- reading ------------------------------------------------------------------------------------------------------

const placeSchema = z.object({
  seq: z.int().min(1),
  ts: timestampSchema,
  epoch: z.int().min(0),
  kind: z.string().min(1).max(60),
  data: z.record(z.string(), z.unknown()),
  prev: digestSchema.nullable(),
  digest: digestSchema,
});

export type LineReading =
  { kind: "record"; record: AnyRecord } | { kind: "damage"; reason: string } | { kind: "newer"; what: string };

/**
 * Reads one line that is neither debris nor a tail. The digest is checked over the bytes as they are. When it fits, the
 * line is what its writer wrote, so contents that do not fit a schema come from a newer version.
 */
export function readRecordLine(line: string): LineReading {
  const sealed = readSealed(line);
  if (sealed.kind !== "sealed") return sealed;
  const { value } = sealed;
  const place = placeSchema.safeParse(value);
  if (!place.success) return { kind: "newer", what: "a record of another form" };
  const { kind, data, ...rest } = place.data;
  const newer = kind === "run.created" ? newerJournal(data) : null;
  if (newer !== null) return { kind: "newer", what: newer };
  if (!isRecordKind(kind)) return { kind: "record", record: { ...rest, kind: "unknown", data } };
  const parsed = dataSchemaOf(kind).safeParse(data);
  if (!parsed.success) return { kind: "newer", what: `${kind} in record ${rest.seq}` };
  return { kind: "record", record: { ...rest, kind, data: parsed.data } as JournalRecord };
}

function readSealed(line: string): Exclude<LineReading, { kind: "record" }> | { kind: "sealed"; value: unknown } {
  if (!hasSeal(line)) return { kind: "damage", reason: "no digest" };
  if (sealOf(line) === null) return { kind: "damage", reason: "the digest does not fit the record" };
  try {
    return { kind: "sealed", value: JSON.parse(line) as unknown };
  } catch {
    return { kind: "newer", what: "a record that is no JSON" };
  }
}

/** Reads a line without checking its contents by a schema: a known digest says that they fitted before. */
export function readFittedLine(line: string): LineReading {
  const sealed = readSealed(line);
  if (sealed.kind !== "sealed") return sealed;
  const { kind, data, ...place } = (sealed.value ?? {}) as JournalRecord;
  if (typeof data !== "object" || data === null) return { kind: "newer", what: "a record of another form" };
  const known = isRecordKind(kind) ? { kind, data } : { kind: "unknown", data };
  return { kind: "record", record: { ...place, ...known } as AnyRecord };
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
  /** Offsets of the lines that were skipped as debris, with an unterminated tail, without the framing lines. */
  debris: number[];
  /** Whole records that were chained on an older record than the newest, by a late owner. They do not count. */
  lost: { offset: number; epoch: number; digest: Digest }[];
  /** The first damaged line. Nothing behind it is read. */
  damage: JournalDamage | null;
  /** The first record that only a newer version can read. Nothing behind it is read. */
  newer: string | null;
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;

/**
 * Reads a whole journal. `folded` is the last record that a manifest folded. Each digest covers all records before it, so
 * where that digest is met again, the records up to it are the folded ones and are not checked by their schemas again.
 */
export function scanFolded(bytes: Uint8Array, folded: Pick<FoldedUpTo, "seq" | "digest"> | null): JournalScan {
  if (folded === null) return scanJournal(bytes);
  const scan = scanJournal(bytes, 0, CHAIN_START, folded.seq);
  return scan.records[folded.seq - 1]?.record.digest === folded.digest ? scan : scanJournal(bytes);
}

/**
 * Reads journal bytes that start at `baseOffset` of the file. `from` is the chain before the first byte. When the scan
 * starts inside the file, a late owner's record that hangs on one before the start looks like damage: then scan the whole
 * file. Records up to `fittedSeq` are not checked by their schemas.
 */
export function scanJournal(
  bytes: Uint8Array,
  baseOffset = 0,
  from: ChainHead = CHAIN_START,
  fittedSeq = 0,
): JournalScan {
  const scan: JournalScan = {
    records: [],
    head: from,
    end: baseOffset,
    debris: [],
    lost: [],
    damage: null,
    newer: null,
  };
  // A late owner's record hangs on an older record or on another late one. That is no damage.
  const known = new Set<Digest | null>([from.digest]);
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
      if (line.length !== 1 || line[0] !== SPACE) scan.debris.push(offset);
      continue;
    }
    const text = unlessThrown(() => decodeUtf8(line), null);
    const read = scan.head.seq < fittedSeq ? readFittedLine : readRecordLine;
    const reading: LineReading = text === null ? { kind: "damage", reason: "not valid UTF-8" } : read(text);
    if (reading.kind === "newer") {
      scan.newer = reading.what;
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
      known.add(record.digest);
    } else if (record.prev !== head.digest && known.has(record.prev)) {
      scan.lost.push({ offset, epoch: record.epoch, digest: record.digest });
      known.add(record.digest);
    } else {
      scan.damage = { offset, reason: "the record is chained on no record before it" };
      return scan;
    }
  }
  return scan;
}
