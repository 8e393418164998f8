// An agent or a person outside who writes a page: one answer with the whole of it, and one with changes of what does not hold.
import { RunError } from "../../kernel/errors.ts";
import type { OutsideWork } from "../../ports/driver.ts";
import { answerFromOutside } from "../asking/answer-from-outside.ts";
import type { Brief } from "../asking/brief.ts";
import { PAGE, type PageAnswer, type PageBrief } from "./page-brief.ts";
import { changed, changesSchema, type Writing } from "./page-changes.ts";
import { faultsOf, WHOLE_PAGE, withWords, type Fault } from "./page/faults.ts";
import type { Change } from "./page/revision.ts";
import type { WrittenPage } from "./page/written-page.ts";
import type { Writer } from "./writer.ts";

/** Its errors are those of `answerFromOutside`. */
export function outsideWriter(writing: Writing, work: OutsideWork): Writer {
  const { brief } = writing;
  /** The page as it was submitted. Null when parts of an earlier page are written again. */
  let source: string | null = null;
  return {
    // An answer with faults of form is refused.
    formRounds: 0,
    objectionRounds: 1,
    failure: (what) => new RunError("AGENT_RESULT_INVALID", { reason: `the writer ${what}` }),
    async next(page, remarks) {
      if (page === null) {
        const answer = await answerFromOutside(wholePageBrief(brief), work);
        source = answer.page;
        return [answer];
      }
      // When too few quotes are used without what does not hold, the review of the draft says so.
      const objections = remarks?.faults.filter(({ id }) => id !== WHOLE_PAGE);
      if (objections?.length === 0) return null;
      const wanted = objections === undefined ? brief : objecting(brief, objections, page, source);
      return [await answerFromOutside(changesBrief({ ...writing, brief: wanted }, page), work)];
    },
  };
}

function wholePageBrief(brief: PageBrief): Brief<PageAnswer, PageAnswer> {
  return {
    ...brief,
    problemsOf({ page: source }) {
      const page = brief.read(source, null);
      return inWords(brief.faultsOf(page), page);
    },
    resultOf: (answer) => answer,
  };
}

/** Each fault as one line, since a person may read it. */
function inWords(faults: readonly Fault[], page: WrittenPage): string[] {
  return withWords(faults, page).map(
    ({ statement_id, text, reason }) => `${statement_id}${text === undefined ? "" : ` “${text}”`}: ${reason}`,
  );
}

/** The brief with what does not hold as remarks. */
function objecting(
  brief: PageBrief,
  objections: readonly Fault[],
  page: WrittenPage,
  source: string | null,
): PageBrief {
  const remarks = withWords(objections, page);
  return {
    ...brief,
    name: `${brief.name}:objections`,
    advice: PAGE.part("objections_advice", { marks: PAGE.part("marks"), quotes: PAGE.part("quotes") }),
    who: PAGE.part("objections", { who: brief.who }),
    task: { ...brief.task, ...(source === null ? {} : { previous_page: source }), remarks },
  };
}

/** Asks for changes of a page. An answer is refused when it changes what may not be changed, or the page would have faults. */
function changesBrief(writing: Writing, page: WrittenPage): Brief<{ changes: Change[] }, { changes: Change[] }> {
  const { brief, mayChange = () => true } = writing;
  const { name, role, who, advice, demands, task, material } = brief;
  return {
    name,
    role,
    who,
    ...(advice === undefined ? {} : { advice }),
    demands: [...demands, ...PAGE.list("demands_of_changes")],
    task,
    answer: {
      schema: changesSchema,
      description: "Submits what is written again.",
      example: { changes: [{ statement_id: "s4", text: "A takeover needs a lease that has run out. [c2]" }] },
    },
    problemsOf({ changes }) {
      const after = changed(page, changes, writing);
      const isOpen = ({ id }: Fault): boolean => id === WHOLE_PAGE || mayChange(id, after.page);
      const left = faultsOf(after.page, material.named).filter(isOpen);
      return inWords([...after.strange, ...left], after.page);
    },
    resultOf: (answer) => answer,
  };
}
