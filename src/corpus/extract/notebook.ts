// The text of a notebook of Jupyter: its words in Markdown, its code, and what the code has printed.
import { z } from "../../kernel/zod.ts";
import { LEFT_OUT } from "./dom-placeholders.ts";
import { UnfitDocument } from "./extraction.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { withTitle } from "./title.ts";

const linesSchema = z.union([z.string(), z.array(z.string())]);
const outputSchema = z.looseObject({
  text: linesSchema.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});
const cellSchema = z.looseObject({
  cell_type: z.string(),
  source: linesSchema.optional(),
  outputs: z.array(outputSchema).optional(),
});
const notebookSchema = z.looseObject({ cells: z.array(cellSchema) });

/** Pictures that are kept in the notebook. */
const ATTACHED = /!\[([^\]\n]{0,500})\]\(attachment:[^)\n]{0,500}\)/g;

export function textOfNotebook(source: string): string {
  const notebook = notebookSchema.safeParse(JSON.parse(source));
  if (!notebook.success) throw new UnfitDocument("damaged");
  const parts = notebook.data.cells.flatMap(({ cell_type, source: lines = "", outputs = [] }) => {
    const text = textOf(lines);
    if (cell_type !== "code") return [text.replace(ATTACHED, (_, words: string) => words || LEFT_OUT.picture)];
    return [codeOf(text), ...outputs.map(seenOf)];
  });
  return withTitle("", {
    text: parts
      .map((part) => part.trim())
      .filter(Boolean)
      .join("\n\n"),
  });
}

/** What is printed as text is kept; the text of a chart says nothing. */
function seenOf({ text, data = {} }: z.infer<typeof outputSchema>): string {
  if (text !== undefined) return codeOf(textOf(text));
  if (Object.keys(data).some((type) => type.startsWith("image/"))) return LEFT_OUT.picture;
  const plain = linesSchema.safeParse(data["text/plain"]);
  if (plain.success) return codeOf(textOf(plain.data));
  return Object.keys(data).length === 0 ? "" : LEFT_OUT.object;
}

function textOf(lines: z.infer<typeof linesSchema>): string {
  return typeof lines === "string" ? lines : lines.join("");
}

function codeOf(text: string): string {
  const writer = new MarkdownWriter();
  writer.code(text);
  return writer.finish();
}
