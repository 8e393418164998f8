// The texts of a page, place by place: a rubric is held against them.
import type { Block, Draft, Statement } from "../../../src/run/report/report.ts";
import { sectionsOf } from "../../../src/run/report/statements.ts";

type Page = Pick<Draft, "blocks" | "statements">;

/** A paragraph, an item, a row or an excerpt, with the headings above it. */
export interface Place {
  text: string;
  statements: Statement[];
  isInAnswer: boolean;
}

export function placesOf(page: Page): Place[] {
  return sectionsOf(page).flatMap(({ heading, blocks }, index) => {
    const isInAnswer = heading?.role === "answer" || (heading?.role === undefined && index === 0);
    let above = heading?.text ?? "";
    return blocks.flatMap((block) => {
      if (block.kind === "heading") above = `${heading?.text ?? ""}. ${block.text}`;
      return placesIn(page, block).map((place) => ({ ...place, text: `${above}\n${place.text}`, isInAnswer }));
    });
  });
}

function placesIn({ statements }: Page, block: Block): Omit<Place, "isInAnswer">[] {
  const known = (ids: readonly string[]): Statement[] => ids.flatMap((id) => statements[id] ?? []);
  const running = (ids: readonly string[], lead = ""): Omit<Place, "isInAnswer"> => {
    const own = known(ids);
    return { text: [lead, ...own.map(({ text }) => text)].join(" "), statements: own };
  };
  switch (block.kind) {
    case "heading":
      return [];
    case "paragraph":
      return [running(block.statements, block.lead)];
    case "list":
      return block.items.map((item) => running(item.statements, item.lead));
    case "code":
    case "excerpt":
      return [running([block.statement])];
    case "table":
      return block.rows.map((row) => {
        const cells = row.map((cell, index) => {
          const own = typeof cell === "string" ? [] : known(cell);
          const text = typeof cell === "string" ? cell : own.map((one) => one.text).join(" ");
          return { own, text: `${block.columns[index] ?? ""}: ${text}` };
        });
        return { text: cells.map(({ text }) => text).join("; "), statements: cells.flatMap(({ own }) => own) };
      });
  }
}

export function hasTable({ blocks }: Page): boolean {
  return blocks.some((block) => block.kind === "table" && block.columns.length > 1 && block.rows.length > 1);
}

export function wordsOn(page: Page): number {
  const words = new Intl.Segmenter("en", { granularity: "word" });
  const text = placesOf(page).map((place) => place.text);
  return text.reduce((sum, one) => sum + [...words.segment(one)].filter(({ isWordLike }) => isWordLike).length, 0);
}
