// Has somebody outside write a page. It is handed in whole and judged, and what does not hold is asked for once more.
import type { OutsideWork } from "../../ports/driver.ts";
import type { Brief } from "../asking/brief.ts";
import { MARKS, QUOTES, type PageBrief, type Written } from "./page-brief.ts";
import { faultsOf, WHOLE_PAGE, readyToJudge, withWords, type Fault } from "./page/faults.ts";
import type { Change } from "./page/revision.ts";
import type { WrittenPage } from "./page/written-page.ts";
import { changed, changesSchema, objectionsTo, type Writing } from "./page-changes.ts";
import { answerFromOutside } from "../asking/answer-from-outside.ts";

/** Errors: those of `answerFromOutside`. */
export async function writtenOutside(writing: Writing, outside: OutsideWork): Promise<Written> {
  const { brief, judge, previous } = writing;
  const first =
    previous === undefined
      ? await answerFromOutside<{ page: string }, { written: Written; source: string }>(
          {
            ...brief,
            problemsOf({ page: source }) {
              const page = brief.read(source, null);
              return inWords(brief.faultsOf(page), page);
            },
            resultOf: (answer) => ({ written: brief.resultOf(answer), source: answer.page }),
          },
          outside,
        )
      : {
          written: {
            ...previous,
            page: await answerFromOutside(changesBrief(writing, previous.page), outside),
            faults: [],
          },
          source: null,
        };
  const written = readied(first.written, brief);
  await judge.judge(written.page);
  if (!judge.hasJudgedAll(written.page)) return written;
  // When too few quotes are used without what does not hold, the review of the draft says so.
  const objections = objectionsTo(written, writing).filter(({ id }) => id !== WHOLE_PAGE);
  if (objections.length === 0) return written;
  const again = objecting(brief, objections, written.page, first.source);
  const page = await answerFromOutside(changesBrief({ ...writing, brief: again }, written.page), outside);
  return readied({ ...written, page }, brief);
}

/** Each fault as one line, since a person may read it. */
function inWords(faults: readonly Fault[], page: WrittenPage): string[] {
  return withWords(faults, page).map(
    ({ statement_id, text, reason }) => `${statement_id}${text === undefined ? "" : ` “${text}”`}: ${reason}`,
  );
}

/** Prepares a page for its judgement, as a page of a model is prepared. */
function readied({ page, parts }: Written, { material, mayBeEmpty }: PageBrief): Written {
  readyToJudge(page, material.named);
  const faults = faultsOf(page, material.named);
  const isNothing = mayBeEmpty && faults.some(({ id }) => id === WHOLE_PAGE);
  const nothing = { blocks: [], statements: new Map(), labels: [], taken: page.taken };
  return isNothing ? { page: nothing, parts: [], faults: [] } : { page, parts, faults };
}

const OBJECTED = `How to write it again:
- remarks name what does not hold, each with its statement_id, its text and the reason. Hand in a change for each: the text of the sentence with its marks. An empty text leaves it out. Under the id of a heading (h2) stands its new words, or its whole section as Markdown with the heading first.
${MARKS}
${QUOTES}`;

/** The brief with what does not hold as remarks. */
function objecting(
  brief: PageBrief,
  objections: readonly Fault[],
  page: WrittenPage,
  source: string | null,
): PageBrief {
  const task = JSON.parse(brief.asked) as object;
  const remarks = withWords(objections, page);
  return {
    ...brief,
    name: `${brief.name}:objections`,
    advice: OBJECTED,
    who: `${brief.who} A verifier has read what you handed in: write again only what remarks name, under its statement_id. Everything else stays as it is.`,
    asked: JSON.stringify({ ...task, ...(source === null ? {} : { previous_page: source }), remarks }),
  };
}

/** Asks for changes of a page. An answer is refused when it changes what may not be changed, or the page would have faults. */
function changesBrief(writing: Writing, page: WrittenPage): Brief<{ changes: Change[] }, WrittenPage> {
  const { brief, mayChange = () => true } = writing;
  const { name, role, who, advice, demands, asked, material } = brief;
  return {
    name,
    role,
    who,
    ...(advice === undefined ? {} : { advice }),
    demands: [...demands, "each change names a statement_id or the id of a label that may be written again"],
    asked,
    answer: {
      schema: changesSchema,
      description: "Hands in what is written again.",
      example: { changes: [{ statement_id: "s4", text: "A takeover needs a lease that has run out. [c2]" }] },
    },
    problemsOf({ changes }) {
      const after = changed(page, changes, writing);
      const isOpen = ({ id }: Fault): boolean => id === WHOLE_PAGE || mayChange(id, after.page);
      const left = faultsOf(after.page, material.named).filter(isOpen);
      return inWords([...after.strange, ...left], after.page);
    },
    resultOf: ({ changes }) => changed(page, changes, writing).page,
  };
}
