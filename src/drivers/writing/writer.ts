// Leads the conversation of a writer, who hands a page in, is told all faults at once, and writes only those again.
import type { Conversation, TaskTools, Tool } from "../../ports/driver.ts";
import { instructionsIn, type AnswerForm } from "../asking/brief.ts";
import { readAnswer } from "../asking/read-answer.ts";
import { pageSchema, type PageAnswer, type PageBrief, type Written } from "./page-brief.ts";
import { faultsOf, withWords, WHOLE_PAGE, readyToJudge, type Fault } from "./page/faults.ts";
import { languageFault } from "./page/page-language.ts";
import { liftMarks } from "./page/marks.ts";
import type { Said } from "./page/part-coverage.ts";
import type { Change } from "./page/revision.ts";
import type { WrittenPage } from "./page/written-page.ts";
import { objectTool } from "../asking/object-tool.ts";
import { refusedAgain } from "../asking/refusals.ts";
import { changed, changesSchema, objectionsTo, unknownId, type Writing } from "./page-changes.ts";
import { acceptedCalls, handInBy, noResult, SUBMIT, withLesson } from "../asking/task-loop.ts";

/** How often the writer is told faults of form. What still has faults then is left out. */
const MAX_FORM_ROUNDS = 3;
/** How often the writer is told what does not hold. What still does not hold then is published with its verdict. */
const MAX_OBJECTIONS = 2;
const MAX_NUDGES = 3;
const MAX_TURNS = 12;
/** Shorter replies are remarks. */
const LEAST_PAGE_LENGTH = 200;

const REVISE = "revise";
const NUDGE = `Nothing is handed in yet. Hand the page in by calling "${SUBMIT}", or write it as your reply.`;
const NUDGE_TO_REVISE = `Nothing is written again yet. Write what the remarks name by calling "${REVISE}".`;

/** Errors: `MODEL_FAILED` when the model hands in no page within its turns. */
export async function writePage(writing: Writing, tools: TaskTools): Promise<Written> {
  const { brief, judge, previous, mayChange = () => true } = writing;
  const { name, material } = brief;
  const { named } = material;
  const isNew = previous === undefined;
  const kinds = isNew ? [takingTool({ name: SUBMIT, ...brief.answer }), reviseTool()] : [reviseTool()];
  const open = await tools.converse({ name, role: brief.role, tools: kinds });
  const system = instructionsIn(brief, handInBy(isNew ? SUBMIT : REVISE));
  await open.say("system", withLesson(system, name, tools.lesson));
  await open.say("user", brief.asked);
  let page: WrittenPage | null = previous?.page ?? null;
  let parts: Said[] = [];
  const rounds = { form: 0, objections: 0, nudges: 0 };
  let toldLanguage = false;
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    tools.signal.throwIfAborted();
    const reply = await open.ask();
    if (reply.tool_calls.length > 0) await open.answer();
    const handed = handedIn(open, brief, isNew);
    if (handed.length === 0) {
      const again = refusedAgain(open.messages);
      if (again !== null && page === null) throw noResult(brief, open, again);
      if (again !== null) break;
      if (reply.tool_calls.length > 0) continue;
      // A writer who answers objections with words leaves the page as it is.
      if (page !== null && rounds.objections > 0) break;
      if (++rounds.nudges <= MAX_NUDGES) {
        await open.say("user", isNew ? NUDGE : NUDGE_TO_REVISE);
        continue;
      }
      if (page !== null) break;
      const prose = longestReply(open);
      if (prose === null)
        throw noResult(brief, open, `answered ${rounds.nudges} times in a row without handing a page in`);
      // The writer wrote a page and neither handed it in nor set marks.
      handed.push({ page: prose });
      rounds.form++;
    }
    rounds.nudges = 0;
    const strange: Fault[] = [];
    for (const one of handed) {
      if ("page" in one) {
        page = brief.read(one.page, page);
        if (one.parts !== undefined && one.parts.length > 0) ({ parts } = one);
      } else if (page === null) strange.push(...one.changes.map(unknownId));
      else {
        const after = changed(page, one.changes, writing);
        ({ page } = after);
        strange.push(...after.strange);
      }
    }
    if (page === null) {
      await open.say("user", NUDGE);
      continue;
    }
    readyToJudge(page, named);
    const shown = page;
    const isOpen = ({ id }: Fault): boolean => id === WHOLE_PAGE || mayChange(id, shown);
    const faults = [...brief.faultsOf(page).filter(isOpen), ...strange];
    const language: Fault | null = isNew && !toldLanguage ? languageFault(page, named.question) : null;
    toldLanguage ||= language !== null;
    if (language !== null) faults.unshift(language);
    if (faults.length > 0 && (language !== null || rounds.form < MAX_FORM_ROUNDS)) {
      rounds.form++;
      await open.say("user", told(faults, page, isNew));
      continue;
    }
    const left = faultsOf(page, named);
    if (left.some(({ id }) => id === WHOLE_PAGE)) break;
    await judge.judge(page);
    // While some statements could not be judged nothing is said, since after a crash other things might be said.
    if (!judge.hasJudgedAll(page)) break;
    const objections = objectionsTo({ page, parts, faults: left }, writing);
    if (objections.length === 0 || rounds.objections === MAX_OBJECTIONS) break;
    rounds.objections++;
    await open.say("user", told(objections, page, isNew));
  }
  if (page === null) throw noResult(brief, open, `handed in no page within ${MAX_TURNS} turns`);
  const faults = faultsOf(page, named);
  const whole = faults.find(({ id }) => id === WHOLE_PAGE);
  if (whole !== undefined && brief.mayBeEmpty) return { page: nothingOf(page), parts: [], faults: [] };
  if (whole !== undefined) throw noResult(brief, open, `handed in a page that ${whole.text}`);
  return { page, parts, faults };
}

/** All faults at once. */
function told(faults: readonly Fault[], page: WrittenPage, isNew: boolean): string {
  const orAnew = isNew ? ", or hand the whole page in again" : "";
  return `This cannot stand as it is:\n${JSON.stringify(withWords(faults, page), null, 1)}\nWrite only these again, all in one call of "${REVISE}" (an empty text leaves a sentence out)${orAnew}. Everything else stays.`;
}

// --- what is handed in --------------------------------------------------------------------------------------------

const TAKEN = { content: "Taken. What there is to say about it follows.", is_error: false };

function takingTool<T>(tool: AnswerForm<T> & { name: string }): Tool {
  return objectTool({ ...tool, run: () => TAKEN });
}

function reviseTool(): Tool {
  return takingTool({
    name: REVISE,
    description:
      "Writes single sentences, cells or labels of the page again, by their ids; under the id of a heading, all of its section.",
    schema: changesSchema,
  });
}

/** Arguments that are no JSON: as a page they would be its text. */
const IS_UNREAD_CALL = /\{\s*"(?:changes|page)"\s*:/u;

type Submitted = PageAnswer | { changes: Change[] };

/** What the last reply handed in. A reply with marks counts as a page, unless a page is only to be changed. */
function handedIn(open: Conversation, { material }: PageBrief, isNew: boolean): Submitted[] {
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

function nothingOf(page: WrittenPage): WrittenPage {
  const text = [...page.statements.values()].map((statement) => statement.text).join(" ");
  const taken = [...page.taken, { what: "a page that named no quote", text }];
  return { blocks: [], statements: new Map(), labels: [], taken };
}

/** The longest reply, if it is long enough for a page. Else null. */
function longestReply({ messages }: Conversation): string | null {
  const replies = messages.flatMap((one) =>
    one.role === "assistant" && one.tool_calls.length === 0 ? [one.content] : [],
  );
  const longest = replies.toSorted((a, b) => b.length - a.length)[0] ?? "";
  return longest.length < LEAST_PAGE_LENGTH ? null : longest;
}
