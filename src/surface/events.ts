// Journal records, and what models say, as events for programs that follow a run: dr.event.v1, one JSON line each.
import { given } from "../kernel/given.ts";
import type { z } from "../kernel/zod.ts";
import { timestamp } from "../ports/clock.ts";
import type { ModelChunk } from "../ports/model.ts";
import type { ModelWait } from "../ports/observer.ts";
import type { AnyRecord } from "../run/log/record.ts";
import type { eventSchema } from "./schemas.ts";

type Event = Pick<z.infer<typeof eventSchema>, "schema_version" | "event" | "ts"> & { data: unknown };
type RecordEvent = Event & Pick<AnyRecord, "seq" | "digest">;

/** A piece of a model's reply, as it comes. It is not durable, so it has no `seq`. `key` is the step of the call. */
export function chunkEvent(key: string, { type, ...chunk }: ModelChunk, nowMs: number): Event {
  return { schema_version: "dr.event.v1", event: type, ts: timestamp(nowMs), data: { key, ...chunk } };
}

/** All calls of models wait. This is not durable, so it has no `seq`. */
export function waitEvent(wait: ModelWait, nowMs: number): Event {
  return { schema_version: "dr.event.v1", event: "wait", ts: timestamp(nowMs), data: wait };
}

/** The events that a durable record announces: its own, and `report.published` when it publishes the first report. */
export function eventsOf(record: AnyRecord): RecordEvent[] {
  const { ts, seq, digest } = record;
  const event = (name: string, data: unknown): RecordEvent => {
    return { schema_version: "dr.event.v1", event: name, ts, seq, digest, data };
  };
  const own = event(record.kind, boundedData(record));
  const published = record.kind === "state.changed" ? record.data.report : undefined;
  return published === undefined ? [own] : [own, event("report.published", { report: published, count: 1 })];
}

/** The data without results and lists of files, which can be large: digests and paths are enough to find these. */
function boundedData(record: AnyRecord): unknown {
  switch (record.kind) {
    case "step.completed":
    case "step.adopted": {
      const { value: _value, files, content, ...rest } = record.data;
      return { ...rest, ...given({ content_path: content?.path }), files: files.map(({ path }) => path) };
    }
    case "source.stored": {
      const { source } = record.data;
      return { source, files: record.data.files.map(({ path }) => path) };
    }
    case "message.stored":
    case "tool.completed": {
      const { content, ...rest } = record.data;
      return { ...rest, ...given({ content_path: content?.path }) };
    }
    case "stage.entered":
      return { ...record.data, folds: record.data.folds.map(({ path }) => path) };
    case "url.blocked": {
      const { fold: _fold, ...entry } = record.data;
      return entry;
    }
    case "unknown":
      return {};
    default:
      return record.data;
  }
}
