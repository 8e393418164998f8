// The brief of the outline: the writer plans the sections of the page, what each answers, and the citations for it.
import { z } from "../../kernel/zod.ts";
import type { WritersInput } from "../../ports/driver.ts";
import { outlinedSectionSchema, outlineSchema, type Outline } from "../../run/report/research.ts";
import type { Assignment } from "../../run/settings/settings.ts";
import type { Brief } from "../asking/brief.ts";
import { PromptFile } from "../asking/prompt-file.ts";
import { fittingTask, recordedIds, type Material } from "./material.ts";
import words from "./outline.txt" with { type: "text" };
import { assigned, PAGE } from "./page-brief.ts";

const MAX_SECTIONS = 8;

const wishedSchema = outlineSchema.extend({
  sections: z
    .array(
      outlinedSectionSchema.extend({
        citation_ids: z.array(z.string().min(1).max(20)).min(1).max(400),
      }),
    )
    .min(1)
    .max(MAX_SECTIONS),
});

const EXAMPLE: Outline = {
  title: "Survival of the cache",
  sections: [
    { heading: "What a crash leaves", answers: "which entries are there after a crash", citation_ids: ["c1", "c4"] },
  ],
};

const OUTLINE = new PromptFile(words);

/** `resultLength`: how many characters the result of a tool may have, from which the length of the task is computed. */
export function outlineBrief(input: WritersInput, material: Material, resultLength: number): Brief<Outline, Outline> {
  const known = recordedIds(material.citations);
  return {
    name: "outline",
    role: "writer",
    who: OUTLINE.part("who"),
    advice: adviceOn(known.length, input.assignment),
    demands: OUTLINE.list("demands", { max_sections: MAX_SECTIONS }),
    task: fittingTask(input, material, resultLength, {}),
    answer: { schema: wishedSchema, description: "Hands the outline in.", example: EXAMPLE },
    problemsOf: (wished) => problemsOf(wished, known),
    resultOf: (wished) => withAll(wished, material),
  };
}

function adviceOn(citations: number, assignment: Assignment = {}): string {
  const most = Math.min(MAX_SECTIONS, Math.max(1, Math.ceil(citations / 8)));
  const many =
    most < 3 ? "One or two sections." : `Two to ${most} sections; one is enough where the quotes speak of one thing.`;
  const count = most === 1 ? "One section is enough." : many;
  return OUTLINE.part("advice", { count, assignment: assigned(assignment), quotes: PAGE.part("quotes") });
}

function problemsOf({ sections }: Outline, known: readonly string[]): string[] {
  const problems: string[] = [];
  const strange = sections.flatMap(({ citation_ids }) => citation_ids.filter((id) => !known.includes(id)));
  if (strange.length > 0)
    problems.push(
      `${[...new Set(strange)].join(", ")} is no citation_id of this run (${known[0]} to ${known.at(-1)}): name those that you were given`,
    );
  const headings = sections.map(({ heading }) => heading.trim());
  for (const heading of new Set(headings.filter((one, index) => headings.indexOf(one) !== index)))
    problems.push(`two sections are called “${heading}”: give each a heading of its own`);
  return problems;
}

/** Adds each citation that no section has to the section with most citations for the same parts of the question. */
function withAll({ sections, ...rest }: Outline, { citations }: Material): Outline {
  const placed = new Set(sections.flatMap(({ citation_ids }) => citation_ids));
  const partsOf = (id: string): readonly string[] => citations.get(id)?.part_ids ?? [];
  const all = sections.map((section) => ({ ...section, citation_ids: [...new Set(section.citation_ids)] }));
  for (const id of recordedIds(citations).filter((one) => !placed.has(one))) {
    const shared = sections.map(
      ({ citation_ids }) =>
        citation_ids.filter((other) => partsOf(other).some((part) => partsOf(id).includes(part))).length,
    );
    all[shared.indexOf(Math.max(...shared))]?.citation_ids.push(id);
  }
  return { ...rest, sections: all };
}
