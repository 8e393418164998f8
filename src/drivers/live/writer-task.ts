// Leads the writer's conversation: it hands a page in, hears all that is wrong with it at once, and writes only that again.
import { RunError } from "../../kernel/errors.ts";
import { z } from "../../kernel/schema.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Conversation, TaskTools, Tool } from "../../ports/driver.ts";
import type { Said } from "./coverage.ts";
import { objectTool, readArguments } from "./object-tool.ts";
import { faultsOf, WHOLE_PAGE, withPlainExpressions, type Fault, type Named } from "./page-faults.ts";
import type { PageJudge } from "./page-judge.ts";
import { liftMarks } from "./page-marks.ts";
import { idsChangedBy, revised, type Change } from "./page-revision.ts";
import { tieToQuotes } from "./nearest-quotes.ts";
import { NO_RESULT, SUBMIT } from "./task-loop.ts";
import { MAX_PAGE_LENGTH, type Titles, type WrittenPage } from "./written-page.ts";

/** How often the writer hears of faults of form; what is left then is left out. */
const MAX_FORM_ROUNDS = 3;
/** How often it hears of what does not hold; what is left then is published as what it is. */
const MAX_OBJECTIONS = 2;
const MAX_NUDGES = 3;
const MAX_TURNS = 12;
const MAX_SHOWN = 160;
/** Shorter replies are remarks. */
const LEAST_PAGE_LENGTH = 200;

const REVISE = "revise";
const NUDGE = `Nothing is handed in yet. Hand the page in by calling "${SUBMIT}", or write it as your reply.`;
const NUDGE_TO_REVISE = `Nothing is written again yet. Write what the remarks name by calling "${REVISE}".`;

const pageSchema = z.object({
  page: z.string().min(1).max(MAX_PAGE_LENGTH),
  parts: z.array(partSchema()).max(40).optional(),
});
const changesSchema = z.object({
  changes: z.array(z.object({ statement_id: z.string().max(20), text: z.string().max(20_000) })).max(200),
});

function partSchema() {
  return z.object({ part_id: z.string(), coverage: z.union([z.literal(0), z.literal(0.5), z.literal(1)]) });
}

export interface WriterTask {
  /** Of the conversation. */
  name: string;
  /** What is handed in, for the description of the tool. */
  handsIn: string;
  system: string;
  user: string;
  named: Named;
  titles: Titles;
  judge: PageJudge;
  /** A page that names no quote, and whose words stand in none, is left out and no failure. */
  mayBeEmpty?: true;
  /** A page of which some is written again; it cannot be handed in anew. */
  previous?: WrittenPage;
  /** Reads what is handed in; `page` is what the writer saw last. */
  read: (source: string, page: WrittenPage | null) => WrittenPage;
  /** What of a page may be written again; all of it without this. */
  mayChange?: (id: string, page: WrittenPage) => boolean;
  /** The quotes of which a share has to be used, and which of them are when what does not hold is left out. */
  use: { ids: readonly string[]; least: number; left: (written: Written) => ReadonlySet<string> };
}

export interface Written {
  page: WrittenPage;
  parts: Said[];
  /** Faults of form that are left. */
  faults: Fault[];
}

type HandedIn = { kind: "page"; source: string; parts: Said[] } | { kind: "changes"; changes: Change[] };

/** Errors: `MODEL_FAILED` when the model hands in no page within its turns. */
export async function writePage(task: WriterTask, tools: TaskTools): Promise<Written> {
  const { name, named, judge } = task;
  const { previous, mayChange = () => true } = task;
  const kinds = previous === undefined ? [submitTool(task.handsIn), reviseTool()] : [reviseTool()];
  const open = await tools.converse({ name, role: "writer", tools: kinds });
  await open.say("system", task.system);
  await open.say("user", task.user);
  let page: WrittenPage | null = previous ?? null;
  let parts: Said[] = [];
  const rounds = { form: 0, objections: 0, nudges: 0 };
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    tools.signal.throwIfAborted();
    const reply = await open.ask();
    if (reply.tool_calls.length > 0) await open.answer();
    const handed = handedIn(open, named);
    if (handed.length === 0) {
      if (reply.tool_calls.length > 0) continue;
      // Who answers objections with words means the page as it stands.
      if (page !== null && rounds.objections > 0) break;
      if (++rounds.nudges <= MAX_NUDGES) {
        await open.say("user", previous === undefined ? NUDGE : NUDGE_TO_REVISE);
        continue;
      }
      const prose = page === null ? longestReply(open) : null;
      if (page !== null) break;
      if (prose === null)
        throw noPage(open, task, `answered ${rounds.nudges} times in a row without handing a page in`);
      // It has written, and neither handed in nor marked anything.
      handed.push({ kind: "page", source: prose, parts: [] });
      rounds.form++;
    }
    rounds.nudges = 0;
    const strange: Fault[] = [];
    for (const one of handed) {
      if (one.kind === "page") {
        page = task.read(one.source, page);
        if (one.parts.length > 0) ({ parts } = one);
      } else if (page === null) strange.push(...one.changes.map(unknownId));
      else {
        const after = changed(page, one.changes, task);
        ({ page } = after);
        strange.push(...after.strange);
      }
    }
    if (page === null) {
      await open.say("user", NUDGE);
      continue;
    }
    // A page that names no quote goes back once, for its marks.
    if (rounds.form > 0 || namesQuotes(page, named)) tieToQuotes(page, named);
    withPlainExpressions(page, named);
    const shown = page;
    const isOpen = ({ id }: Fault): boolean => id === WHOLE_PAGE || mayChange(id, shown);
    const faults = [...formFaults(page, task).filter(isOpen), ...strange];
    if (faults.length > 0 && rounds.form < MAX_FORM_ROUNDS) {
      rounds.form++;
      await open.say("user", told(faults, page, previous === undefined));
      continue;
    }
    const left = faultsOf(page, named);
    if (left.some(({ id }) => id === WHOLE_PAGE)) break;
    await judge.judge(page);
    if (!judge.hasJudgedAll(page)) break;
    const objections = judge.objections(page).filter(isOpen);
    // What does not hold is left out, and with it the quotes that it used.
    const problem = tooFewUsed(task.use, task.use.left({ page, parts, faults: left }));
    if (problem !== null) objections.push({ id: WHOLE_PAGE, text: `${problem}, when what does not hold is left out` });
    if (objections.length === 0 || rounds.objections === MAX_OBJECTIONS) break;
    rounds.objections++;
    await open.say("user", told(objections, page, previous === undefined));
  }
  if (page === null) throw noPage(open, task, `handed in no page within ${MAX_TURNS} turns`);
  const faults = faultsOf(page, named);
  const whole = faults.find(({ id }) => id === WHOLE_PAGE);
  if (whole !== undefined && task.mayBeEmpty === true) return { page: nothingOf(page), parts: [], faults: [] };
  if (whole !== undefined) throw noPage(open, task, `handed in a page that ${whole.text}`);
  return { page, parts, faults };
}

function formFaults(page: WrittenPage, { named, use }: WriterTask): Fault[] {
  const faults = faultsOf(page, named);
  if (faults.some(({ id }) => id === WHOLE_PAGE)) return faults;
  const used = [...page.statements.values()].flatMap(({ citation_ids, near = [] }) => [...citation_ids, ...near]);
  const problem = tooFewUsed(use, new Set(used));
  return problem === null ? faults : [...faults, { id: WHOLE_PAGE, text: problem }];
}

function tooFewUsed({ ids, least }: WriterTask["use"], used: ReadonlySet<string>): string | null {
  const own = ids.filter((id) => used.has(id)).length;
  if (ids.length === 0 || own / ids.length >= least) return null;
  return `uses ${own} of ${ids.length} quotes, at least ${Math.round(least * 100)} % have to be`;
}

function changed(
  page: WrittenPage,
  changes: readonly Change[],
  { titles, mayChange = () => true }: Pick<WriterTask, "titles" | "mayChange">,
): { page: WrittenPage; strange: Fault[] } {
  const wanted = changes.filter((change) => idsChangedBy(change, page).every((id) => mayChange(id, page)));
  const after = revised(page, wanted, titles);
  const others = changes.filter((change) => !wanted.includes(change));
  return {
    page: after.page,
    strange: [
      ...after.unknown.map((statement_id) => unknownId({ statement_id })),
      ...others.map(({ statement_id: id }) => ({ id, text: "is not to be written again: leave it as it is" })),
    ],
  };
}

function unknownId({ statement_id: id }: Pick<Change, "statement_id">): Fault {
  return { id, text: "is no sentence or label of the page" };
}

/** All faults at once, each with the words that it is about: as data, since a verifier's reason may repeat what it read. */
function told(faults: readonly Fault[], page: WrittenPage, isNew: boolean): string {
  const shown = faults.map(({ id, text: reason }) => {
    const words = page.statements.get(id)?.text ?? page.labels.find(({ label_id }) => label_id === id)?.text;
    return { statement_id: id, ...(words === undefined ? {} : { text: shortened(words, MAX_SHOWN) }), reason };
  });
  const orAnew = isNew ? ", or hand the whole page in again" : "";
  return `This cannot stand as it is:\n${JSON.stringify(shown, null, 1)}\nWrite only these again, all in one call of "${REVISE}" (an empty text leaves a sentence out)${orAnew}. Everything else stays.`;
}

// --- what is handed in --------------------------------------------------------------------------------------------

const TAKEN = "Taken. What there is to say about it follows.";

function submitTool(what: string): Tool {
  return objectTool({
    name: SUBMIT,
    description: `Hands ${what} in, as Markdown with marks.`,
    schema: pageSchema,
    isSafe: () => true,
    run: async () => ({ content: TAKEN, is_error: false }),
  });
}

function reviseTool(): Tool {
  return objectTool({
    name: REVISE,
    description:
      "Writes single sentences, cells or labels of the page again, by their ids; under the id of a heading, all of its section.",
    schema: changesSchema,
    isSafe: () => true,
    run: async () => ({ content: TAKEN, is_error: false }),
  });
}

/** Read from the stored messages, so that a resumed step finds it too. A reply that is a page is one. */
function handedIn({ messages }: Conversation, named: Named): HandedIn[] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const reply = messages[at];
  if (reply?.role !== "assistant") return [];
  if (reply.tool_calls.length === 0)
    return isPage(reply.content, named) ? [{ kind: "page", source: reply.content, parts: [] }] : [];
  const accepted = new Set(
    messages.slice(at + 1).flatMap((one) => (one.role === "tool" && one.is_error !== true ? [one.tool_call_id] : [])),
  );
  return reply.tool_calls.flatMap(({ tool_call_id, name, arguments: args }): HandedIn[] => {
    if (!accepted.has(tool_call_id)) return [];
    if (name === SUBMIT) {
      const read = readArguments(pageSchema, args);
      return read.kind === "fit" ? [{ kind: "page", source: read.value.page, parts: read.value.parts ?? [] }] : [];
    }
    const read = name === REVISE ? readArguments(changesSchema, args) : null;
    return read?.kind === "fit" ? [{ kind: "changes", changes: read.value.changes }] : [];
  });
}

function namesQuotes({ statements }: WrittenPage, { citations }: Named): boolean {
  return [...statements.values()].some(({ citation_ids }) => citation_ids.some((id) => citations.has(id)));
}

function nothingOf(page: WrittenPage): WrittenPage {
  const text = [...page.statements.values()].map((statement) => statement.text).join(" ");
  const taken = [...page.taken, { what: "a page that named no quote", text }];
  return { blocks: [], statements: new Map(), labels: [], taken };
}

/** What reads like a page; null where there is no more than a remark. */
function longestReply({ messages }: Conversation): string | null {
  const replies = messages.flatMap((one) =>
    one.role === "assistant" && one.tool_calls.length === 0 ? [one.content] : [],
  );
  const longest = replies.toSorted((a, b) => b.length - a.length)[0] ?? "";
  return longest.length < LEAST_PAGE_LENGTH ? null : longest;
}

function isPage(text: string, { citations }: Named): boolean {
  return liftMarks(text).marks.some(({ ids }) => ids.some((id) => citations.has(id) || id.startsWith("s")));
}

function noPage({ asked }: Conversation, { name }: WriterTask, what: string): RunError {
  return new RunError("MODEL_FAILED", {
    reason: `the model ${what}`,
    kind: NO_RESULT,
    conversation: name,
    asked,
    retryable: false,
  });
}
