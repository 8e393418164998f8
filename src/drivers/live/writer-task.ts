// Leads the writer's conversation: it hands a page in, hears all that is wrong with it at once, and writes only that again.
import { RunError } from "../../kernel/errors.ts";
import { z } from "../../kernel/schema.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Conversation, TaskTools, Tool } from "../../ports/driver.ts";
import { objectTool, readArguments } from "./object-tool.ts";
import { faultsOf, WHOLE_PAGE, withPlainExpressions, type Fault, type Named } from "./page-faults.ts";
import type { PageJudge } from "./page-judge.ts";
import { liftMarks } from "./page-marks.ts";
import { revised, type Change } from "./page-revision.ts";
import { NO_RESULT, SUBMIT } from "./task-loop.ts";
import { MAX_PAGE_LENGTH, readPage, type Titles, type WrittenPage } from "./written-page.ts";

/** How often the writer hears of faults of form; what is left then is left out. */
const MAX_FORM_ROUNDS = 3;
/** How often it hears of what does not hold; what is left then is published as what it is. */
const MAX_OBJECTIONS = 2;
const MAX_NUDGES = 3;
const MAX_TURNS = 12;
const MAX_SHOWN = 160;

const REVISE = "revise";
const NUDGE = `Nothing is handed in yet. Hand the page in by calling "${SUBMIT}", or write it as your reply.`;

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
export type WrittenPart = z.infer<ReturnType<typeof partSchema>>;

export interface WriterTask {
  system: string;
  user: string;
  named: Named;
  titles: Titles;
  judge: PageJudge;
  /** Of an earlier draft that is written again. */
  previous: WrittenPage | null;
  /** What else is wrong with a page as a whole. */
  problemOf: (page: WrittenPage) => string | null;
}

export interface Written {
  page: WrittenPage;
  parts: WrittenPart[];
  /** Faults of form that are left. */
  faults: Fault[];
}

type HandedIn = { kind: "page"; source: string; parts: WrittenPart[] } | { kind: "changes"; changes: Change[] };

/** Errors: `MODEL_FAILED` when the model hands in no page within its turns. */
export async function writePage(task: WriterTask, tools: TaskTools): Promise<Written> {
  const { named, titles, judge } = task;
  const open = await tools.converse({ name: "draft", role: "writer", tools: [submitTool(), reviseTool()] });
  await open.say("system", task.system);
  await open.say("user", task.user);
  let page = task.previous;
  let parts: WrittenPart[] = [];
  let isHandedIn = false;
  const rounds = { form: 0, objections: 0, nudges: 0 };
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    tools.signal.throwIfAborted();
    const reply = await open.ask();
    if (reply.tool_calls.length > 0) await open.answer();
    const handed = handedIn(open, named);
    if (handed.length === 0) {
      if (reply.tool_calls.length > 0) continue;
      // Who answers objections with words means the page as it stands.
      if (isHandedIn && rounds.objections > 0) break;
      if (++rounds.nudges > MAX_NUDGES)
        throw noPage(open, `answered ${rounds.nudges} times in a row without handing a page in`);
      await open.say("user", NUDGE);
      continue;
    }
    rounds.nudges = 0;
    isHandedIn = true;
    const unknown: string[] = [];
    for (const one of handed) {
      if (one.kind === "page") {
        page = readPage(one.source, titles, page?.statements ?? new Map());
        if (one.parts.length > 0) ({ parts } = one);
      } else if (page === null) unknown.push(...one.changes.map(({ statement_id }) => statement_id));
      else {
        const after = revised(page, one.changes, titles);
        ({ page } = after);
        unknown.push(...after.unknown);
      }
    }
    if (page === null) {
      await open.say("user", NUDGE);
      continue;
    }
    withPlainExpressions(page, named);
    const faults = formFaults(page, task, unknown);
    if (faults.length > 0 && rounds.form < MAX_FORM_ROUNDS) {
      rounds.form++;
      await open.say("user", told(faults, page));
      continue;
    }
    if (faults.some(({ id }) => id === WHOLE_PAGE) && faultsOf(page, named).some(({ id }) => id === WHOLE_PAGE)) break;
    await judge.judge(page);
    if (!judge.hasJudgedAll(page)) break;
    const objections = judge.objections(page);
    if (objections.length === 0 || rounds.objections === MAX_OBJECTIONS) break;
    rounds.objections++;
    await open.say("user", told(objections, page));
  }
  if (page === null || !isHandedIn) throw noPage(open, `handed in no page within ${MAX_TURNS} turns`);
  const faults = faultsOf(page, named);
  const whole = faults.find(({ id }) => id === WHOLE_PAGE);
  if (whole !== undefined) throw noPage(open, `handed in a page that ${whole.text}`);
  return { page, parts, faults };
}

function formFaults(page: WrittenPage, { named, problemOf }: WriterTask, unknown: readonly string[]): Fault[] {
  const faults = faultsOf(page, named);
  const strange = unknown.map((id) => ({ id, text: "is no sentence or label of the page" }));
  const problem = faults.some(({ id }) => id === WHOLE_PAGE) ? null : problemOf(page);
  return [...faults, ...strange, ...(problem === null ? [] : [{ id: WHOLE_PAGE, text: problem }])];
}

/** All faults at once, each with the words that it is about: as data, since a verifier's reason may repeat what it read. */
function told(faults: readonly Fault[], page: WrittenPage): string {
  const shown = faults.map(({ id, text: reason }) => {
    const words = page.statements.get(id)?.text ?? page.labels.find(({ label_id }) => label_id === id)?.text;
    return { statement_id: id, ...(words === undefined ? {} : { text: shortened(words, MAX_SHOWN) }), reason };
  });
  return `This cannot stand as it is:\n${JSON.stringify(shown, null, 1)}\nWrite only these again, all in one call of "${REVISE}" (an empty text leaves a sentence out), or hand the whole page in again. Everything else stays.`;
}

// --- what is handed in --------------------------------------------------------------------------------------------

const TAKEN = "Taken. What there is to say about it follows.";

function submitTool(): Tool {
  return objectTool({
    name: SUBMIT,
    description: "Hands the draft in: the whole page, as Markdown with marks.",
    schema: pageSchema,
    isSafe: () => true,
    run: async () => ({ content: TAKEN, is_error: false }),
  });
}

function reviseTool(): Tool {
  return objectTool({
    name: REVISE,
    description: "Writes single sentences, cells or labels of the page again, by their ids.",
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

function isPage(text: string, { citations }: Named): boolean {
  return liftMarks(text).marks.some(({ ids }) => ids.some((id) => citations.has(id)));
}

function noPage({ asked }: Conversation, what: string): RunError {
  return new RunError("MODEL_FAILED", {
    reason: `the model ${what}`,
    kind: NO_RESULT,
    conversation: "draft",
    asked,
    retryable: false,
  });
}
