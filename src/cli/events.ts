// Journal records as events for programs that follow a run: dr.event.v1, one JSON line each.
import type { AnyRecord, PlacedRecord } from "../run/record.ts";

interface Event {
  schema_version: "dr.event.v1";
  event: string;
  ts: string;
  seq: number;
  digest: string;
  data: unknown;
}

/** The events that a durable record announces: its own, and `report.published` when it publishes the first report. */
export function eventsOf({ record }: PlacedRecord): Event[] {
  const { ts, seq, digest } = record;
  const event = (name: string, data: unknown): Event => ({
    schema_version: "dr.event.v1",
    event: name,
    ts,
    seq,
    digest,
    data,
  });
  const events = [event(record.kind, boundedData(record))];
  if (record.kind === "state.changed" && record.data.report !== undefined) {
    events.push(event("report.published", { report: record.data.report, count: 1 }));
  }
  return events;
}

/** Results and file lists can be large: their digests and paths are enough to find them. */
function boundedData(record: AnyRecord): unknown {
  switch (record.kind) {
    case "step.completed":
    case "step.adopted": {
      const { value: _value, files, content, ...rest } = record.data;
      return {
        ...rest,
        ...(content === undefined ? {} : { content_path: content.path }),
        files: files.map(({ path }) => path),
      };
    }
    case "source.stored": {
      const { source } = record.data;
      return { source, files: record.data.files.map(({ path }) => path) };
    }
    case "stage.entered":
      return { ...record.data, folds: record.data.folds.map(({ path }) => path) };
    case "unknown":
      return {};
    default:
      return record.data;
  }
}
