// Writes a plan as Markdown, for the person who approves it.
import { plainText } from "../pages/plain-markdown.ts";
import type { Plan } from "../run/report/research.ts";

export function planMarkdown({ parts, perspectives, notes = [] }: Plan): string {
  const lines = [
    "# Plan",
    "",
    "## Parts of the question",
    "",
    ...parts.map(({ id, text }) => `- ${id}: ${plainText(text)}`),
    ...perspectives.flatMap(({ id, title, kind, questions, queries, part_ids }) => [
      "",
      `## ${plainText(title)}`,
      "",
      `${id}, ${kind}; searches for ${part_ids.join(", ")}`,
      "",
      ...questions.map((question) => `- asks: ${plainText(question)}`),
      ...queries.map((query) => `- searches: ${plainText(query)}`),
    ]),
    ...(notes.length === 0 ? [] : ["", "## Notes", "", ...notes.map((note) => `- ${plainText(note)}`)]),
  ];
  return `${lines.join("\n")}\n`;
}
