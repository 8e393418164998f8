// Answers of agents and people outside to the prompts of a step: those that were submitted, and the submission under way.
import type { Digest } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import { AnswerMissing, type Submitted, type Prompt } from "../ports/driver.ts";
import type { Ports } from "../ports/ports.ts";
import { fullCommand, stepsOn } from "../run/next-steps/next-step.ts";
import type { StepPlace } from "../conversations/open-conversations.ts";
import type { AnyRecord, JournalRecord, RecordDraft } from "../run/log/record.ts";
import { endsByAnswer, haltKind } from "../run/log/halt.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { answerFile, promptFile } from "../run/log/layout.ts";
import { resultRecord, type ResultRequest } from "../run/log/request.ts";
import type { AnsweredBy } from "../run/log/step.ts";
import { knownHalt } from "../run/log/halt-details.ts";
import type { OwnedRun } from "../conversations/owned-run.ts";

export interface Submission {
  key: string;
  text: string;
  by: AnsweredBy;
  /** The answer takes the place of an earlier one: the step is done again from its first prompt. */
  replaces: boolean;
  /** The request by which it came to the owner. The commit that takes the answer also ends the request. */
  request?: ResultRequest;
}

/** No more problems of one answer are named. */
const MOST_PROBLEMS = 100;

type Answered = Extract<JournalRecord, { kind: "step.answered" }>;
type Own = Pick<OwnedRun, "writer" | "view"> & { ports: Pick<Ports, "cliInvocation" | "runs"> };

const JUDGED =
  "FILE holds the answer; - reads it from stdin. It is judged at once. One that is refused changes nothing: mend what is named, and hand it in again.";

export class Answers {
  readonly #run: Own;
  /** The attempts in which a prompt was answered for these inputs. Later prompts rest on that answer. */
  readonly #answeredAnew = new WeakSet<StepPlace>();
  #pending: Submission | null = null;

  constructor(run: Own) {
    this.#run = run;
  }

  /** The next prompt of that step is answered by this. Null takes the answer back. */
  submit(submission: Submission | null): void {
    this.#pending = submission;
  }

  /** False once the submission is durable. */
  get isPending(): boolean {
    return this.#pending !== null;
  }

  /** True when the step is done again with the submission. */
  replaces(key: string): boolean {
    return this.#pending?.key === key && this.#pending.replaces;
  }

  /**
   * The stored answer, or else the submission, once it is fit and durable. `beginning`: records that the commit of a submission
   * begins with.
   */
  async answerTo(place: StepPlace, prompt: Prompt, beginning: readonly RecordDraft[]): Promise<Submitted> {
    const { writer, view } = this.#run;
    const { key, stage, inputs_digest } = place;
    const records = await view.records();
    const standing = this.replaces(key) ? null : await this.#standing(records, place, prompt);
    if (standing !== null) return standing;
    const submission = this.#pending;
    if (submission?.key !== key) throw new AnswerMissing(prompt);
    await refuseUnfit(prompt, submission);
    const prompt_digest = promptDigest(records, place, prompt);
    const number = records.filter((record) => record.kind === "step.answered" && record.data.key === key).length + 1;
    const answer = await writer.storeContent(answerFile(place, number), new TextEncoder().encode(submission.text));
    await writer.commit([
      // This comes first: when the write is cut off behind it, the next tick finds out again which steps wait.
      ...haltLifted(writer.manifest, submission.replaces),
      ...beginning,
      {
        kind: "step.answered",
        data: { key, stage, inputs_digest, name: prompt.name, prompt_digest, answer, by: submission.by },
      },
      ...(submission.request === undefined ? [] : [resultRecord(submission.request, { outcome: "taken" })]),
    ]);
    this.#pending = null;
    this.#answeredAnew.add(place);
    return { text: submission.text, by: shownAs(submission.by) };
  }

  /**
   * The stored answer to the prompt; null where there is none. Once drift was accepted, one that was given to an earlier version
   * stands like a finished step, if it still fits and rests on no answer that was given since.
   */
  async #standing(records: readonly AnyRecord[], place: StepPlace, prompt: Prompt): Promise<Submitted | null> {
    const { manifest } = this.#run.writer;
    const stored = answersOf(records, place).filter(({ data }) => data.name === prompt.name);
    const own = stored.findLast(({ data }) => data.inputs_digest === place.inputs_digest);
    if (own !== undefined) {
      this.#answeredAnew.add(place);
      return await this.#read(own);
    }
    const earlier = stored.at(-1);
    if (earlier === undefined || manifest.accepted_drift === null || this.#answeredAnew.has(place)) return null;
    const answer = await this.#read(earlier);
    return (await prompt.problemsOf(answer.text)).length === 0 ? answer : null;
  }

  async #read({ data: { answer, by } }: Answered): Promise<Submitted> {
    return { text: new TextDecoder().decode(await this.#run.writer.readContent(answer)), by: shownAs(by) };
  }

  /** Writes the prompt, and the record that the step waits for an answer. */
  async waitFor(place: StepPlace, prompt: Prompt): Promise<void> {
    const { ports, writer, view } = this.#run;
    const { key, stage, inputs_digest } = place;
    const records = await view.records();
    const waits = records.filter((record) => record.kind === "step.waiting" && record.data.key === key);
    const path = promptFile(place, waits.length + 1);
    const asks = { input: "FILE", agent_run_id: "YOUR_NAME" };
    const step = stepsOn(writer.runRoot)("agent-result", "", { step: key, prompt: prompt.name }, asks);
    const command = fullCommand(ports, step);
    const again = earlierAnswer(records, place, prompt, (path) => ports.runs.placeOf(writer.runRoot, path));
    const text = `${prompt.text()}${again}\n## Handing in\n\n    ${command}\n\n${JUDGED}\n`;
    const file = await writer.storeContent(path, new TextEncoder().encode(text));
    await writer.commit([
      { kind: "step.waiting", data: { key, stage, inputs_digest, name: prompt.name, prompt: file } },
    ]);
  }
}

/** Errors: `AGENT_RESULT_INVALID` with all that is wrong with it. */
async function refuseUnfit(prompt: Prompt, { key, text }: Pick<Submission, "key" | "text">): Promise<void> {
  const problems = await prompt.problemsOf(text);
  if (problems.length === 0) return;
  throw new RunError("AGENT_RESULT_INVALID", {
    reason: "the answer is not fit yet",
    step: key,
    prompt: prompt.name,
    problems: problems.slice(0, MOST_PROBLEMS),
    ...(problems.length > MOST_PROBLEMS ? { more_problems: problems.length - MOST_PROBLEMS } : {}),
  });
}

type EndsAnswers = Extract<JournalRecord, { kind: "step.completed" | "step.adopted" | "step.reopened" }>;

function endsAnswers(record: AnyRecord): record is EndsAnswers {
  return record.kind === "step.completed" || record.kind === "step.adopted" || record.kind === "step.reopened";
}

/** The answers since the step was last finished or opened again. From there on it asks anew. */
function answersOf(records: readonly AnyRecord[], { key }: StepPlace): Answered[] {
  const finished = records.findLastIndex((record) => endsAnswers(record) && record.data.key === key);
  return records
    .slice(finished + 1)
    .filter((record): record is Answered => record.kind === "step.answered" && record.data.key === key);
}

/** Lifts the halt that waits for answers, or that an earlier answer led to. */
function haltLifted({ halt }: Readonly<Manifest>, replaces: boolean): RecordDraft[] {
  if (halt === null || !endsByAnswer(halt, replaces)) return [];
  return [{ kind: "halt.cleared", data: { kind: haltKind(halt), reason: "an answer was submitted", by: "answer" } }];
}

/** The digest of the prompt that the step waits for. Errors: `INVALID_STATE` where that prompt was never written. */
function promptDigest(records: readonly AnyRecord[], { key }: StepPlace, { name }: Prompt): Digest {
  const wait = records.findLast(
    (record) => record.kind === "step.waiting" && record.data.key === key && record.data.name === name,
  );
  if (wait?.kind !== "step.waiting")
    throw new RunError("INVALID_STATE", { reason: "this prompt was not written yet: tick the run first", step: key });
  return wait.data.prompt.sha256;
}

/** The name of who answered. It leaves out the id of the agent, so that equal answers give equal reports. */
function shownAs({ model }: AnsweredBy): string {
  return model === undefined ? "agent" : `agent ${model}`;
}

/** The section of a prompt that was answered before: the halt that followed, and the earlier answer. Empty without such a halt. */
function earlierAnswer(
  records: readonly AnyRecord[],
  { key }: StepPlace,
  { name }: Prompt,
  placeOf: (path: string) => string,
): string {
  const at = records.findLastIndex(
    (record) => record.kind === "step.answered" && record.data.key === key && record.data.name === name,
  );
  const answered = records[at];
  if (answered?.kind !== "step.answered") return "";
  const halts = records.slice(at + 1).flatMap((record) => (record.kind === "halt.raised" ? [record.data.halt] : []));
  const halt = halts.findLast((one) => endsByAnswer(one, true) && !endsByAnswer(one, false));
  if (halt === undefined) return "";
  const { kind, details } = knownHalt(halt);
  const { reason = kind } = details;
  return `\n## Asked again\n\nThis was answered before, and then the run came to a halt: ${reason}.\n\nThe earlier answer: ${placeOf(answered.data.answer.path)}\n`;
}
