// The briefs of the writer, who writes Markdown with marks: the whole page, one section, the answer above the sections, and
// changes of a page after a review.
import { assert } from "../../kernel/assert.ts";
import { z } from "../../kernel/zod.ts";
import type { Tasks, WritersInput } from "../../ports/driver.ts";
import type { Draft } from "../../run/report/report.ts";
import { subjectIdSchema, type Directive, type Outline } from "../../run/report/research.ts";
import type { Assignment, Limits } from "../../run/settings/settings.ts";
import { faultsOf, withWords, tooFewUsed, WHOLE_PAGE, type Fault } from "../page/faults.ts";
import { fittingPageText, pageText } from "../page/page-text.ts";
import type { Said } from "../page/part-coverage.ts";
import { MAX_PAGE_LENGTH, readAboveSections, readAnew } from "../page/read-page.ts";
import { idsMeantBy } from "../page/revision.ts";
import type { WrittenPage } from "../page/written-page.ts";
import { shownShare, type Brief, type Instructions } from "./brief.ts";
import { fittingTask, withCitations, type Material } from "./material.ts";

export const pageSchema = z.object({
  page: z.string().min(1).max(MAX_PAGE_LENGTH),
  parts: z
    .array(z.object({ part_id: subjectIdSchema, coverage: z.literal([0, 0.5, 1]) }))
    .max(40)
    .optional()
    .describe("how far the page answers each part of the question: 1 wholly, 0.5 in part, 0 not"),
});
export type PageAnswer = z.infer<typeof pageSchema>;

/** A page as it was handed in. */
export interface Written {
  page: WrittenPage;
  parts: Said[];
  /** The faults of form that are left. */
  faults: Fault[];
}

export interface PageBrief extends Brief<PageAnswer, Written> {
  /** What the page may name. */
  material: Material;
  /** True when a page that names no quote is left out, and is no failure. */
  mayBeEmpty: boolean;
  /** The quotes of which the share `least` has to be used. */
  use: { ids: readonly string[]; least: number };
  /** Reads what is handed in. `shown`: the page that the writer saw last. */
  read(source: string, shown: WrittenPage | null): WrittenPage;
  /** All faults of form. */
  faultsOf(page: WrittenPage): Fault[];
  problemsOf(answer: PageAnswer): string[];
  resultOf(answer: PageAnswer): Written;
}

type PageTask = Pick<PageBrief, "name" | "asked" | "material" | "use" | "read"> &
  Instructions & { handsIn: string; mayBeEmpty?: boolean };

function pageBrief({ handsIn, mayBeEmpty = false, ...task }: PageTask): PageBrief {
  const { material, use, read } = task;
  const allFaults = (page: WrittenPage): Fault[] => {
    const faults = faultsOf(page, material.named);
    if (faults.some(({ id }) => id === WHOLE_PAGE)) return faults;
    const used = [...page.statements.values()].flatMap(({ citation_ids }) => citation_ids);
    return [...faults, ...tooFewUsed(use, new Set(used))];
  };
  return {
    ...task,
    role: "writer",
    mayBeEmpty,
    answer: {
      schema: pageSchema,
      description: `Hands ${handsIn} in, as Markdown with marks.`,
      ofMarkdown: (page) => ({ page }),
    },
    faultsOf: allFaults,
    problemsOf({ page: source }) {
      const page = read(source, null);
      return withWords(allFaults(page), page).map((fault) => JSON.stringify(fault));
    },
    resultOf({ page: source, parts = [] }) {
      const page = read(source, null);
      return { page, parts, faults: faultsOf(page, material.named) };
    },
  };
}

/** The whole page. */
export function draftBrief(input: WritersInput, material: Material, resultLength: number): PageBrief {
  const use = { ids: idsOfRun(input, material), least: input.limits.min_citation_use };
  return pageBrief({
    name: "draft",
    handsIn: "the draft",
    who: WRITER,
    advice: writerAdvice(use.ids.length, input.assignment),
    demands: demandsOf(input.limits),
    asked: JSON.stringify(fittingTask(input, material, resultLength, {})),
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
    advice: rewritingAdvice(input.assignment),
    asked: JSON.stringify(fittingTask(input, material, resultLength, rest)),
  };
}

/** The ids of the quotes from the waves. Those that a review asked for need not be used. */
function idsOfRun({ citations }: WritersInput, { idOf }: Material): string[] {
  const found = citations.flatMap((one) => one.citations.filter((citation) => citation.found));
  return [...new Set(found.map(({ quote }) => idOf(quote)))];
}

/** One section of the page, from the citations that the outline gives it. */
export function sectionBrief(input: Tasks["section"]["input"], whole: Material, resultLength: number): PageBrief {
  const { assignment, limits, outline, section: number } = input;
  const wanted = outline.sections[number - 1];
  assert(wanted !== undefined, "a section stands in its outline");
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
    who: SECTION_WRITER,
    advice: sectionAdvice(whole.citations.size, share, assignment),
    demands: demandsOf(limits),
    asked: JSON.stringify(fittingTask(input, material, resultLength, rest)),
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
  const ids = [...material.named.citations.keys()];
  // The quotes that are not used are shown when the sections use too few.
  const least = limits.min_citation_use;
  const unused = used.size / ids.length >= least ? [] : ids.filter((id) => !used.has(id));
  const page = fittingPageText(joined, material.idOf, resultLength * RESULTS_OF_PAGE);
  return pageBrief({
    name: "answer",
    handsIn: "the answer",
    who: ANSWERER,
    advice: answerAdvice(assignment),
    demands: demandsOf(limits),
    asked: JSON.stringify(fittingTask(input, withCitations(material, unused), resultLength, { page })),
    material,
    use: { ids, least },
    read: (source, shown) => readAboveSections(source, material.titles, body, shown, outline.title),
  });
}

// --- what writers are told ----------------------------------------------------------------------------------------

const WRITER =
  "You write the report that the asker of the question will act on and send on to others, from the quotes that researchers recorded.";
const SECTION_WRITER =
  "You write one section of the report that the asker of the question will act on and send on to others, from the quotes that researchers recorded. Others write the other sections at the same time; the answer is written last, from all of them.";
const ANSWERER =
  "You write the answer of a report whose sections are written: what stands above them and is read first, often alone. The asker of the question will act on it and send it on to others.";

/** How many words a page has. It depends on the wished length and on the number of citations. */
function wordsFor(citations: number, { length }: Assignment): [least: number, most: number] {
  if (length === "brief") return [150, 300];
  const own: [number, number] = citations <= 12 ? [300, 600] : citations <= 30 ? [600, 900] : [900, 1_500];
  return length === "long" ? [own[0] * 2, own[1] * 2] : own;
}

function shownWords([least, most]: readonly [number, number]): string {
  return `Some ${least.toLocaleString("en")} to ${most.toLocaleString("en")} words.`;
}

/** Tells the writer the language, the day of the question and the readers. */
export function assigned({ asked_on, audience }: Assignment): string {
  const day =
    asked_on === undefined
      ? ""
      : ` It was asked on ${asked_on}: what is recent, and what is over, is seen from that day.`;
  const readers = audience === undefined ? "" : " audience says who will read it: choose words and depth for them.";
  return `- Write in the language of the question, headings too, whatever language the quotes are in.${day}${readers}`;
}

export const MARKS = `- Behind each sentence and in each cell stand its marks: [c1] or [c1, c4] for what quotes say. [from c1, c4] for what follows from them and none of them says alone: a conclusion, a recommendation, an order, a comparison. [= (5.2 - 3.1) / 3.1; from c3] for a number that you computed. [g1] for what was looked for and not found, also beside others: [c2] [g1]. A line > [c2] shows a quote whole. Code has its mark in the line below its fence.
- A sentence without a mark asserts nothing about the subject: "Three things speak against it."`;
const CONCLUDE = `- Where the question asks which, whether, or how much, or asks for a comparison, draw the conclusion that the quotes allow, and make a table where things are compared along the same lines.`;
export const QUOTES = `- title, heading, before and after say what a quote speaks of: use them to name its subject. statement and notes are what researchers made of it. gaps were looked for in vain.`;
const PROSE = `- Paragraphs of two to five sentences that build on each other; lists for steps. Say nothing twice.`;

const EXAMPLE = `A small example:
## Answer
Take the standby for the outage and keep the archive for mistakes. [from c1, c3] A standby takes over within seconds [c1]; restoring takes hours [c3].

| | Back after | Data lost |
|---|---|---|
| Standby | seconds [c1] | under 1 s [c2] |
| Archive | hours [c3] | – |

How long a restore takes for 2 TB could not be found. [g1]`;

function writerAdvice(citations: number, assignment: Assignment = {}): string {
  return `How to write it:
- Markdown. Its title as #, of a few words. The first heading below it is the answer: the decision or the finding in two to four sentences. Then why, what it costs, what could go wrong. Headings are yours: name the subject, promise nothing. ${shownWords(wordsFor(citations, assignment))}
${assigned(assignment)}
${PROSE}
${MARKS}
${CONCLUDE}
${QUOTES}

${EXAMPLE.replace("## Answer", "# Standby and archive\n\n## Answer")}`;
}

/** Advice for changes after a review. */
function rewritingAdvice(assignment: Assignment = {}): string {
  return `How to write it again:
- previous_page shows each sentence behind its id. remarks say what is wrong, and write_again names the ids that you may write again; everything else stays as it is. Write them as changes: the text of a sentence with its marks, or under the id of a heading (h2) the whole section as Markdown, its heading first. An empty text leaves a sentence out.
${assigned(assignment)}
${MARKS}
- [from s4, s9] names sentences of previous_page.
${CONCLUDE}
${QUOTES}`;
}

/** `share`: the part of the page that this section is, 0 to 1. */
function sectionAdvice(citations: number, share: number, assignment: Assignment = {}): string {
  const rounded = (words: number): number => Math.max(50, Math.round((words * share) / 50) * 50);
  const [least, most] = wordsFor(citations, assignment);
  const words: [number, number] = [rounded(least), Math.max(100, rounded(most))];
  return `How to write it:
- Markdown: the heading of the section as ##, then what section.answers asks for, from these quotes alone. Smaller headings where it is long. Leave to other_sections what is theirs. ${shownWords(words)}
${assigned(assignment)}
${PROSE}
${MARKS}
${CONCLUDE}
${QUOTES}

${EXAMPLE.replace("## Answer", "## Time to recover")}`;
}

function answerAdvice(assignment: Assignment = {}): string {
  const sentences = assignment.length === "brief" ? "two or three" : "two to six";
  return `How to write it:
- Markdown: a heading as ##, then the decision or the finding in ${sentences} sentences, and how sure it is. A table where things are compared along the same lines and no section has it. What could not be found, where it matters. The sections below it stay as they are; hand in nothing of them.
- page shows each sentence behind its id. Say what follows from them: [from s4, s9] behind what you conclude, order, compare or sum up. [c1] where you repeat what a quote says. [= 9500 / 3800; from s2, s5] for a number that you computed. [g1] for what was looked for and not found, also beside others.
- A sentence without a mark asserts nothing about the subject.
${assigned(assignment)}
- Where the question asks which, whether, or how much, or asks for a comparison, say it first.

A small example:
## Take the standby, keep the archive
Take the standby for the outage and keep the archive for mistakes. [from s2, s7] Only the standby is back within an hour. [from s2, s5] How long a restore takes for 2 TB could not be found. [g1]`;
}

function demandsOf(limits: Limits): string[] {
  return [
    "each mark names a citation_id, gap_id or statement that was given; each cell has a mark or is –",
    "each number stands in a quote that its sentence names, in the title or heading of that quote, or in the question; or it counts what is listed; or its mark computes it (fine are other spellings of a number, about 12 for 11.7, and the next whole number beside a computed one)",
    `what is cited says no more than its quotes, and what is derived follows from what it names and adds no fact: a verifier judges each sentence, and at most ${shownShare(limits.max_unsupported_share)} of them may be left that it does not find supported`,
    "a title, a heading, the first cell of a row and the head of a column say no more than what stands below or beside them",
    `at least ${shownShare(limits.min_citation_use)} of the quotes are used`,
  ];
}
