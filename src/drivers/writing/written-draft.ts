// Makes a draft of the page that a model, or an agent or a person outside, has written.
import type { TaskTools } from "../../ports/driver.ts";
import { isAnswerContradicted } from "../../run/report/contradicted-apart.ts";
import { doubtsOf, tooManyDoubts } from "../../run/report/doubts.ts";
import type { Draft } from "../../run/report/report.ts";
import { claimsOf } from "../../run/report/statements.ts";
import { performedBy } from "../asking/performer.ts";
import { isUnclear } from "../verdicts/support.ts";
import { draftOf } from "./draft-of-page.ts";
import { usedIn } from "./material.ts";
import { modelWriter } from "./model-writer.ts";
import { outsideWriter } from "./outside-writer.ts";
import type { Writing } from "./page-changes.ts";
import { faultsOf, tooFewUsed, WHOLE_PAGE, type Fault } from "./page/faults.ts";
import { pageWith } from "./page/written-page.ts";
import { writePage, type Writer } from "./writer.ts";

/**
 * What does not hold is left out, and the rest is judged again without it, until nothing more has to go. Errors: those of the
 * writer, and `MODEL_FAILED` when the verifier does not answer.
 */
export async function writtenDraft(writing: Writing, tools: TaskTools): Promise<Draft> {
  const { brief, input, judge, previous, notes = [] } = writing;
  const { material } = brief;
  const writer = await performedBy<Promise<Writer> | Writer>(brief.role, tools, {
    model: () => modelWriter(writing, tools),
    outside: (work) => outsideWriter(writing, work),
  });
  const written = await writePage(writing, writer);
  let now = { ...written, parts: previous?.parts ?? written.parts };
  let allNotes = notes;
  /** The draft before doubtful statements were left out. */
  let doubtful: Draft | null = null;
  // Each round has fewer statements than the one before.
  for (;;) {
    await judge.judge(now.page);
    judge.refuseUnjudged(now.page, input.limits.max_unsupported_share);
    const draft = draftOf(now, judge, input, material, allNotes);
    const page = pageWith(now.page, (id) => id in draft.statements);
    const isStable = page.statements.size === now.page.statements.size;
    const faults = isStable
      ? surplusDoubts(draft, writing, doubtful !== null)
      : faultsOf(page, material.named).filter(({ id }) => id !== WHOLE_PAGE);
    if (isStable && faults.length === 0) return doubtful === null || mayPass(draft, writing) ? draft : doubtful;
    if (isStable) doubtful ??= draft;
    now = { page, parts: now.parts, faults };
    allNotes = draft.made.notes;
  }
}

/**
 * The statements that the verifier does not find supported, when a report may not have so many of them, so that a weak writer
 * does not withhold what is supported. What follows from them is judged without them. If too many are doubtful `again`, it goes
 * as well: a chain of conclusions would otherwise be judged once for each of its links.
 */
function surplusDoubts(draft: Draft, { input, isPart }: Writing, again: boolean): Fault[] {
  const claims = claimsOf(draft);
  if (isPart === true || tooManyDoubts(doubtsOf(claims), input.limits) === null) return [];
  const gone = claims.filter((claim) => isUnclear(claim) || (again && claim.verdict === "not_checked"));
  return gone.map((claim) => ({
    id: claim.statement_id,
    text: `${isUnclear(claim) ? "says what its quotes do not" : "was not checked"}${claim.reason === undefined ? "" : ` (${claim.reason})`}`,
  }));
}

/** False when gate E would refuse the draft without its doubtful statements as well, so that nothing is won without them. */
function mayPass(draft: Draft, { brief, input }: Writing): boolean {
  const claims = claimsOf(draft);
  return (
    claims.some(({ verdict }) => verdict === "supported") &&
    tooManyDoubts(doubtsOf(claims), input.limits) === null &&
    tooFewUsed(brief.use, usedIn(draft, brief.material)).length === 0 &&
    !isAnswerContradicted(draft)
  );
}
