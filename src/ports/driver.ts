// A driver does the thinking: it is handed one task of a stage and returns that stage's result.
import type {
  Citations,
  Directive,
  Findings,
  Gap,
  Perspective,
  Pivot,
  Plan,
  QuestionPart,
  Review,
  Summary,
} from "../run/research.ts";
import type { DriverId, Limits, Mode } from "../run/settings.ts";
import type { Draft } from "../run/report.ts";
import type { Quote, Source } from "../run/source.ts";
import type { FetchOutcome, Passage } from "./provider.ts";

/** What each stage asks for, and the result that it expects. */
export interface Tasks {
  plan: { input: { question: string; mode: Mode; limits: Limits }; result: Plan };
  research: {
    input: { question: string; perspective: Perspective; parts: QuestionPart[]; limits: Limits };
    result: Findings;
  };
  pivot: { input: { question: string; plan: Plan; findings: Findings[]; limits: Limits }; result: Pivot };
  fill_gap: {
    input: { question: string; gap: Gap; parts: QuestionPart[]; known: Quote[]; limits: Limits };
    result: Findings;
  };
  check_citations: { input: { subject: string; findings: Findings }; result: Citations };
  summarize: { input: { findings: Findings; citations: Citations; limits: Limits }; result: Summary };
  draft: {
    input: {
      question: string;
      plan: Plan;
      pivot: Pivot;
      summaries: Summary[];
      citations: Citations[];
      sources: Source[];
      directives: Directive[];
      previous: Draft | null;
    };
    result: Draft;
  };
  review: {
    input: { question: string; plan: Plan; draft: Draft; draft_number: number; citations: Citations[]; limits: Limits };
    result: Review;
  };
}
export type TaskKind = keyof Tasks;

/** What a driver may reach while it works on one task. All evidence goes through here, so that it is stored. */
export interface TaskTools {
  search(query: string, limit: number): Promise<Passage[]>;
  /** Fetches a document and stores it as a source of the run; the source is durable when this resolves. */
  keep(
    passage: Passage,
  ): Promise<{ kind: "kept"; source: Source; text: Uint8Array } | Exclude<FetchOutcome, { kind: "document" }>>;
  /** The extracted text of a stored source. */
  sourceText(sourceDigest: string): Promise<Uint8Array>;
  /** Says what is being done, for people who watch. */
  say(what: string): void;
  signal: AbortSignal;
}

export interface Driver {
  readonly id: DriverId;
  /** Enters the inputs digest of every step: the same version gives the same result for the same input. */
  readonly version: string;
  perform<K extends TaskKind>(kind: K, input: Tasks[K]["input"], tools: TaskTools): Promise<Tasks[K]["result"]>;
}
