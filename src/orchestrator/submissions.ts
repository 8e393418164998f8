// Takes up the answers that other processes handed to this owner: between steps, each once.
import { RunError, type ErrorCode, isFault } from "../kernel/errors.ts";
import { given } from "../kernel/given.ts";
import type { Interruption } from "../ports/interruption.ts";
import type { AttachedSource } from "../ports/provider.ts";
import { isResult, resultRecord, type ResultOutcome, type ResultRequest } from "../run/log/request.ts";
import { answerText, judgeSubmission, takeSubmission } from "./submission.ts";
import type { Ownership } from "./ownership.ts";

/** Takes up all that wait, the oldest first, and counts the steps that end. Returns what interrupts the work. */
export async function takeSubmissions(
  ownership: Ownership,
  done: { steps_completed: number },
): Promise<Interruption | null> {
  const { writer } = ownership;
  const waiting = (await writer.requests()).filter(isResult);
  for (const request of waiting.toSorted((one, other) => (one.requested_at < other.requested_at ? -1 : 1))) {
    if (ownership.interruption !== null) return null;
    if (!writer.manifest.requests_done.includes(request.request_id)) {
      const { became, interruption } = await takenUp(ownership, request, done);
      if (interruption !== null) return interruption;
      if (became !== null) await writer.commit([resultRecord(request, became)]);
    }
    // The file goes after the record: after a crash in between, the record says that the request is done.
    await writer.dropRequest(request.request_id);
  }
  return null;
}

/** `became` is null when the commit that took the answer has ended the request as well. */
async function takenUp(
  ownership: Ownership,
  request: ResultRequest,
  done: { steps_completed: number },
): Promise<{ became: ResultOutcome | null; interruption: Interruption | null }> {
  const { writer, view } = ownership;
  const { manifest, runRoot } = writer;
  const { step, prompt, replaces, by, answer } = request;
  try {
    const submitted = { step, prompt, replaces, digest: answer.sha256 };
    const run = { manifest, runRoot, state: manifest.execution_state };
    if (judgeSubmission(run, await view.records(), submitted) === "already")
      return { became: { outcome: "already" }, interruption: null };
    const text = answerText(await partOf(ownership, request, 0, answer));
    const sources: AttachedSource[] = [];
    for (const [at, ref] of request.sources.entries()) {
      const { name, media_type, title } = ref;
      sources.push({ name, bytes: await partOf(ownership, request, at + 1, ref), ...given({ media_type, title }) });
    }
    const submission = { key: step, text, by, replaces, request };
    const { isTaken, completed, interruption } = await takeSubmission(ownership, submission, sources);
    done.steps_completed += completed;
    if (isTaken) return { became: null, interruption };
    const refused = { outcome: "refused" as const, problems: ["the step waits for no answer any more"] };
    return interruption === null ? { became: refused, interruption: null } : { became: null, interruption };
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    return { became: refusal, interruption: null };
  }
}

async function partOf(
  { writer }: Ownership,
  { request_id }: ResultRequest,
  part: number,
  ref: ResultRequest["answer"],
): Promise<Uint8Array> {
  const bytes = await writer.requestPart(request_id, part, ref);
  if (bytes === null) throw new RunError("AGENT_RESULT_INVALID", { reason: "the submitted answer is gone or altered" });
  return bytes;
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(["AGENT_RESULT_INVALID", "INVALID_STATE", "NOT_FOUND"]);

/** What is wrong with the answer; null for an error that is not about the answer. */
function refusalIn(error: unknown): ResultOutcome | null {
  if (!(error instanceof RunError) || !REFUSALS.has(error.code)) return null;
  const { problems = [], more_problems } = isFault(error, "AGENT_RESULT_INVALID") ? error.facts : {};
  const all = problems.length > 0 ? [...problems] : [error.facts.reason ?? error.code];
  const more = more_problems === undefined ? [] : [`and ${more_problems} more`];
  return { outcome: "refused", problems: [...all, ...more] };
}
