// The events of a run as server-sent events: every record once and in order, from the place of the client on.
import { isDamage } from "../kernel/damage.ts";
import { RunError } from "../kernel/errors.ts";
import { timestamp, type Clock } from "../ports/clock.ts";
import type { AnyRecord } from "../run/log/record.ts";
import { eventsOf } from "../surface/events.ts";
import { lineOf } from "./event-lines.ts";
import type { RunFeed } from "./run-feed.ts";

/** How much may wait for a client, beyond what its connection holds. */
const MAX_QUEUED_BYTES = 256 * 1024;
/** A client has to read something within this time while something waits for it. */
const STALLED_MS = 30_000;
/** After this time a journal that was damaged may have been repaired. */
const DAMAGED_MS = 15_000;
/** Browsers come back after this time when the connection ends. */
const RETRY_MS = 1_000;

/**
 * The place of a client: it has had all of record `seq`, and this many events of the next record. The last or only event of a
 * record has the seq as its id; the events before it have `SEQ.N`.
 */
export interface Place {
  seq: number;
  events: number;
}

/** Errors: `INVALID_ARGS`. */
export function placeOf(id: string): Place {
  const [, seq, events] = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(id.trim()) ?? [];
  if (seq === undefined)
    throw new RunError("INVALID_ARGS", { reason: "the id of an event is a number", found: id.slice(0, 100) });
  return events === undefined ? { seq: Number(seq), events: 0 } : { seq: Number(seq) - 1, events: Number(events) };
}

export interface StreamedEvents {
  body: ReadableStream<Uint8Array>;
  /** Resolves when the stream has ended, whichever side ended it. */
  ended: Promise<void>;
}

export function streamEvents(
  { clock, feed, from, withLines = false }: { clock: Clock; feed: RunFeed; from: Place; withLines?: boolean },
  stop: AbortSignal,
): StreamedEvents {
  const stream = new BoundedStream(clock, stop);
  const live = feed.join();
  const ended = sendEvents({ stream, feed, live, from, withLines })
    .catch((error: unknown) => (isDamage(error) ? sendDamage(stream, clock, withLines) : undefined))
    .catch(() => {})
    .finally(() => {
      feed.leave(live);
      stream.end();
    });
  return { body: stream.body, ended };
}

interface Sending {
  stream: BoundedStream;
  feed: RunFeed;
  live: string[];
  from: Place;
  /** For a page: no event has a name, so that one listener hears all, and each record has its line. */
  withLines: boolean;
}

async function sendEvents({ stream, feed, live, from, withLines }: Sending): Promise<never> {
  const reader = feed.reader(from.seq);
  let skipped = from.events;
  await stream.write(`retry: ${RETRY_MS}\n\n`);
  for (;;) {
    // Taken before the journal is read, so that no later news is missed.
    const { news } = feed;
    for (const record of await reader.next()) {
      await stream.write(wordsOf(record, withLines).slice(skipped).join(""));
      skipped = 0;
    }
    const said = live.splice(0).map((event) => (withLines ? event.replace(/^event: .*\n/, "") : event));
    // A comment keeps the connection alive, and fails when the client is gone.
    await stream.write(said.length === 0 ? ":\n\n" : said.join(""));
    await Promise.race([news, stream.ended]);
  }
}

/** Once, and then the connection is kept: a client that comes back at once would have the whole journal read each time. */
async function sendDamage(stream: BoundedStream, clock: Clock, withLines: boolean): Promise<void> {
  const event = { schema_version: "dr.event.v1", event: "damaged", ts: timestamp(clock.nowMs()), data: {} };
  await stream.write(`${withLines ? "" : "event: damaged\n"}data: ${JSON.stringify(event)}\n\n`);
  await Promise.race([clock.sleep(DAMAGED_MS), stream.ended]);
}

function wordsOf(record: AnyRecord, withLines: boolean): string[] {
  const events = eventsOf(record);
  return events.map((event, at) => {
    const id = at === events.length - 1 ? `${record.seq}` : `${record.seq}.${at + 1}`;
    const named = `event: ${event.event}\ndata: ${JSON.stringify(event)}`;
    return `id: ${id}\n${withLines ? `data: ${JSON.stringify({ ...event, line: lineOf(event) })}` : named}\n\n`;
  });
}

/** Bytes for one client. A write waits until the client has read. A client that stalls is cut off. */
class BoundedStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #stop: AbortSignal;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #room = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<never>();

  constructor(clock: Clock, stop: AbortSignal) {
    this.#clock = clock;
    this.#stop = AbortSignal.any([stop, this.#over.signal]);
    this.#ended.promise.catch(() => {});
    this.#stop.addEventListener("abort", () => this.#ended.reject(new Error("the client left")), { once: true });
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#room.resolve(),
        cancel: () => this.#over.abort(),
      },
      { highWaterMark: MAX_QUEUED_BYTES, size: (bytes) => bytes?.byteLength ?? 0 },
    );
  }

  /** Rejects once the stream is over. */
  get ended(): Promise<never> {
    return this.#ended.promise;
  }

  async write(words: string): Promise<void> {
    if (words === "") return;
    this.#stop.throwIfAborted();
    this.#room = Promise.withResolvers();
    this.#controller?.enqueue(new TextEncoder().encode(words));
    if ((this.#controller?.desiredSize ?? 0) > 0) return;
    const over = new AbortController();
    const stalled = this.#clock.sleep(STALLED_MS, over.signal).then(() => {
      const why = new Error("the client reads nothing");
      // To end the stream alone would keep the connection open, and the unread bytes with it.
      this.#controller?.error(why);
      throw why;
    });
    stalled.catch(() => {});
    try {
      await Promise.race([this.#room.promise, stalled, this.ended]);
    } finally {
      over.abort();
    }
  }

  end(): void {
    this.#over.abort();
    try {
      this.#controller?.close();
    } catch {
      // The client has ended it.
    }
  }
}
