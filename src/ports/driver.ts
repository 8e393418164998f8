// A driver does the thinking: it gets one task of a stage, and returns its result.
import type { Awaitable } from "../kernel/awaitable.ts";
import type { Digest } from "../kernel/digest.ts";
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
} from "../run/report/research.ts";
import type { EarlierEvidence } from "../run/report/earlier-evidence.ts";
import type { Mode } from "../run/settings/fields.ts";
import type { Assignment, DriverId, Limits } from "../run/settings/settings.ts";
import type { CallRole, Role } from "../run/role.ts";
import type { RankGate, RankSettings } from "../run/settings/rank.ts";
import type { Assistant, Message, Recall } from "../run/model/conversation.ts";
import type { ToolDescription } from "../run/model/model.ts";
import type { Claim, Draft, JudgedClaim } from "../run/report/report.ts";
import type { Quote, Source } from "../run/report/source.ts";
import type { Lesson } from "../run/log/step.ts";
import type { AttachedSource, DocumentCollection, FetchOutcome, Passage, WordCounts } from "./provider.ts";

export interface WritersInput {
  question: string;
  assignment?: Assignment;
  plan: Plan;
  pivot: Pivot;
  summaries: Summary[];
  citations: Citations[];
  sources: Source[];
  /** The result of research for a review: quotes that were verified, and notes. */
  researched?: { citations: Citations[]; notes: string[] };
  limits: Limits;
}

/** The stances of planners: as it seems best, independent of the first, and doubting the expected answer. */
export const STANCES = ["primary", "independent", "contrarian"] as const;
export type Stance = (typeof STANCES)[number];

/** `judges: "later"`: what is recorded is judged together with more, by another task. */
interface JudgedLater {
  judges?: "later";
}

/** A quote of an earlier wave or run, with the parts of the question that it answers. */
type KnownQuote = Quote & { part_ids?: string[] };

/** `plan`: the one that waited. `instructions`: all that a person wished of the plan so far, the newest last. */
export interface PlanRevision {
  plan: Plan;
  instructions: string[];
}

export interface Tasks {
  /**
   * `drafts`: one plan for each stance, in the order of the stances. The plan is made of them. `earlier`: what was found before,
   * for a question that follows another. `revision`: set when a person wishes for another plan than the one that waited.
   */
  plan: {
    input: {
      question: string;
      mode: Mode;
      limits: Limits;
      drafts?: Plan[];
      earlier?: EarlierEvidence;
      revision?: PlanRevision;
    };
    result: Plan;
  };
  draft_plan: { input: { question: string; mode: Mode; limits: Limits; stance: Stance }; result: Plan };
  research: {
    /** `others`: what the other researchers look for at the same time. */
    input: JudgedLater & {
      question: string;
      perspective: Perspective;
      parts: QuestionPart[];
      others?: string[];
      /** Quotes of the run before that answer its parts already. */
      known?: KnownQuote[];
      limits: Limits;
    };
    result: Findings;
  };
  /** `wave`: the wave that it decides about, from 1. `gaps`: those of earlier waves. */
  pivot: {
    input: { question: string; plan: Plan; findings: Findings[]; wave: number; gaps: Gap[]; limits: Limits };
    result: Pivot;
  };
  fill_gap: {
    input: JudgedLater & { question: string; gap: Gap; parts: QuestionPart[]; known: KnownQuote[]; limits: Limits };
    result: Findings;
  };
  /** Judges what the researchers of a wave recorded: the same findings, without the quotes that answer no part. */
  judge_findings: {
    input: { question: string; parts: QuestionPart[]; findings: Findings[]; sources: Source[] };
    result: Findings[];
  };
  /**
   * `earlier`: the result of an earlier check, whose verdicts are kept. With `judges: "later"` a quote that is not judged yet
   * speaks for itself, and what a page says of it is judged with the page.
   */
  check_citations: {
    input: JudgedLater & {
      question: string;
      parts: QuestionPart[];
      subject: string;
      findings: Findings;
      earlier?: Citations;
    };
    result: Citations;
  };
  summarize: { input: { findings: Findings; citations: Citations; limits: Limits }; result: Summary };
  /** Writes the whole page in one step, or writes a page again. */
  draft: { input: WritersInput & { directives: Directive[]; previous: Draft | null }; result: Draft };
  /** Names the sections of the page. Each section is a step of its own. */
  outline: { input: WritersInput; result: Outline };
  /** `section`: its number in the outline, from 1. */
  section: { input: WritersInput & { outline: Outline; section: number }; result: Draft };
  /** Puts the page together, with the answer above its sections. */
  answer: { input: WritersInput & { outline: Outline; sections: Draft[] }; result: Draft };
  /** Judges again the claims of a report that were not checked. */
  judge_claims: { input: { claims: Claim[]; report: Draft }; result: JudgedClaim[] };
  review: {
    input: {
      question: string;
      assignment?: Assignment;
      plan: Plan;
      draft: Draft;
      draft_number: number;
      /** The directives of the review of the draft before. */
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

export interface Tool {
  description: ToolDescription;
  /** True when running it twice does no harm. `args` is the text that the model sent. */
  isSafe(args: string): Awaitable<boolean>;
  /** For arguments that do not fit, the answer is an error for the model. A throw ends the attempt. */
  run(args: string): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  content: string;
  is_error: boolean;
  /** Stored with the result for the driver, which reads it back in a resumed step. It is never sent to a model. */
  state?: unknown;
}

/**
 * The messages of a step with a model, each durable before the next. A driver goes through it from the start. Messages that are
 * stored already are taken as they are, without a call, so that an interrupted step continues where it was.
 */
export interface Conversation {
  /** `PROVIDER:NAME`. */
  readonly model: string;
  readonly messages: readonly Message[];
  /** How many replies were requested since it was opened. */
  readonly asked: number;
  say(role: "system" | "user", content: string): Promise<void>;
  /** One reply of the model. Errors: `MODEL_FAILED` for this attempt; a halt when money or quota is spent. */
  ask(): Promise<Assistant>;
  /** Runs the tools that the last reply calls, in order, and stores their results. */
  answer(): Promise<void>;
}

export interface ConversationOptions {
  /** Unique within the step. */
  name: string;
  role: CallRole;
  tools: readonly Tool[];
  /** The words of its replies are for code alone: people who watch do not see them come. */
  isUnseen?: true;
  /** Summarizes the conversation when its beginning does not fit into a request. The summary is sent, and never stored. */
  recall?: Recall;
}

/** A task for an agent or a person outside, whose answer is submitted later. */
export interface Prompt {
  /** Unique within the step. */
  name: string;
  /** Markdown that says all that is needed to answer. */
  text(): string;
  /** All that is wrong with an answer; empty when it is fit. */
  problemsOf(answer: string): Awaitable<string[]>;
}

/** `by`: who answered, as verdicts name them. */
export interface Submitted {
  text: string;
  by: string;
}

/** Thrown when a step cannot continue without an answer that was not submitted yet. The step has not failed: it waits. */
export class AnswerMissing extends Error {
  override readonly name = "AnswerMissing";
  readonly prompt: Prompt;

  constructor(prompt: Prompt) {
    super(`no answer to the prompt ${prompt.name} yet`);
    this.prompt = prompt;
  }
}

/** The documents for an agent or a person outside: the folders of the run, and pages of the web if `readsPages`. */
export interface DocumentsOutside {
  folders: readonly { name: string; path: string }[];
  readsPages: boolean;
}

/** Work that is done outside of the program. */
export interface OutsideWork {
  plays(role: Role): boolean;
  documents: DocumentsOutside;
  /** Errors: `AnswerMissing`; `AGENT_RESULT_INVALID` for an answer that is being submitted and does not fit. */
  answerTo(prompt: Prompt): Promise<Submitted>;
  /** A document by the name that an answer gives it: a stored source by its digest or origin, or one that can be read. */
  open(name: string): ReturnType<TaskTools["keep"]>;
}

/** Who puts passages in order: the model of the researcher, or an endpoint, which plays the role `ranker`. */
export interface Ranking {
  by: RankSettings["by"];
  /** What the model got right when it was checked; absent where that is not known yet. */
  gate?: RankGate;
  /** Keeps it for later runs. */
  note(gate: RankGate): void;
  /** Tokens of a request and its reply. */
  contextTokens: number;
}

/** What a driver may use while it works on one task. All evidence comes through here, so that it is stored. */
export interface TaskTools {
  /** The key of the step, or `report:<n>` for a report that is made outside of the stages. */
  step: string;
  /** `perDocument`: see `Provider`. */
  search(query: string, limit: number, perDocument?: number): Promise<Passage[]>;
  /** How many passages hold each word of a question. Null where nothing counts them: on the web, on a server. */
  countWords?(question: string): Promise<WordCounts | null>;
  /**
   * Fetches a document and stores it as a source of the run, durably. `text` is the stored text, which may differ from the one
   * that was searched.
   */
  keep(
    document: Pick<Passage, "origin" | "document_digest">,
  ): Promise<{ kind: "kept"; source: Source; text: Uint8Array } | Exclude<FetchOutcome, { kind: "document" }>>;
  /** Stores an attached document. */
  take(document: AttachedSource): ReturnType<TaskTools["keep"]>;
  /** Absent when the run reads no pages of the web but those that a search finds. */
  pages?: {
    /** Keeps a page by its address. */
    keep(address: string): ReturnType<TaskTools["keep"]>;
    /** The bytes of a stored source. */
    bytesOf(sourceDigest: string): Promise<Uint8Array>;
  };
  /** What can be searched, as far as it is known. */
  collections?(): Promise<DocumentCollection[]>;
  /** True when a search, or reading the document of that origin, may be done twice without harm, as by default each may. */
  isRepeatable?(origin?: string): Promise<boolean>;
  /** The extracted text of a stored source. */
  sourceText(sourceDigest: string): Promise<Uint8Array>;
  /** The most characters of a tool's result, so that several results fit into one request. */
  resultLength: number;
  /** Opens a conversation of this step, repaired where it was cut off. Errors: `INVALID_ARGS` when the run has no model. */
  converse(options: ConversationOptions): Promise<Conversation>;
  /** Absent where nothing puts passages in order but the search. */
  ranking?: Ranking;
  /** Absent when no agent or person outside plays a role. */
  outside?: OutsideWork;
  /** Why a conversation of the attempt before failed. */
  lesson?: Lesson;
  /** Says what is being done, for people who watch. */
  say(what: string): void;
  signal: AbortSignal;
}

/** What shows whether a model can rank: requests whose answers are known. */
export interface RankCheck {
  /** Digest of the words that a ranker reads. */
  prompt: Digest;
  requests: readonly { system: string; user: string; tool: ToolDescription }[];
  /** `replies`: the text of each, or the arguments of its call. */
  judge(replies: readonly string[]): RankGate;
}

export interface Driver {
  readonly id: DriverId;
  /** Enters the inputs digest of every step: the same version gives the same result for the same input. */
  readonly version: string;
  /** It has the tasks `outline`, `section` and `answer`, which write a page section by section. */
  readonly writesSections?: boolean;
  /** It has the task `judge_findings`, so what the researchers of a wave recorded is judged together. */
  readonly judgesWaves?: boolean;
  /** It has the task `draft_plan`, so a plan is made of several drafts. */
  readonly draftsPlans?: boolean;
  /** It can have a model choose among passages. */
  readonly rankCheck?: RankCheck;
  /** It has a review of a draft that no other may follow, as a bundle of an older run does. */
  readonly reviewsOnlyDraft?: boolean;
  perform<K extends TaskKind>(kind: K, input: Tasks[K]["input"], tools: TaskTools): Promise<Tasks[K]["result"]>;
}
