// The brief of the outline: the writer plans the sections of the page, what each answers, and the citations for it.
import { z } from "../../kernel/zod.ts";
import type { WritersInput } from "../../ports/driver.ts";
import { outlinedSectionSchema, outlineSchema, type Outline } from "../../run/report/research.ts";
import type { Assignment } from "../../run/settings/settings.ts";
import type { Brief } from "./brief.ts";
import { fittingTask, type Material } from "./material.ts";
import { assigned, QUOTES } from "./page.ts";

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

const OUTLINER =
  "You plan the report that the asker of the question will act on and send on to others: its sections, each of which is then written by itself from the quotes that you give it.";

/** `resultLength`: how many characters the result of a tool may have, from which the length of the task is computed. */
export function outlineBrief(input: WritersInput, material: Material, resultLength: number): Brief<Outline, Outline> {
  const known = [...material.citations.keys()];
  return {
    name: "outline",
    role: "writer",
    who: OUTLINER,
    advice: adviceOn(known.length, input.assignment),
    demands: [
      "each section names at least one citation_id that was given",
      `there are one to ${MAX_SECTIONS} sections, each with a heading of its own`,
    ],
    asked: JSON.stringify(fittingTask(input, material, resultLength, {})),
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
  return `How to plan it:
- Each section answers something that the asker wants to know; together they cover the question and what speaks against the expected answer. Order them as a reader needs them. ${count}
- heading names the subject and promises nothing. answers says in a sentence or two what the section is to settle, and where a table or a conclusion is due. citation_ids are the quotes that it is written from; a quote may serve two sections.
- No section for the answer, a summary or the sources: the answer is written last, from the sections. title stands above the page; leave it out where the question says enough.
${assigned(assignment)}
${QUOTES}

A small example:
{"title": "Standby or archive", "sections": [{"heading": "Time to recover", "answers": "How long each takes to be back; a table.", "citation_ids": ["c1", "c3"]}, {"heading": "What can be lost", "answers": "How much data is lost at most, and which risk stays.", "citation_ids": ["c2"]}]}`;
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
  for (const id of [...citations.keys()].filter((one) => !placed.has(one))) {
    const shared = sections.map(
      ({ citation_ids }) =>
        citation_ids.filter((other) => partsOf(other).some((part) => partsOf(id).includes(part))).length,
    );
    all[shared.indexOf(Math.max(...shared))]?.citation_ids.push(id);
  }
  return { ...rest, sections: all };
}
