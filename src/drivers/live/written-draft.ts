// The draft that a writer comes to, a model or somebody outside.
import type { TaskTools } from "../../ports/driver.ts";
import type { Draft } from "../../run/report.ts";
import { draftOf } from "../page/draft-of-page.ts";
import { faultsOf, WHOLE_PAGE } from "../page/faults.ts";
import { pageWith } from "../page/written-page.ts";
import { writtenOutside } from "../outside/page.ts";
import type { Writing } from "./page-changes.ts";
import { writePage } from "./writer.ts";

/**
 * The draft that the writer comes to, of which all is judged as it stands there: what is left out bears nothing out any more.
 * Errors: those of the writer; `MODEL_FAILED` when the verifier is away.
 */
export async function writtenDraft(writing: Writing, tools: TaskTools): Promise<Draft> {
  const { brief, input, judge, previous, notes = [] } = writing;
  const { material } = brief;
  const written =
    tools.outside?.plays(brief.role) === true
      ? await writtenOutside(writing, tools.outside)
      : await writePage(writing, tools);
  let now = { ...written, parts: previous?.parts ?? written.parts };
  let told = notes;
  // Each round has fewer statements than the one before.
  for (;;) {
    await judge.judge(now.page);
    judge.refuseUnjudged(now.page, input.limits.max_unsupported_share);
    const draft = draftOf(now, judge, input, material, told);
    const page = pageWith(now.page, (id) => id in draft.statements);
    if (page.statements.size === now.page.statements.size) return draft;
    const faults = faultsOf(page, material.named).filter(({ id }) => id !== WHOLE_PAGE);
    now = { page, parts: now.parts, faults };
    told = draft.made.notes;
  }
}
