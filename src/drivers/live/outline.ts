// The outline by a model: the sections of the page, what each is to answer, and the citations that it may use.
import { z } from "../../kernel/schema.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Outline } from "../../run/research.ts";
import { MAX_SECTIONS, OUTLINER, outlineAdvice, outlineDemands, system } from "./prompts.ts";
import { performTask } from "./task-loop.ts";
import { fittingTask, materialOf, type Material } from "./writer-material.ts";

const wishedSchema = z.object({
  title: z.string().min(1).max(300).optional(),
  sections: z
    .array(
      z.object({
        heading: z.string().min(1).max(300),
        answers: z.string().min(1).max(600),
        citation_ids: z.array(z.string().min(1).max(20)).min(1).max(400),
      }),
    )
    .min(1)
    .max(MAX_SECTIONS),
});

export async function outline(input: Tasks["outline"]["input"], tools: TaskTools): Promise<Outline> {
  const material = await materialOf(input, tools);
  const known = [...material.citations.keys()];
  const { result } = await performTask<Outline>(
    {
      name: "outline",
      role: "writer",
      system: system(OUTLINER, outlineDemands(), outlineAdvice(known.length, input.assignment)),
      user: JSON.stringify(fittingTask(input, material, tools, {})),
      tools: [],
      result: { schema: wishedSchema, description: "Hands the outline in." },
      problemOf: (wished) => problemOf(wished, known),
      maxTurns: 6,
    },
    tools,
  );
  return withAll(result, material);
}

function problemOf({ sections }: Outline, known: readonly string[]): string | null {
  const strange = sections.flatMap(({ citation_ids }) => citation_ids.filter((id) => !known.includes(id)));
  if (strange.length > 0)
    return `${[...new Set(strange)].join(", ")} is no citation_id of this run (${known[0]} to ${known.at(-1)}): name those that you were given`;
  const headings = sections.map(({ heading }) => heading.trim());
  const twice = headings.find((heading, index) => headings.indexOf(heading) !== index);
  return twice === undefined ? null : `two sections are called “${twice}”: give each a heading of its own`;
}

/** A citation that stands nowhere belongs to the section whose citations were recorded for most of its parts. */
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
