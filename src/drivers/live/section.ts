// One section of the page by a model, from the citations that the outline gives it.
import { assert } from "../../kernel/assert.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Draft } from "../../run/report.ts";
import type { Outline } from "../../run/research.ts";
import { draftOf, judgedDraft } from "./page-to-draft.ts";
import { draftDemands, SECTION_WRITER, sectionAdvice, system } from "./prompts.ts";
import { fittingTask, judgeOf, materialOf, usedIn, withCitations } from "./writer-material.ts";
import { writePage } from "./writer-task.ts";
import { readAnew } from "./written-page.ts";

export async function section(input: Tasks["section"]["input"], tools: TaskTools): Promise<Draft> {
  const { question, assignment, limits, outline, section: number } = input;
  const wanted = outline.sections[number - 1];
  assert(wanted !== undefined, "a section stands in its outline");
  const { heading, answers, citation_ids } = wanted;
  const whole = await materialOf(input, tools);
  const material = withCitations(whole, citation_ids);
  const { named, titles } = material;
  const judge = judgeOf(question, material, tools);
  const others = outline.sections.flatMap((one) =>
    one === wanted ? [] : [{ heading: one.heading, answers: one.answers }],
  );
  const share = citation_ids.length / outline.sections.reduce((sum, one) => sum + one.citation_ids.length, 0);
  const advice = sectionAdvice(whole.citations.size, share, assignment);
  const written = await writePage(
    {
      name: "section",
      mayBeEmpty: true,
      handsIn: "the section",
      system: system(SECTION_WRITER, draftDemands(limits), advice),
      user: JSON.stringify(
        fittingTask(input, material, tools, { section: { heading, answers }, other_sections: others }),
      ),
      named,
      titles,
      judge,
      read: (source, page) => readAnew(source, titles, page?.statements, { section: heading }),
      use: {
        ids: ownCitations(outline, number),
        least: limits.min_citation_use,
        left: (one) => usedIn(draftOf(one, judge, input, material), material),
      },
    },
    tools,
  );
  return await judgedDraft(written, judge, input, material);
}

/**
 * Those that no section before it names. Each citation is the own one of exactly one section: where every section uses its
 * share of them, the page does, too.
 */
function ownCitations({ sections }: Outline, number: number): string[] {
  const before = new Set(sections.slice(0, number - 1).flatMap(({ citation_ids }) => citation_ids));
  return (sections[number - 1]?.citation_ids ?? []).filter((id) => !before.has(id));
}
