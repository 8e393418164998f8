// A driver does the thinking: it is handed one task of a stage and returns that stage's result.
import type { Awaitable } from "../kernel/awaitable.ts";
import type {
  Citations,
  Directive,
  Findings,
  Gap,
  Outline,
  Perspective,
  Pivot,
  Plan,
  QuestionPart,
  Review,
  Summary,
} from "../run/research.ts";
import type { Assignment, DriverId, Limits, Mode } from "../run/settings.ts";
import type { Role } from "../run/role.ts";
import type { Assistant, Message, Recall } from "../run/conversation.ts";
import type { ToolDescription } from "../run/model.ts";
import type { Claim, Draft, JudgedClaim } from "../run/report.ts";
import type { Quote, Source } from "../run/source.ts";
import type { Lesson } from "../run/step.ts";
import type { BroughtDocument, DocumentCollection, FetchOutcome, Passage, WordCounts } from "./provider.ts";

/** All that a report is written from. */
export interface WritersInput {
  question: string;
  assignment?: Assignment;
  plan: Plan;
  pivot: Pivot;
  summaries: Summary[];
  citations: Citations[];
  sources: Source[];
  /** What researchers brought whom a review asked for: quotes that hold, and notes. */
  researched?: { citations: Citations[]; notes: string[] };
  limits: Limits;
}

/** How somebody plans: as it seems best, on their own beside the first, or as one who doubts the expected answer. */
export const STANCES = ["primary", "independent", "contrarian"] as const;
export type Stance = (typeof STANCES)[number];

/** What each stage asks for, and the result that it expects. */
export interface Tasks {
  /** `drafts`: of the stances, in their order, where several planned; the plan is made of them. */
  plan: { input: { question: string; mode: Mode; limits: Limits; drafts?: Plan[] }; result: Plan };
  draft_plan: { input: { question: string; mode: Mode; limits: Limits; stance: Stance }; result: Plan };
  research: {
    /** `others`: what the other researchers look for at the same time. */
    input: { question: string; perspective: Perspective; parts: QuestionPart[]; others?: string[]; limits: Limits };
    result: Findings;
  };
  /** `wave`: the one that it decides about, counted from 1. `gaps`: those of earlier waves. */
  pivot: {
    input: { question: string; plan: Plan; findings: Findings[]; wave: number; gaps: Gap[]; limits: Limits };
    result: Pivot;
  };
  fill_gap: {
    input: { question: string; gap: Gap; parts: QuestionPart[]; known: Quote[]; limits: Limits };
    result: Findings;
  };
  /** `earlier`: of a check that is done again; a verdict that was given is kept. */
  check_citations: {
    input: { question: string; parts: QuestionPart[]; subject: string; findings: Findings; earlier?: Citations };
    result: Citations;
  };
  summarize: { input: { findings: Findings; citations: Citations; limits: Limits }; result: Summary };
  /** The whole page in one step, and a page that is written again. */
  draft: { input: WritersInput & { directives: Directive[]; previous: Draft | null }; result: Draft };
  /** What the sections of the page are, each of which is a step of its own. */
  outline: { input: WritersInput; result: Outline };
  /** `section`: its number in the outline, from 1. */
  section: { input: WritersInput & { outline: Outline; section: number }; result: Draft };
  /** Puts the page together, with the answer above its sections. */
  answer: { input: WritersInput & { outline: Outline; sections: Draft[] }; result: Draft };
  /** Judges claims of a report that were not checked, once more. */
  judge_claims: { input: { claims: Claim[]; report: Draft }; result: JudgedClaim[] };
  review: {
    input: {
      question: string;
      assignment?: Assignment;
      plan: Plan;
      draft: Draft;
      draft_number: number;
      /** What it asked for when it read the draft before. */
      earlier?: Directive[];
      /** How many directives may ask for research. */
      wishes: number;
      citations: Citations[];
      limits: Limits;
    };
    result: Review;
  };
}
export type TaskKind = keyof Tasks;

/** A tool that a model may call. */
export interface Tool {
  description: ToolDescription;
  /** `args` is the text that the model sent. True: running it twice does no harm. */
  isSafe(args: string): Awaitable<boolean>;
  /** Arguments that do not fit are an error for the model to read; a throw ends the attempt. */
  run(args: string): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  content: string;
  is_error: boolean;
  /** Stored with the result, for the driver alone: a resumed step reads it back, a model is never sent it. */
  state?: unknown;
}

/**
 * The messages of a step with a model, each durable before the next. A driver says, asks and answers from the start; what
 * is stored already is taken as it is, without a call, so that an interrupted step goes on where it stood.
 */
export interface Conversation {
  /** `PROVIDER:NAME`. */
  readonly model: string;
  readonly messages: readonly Message[];
  /** Replies that were asked for since it was opened; the others were stored already. */
  readonly asked: number;
  say(role: "system" | "user", content: string): Promise<void>;
  /** One step of the model. Errors: `MODEL_FAILED` for this attempt; a halt when money or quota are at their end. */
  ask(): Promise<Assistant>;
  /** Runs the tools that the last reply calls, in order, and stores their results. */
  answer(): Promise<void>;
}

export interface ConversationOptions {
  /** Unique within the step. */
  name: string;
  role: Role;
  tools: readonly Tool[];
  /** What the model is told of the whole conversation where its beginning does not fit into a request; sent, never stored. */
  recall?: Recall;
}

/** A task for somebody outside of the program: an agent or a person, whose answer is handed in later. */
export interface Prompt {
  /** Unique within the step. */
  name: string;
  /** Markdown, enough by itself; made for the one who is asked. */
  text(): string;
  /** All that is wrong with an answer; none when it is fit. */
  problemsOf(answer: string): Awaitable<string[]>;
}

/** `by`: who answered, as verdicts name it. */
export interface HandedIn {
  text: string;
  by: string;
}

/** Thrown where a step cannot go on without an answer that nobody has handed in yet. The step has not failed: it waits. */
export class AnswerMissing extends Error {
  override readonly name = "AnswerMissing";
  readonly prompt: Prompt;

  constructor(prompt: Prompt) {
    super(`no answer to the prompt ${prompt.name} yet`);
    this.prompt = prompt;
  }
}

/** Where somebody outside finds the documents: the run's folders by their names, and whether pages of the web may be named. */
export interface DocumentsOutside {
  folders: readonly { name: string; path: string }[];
  readsPages: boolean;
}

/** Work that is done outside of the program. */
export interface OutsideWork {
  plays(role: Role): boolean;
  documents: DocumentsOutside;
  /** Errors: `AnswerMissing`; `AGENT_RESULT_INVALID` for an answer that is being handed in and does not fit. */
  answerTo(prompt: Prompt): Promise<HandedIn>;
  /** A document by the name that an answer gives it: a stored source by its digest or origin, or one that can be read. */
  open(name: string): ReturnType<TaskTools["keep"]>;
}

/** What a driver may reach while it works on one task. All evidence goes through here, so that it is stored. */
export interface TaskTools {
  /** The key of the step, or `report:<n>` where a report is made outside of the stages. */
  step: string;
  search(query: string, limit: number): Promise<Passage[]>;
  /** How many passages hold each word of a question. Null where nobody has counted: on the web, on a server. */
  countWords?(question: string): Promise<WordCounts | null>;
  /**
   * Fetches a document and stores it as a source of the run; the source is durable when this resolves. `text` is the stored
   * one, which may be another than the one that was searched.
   */
  keep(
    document: Pick<Passage, "origin" | "document_digest">,
  ): Promise<{ kind: "kept"; source: Source; text: Uint8Array } | Exclude<FetchOutcome, { kind: "document" }>>;
  /** Stores a document that somebody brought, as a source that nobody was asked for. */
  take(document: BroughtDocument): ReturnType<TaskTools["keep"]>;
  /** Not there where the run reads no pages of the web but those that a search finds. */
  pages?: {
    /** Keeps a page by its address. */
    keep(address: string): ReturnType<TaskTools["keep"]>;
    /** What the text of a stored source was taken from. */
    bytesOf(sourceDigest: string): Promise<Uint8Array>;
  };
  /** What can be searched, as far as it is known. */
  collections?(): Promise<DocumentCollection[]>;
  /**
   * Whether a search, or reading the document of that origin, may be done twice without harm; without this each may.
   */
  isRepeatable?(origin?: string): Promise<boolean>;
  /** The extracted text of a stored source. */
  sourceText(sourceDigest: string): Promise<Uint8Array>;
  /** What a result of a tool may hold, in characters, so that several of them fit into what a model reads at once. */
  resultLength: number;
  /** Opens a conversation of this step, repaired where it was cut off. Errors: `INVALID_ARGS` when the run has no model. */
  converse(options: ConversationOptions): Promise<Conversation>;
  /** Not there where all work is done inside. */
  outside?: OutsideWork;
  /** Why a conversation of the attempt before came to no end. */
  lesson?: Lesson;
  /** Says what is being done, for people who watch. */
  say(what: string): void;
  signal: AbortSignal;
}

export interface Driver {
  readonly id: DriverId;
  /** Enters the inputs digest of every step: the same version gives the same result for the same input. */
  readonly version: string;
  /** It has the tasks of a page that is written section by section: `outline`, `section` and `answer`. */
  readonly writesSections?: boolean;
  /** It has the task `draft_plan`: a plan is made of several drafts. */
  readonly draftsPlans?: boolean;
  perform<K extends TaskKind>(kind: K, input: Tasks[K]["input"], tools: TaskTools): Promise<Tasks[K]["result"]>;
}
