// Changes of a page: which may be made, what calls for them, and the page with them.
import { z } from "../../kernel/schema.ts";
import type { WritersInput } from "../../ports/driver.ts";
import { usedIn } from "../briefs/material.ts";
import type { PageBrief, Written } from "../briefs/page.ts";
import { draftOf } from "../page/draft-of-page.ts";
import { tooFewUsed, WHOLE_PAGE, type Fault } from "../page/faults.ts";
import type { Said } from "../page/part-coverage.ts";
import { idsChangedBy, revised, type Change } from "../page/revision.ts";
import type { WrittenPage } from "../page/written-page.ts";
import type { PageJudge } from "./page-judge.ts";

export const changesSchema = z.object({
  changes: z.array(z.object({ statement_id: z.string().max(20), text: z.string().max(20_000) })).max(200),
});

export interface Writing {
  brief: PageBrief;
  input: WritersInput;
  judge: PageJudge;
  /** A page of which some is written again; it cannot be handed in anew. */
  previous?: { page: WrittenPage; parts: Said[] };
  /** What of a page may be written again; all of it without this. */
  mayChange?: (id: string, page: WrittenPage) => boolean;
  /** What is to be said of parts of the page that were written before. */
  notes?: readonly string[];
  /** It is a section: doubts are counted over the whole page, so it keeps its own. */
  isPart?: true;
}

/** The page with those of the changes that may be made, and what is strange about the others. */
export function changed(
  page: WrittenPage,
  changes: readonly Change[],
  { brief, mayChange = () => true }: Writing,
): { page: WrittenPage; strange: Fault[] } {
  const wanted = changes.filter((change) => idsChangedBy(change, page).every((id) => mayChange(id, page)));
  const after = revised(page, wanted, brief.material.titles);
  const others = changes.filter((change) => !wanted.includes(change));
  return {
    page: after.page,
    strange: [
      ...after.unknown.map((statement_id) => unknownId({ statement_id })),
      ...others.map(({ statement_id: id }) => ({ id, text: "is not to be written again: leave it as it is" })),
    ],
  };
}

export function unknownId({ statement_id: id }: Pick<Change, "statement_id">): Fault {
  return { id, text: "is no sentence or label of the page" };
}

/** What of a judged page does not hold, as far as it may be written again. */
export function objectionsTo(written: Written, { brief, judge, input, mayChange = () => true }: Writing): Fault[] {
  const { page } = written;
  const objections = judge.objections(page).filter(({ id }) => id === WHOLE_PAGE || mayChange(id, page));
  // What does not hold is left out, and with it the quotes that it used.
  const used = usedIn(draftOf(written, judge, input, brief.material), brief.material);
  for (const { id, text } of tooFewUsed(brief.use, used))
    objections.push({ id, text: `${text}, when what does not hold is left out` });
  return objections;
}
