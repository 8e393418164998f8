// The briefs of the writer, who writes Markdown with marks: the whole page, one section, the answer above the sections, and
// changes of a page after a review.
import { assert } from "../../kernel/assert.ts";
import { z } from "../../kernel/zod.ts";
import type { Tasks, WritersInput } from "../../ports/driver.ts";
import type { Draft } from "../../run/report/report.ts";
import { subjectIdSchema, type Directive, type Outline } from "../../run/report/research.ts";
import type { Assignment, Limits } from "../../run/settings/settings.ts";
import { shownShare, type Brief, type Instructions } from "../asking/brief.ts";
import { PromptFile } from "../asking/prompt-file.ts";
import { fittingTask, recordedId, recordedIds, withCitations, type Material } from "./material.ts";
import words from "./page.txt" with { type: "text" };
import { faultsOf, tooFewUsed, WHOLE_PAGE, type Fault } from "./page/faults.ts";
import { fittingPageText, pageText } from "./page/page-text.ts";
import { MAX_PAGE_LENGTH, readAboveSections, readAnew } from "./page/read-page.ts";
import { idsMeantBy } from "./page/revision.ts";
import type { WrittenPage } from "./page/written-page.ts";

export const pageSchema = z.object({
  page: z.string().min(1).max(MAX_PAGE_LENGTH),
  title: z.string().max(300).optional().describe("of a few words, where the page has none"),
  parts: z
    .array(z.object({ part_id: subjectIdSchema, coverage: z.literal([0, 0.5, 1]) }))
    .max(40)
    .optional()
    .describe("how far the page answers each part of the question: 1 wholly, 0.5 in part, 0 not"),
});
export type PageAnswer = z.infer<typeof pageSchema>;

/** The brief of a page, which is written in rounds: see `writePage`. */
export interface PageBrief extends Omit<Brief<PageAnswer, never>, "problemsOf" | "resultOf"> {
  task: object;
  /** What the page may name. */
  material: Material;
  /** True when a page that names no quote is left out, and is no failure. */
  mayBeEmpty: boolean;
  /** The quotes of which the share `least` has to be used. */
  use: { ids: readonly string[]; least: number };
  /** Reads what is submitted. `shown`: the page that the writer saw last. */
  read(source: string, shown: WrittenPage | null): WrittenPage;
  /** All faults of form. */
  faultsOf(page: WrittenPage): Fault[];
}

type PageTask = Pick<PageBrief, "name" | "task" | "material" | "use" | "read"> &
  Instructions & { handsIn: string; mayBeEmpty?: boolean };

function pageBrief({ handsIn, mayBeEmpty = false, ...task }: PageTask): PageBrief {
  return {
    ...task,
    role: "writer",
    mayBeEmpty,
    answer: {
      schema: pageSchema,
      description: `Hands ${handsIn} in, as Markdown with marks.`,
      ofMarkdown: (page) => ({ page }),
    },
    faultsOf(page) {
      const faults = faultsOf(page, task.material.named);
      if (faults.some(({ id }) => id === WHOLE_PAGE)) return faults;
      const used = [...page.statements.values()].flatMap(({ citation_ids }) => citation_ids.map(recordedId));
      return [...faults, ...tooFewUsed(task.use, new Set(used))];
    },
  };
}

/** The whole page. */
export function draftBrief(input: WritersInput, material: Material, resultLength: number): PageBrief {
  const use = { ids: idsOfRun(input, material), least: input.limits.min_citation_use };
  return pageBrief({
    name: "draft",
    handsIn: "the draft",
    who: PAGE.part("draft"),
    advice: writerAdvice(use.ids.length, input.assignment),
    demands: demandsOf(input.limits),
    task: fittingTask(input, material, resultLength, {}),
    material,
    use,
    read: (source, shown) => readAnew(source, material.titles, shown?.statements),
  });
}

/** Changes of a page that a review asks for. `earlier`: the previous draft with the ids that the writer names. */
export function rewritingBrief(
  input: WritersInput & { directives: readonly Directive[] },
  { previous, earlier }: { previous: Draft; earlier: WrittenPage },
  material: Material,
  resultLength: number,
): PageBrief {
  const remarks = input.directives.map((directive) => ({
    remark: directive.detail,
    about: directive.target,
    write_again: idsMeantBy(directive, earlier),
  }));
  const rest = { previous_page: pageText(previous, material.idOf), remarks };
  return {
    ...draftBrief(input, material, resultLength),
    advice: PAGE.part("rewriting_advice", { ...aboutMarks(), assignment: assigned(input.assignment) }),
    task: fittingTask(input, material, resultLength, rest),
  };
}

/** The ids of the quotes from the waves. Those that a review requested need not be used. */
function idsOfRun({ citations }: WritersInput, { idOf }: Material): string[] {
  const found = citations.flatMap((one) => one.citations.filter((citation) => citation.found));
  return [...new Set(found.map(({ quote }) => idOf(quote)))];
}

/** One section of the page, from the citations that the outline gives it. */
export function sectionBrief(input: Tasks["section"]["input"], whole: Material, resultLength: number): PageBrief {
  const { assignment, limits, outline, section: number } = input;
  const wanted = outline.sections[number - 1];
  assert(wanted !== undefined, "a section is in its outline");
  const { heading, answers, citation_ids } = wanted;
  const material = withCitations(whole, citation_ids);
  const others = outline.sections.flatMap((one) =>
    one === wanted ? [] : [{ heading: one.heading, answers: one.answers }],
  );
  const share = citation_ids.length / outline.sections.reduce((sum, one) => sum + one.citation_ids.length, 0);
  const rest = { section: { heading, answers }, other_sections: others };
  return pageBrief({
    name: "section",
    handsIn: "the section",
    who: PAGE.part("section"),
    advice: sectionAdvice(recordedIds(whole.citations).length, share, assignment),
    demands: demandsOf(limits),
    task: fittingTask(input, material, resultLength, rest),
    material,
    mayBeEmpty: true,
    use: { ids: ownCitations(outline, number), least: limits.min_citation_use },
    read: (source, shown) => readAnew(source, material.titles, shown?.statements, { section: heading }),
  });
}

/**
 * Those that no section before it names. Each citation is the own one of exactly one section: where every section uses its
 * share of them, the page does, too.
 */
function ownCitations({ sections }: Outline, number: number): string[] {
  const before = new Set(sections.slice(0, number - 1).flatMap(({ citation_ids }) => citation_ids));
  return (sections[number - 1]?.citation_ids ?? []).filter((id) => !before.has(id));
}

/** The page that is shown may be this many times as long as the result of a tool. */
const RESULTS_OF_PAGE = 1.5;

/** The answer above the sections. `joined`: the draft of the sections. `body`: the same with the ids that the writer names. */
export function answerBrief(
  input: Tasks["answer"]["input"],
  { joined, body, used }: { joined: Draft; body: WrittenPage; used: ReadonlySet<string> },
  material: Material,
  resultLength: number,
): PageBrief {
  const { assignment, limits, outline } = input;
  const ids = recordedIds(material.named.citations);
  // The quotes that are not used are shown when the sections use too few.
  const least = limits.min_citation_use;
  const unused = used.size / ids.length >= least ? [] : ids.filter((id) => !used.has(id));
  const page = fittingPageText(joined, material.idOf, resultLength * RESULTS_OF_PAGE);
  return pageBrief({
    name: "answer",
    handsIn: "the answer",
    who: PAGE.part("answer"),
    advice: answerAdvice(assignment),
    demands: demandsOf(limits),
    task: fittingTask(input, withCitations(material, unused), resultLength, { page }),
    material,
    use: { ids, least },
    read: (source, shown) => readAboveSections(source, material.titles, body, shown, outline.title),
  });
}

// --- what writers read -------------------------------------------------------------------------------------------

export const PAGE = new PromptFile(words);

/** How many words a page has. It depends on the wished length and on the number of citations. */
function wordsFor(citations: number, { length }: Assignment): [least: number, most: number] {
  if (length === "brief") return [150, 300];
  const own: [number, number] = citations <= 12 ? [300, 600] : citations <= 30 ? [600, 900] : [900, 1_500];
  return length === "long" ? [own[0] * 2, own[1] * 2] : own;
}

function shownWords([least, most]: readonly [number, number]): string {
  return PAGE.part("length", { least: least.toLocaleString("en"), most: most.toLocaleString("en") });
}

/** Gives the writer the language, the day of the question and the readers. */
export function assigned({ asked_on, audience, instruction }: Assignment = {}): string {
  return PAGE.part("assignment", {
    wish: instruction === undefined ? "" : `\n${PAGE.part("wish", { instruction: JSON.stringify(instruction) })}`,
    day: asked_on === undefined ? "" : ` ${PAGE.part("day", { asked_on })}`,
    readers: audience === undefined ? "" : ` ${PAGE.part("readers")}`,
  });
}

function aboutMarks() {
  return { marks: PAGE.part("marks"), conclude: PAGE.part("conclude"), quotes: PAGE.part("quotes") };
}

function writerAdvice(citations: number, assignment: Assignment = {}): string {
  return PAGE.part("draft_advice", {
    ...aboutMarks(),
    length: shownWords(wordsFor(citations, assignment)),
    assignment: assigned(assignment),
    prose: PAGE.part("prose"),
    example: PAGE.part("example", { heading: "# Standby and archive\n\n## Answer" }),
  });
}

/** `share`: the part of the page that this section is, 0 to 1. */
function sectionAdvice(citations: number, share: number, assignment: Assignment = {}): string {
  const rounded = (count: number): number => Math.max(50, Math.round((count * share) / 50) * 50);
  const [least, most] = wordsFor(citations, assignment);
  return PAGE.part("section_advice", {
    ...aboutMarks(),
    length: shownWords([rounded(least), Math.max(100, rounded(most))]),
    assignment: assigned(assignment),
    prose: PAGE.part("prose"),
    example: PAGE.part("example", { heading: "## Time to recover" }),
  });
}

function answerAdvice(assignment: Assignment = {}): string {
  return PAGE.part("answer_advice", {
    sentences: assignment.length === "brief" ? "two or three" : "two to six",
    assignment: assigned(assignment),
  });
}

function demandsOf(limits: Limits): string[] {
  return PAGE.list("demands", {
    max_unsupported: shownShare(limits.max_unsupported_share),
    least_used: shownShare(limits.min_citation_use),
  });
}
