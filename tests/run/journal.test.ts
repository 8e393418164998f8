// Records that count in a journal: cut at every byte, torn, raced and damaged lines, and any mixture of them.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import {
  CHAIN_START,
  frameRecord,
  readFittedLine,
  readRecordLine,
  scanFolded,
  scanJournal,
  sealRecord,
  type JournalScan,
} from "../../src/run/log/journal.ts";
import { FOLD_VERSION } from "../../src/run/log/manifest-text.ts";
import { readRecordPlace, type ChainHead } from "../../src/run/log/record-seal.ts";
import type { RecordDraft } from "../../src/run/log/record.ts";
import { noted, runCreated, stepCompleted } from "../conformance/sample-run.ts";

const TS = "2025-01-01T00:00:00.000Z";
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Chained {
  text: string;
  head: ChainHead;
}

/** The frame of a record that is chained on `head`. */
function chained(head: ChainHead, draft: RecordDraft, epoch = head.epoch): Chained {
  const { record, line } = sealRecord(draft, { seq: head.seq + 1, ts: TS, epoch, prev: head.digest });
  return { text: frameRecord(line), head: { seq: record.seq, epoch, digest: record.digest } };
}

function journalOf(...drafts: RecordDraft[]): { text: string; heads: ChainHead[]; ends: number[] } {
  let text = "";
  let head = CHAIN_START;
  const heads: ChainHead[] = [];
  const ends: number[] = [];
  for (const draft of drafts) {
    const next = chained(head, draft);
    text += next.text;
    head = next.head;
    heads.push(head);
    ends.push(Buffer.byteLength(text));
  }
  return { text, heads, ends };
}

const SMALL = [noted("one é"), noted("two"), noted("three")];
const digestsOf = (scan: JournalScan): unknown[] => scan.records.map(({ record }) => record.digest);

describe("a record", () => {
  test("is a line of canonical JSON whose digest covers the rest of it", () => {
    const { line, record } = sealRecord(noted("one"), { seq: 1, ts: TS, epoch: 0, prev: null });
    expect(digestOfBytes(line.replace(`,"digest":"${record.digest}"`, ""))).toBe(record.digest);
    expect(Object.keys(JSON.parse(line) as object)).toEqual(["data", "digest", "epoch", "kind", "prev", "seq", "ts"]);
    expect(readRecordLine(line)).toEqual({ kind: "record", record });
  });

  test("may carry digests and anything that looks like the end of a record", () => {
    const hostile = { digest: digestOfBytes("x"), text: ',"digest":"sha256:0","epoch":7,"kind":"x"', epoch: 9 };
    const { line, record } = sealRecord(stepCompleted("init", "init.a", { deep: [hostile, hostile] }), {
      seq: 5,
      ts: TS,
      epoch: 3,
      prev: digestOfBytes("p"),
    });
    expect(readRecordLine(line)).toEqual({ kind: "record", record });
  });

  test("of an unknown kind counts and changes nothing; of a newer schema it is newer", () => {
    const unknown = sealRecord({ ...noted("x"), kind: "from.the.future" } as unknown as RecordDraft, {
      seq: 1,
      ts: TS,
      epoch: 0,
      prev: null,
    });
    expect(readRecordLine(unknown.line)).toMatchObject({ kind: "record", record: { kind: "unknown", seq: 1 } });
    const created = runCreated();
    const newer = { ...created, data: { ...created.data, schema_version: "journal.v3" } } as unknown as RecordDraft;
    const text = chained(CHAIN_START, newer).text;
    expect(scanJournal(encode(text))).toMatchObject({ newer: "journal.v3", records: [] });
  });

  test("is no record with any other byte in its place, the quote behind its digest included", () => {
    const { line } = sealRecord(noted("one"), { seq: 1, ts: TS, epoch: 0, prev: null });
    for (let at = 0; at < line.length; at++) {
      const other = `${line.slice(0, at)}${line[at] === "x" ? "y" : "x"}${line.slice(at + 1)}`;
      expect(readRecordLine(other).kind).toBe("damage");
      expect(readRecordPlace(other)).toBeNull();
    }
  });

  test("whose digest fits and whose contents do not is of a newer version", () => {
    const place = { seq: 7, ts: TS, epoch: 0, prev: null };
    const data = { kind: "tick.ended", data: { tick: -1 } } as unknown as RecordDraft;
    expect(readRecordLine(sealRecord(data, place).line)).toEqual({ kind: "newer", what: "tick.ended in record 7" });
    const form = sealRecord(noted("x"), { ...place, ts: "2026" });
    expect(readRecordLine(form.line)).toMatchObject({ kind: "newer" });
    const text = form.line.replace('{"data"', '{data"');
    const body = text.replace(/,"digest":"[^"]*"/, "");
    const noJson = text.replace(/sha256:[0-9a-f]{64}(?=","epoch")/, digestOfBytes(body));
    expect(readRecordLine(noJson)).toMatchObject({ kind: "newer" });
  });
});

describe("a journal cut short", () => {
  test("at every byte holds the records before the cut, and takes the next one", () => {
    const { text, heads, ends } = journalOf(...SMALL);
    const whole = encode(text);
    for (let cut = 0; cut <= whole.byteLength; cut++) {
      const left = whole.subarray(0, cut);
      const count = ends.filter((end) => end <= cut).length;
      const scan = scanJournal(left);
      expect(scan.damage).toBeNull();
      expect(scan.head).toEqual(heads[count - 1] ?? CHAIN_START);
      const next = chained(scan.head, noted("after the cut"));
      const after = scanJournal(Buffer.concat([left, encode(next.text)]));
      expect(after.damage).toBeNull();
      expect(digestsOf(after)).toEqual([...digestsOf(scan), next.head.digest]);
    }
  });

  test("says where its last line ends and what it skipped", () => {
    const { text, ends } = journalOf(...SMALL);
    const whole = encode(text);
    const scan = scanJournal(whole.subarray(0, whole.byteLength - 3));
    expect(scan.debris).toEqual([(ends[1] ?? 0) + 2]);
    expect(scan.end).toBe((ends[1] ?? 0) + 2);
    expect(scanJournal(whole)).toMatchObject({ end: whole.byteLength, debris: [], lost: [] });
  });

  test("control: without the line before each record, the torn one eats the next", () => {
    const { text, heads } = journalOf(...SMALL);
    const torn = text.slice(0, -10);
    const next = chained(heads[1] ?? CHAIN_START, noted("next")).text.replace(" \n", "");
    expect(scanJournal(encode(torn + next)).head.seq).toBe(2);
  });
});

describe("debris", () => {
  const { text, heads } = journalOf(...SMALL.slice(0, 2));
  const last = heads[1] ?? CHAIN_START;

  test.each([
    ["a line that ends in a space", "{half a rec \n"],
    ["a line of spaces", "      \n"],
    ["a line with a NUL byte", "{ha\0\0\0}\n"],
    ["NUL bytes over the end of a line", "\0\0\0\0\n"],
    ["bytes that are no UTF-8, torn", "{\u00ff \n"],
  ])("%s is skipped", (_name, junk) => {
    const scan = scanJournal(encode(text + junk + chained(last, noted("next")).text));
    expect(scan).toMatchObject({ damage: null, head: { seq: 3 } });
    expect(scan.debris).toHaveLength(1);
  });

  test.each([
    ["a line that is no record", "{}\n"],
    ["an empty line", "\n"],
    ["a line of text", "hello\n"],
    ["a line that is not UTF-8", "\u00ff\n"],
  ])("%s is damage, also at the end", (_name, junk) => {
    const bytes = junk.startsWith("\u00ff")
      ? Buffer.concat([encode(text), Uint8Array.of(0xff, 0x0a)])
      : encode(text + junk);
    const scan = scanJournal(bytes);
    expect(scan.damage?.offset).toBe(Buffer.byteLength(text));
    expect(scan.head.seq).toBe(2);
  });

  test("a record whose digest fits and that is chained on no record is damage", () => {
    const stray = chained({ seq: 2, epoch: 0, digest: digestOfBytes("nobody") }, noted("stray"));
    expect(scanJournal(encode(text + stray.text)).damage?.reason).toContain("is chained on no record");
  });

  test("a record twice, or with a seq that is not the next, is no second record", () => {
    expect(scanJournal(encode(text + text)).records).toHaveLength(2);
    const skipped = chained({ ...last, seq: 7 }, noted("seq 8"));
    expect(scanJournal(encode(text + skipped.text)).damage).not.toBeNull();
  });
});

describe("a race", () => {
  const { text, heads } = journalOf(...SMALL);
  const [one = CHAIN_START, two = CHAIN_START, three = CHAIN_START] = heads;

  test("is won by whoever came first; the other is whole, and does not count", () => {
    const rival = chained(two, noted("rival"), 4);
    const scan = scanJournal(encode(text + rival.text));
    expect(scan).toMatchObject({ damage: null, head: three });
    expect(scan.lost).toEqual([
      { offset: Buffer.byteLength(text) + 2, epoch: 4, digest: rival.head.digest ?? digestOfBytes("") },
    ]);
  });

  test("a commit of several records that lost its race is lost as a whole, and the chain continues", () => {
    const rival = chained(two, noted("rival"), 4);
    const follower = chained(rival.head, noted("follower"), 4);
    const next = chained(three, noted("next"));
    const scan = scanJournal(encode(text + rival.text + follower.text + next.text));
    expect(scan).toMatchObject({ damage: null, head: { seq: 4 } });
    expect(scan.lost.map(({ digest }) => digest)).toEqual(
      [rival.head.digest, follower.head.digest].flatMap((digest) => digest ?? []),
    );
  });

  test("half of such a commit is lost too, and its other half without the first is damage", () => {
    const rival = chained(two, noted("rival"), 4);
    const follower = chained(rival.head, noted("follower"), 4);
    expect(scanJournal(encode(text + rival.text))).toMatchObject({ damage: null, head: three });
    expect(scanJournal(encode(text + follower.text)).damage).not.toBeNull();
  });

  test("a late record of any older head is lost, however old", () => {
    for (const head of [CHAIN_START, one, two]) {
      expect(scanJournal(encode(text + chained(head, noted("late")).text))).toMatchObject({
        damage: null,
        head: three,
      });
    }
  });

  test("a lower epoch on the head is damage: its owner could not have read it", () => {
    const taken = chained(three, noted("taken"), 5);
    const late = chained(taken.head, noted("late"), 4);
    expect(scanJournal(encode(text + taken.text + late.text)).damage).not.toBeNull();
    expect(scanJournal(encode(text + taken.text + chained(taken.head, noted("own"), 5).text)).head.seq).toBe(5);
  });
});

describe("a flipped byte", () => {
  test("anywhere leaves a prefix of the records, never another one", () => {
    const { text, heads } = journalOf(...SMALL);
    const whole = encode(text);
    const digests = heads.map(({ digest }) => digest);
    for (let at = 0; at < whole.byteLength; at++) {
      for (const mask of [0x01, 0x20, 0x80, whole[at] ?? 0]) {
        const copy = whole.slice();
        copy[at] = (copy[at] ?? 0) ^ mask;
        const scan = scanJournal(copy);
        const found = digestsOf(scan) as typeof digests;
        expect(found).toEqual(digests.slice(0, found.length));
        if (scan.damage === null && found.length < digests.length) expect(scan.debris.length).toBeGreaterThan(0);
      }
    }
  });
});

describe("a scan of the tail", () => {
  test("finds what a scan of the whole finds behind that place", () => {
    const { text, heads, ends } = journalOf(...SMALL, noted("four"));
    const whole = encode(text);
    const from = ends[1] ?? 0;
    const tail = scanJournal(whole.subarray(from), from, heads[1]);
    const all = scanJournal(whole);
    expect(tail.records).toEqual(all.records.slice(2));
    expect([tail.head, tail.end]).toEqual([all.head, all.end]);
  });
});

// --- any mixture ----------------------------------------------------------------------------------------------------

type Move =
  | { kind: "append"; size: number }
  | { kind: "torn"; share: number; zeros: number }
  | { kind: "late"; back: number; more: number }
  | { kind: "takeover" };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant("append" as const), size: fc.nat({ max: 60 }) }),
  fc.record({
    kind: fc.constant("torn" as const),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    zeros: fc.nat({ max: 20 }),
  }),
  fc.record({ kind: fc.constant("late" as const), back: fc.nat({ max: 5 }), more: fc.nat({ max: 2 }) }),
  fc.record({ kind: fc.constant("takeover" as const) }),
);

/** Plays moves; every append chains on what a scan says, as an owner does after it read the journal. */
function play(moves: readonly Move[], frame: (text: string) => string): { acknowledged: unknown[]; scan: JournalScan } {
  let journal: Uint8Array = encode(frame(chained(CHAIN_START, noted("first")).text));
  const heads = [scanJournal(journal).head];
  const acknowledged: unknown[] = [heads[0]?.digest];
  const add = (bytes: Uint8Array): void => void (journal = Buffer.concat([journal, bytes]));
  let epoch = 0;
  for (const [number, next] of moves.entries()) {
    const { head } = scanJournal(journal);
    if (next.kind === "takeover") epoch++;
    if (next.kind === "append" || next.kind === "takeover") {
      const made = chained(head, noted("x".repeat(next.kind === "append" ? next.size : 0) + number), epoch);
      add(encode(frame(made.text)));
      heads.push(made.head);
      acknowledged.push(made.head.digest);
    } else if (next.kind === "torn") {
      const bytes = encode(frame(chained(head, noted(`torn ${number}`), epoch).text));
      // All of it may have reached the disk although nobody was told: then it counts, or is lost to the next.
      add(bytes.subarray(0, Math.floor(next.share * (bytes.byteLength - 1))));
      add(new Uint8Array(next.zeros));
    } else {
      const old = heads[Math.max(0, heads.length - 2 - next.back)] ?? CHAIN_START;
      if (old.digest === head.digest) continue;
      let late = chained(old, noted(`late ${number}`));
      add(encode(frame(late.text)));
      for (let more = 0; more < next.more; more++) {
        late = chained(late.head, noted(`late ${number} and ${more}`));
        add(encode(frame(late.text)));
      }
    }
  }
  return { acknowledged, scan: scanJournal(journal) };
}

function losesNothing(frame: (text: string) => string): (moves: Move[]) => boolean {
  return (moves) => {
    const { acknowledged, scan } = play(moves, frame);
    return scan.damage === null && JSON.stringify(digestsOf(scan)) === JSON.stringify(acknowledged);
  };
}

test("any mixture of appends, torn writes, late records and takeovers loses no acknowledged record", () => {
  fc.assert(
    fc.property(
      fc.array(move, { maxLength: 25 }),
      losesNothing((text) => text),
    ),
    { numRuns: 500 },
  );
});

test("control: without framing some mixture loses one", () => {
  const bare = losesNothing((text) => text.replace(" \n", ""));
  expect(fc.check(fc.property(fc.array(move, { maxLength: 25 }), bare), { numRuns: 200, seed: 7 }).failed).toBe(true);
});

describe("a journal that a manifest says was folded", () => {
  const { text, heads } = journalOf(runCreated(), noted("one é"), stepCompleted("init", "init.a", { deep: [1, null] }));
  const bytes = encode(text);
  const upTo = (seq: number, digest = heads[seq - 1]?.digest ?? digestOfBytes("")) => ({ seq, digest });

  test("reads as by its schemas, whole or behind what was folded", () => {
    for (const seq of [1, 2, 3]) expect(scanFolded(bytes, upTo(seq))).toEqual(scanJournal(bytes));
  });

  test("with another digest than it has is read by its schemas, and so is what hangs behind it", () => {
    const odd = { kind: "step.failed", data: { key: "Not a key" } } as unknown as RecordDraft;
    const newer = encode(text + chained(heads.at(-1) ?? CHAIN_START, odd).text);
    for (const folded of [null, upTo(3), upTo(4), upTo(9)])
      expect(scanFolded(newer, folded).newer).toContain("step.failed");
    const head = scanJournal(newer, 0, CHAIN_START, 4).head.digest ?? digestOfBytes("");
    // Control: who vouches for that record vouches for its contents.
    expect(scanFolded(newer, upTo(4, head)).newer).toBeNull();
  });

  test("keeps a record of an unknown kind as such, and takes none that is no record", () => {
    const unknown = { ...noted("x"), kind: "from.the.future" } as unknown as RecordDraft;
    const next = chained(heads.at(-1) ?? CHAIN_START, unknown);
    const whole = encode(text + next.text);
    expect(scanFolded(whole, upTo(4, next.head.digest ?? digestOfBytes("")))).toEqual(scanJournal(whole));
    expect(readFittedLine(sealedText("null")).kind).not.toBe("record");
  });
});

/** A line whose digest fits and that is no record. */
function sealedText(body: string): string {
  const rest = `[${body}`;
  return `${rest},"digest":"${digestOfBytes(`${rest}]`)}"]`;
}

test("the fold version goes up whenever the schemas of records change", () => {
  const schema = fs.readFileSync(path.join(import.meta.dir, "../../docs/schemas/journal.v2.json"), "utf8");
  expect([FOLD_VERSION, digestOfBytes(schema)]).toEqual([
    7,
    "sha256:1da442bdc638ba80833c786fbe10126c22cd30713675543dcab93448b90803e0",
  ]);
});
