// Writes the page: in one step, or as outline, sections and answer. Also writes again what a review names.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Draft, Statement } from "../../run/report/report.ts";
import { isClaim } from "../../run/report/statements.ts";
import type { Directive, Outline } from "../../run/report/research.ts";
import { performBrief } from "../asking/performer.ts";
import { isJudged } from "../verdicts/support.ts";
import { materialOf, usedIn } from "./material.ts";
import { outlineBrief } from "./outline-brief.ts";
import { answerBrief, draftBrief, rewritingBrief, sectionBrief } from "./page-brief.ts";
import { judgeOf, type PageJudge } from "./page-judge.ts";
import { faultsOf, type Named } from "./page/faults.ts";
import { joinedSections, numbered } from "./page/joined-sections.ts";
import { pageOfDraft } from "./page/page-of-draft.ts";
import { saidOf } from "./page/part-coverage.ts";
import { idsMeantBy } from "./page/revision.ts";
import { TITLE_ID, type WrittenPage, type WrittenStatement } from "./page/written-page.ts";
import { writtenDraft } from "./written-draft.ts";

export async function draft(input: Tasks["draft"]["input"], tools: TaskTools): Promise<Draft> {
  const { question, previous, directives } = input;
  const material = await materialOf(input, tools);
  const judge = judgeOf(question, material, tools);
  if (previous === null) {
    const brief = draftBrief(input, material, tools.resultLength);
    return await writtenDraft({ brief, input, judge }, tools);
  }
  const page = pageOfDraft(previous, material.idOf);
  judge.rememberDraft(page, previous);
  judge.rememberLabels(page);
  const scope = new RewritingScope(page, directives, judge, material.named);
  return await writtenDraft(
    {
      brief: rewritingBrief(input, { previous, earlier: page }, material, tools.resultLength),
      input,
      judge,
      previous: { page, parts: saidOf(previous, input.plan, [...material.citations.values()]) },
      mayChange: (id, now) => scope.holds(id, now),
      notes: previous.made.notes,
    },
    tools,
  );
}

export async function outline(input: Tasks["outline"]["input"], tools: TaskTools): Promise<Outline> {
  const brief = outlineBrief(input, await materialOf(input, tools), tools.resultLength);
  return await performBrief(brief, tools);
}

export async function section(input: Tasks["section"]["input"], tools: TaskTools): Promise<Draft> {
  const material = await materialOf(input, tools);
  const judge = judgeOf(input.question, material, tools, true);
  const brief = sectionBrief(input, material, tools.resultLength);
  return await writtenDraft({ brief, input, judge, isPart: true }, tools);
}

/** Writes the answer above the sections. The result is the whole page. */
export async function answer(input: Tasks["answer"]["input"], tools: TaskTools): Promise<Draft> {
  const { question, outline, sections } = input;
  const material = await materialOf(input, tools);
  const headings = outline.sections.map(({ heading }) => heading);
  const joined = joinedSections(sections, headings, question);
  const body = pageOfDraft(joined, material.idOf);
  const judge = judgeOf(question, material, tools);
  judge.rememberDraft(body, joined);
  // What a section said again is judged here, and may be written again here.
  const open = new Set(Object.values(joined.statements).flatMap((one) => (isOpenClaim(one) ? [one.statement_id] : [])));
  const page = { joined, body, used: usedIn(joined, material) };
  const written = await writtenDraft(
    {
      brief: answerBrief(input, page, material, tools.resultLength),
      input,
      judge,
      mayChange: (id, now) =>
        (!body.statements.has(id) || open.has(id)) &&
        (!isLabelOf(id, now, body) || judge.objections(now).some((one) => one.id === id)),
      notes: joined.made.notes,
    },
    tools,
  );
  return numbered(written);
}

function isOpenClaim(statement: Statement): boolean {
  return isClaim(statement) && !isJudged(statement);
}

function isLabelOf(id: string, { labels }: WrittenPage, body: WrittenPage): boolean {
  const label = labels.find(({ label_id }) => label_id === id);
  return label !== undefined && label.below.length > 0 && label.below.every((one) => body.statements.has(one));
}

/** Knows what of a page may be written again after a review. All else stays as it is. */
class RewritingScope {
  readonly #page: WrittenPage;
  readonly #judge: PageJudge;
  readonly #named: Named;
  readonly #ids: ReadonlySet<string>;

  constructor(page: WrittenPage, directives: readonly Directive[], judge: PageJudge, named: Named) {
    this.#page = page;
    this.#judge = judge;
    this.#named = named;
    this.#ids = new Set(directives.flatMap((directive) => idsMeantBy(directive, page)));
  }

  /**
   * True for a statement that a directive names, that is new, or that follows from a changed one, and for a label that is named
   * or does not fit any more.
   */
  holds(id: string, page: WrittenPage): boolean {
    const isOpen = (one: string): boolean => {
      const statement = page.statements.get(one);
      return statement !== undefined && this.#mayChange(statement, page);
    };
    if (page.statements.has(id)) return isOpen(id);
    const label = page.labels.find(({ label_id }) => label_id === id);
    if (label === undefined) return false;
    if (label.label_id === TITLE_ID ? this.#ids.has(TITLE_ID) : label.below.every(isOpen)) return true;
    return [...this.#judge.objections(page), ...faultsOf(page, this.#named)].some((fault) => fault.id === id);
  }

  #mayChange({ statement_id, from }: WrittenStatement, page: WrittenPage): boolean {
    const before = this.#page.statements.get(statement_id);
    if (before === undefined || this.#ids.has(statement_id)) return true;
    return (
      from.length !== before.from.length ||
      before.from.some((id) => page.statements.get(id)?.text !== this.#page.statements.get(id)?.text)
    );
  }
}
