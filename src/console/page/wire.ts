// The shapes that the server sends: those of the commands behind its routes.
import type { ListedRun, ListResult } from "../../operations/look/list-runs.ts";
import type { ReportDiff } from "../../operations/report/diff-reports.ts";
import type { RecordKind } from "../../run/log/record.ts";
import type { Report } from "../../run/report/report.ts";
import type { FindingQuote, Plan } from "../../run/report/research.ts";
import type { Source } from "../../run/report/source.ts";
import type { Headline } from "../../surface/state-words.ts";
import type { EventLine } from "../event-lines.ts";
import type { Session } from "../session.ts";

export type Task = Session["task"];
export type { FindingQuote, Plan, Report, ReportDiff, Source };
export type { Claim } from "../../run/report/report.ts";
export type { Way } from "../ways-on.ts";

export type Listed = ListedRun & { headline: Headline; stage_name: string; address: string };
export type Listing = Omit<ListResult, "runs"> & { runs: readonly Listed[]; is_read_only: boolean };

/** Verification is shown once it was requested. */
export type Snapshot = Session & { verification?: Verification | null };

export interface Verification {
  verified_at: string;
  ok: boolean;
  words: string;
}

/** A start whose documents are still read: nothing of the run is on disk. */
export interface Reading {
  run_id: string;
  work: "reading_documents";
}

export interface Inspected {
  value: Partial<Plan> & { quotes?: FindingQuote[] };
}

export type StoredSource = Source & { text: string };

/** dr.event.v1; what is no record has no number. */
export interface WireEvent {
  event: RecordKind | "report.published" | "text" | "reasoning" | "tool_call_delta" | "wait" | "damaged";
  ts: string;
  seq?: number;
  data: unknown;
  /** Of a record. */
  line?: EventLine;
}
