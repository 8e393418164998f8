// Has a page written: the writer submits it, gets all faults at once, and writes only those again.
import { assert } from "../../kernel/assert.ts";
import type { RunError } from "../../kernel/errors.ts";
import type { Written } from "./draft-of-page.ts";
import type { PageAnswer } from "./page-brief.ts";
import { changed, idOf, objectionsTo, unknownId, type Writing } from "./page-changes.ts";
import type { PageJudge } from "./page-judge.ts";
import { withoutExcess } from "./page/excess.ts";
import { faultsOf, readyToJudge, WHOLE_PAGE, type Fault } from "./page/faults.ts";
import type { Said } from "./page/part-coverage.ts";
import type { Change } from "./page/revision.ts";
import { labelsOf, type WrittenPage } from "./page/written-page.ts";
import { distinctWords, isInAnotherLanguage } from "../../corpus/words/languages.ts";

/** A model or a person who writes a page. */
export interface Writer {
  /** How often it gets faults of form, whose sentences are left out then. None when it cannot submit a page with faults. */
  readonly formRounds: number;
  /** How often it gets what does not hold, which is published with its verdict then. */
  readonly objectionRounds: number;
  /** What it submits next; null when it submits no more. `page`: as it is now, null before the first one. Throws if none comes. */
  next(page: WrittenPage | null, remarks: Remarks | null): Promise<Submitted[] | null>;
  /** The error of a page of which nothing can be used. */
  failure(what: string): RunError;
}

/** What is said to the writer about its page. */
export interface Remarks {
  about: "form" | "evidence";
  faults: readonly Fault[];
}

/** `isUnsent`: a page that was written and not submitted, which counts as a round of form. */
export type Submitted = (PageAnswer & { isUnsent?: true }) | { changes: Change[] };

/** Errors: those of the writer. */
export async function writePage(writing: Writing, writer: Writer): Promise<Written> {
  const { brief, judge, previous, mayChange = () => true } = writing;
  const { named } = brief.material;
  let page: WrittenPage | null = previous?.page ?? null;
  let parts: Said[] = [];
  let remarks: Remarks | null = null;
  const rounds = { form: 0, objections: 0 };
  const shortened = new Set<string>();
  let isLanguageOpen = previous === undefined && writer.formRounds > 0;
  for (;;) {
    const submitted = await writer.next(page, remarks);
    if (submitted === null) break;
    const strange: Fault[] = [];
    for (const one of submitted) {
      if ("page" in one) {
        page = titled(brief.read(one.page, page), writing.isPart === true ? "" : one.title);
        judge.forgetLabels();
        if (one.parts !== undefined && one.parts.length > 0) ({ parts } = one);
        if (one.isUnsent === true) rounds.form++;
      } else if (page === null) strange.push(...one.changes.map((change) => unknownId(idOf(change))));
      else {
        const after = changed(page, one.changes, writing);
        ({ page } = after);
        strange.push(...after.strange);
      }
    }
    if (page === null) {
      remarks = { about: "form", faults: strange };
      continue;
    }
    readyToJudge(page, named);
    const shown = page;
    const isOpen = ({ id }: Fault): boolean => id === WHOLE_PAGE || mayChange(id, shown);
    const faults = [...brief.faultsOf(page).filter(isOpen), ...strange];
    const language = isLanguageOpen ? languageFault(page, named.question) : null;
    if (language !== null) {
      isLanguageOpen = false;
      faults.unshift(language);
    }
    if (faults.length > 0 && (language !== null || rounds.form < writer.formRounds)) {
      rounds.form++;
      remarks = { about: "form", faults };
      continue;
    }
    const left = faultsOf(page, named);
    if (left.some(({ id }) => id === WHOLE_PAGE)) break;
    const judged = await judgedPage({ page, parts, faults: left }, writing, shortened, rounds.objections > 0);
    ({ page } = judged);
    const { objections } = judged;
    if (objections.length === 0 || rounds.objections === writer.objectionRounds) break;
    rounds.objections++;
    remarks = { about: "evidence", faults: objections };
  }
  assert(page !== null, "a writer who submits no page throws");
  const faults = faultsOf(page, named);
  const whole = faults.find(({ id }) => id === WHOLE_PAGE);
  if (whole !== undefined && brief.mayBeEmpty) return { page: nothingOf(page), parts: [], faults: [] };
  if (whole !== undefined) throw writer.failure(`submitted a page that ${whole.text}`);
  return { page, parts, faults };
}

/** The page under this title, if it has none. */
function titled(page: WrittenPage, given = ""): WrittenPage {
  const title = given.replace(/^[\s#]+/u, "").trim();
  return page.title !== undefined || title === "" ? page : { ...page, title, labels: labelsOf(page.blocks, title) };
}

/**
 * The page with its verdicts, and what does not hold of it for the writer; nothing while some statements could not be judged,
 * since after a crash other things might be said. Where only some words go too far they are left out, once, and the rest is judged
 * again. `isAgain`: a part of the page was written again, whose verdicts come with the answer's.
 */
async function judgedPage(
  written: Written,
  writing: Writing,
  shortened: Set<string>,
  isAgain: boolean,
): Promise<{ page: WrittenPage; objections: Fault[] }> {
  const { judge, isPart } = writing;
  let { page } = written;
  for (let isChanged = isAgain; ; isChanged = true) {
    if (isPart === true && isChanged && judge.putOff(page)) return { page, objections: [] };
    await judge.judge(page);
    if (!judge.hasJudgedAll(page)) return { page, objections: [] };
    const objections = objectionsTo({ ...written, page }, writing);
    const shorter = withoutExcesses(page, objections, judge, shortened);
    if (shorter === null) return { page, objections };
    page = shorter;
    const others = objections.filter(({ id }) => !shortened.has(id));
    if (others.length > 0) return { page, objections: others };
  }
}

/** The page without the words that go too far, as far as they are cleanly cut, or null. Adds the ids to `shortened`. */
function withoutExcesses(
  page: WrittenPage,
  objections: readonly Fault[],
  judge: PageJudge,
  shortened: Set<string>,
): WrittenPage | null {
  const statements = new Map(page.statements);
  const taken = [...page.taken];
  for (const { id } of objections) {
    const statement = statements.get(id);
    const { excess } = statement === undefined ? {} : judge.verdictOn(statement, page);
    if (statement === undefined || excess === undefined || shortened.has(id)) continue;
    const text = withoutExcess(statement, excess);
    if (text === null) continue;
    shortened.add(id);
    const { clauses: _clauses, ...rest } = statement;
    statements.set(id, { ...rest, text });
    taken.push({ what: "words that went too far", text: excess });
  }
  return taken.length === page.taken.length ? null : { ...page, statements, taken };
}

function nothingOf(page: WrittenPage): WrittenPage {
  const text = [...page.statements.values()].map((statement) => statement.text).join(" ");
  const taken = [...page.taken, { what: "a page that named no quote", text }];
  return { blocks: [], statements: new Map(), labels: [], taken };
}

// --- language -----------------------------------------------------------------------------------------------------

/** Shorter pages, and shorter questions, may be in any language. */
const [LEAST_WORDS, LEAST_ASKED] = [40, 4];

/** Null for a page in the language of its question, and where that cannot be known. Quotes and code do not count. */
function languageFault(page: WrittenPage, question: string): Fault | null {
  const said = [...page.statements.values()]
    .filter(({ kind, place }) => kind !== "excerpt" && place.kind === "sentence")
    .map(({ text }) => text.replace(/[“«„"][^“”«»„"]*[”»"]/gu, " "))
    .join(" ");
  if (distinctWords(said).length < LEAST_WORDS || distinctWords(question).length < LEAST_ASKED) return null;
  if (!isInAnotherLanguage(said, question)) return null;
  return {
    id: WHOLE_PAGE,
    text: "is in another language than the question: write it in the language of the question, unless the question wants the other one",
  };
}
