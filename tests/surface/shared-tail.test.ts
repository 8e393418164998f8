// One tail for many readers: each gets every record once, the journal is read once, and memory stays bounded.
import { describe, expect, test } from "bun:test";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { SharedTail } from "../../src/surface/shared-tail.ts";

/** A journal that grows by hand, and counts how often it is read from which place. */
class Journal {
  length = 0;
  nowMs = 0;
  readonly reads: number[] = [];

  get store() {
    return {
      follow: (_runRoot: string, afterSeq: number) => {
        let seq = afterSeq;
        return {
          next: async () => {
            this.reads.push(seq);
            await Promise.resolve();
            const records = Array.from({ length: this.length - seq }, (_, at) => numbered(seq + at + 1));
            seq = this.length;
            return records;
          },
          wait: async () => undefined,
        };
      },
    };
  }

  tail(afterSeq = 0): SharedTail {
    const clock = { uptimeMs: () => this.nowMs };
    return new SharedTail({ store: this.store, clock, runRoot: "/runs/dr_1", afterSeq, maxKept: 10 });
  }

  grow(by: number): void {
    this.length += by;
    this.nowMs += 1_000;
  }
}

function numbered(seq: number): AnyRecord {
  const digest: string = `of ${seq}`;
  return { seq, digest } as AnyRecord;
}

async function seqs(reader: { next(): Promise<AnyRecord[]> }): Promise<number[]> {
  return (await reader.next()).map(({ seq }) => seq);
}

describe("a shared tail", () => {
  test("reads the journal once for all who ask at the same time", async () => {
    const journal = new Journal();
    const tail = journal.tail();
    const readers = Array.from({ length: 20 }, () => tail.reader(0));
    journal.grow(3);
    const told = await Promise.all(readers.map(seqs));
    expect(told).toEqual(readers.map(() => [1, 2, 3]));
    expect(journal.reads).toEqual([0]);
  });

  test("asked again at once it answers from what it has", async () => {
    const journal = new Journal();
    const tail = journal.tail();
    journal.grow(2);
    const [first, second] = [tail.reader(0), tail.reader(1)];
    expect(await seqs(first)).toEqual([1, 2]);
    expect(await seqs(second)).toEqual([2]);
    expect(await seqs(first)).toEqual([]);
    expect(journal.reads).toEqual([0]);
  });

  test("a reader that stalls misses nothing, gets nothing twice, and is read for alone", async () => {
    const journal = new Journal();
    const tail = journal.tail();
    const [quick, slow] = [tail.reader(0), tail.reader(0)];
    const heard: number[] = [];
    for (let round = 0; round < 10; round++) {
      journal.grow(5);
      heard.push(...(await seqs(quick)));
    }
    expect(heard).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    expect(journal.reads).toHaveLength(10);
    expect(await seqs(slow)).toEqual(heard);
    // Its own reading from the first record on; the records it wanted were not kept.
    expect(journal.reads.at(-1)).toBe(0);
    expect(await seqs(slow)).toEqual([]);
  });

  test("a reader that comes late begins where it wants to", async () => {
    const journal = new Journal();
    journal.grow(30);
    const tail = journal.tail(30);
    journal.grow(2);
    expect(await seqs(tail.reader(30))).toEqual([31, 32]);
    expect(await seqs(tail.reader(28))).toEqual([29, 30, 31, 32]);
    expect(await seqs(tail.reader(40))).toEqual([]);
  });

  test("where a repair dropped records, whoever read on and whoever stalled get what was written since", async () => {
    let journal = [1, 2, 3, 4].map(numbered);
    let nowMs = 0;
    /** As the tail of a journal: behind a repair it goes on with what is new. */
    const follow = (_runRoot: string, afterSeq: number) => {
      let seen: Set<string> | null = null;
      return {
        next: async () => {
          const known = seen;
          seen = new Set(journal.map(({ digest }) => digest));
          return await Promise.resolve(
            journal.filter(({ seq, digest }) => (known === null ? seq > afterSeq : !known.has(digest))),
          );
        },
        wait: async () => undefined,
      };
    };
    const clock = { uptimeMs: () => (nowMs += 1_000) };
    const tail = new SharedTail({ store: { follow }, clock, runRoot: "/runs/dr_1", afterSeq: 0, maxKept: 4 });
    const [quick, stalled] = [tail.reader(0), tail.reader(0)];
    for (const reader of [quick, stalled]) expect(await seqs(reader)).toEqual([1, 2, 3, 4]);
    const since = (seq: number): AnyRecord => ({ ...numbered(seq), digest: `${seq}, since the repair` }) as AnyRecord;
    journal = [...journal.slice(0, 2), since(3)];
    expect(await seqs(quick)).toEqual([3]);
    journal = [...journal, ...[4, 5, 6, 7, 8].map(since)];
    expect(await seqs(quick)).toEqual([4, 5, 6, 7, 8]);
    // What it wanted first is kept no longer: it reads for itself, from where the repair had set the journal back.
    expect(await seqs(stalled)).toEqual([3, 4, 5, 6, 7, 8]);
    for (const reader of [quick, stalled]) expect(await seqs(reader)).toEqual([]);
  });

  test("after a wait the journal is read, however short ago it was read before", async () => {
    const journal = new Journal();
    const reader = journal.tail().reader(0);
    journal.length = 1;
    expect(await seqs(reader)).toEqual([1]);
    journal.length = 2;
    expect(await seqs(reader)).toEqual([]);
    await reader.wait(1_000);
    expect(await seqs(reader)).toEqual([2]);
  });

  test("what fails is told to those who asked, and tried again", async () => {
    const journal = new Journal();
    const { store } = journal;
    let fails = true;
    const failing = {
      follow: (runRoot: string, afterSeq: number) => {
        const { next, wait } = store.follow(runRoot, afterSeq);
        return { next: async () => (fails ? await Promise.reject(new Error("the disk failed")) : await next()), wait };
      },
    };
    const tail = new SharedTail({
      store: failing,
      clock: { uptimeMs: () => journal.nowMs },
      runRoot: "/runs/dr_1",
      afterSeq: 0,
    });
    const reader = tail.reader(0);
    journal.grow(1);
    expect(await reader.next().catch(String)).toBe("Error: the disk failed");
    fails = false;
    journal.grow(1);
    expect(await seqs(reader)).toEqual([1, 2]);
  });
});
