// Makes a run in rows: in one transaction it is there with its first records and its files, or nothing is.
import { RunError } from "../../kernel/errors.ts";
import { timestamp } from "../../ports/clock.ts";
import type { LaterContent, NewContent } from "../../ports/run-log.ts";
import { wakesAt } from "../../ports/runs.ts";
import { checkFirstDrafts } from "../../run/log/drafts.ts";
import { foldAll } from "../../run/log/fold.ts";
import { CHAIN_START, scanJournal, sealRecords } from "../../run/log/journal.ts";
import type { LeaseRecord } from "../../run/log/lock-record.ts";
import { sealManifest } from "../../run/log/manifest-text.ts";
import type { PlacedRecord, RecordDraft } from "../../run/log/record.ts";
import type { Contents } from "./contents.ts";
import type { Database, Statements } from "./database.ts";
import { refOf } from "./row-content.ts";
import { leaseText, newLease, type LeaseHere } from "./row-lease.ts";
import { placeOf } from "./run-row.ts";

export interface StoreHere extends LeaseHere {
  contents: Contents;
}

export interface Making {
  drafts: readonly RecordDraft[];
  contents: readonly (NewContent | LaterContent)[];
  /** Null for a run without an owner yet. */
  lease: { lease_seconds: number; reason?: string } | null;
}

export interface Made {
  id: string;
  records: PlacedRecord[];
  lease: LeaseRecord | null;
}

/** Null where a run is already there. */
export async function make(here: StoreHere, runRoot: string, making: Making): Promise<Made | null> {
  const { database, clock, random } = here;
  checkFirstDrafts(making.drafts);
  const { bytes } = sealRecords(making.drafts, { end: 0, head: CHAIN_START }, 0, timestamp(clock.nowMs()));
  const { records } = scanJournal(bytes);
  const manifest = foldAll(records);
  const last = records.at(-1);
  if (manifest === null || last === undefined || records.length < making.drafts.length)
    throw new RunError("INTERNAL", { reason: "the first records of a run do not read back" });
  const { root, name } = placeOf(runRoot);
  const maker = random.bytes(12).toHex();
  const lease = making.lease === null ? null : newLease(here, 1, clock.nowMs(), making.lease);
  return await database.together(async (statements) => {
    const [made] = await statements.rows<{ id: string }>(
      `insert into {dr}.run (root, name, made_by, seq, epoch, digest, end_at, manifest, shown_seq, wakes_ms, claim_epoch, lease, refreshed_ms, held_until_ms)
       values ($1, $2, $3, $4, 0, $5, $6, $7, $4, $8, $9, $10, case when $10::text is null then null else {dr}.now_ms() end,
         {dr}.now_ms() + $11::float8)
       on conflict (root, name) do nothing returning id`,
      [
        root,
        name,
        maker,
        last.record.seq,
        last.record.digest,
        last.end,
        sealManifest(manifest).text,
        wakesAt(manifest),
        lease?.epoch ?? 0,
        lease === null ? null : leaseText(lease),
        lease === null ? null : lease.lease_seconds * 1000,
      ],
    );
    if (made === undefined) {
      // The answer to an earlier try was lost on the way.
      const [ours] = await statements.rows<{ id: string }>(
        "select id from {dr}.run where root = $1 and name = $2 and made_by = $3",
        [root, name, maker],
      );
      return ours === undefined ? null : { id: ours.id, records, lease };
    }
    await insertLines(database, statements, made.id, linesOf(records, bytes));
    for (const content of making.contents) {
      const found = "read" in content ? await content.read() : content.bytes;
      const ref = refOf(content.path, found);
      await here.contents.store(statements, root, ref.sha256, found);
      await statements.rows(
        "insert into {dr}.file (run, path, root, sha256, size, epoch) values ($1, $2, $3, $4, $5, 0) on conflict do nothing",
        [made.id, ref.path, root, ref.sha256, ref.bytes],
      );
    }
    return { id: made.id, records, lease };
  });
}

export interface NumberedLine {
  seq: number;
  at: number;
  line: string;
}

/** `bytes`: of the journal from its first byte on. */
export function linesOf(records: readonly PlacedRecord[], bytes: Uint8Array): NumberedLine[] {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return records.map(({ record: { seq }, offset, end }) => ({
    seq,
    at: offset,
    line: decoder.decode(bytes.subarray(offset, end - 1)),
  }));
}

const LINES_AT_ONCE = 500;

export async function insertLines(
  database: Pick<Database, "integers" | "longs" | "texts">,
  statements: Statements,
  id: string,
  lines: readonly NumberedLine[],
): Promise<void> {
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const part = lines.slice(from, from + LINES_AT_ONCE);
    await statements.rows(
      `insert into {dr}.record (run, seq, at, line) select $1, r.seq, r.at, r.line
        from unnest($2::int4[], $3::int8[], $4::text[]) as r (seq, at, line)`,
      [
        id,
        database.integers(part.map(({ seq }) => seq)),
        database.longs(part.map(({ at }) => at)),
        database.texts(part.map(({ line }) => line)),
      ],
    );
  }
}
