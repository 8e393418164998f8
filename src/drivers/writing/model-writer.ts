// A model that writes a page, in one conversation.
import type { RunError } from "../../kernel/errors.ts";
import type { Conversation, TaskTools, Tool } from "../../ports/driver.ts";
import { acceptedCalls, submitBy, noResult, SUBMIT, withLesson } from "../asking/answer-from-model.ts";
import { instructionsIn, taskText, type AnswerForm } from "../asking/brief.ts";
import { objectTool } from "../asking/object-tool.ts";
import { readAnswer } from "../asking/read-answer.ts";
import { refusedAgain } from "../asking/refusals.ts";
import { pageSchema, type PageBrief } from "./page-brief.ts";
import { changesSchema, type Writing } from "./page-changes.ts";
import { withWords, type Fault } from "./page/faults.ts";
import { liftMarks } from "./page/marks.ts";
import type { WrittenPage } from "./page/written-page.ts";
import type { Submitted, Writer } from "./writer.ts";

const MAX_NUDGES = 3;
const MAX_TURNS = 12;
/** Shorter replies are remarks. */
const LEAST_PAGE_LENGTH = 200;

const REVISE = "revise";
const NUDGE = `Nothing is submitted yet. Submit the page by calling "${SUBMIT}", or write it as your reply.`;
const NUDGE_TO_REVISE = `Nothing is written again yet. Write what the remarks name by calling "${REVISE}".`;

/** Its errors are `MODEL_FAILED`, when the model submits no page within its turns. */
export async function modelWriter({ brief, previous }: Writing, tools: TaskTools): Promise<Writer> {
  const { name, role } = brief;
  // When parts of an earlier page are written again, no whole page may be submitted.
  const isNew = previous === undefined;
  const kinds = isNew ? [takingTool({ name: SUBMIT, ...brief.answer }), reviseTool()] : [reviseTool()];
  const open = await tools.converse({ name, role, tools: kinds });
  const system = instructionsIn(brief, submitBy(isNew ? SUBMIT : REVISE));
  await open.say("system", withLesson(system, name, tools.lesson));
  await open.say("user", taskText(brief));
  const failure = (what: string): RunError => noResult(brief, open, what);
  let turns = 0;
  let nudges = 0;
  let hasObjections = false;
  return {
    formRounds: 3,
    objectionRounds: 2,
    failure,
    async next(page, remarks) {
      if (remarks !== null) await open.say("user", page === null ? NUDGE : remarksOn(remarks.faults, page, isNew));
      hasObjections ||= remarks?.about === "evidence";
      while (turns < MAX_TURNS) {
        turns++;
        tools.signal.throwIfAborted();
        const reply = await open.ask();
        if (reply.tool_calls.length > 0) await open.answer();
        const submitted = submittedIn(open, brief, isNew);
        if (submitted.length > 0) {
          nudges = 0;
          return submitted;
        }
        const again = refusedAgain(open.messages);
        if (again !== null && page === null) throw failure(again);
        if (again !== null) return null;
        if (reply.tool_calls.length > 0) continue;
        // A writer who answers objections with words leaves the page as it is.
        if (page !== null && hasObjections) return null;
        if (++nudges <= MAX_NUDGES) {
          await open.say("user", isNew ? NUDGE : NUDGE_TO_REVISE);
          continue;
        }
        if (page !== null) return null;
        const prose = longestReply(open);
        if (prose === null) throw failure(`answered ${nudges} times in a row without handing a page in`);
        nudges = 0;
        return [{ page: prose, isUnsent: true }];
      }
      if (page === null) throw failure(`submitted no page within ${MAX_TURNS} turns`);
      return null;
    },
  };
}

/** Arguments that are no JSON: as a page they would be its text. */
const IS_UNREAD_CALL = /\{\s*"(?:changes|page)"\s*:/u;

/** What the last reply submitted. A reply with marks counts as a page, unless a page is only to be changed. */
function submittedIn(open: Conversation, { material }: PageBrief, isNew: boolean): Submitted[] {
  const reply = open.messages.findLast(({ role }) => role === "assistant");
  if (reply?.role !== "assistant") return [];
  if (reply.tool_calls.length === 0) {
    if (!isNew || IS_UNREAD_CALL.test(reply.content)) return [];
    const isPage = liftMarks(reply.content).marks.some(({ ids }) =>
      ids.some((id) => material.named.citations.has(id) || id.startsWith("s")),
    );
    return isPage ? [{ page: reply.content }] : [];
  }
  return acceptedCalls(open).flatMap(({ name, arguments: args }): Submitted[] => {
    const read = name === SUBMIT ? readAnswer(pageSchema, args) : readAnswer(changesSchema, args);
    return read.kind === "fit" ? [read.value] : [];
  });
}

const TAKEN = { content: "Taken. What there is to say about it follows.", is_error: false };

function takingTool<T>(tool: AnswerForm<T> & { name: string }): Tool {
  return objectTool({ ...tool, run: () => TAKEN });
}

function reviseTool(): Tool {
  return takingTool({
    name: REVISE,
    description:
      'Writes single sentences, cells or labels of the page again, by their ids; under the id of a heading, all of its section. With "after" in place of "statement_id" it adds sentences, items or rows of a table behind that one.',
    schema: changesSchema,
  });
}

/** All faults at once. */
function remarksOn(faults: readonly Fault[], page: WrittenPage, isNew: boolean): string {
  const orAnew = isNew ? ", or hand the whole page in again" : "";
  return `This cannot stand as it is:\n${JSON.stringify(withWords(faults, page), null, 1)}\nWrite only these again, all in one call of "${REVISE}" (an empty text leaves a sentence out)${orAnew}. Everything else stays.`;
}

/** The longest reply, if it is long enough for a page. Else null. */
function longestReply({ messages }: Conversation): string | null {
  const replies = messages.flatMap((one) =>
    one.role === "assistant" && one.tool_calls.length === 0 ? [one.content] : [],
  );
  const longest = replies.toSorted((a, b) => b.length - a.length)[0] ?? "";
  return longest.length < LEAST_PAGE_LENGTH ? null : longest;
}
