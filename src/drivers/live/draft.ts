// The whole page by a model in one step, and a page of which it writes again what a review names.
import type { Draft } from "../../run/report.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import { saidOf } from "./coverage.ts";
import { pageOfDraft } from "./page-of-draft.ts";
import { pageText } from "./page-text.ts";
import { draftOf, judgedDraft } from "./page-to-draft.ts";
import { draftDemands, rewritingAdvice, system, WRITER, writerAdvice } from "./prompts.ts";
import { RewritingScope } from "./rewriting-scope.ts";
import { fittingTask, judgeOf, materialOf, usedIn } from "./writer-material.ts";
import { writePage, type WriterTask } from "./writer-task.ts";
import { readAnew } from "./written-page.ts";

type DraftInput = Tasks["draft"]["input"];

export async function draft(input: DraftInput, tools: TaskTools): Promise<Draft> {
  const { question, assignment, limits, previous, directives } = input;
  const material = await materialOf(input, tools);
  const { named, titles, idOf } = material;
  // What a review asked for may be used, and need not.
  const found = input.citations.flatMap(({ citations }) => citations.filter((one) => one.found));
  const ids = [...new Set(found.map(({ quote }) => idOf(quote)))];
  const judge = judgeOf(question, material, tools);
  const task = {
    name: "draft",
    handsIn: "the draft",
    named,
    titles,
    judge,
    read: (source, page) => readAnew(source, titles, page?.statements),
    use: {
      ids,
      least: limits.min_citation_use,
      left: (one) => usedIn(draftOf(one, judge, input, material), material),
    },
  } satisfies Partial<WriterTask>;
  const demands = draftDemands(limits);
  const say = (advice: string, rest: object) => ({
    system: system(WRITER, demands, advice),
    user: JSON.stringify(fittingTask(input, material, tools, rest)),
  });
  if (previous === null) {
    const written = await writePage({ ...task, ...say(writerAdvice(ids.length, assignment), {}) }, tools);
    return await judgedDraft(written, judge, input, material);
  }
  const earlier = pageOfDraft(previous, idOf);
  judge.rememberDraft(earlier, previous);
  const scope = new RewritingScope(earlier, directives, judge, named);
  const rest = { previous_page: pageText(previous, idOf), remarks: scope.remarks() };
  const rewritten = { ...task, ...say(rewritingAdvice(assignment), rest), previous: earlier };
  const written = await writePage({ ...rewritten, mayChange: (id, page) => scope.holds(id, page) }, tools);
  const parts = saidOf(previous, input.plan, [...material.citations.values()]);
  return await judgedDraft({ ...written, parts }, judge, input, material, previous.made.notes);
}
