// Finds the content files that records name.
import type { ContentRef } from "../common.ts";
import type { AnyRecord } from "./record.ts";

export function contentNamedBy(record: AnyRecord): readonly ContentRef[] {
  switch (record.kind) {
    case "run.created":
      return [
        record.data.forked_from?.offers,
        record.data.follows?.evidence,
        record.data.settings.bundle?.content,
      ].flatMap((ref) => ref ?? []);
    case "step.completed":
    case "step.adopted":
      return record.data.content === undefined ? record.data.files : [record.data.content, ...record.data.files];
    case "step.waiting":
      return [record.data.prompt];
    case "step.answered":
      return [record.data.answer];
    case "source.stored":
      return record.data.files;
    case "message.stored":
    case "tool.completed":
      return record.data.content === undefined ? [] : [record.data.content];
    case "state.changed":
      return record.data.report_files ?? [];
    case "report.published":
      return record.data.report_files;
    default:
      return [];
  }
}

/** Each content file that the records name, once, without those that a repair gave up. */
export function namedContent(records: readonly AnyRecord[]): ContentRef[] {
  const named = new Map<string, ContentRef>();
  for (const record of records) {
    for (const ref of contentNamedBy(record)) named.set(ref.path, ref);
    if (record.kind === "repair.done") for (const path of record.data.given_up ?? []) named.delete(path);
  }
  return [...named.values()];
}
