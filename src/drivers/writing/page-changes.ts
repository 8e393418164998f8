// Makes the changes of a page that are allowed, and says which changes are needed.
import { z } from "../../kernel/zod.ts";
import type { WritersInput } from "../../ports/driver.ts";
import { asKnown } from "../asking/read-answer.ts";
import { draftOf, type Written } from "./draft-of-page.ts";
import { usedIn } from "./material.ts";
import type { PageBrief } from "./page-brief.ts";
import type { PageJudge } from "./page-judge.ts";
import { tooFewUsed, WHOLE_PAGE, type Fault } from "./page/faults.ts";
import type { Said } from "./page/part-coverage.ts";
import { idsChangedBy, isInsertion, revised, type Change } from "./page/revision.ts";
import type { WrittenPage } from "./page/written-page.ts";

const changeSchema = z
  .object({
    statement_id: z.string().max(20).optional().describe("what is written again"),
    after: z.string().max(20).optional().describe("in its place: the sentence or cell that the text is added behind"),
    text: z.string().max(20_000),
  })
  .transform(({ statement_id = "", after, text }): Change =>
    after === undefined ? { statement_id, text } : { after, text },
  );

export const changesSchema = z.object({ changes: z.array(changeSchema).max(200) });

export interface Writing {
  brief: PageBrief;
  input: WritersInput;
  judge: PageJudge;
  /** Set when parts of an earlier page are written again. Then no whole page may be submitted. */
  previous?: { page: WrittenPage; parts: Said[] };
  /** True for what may be written again. By default all may. */
  mayChange?: (id: string, page: WrittenPage) => boolean;
  /** The notes on parts of the page that were written before. */
  notes?: readonly string[];
  /** It is a section: doubts are counted over the whole page, so it keeps its own. */
  isPart?: true;
}

/** The page with the allowed changes. `strange`: the faults of the other changes. */
export function changed(
  page: WrittenPage,
  changes: readonly Change[],
  { brief, mayChange = () => true }: Writing,
): { page: WrittenPage; strange: Fault[] } {
  const inCase = asKnown([...page.statements.keys(), ...page.labels.map(({ label_id }) => label_id)]);
  const named = changes.map((change) =>
    isInsertion(change)
      ? { ...change, after: inCase(change.after) }
      : { ...change, statement_id: inCase(change.statement_id) },
  );
  const wanted = named.filter((change) => idsChangedBy(change, page).every((id) => mayChange(id, page)));
  const after = revised(page, wanted, brief.material.titles);
  const others = named.filter((change) => !wanted.includes(change));
  return {
    page: after.page,
    strange: [
      ...after.unknown.map(unknownId),
      ...others.map((change) => ({ id: idOf(change), text: "is not to be written again: leave it as it is" })),
    ],
  };
}

/** The id that a change names. */
export function idOf(change: Change): string {
  return isInsertion(change) ? change.after : change.statement_id;
}

export function unknownId(id: string): Fault {
  return { id, text: "is no sentence or label of the page" };
}

/** What does not hold of a judged page and may be written again, and a fault when too few quotes would be left in use. */
export function objectionsTo(written: Written, { brief, judge, input, mayChange = () => true }: Writing): Fault[] {
  const { page } = written;
  // What has a fault of form is left out, and was named often enough.
  const faulty = new Set(written.faults.map(({ id }) => id));
  const isOpen = ({ id }: Fault): boolean => !faulty.has(id) && (id === WHOLE_PAGE || mayChange(id, page));
  const objections = judge.objections(page).filter(isOpen);
  const draft = draftOf(written, judge, input, brief.material);
  for (const { statement_id: id, kind } of page.statements.values())
    if (
      kind === "suggested" &&
      draft.statements[id] === undefined &&
      isOpen({ id, text: "" }) &&
      !objections.some((one) => one.id === id)
    )
      objections.push({
        id,
        text: "is a suggestion too many for its part of the question: drop the one that matters least",
      });
  // The quotes of what is left out do not count as used.
  const used = usedIn(draft, brief.material);
  for (const { id, text } of tooFewUsed(brief.use, used))
    objections.push({ id, text: `${text}, when what does not hold is left out` });
  return objections;
}
