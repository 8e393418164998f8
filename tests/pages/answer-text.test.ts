// The answer of a report alone: its first paragraph or excerpt, and all excerpts that a sentence above them announces.
import { expect, test } from "bun:test";
import { answerMarkdown } from "../../src/pages/answer-text.ts";
import type { Block, Statement } from "../../src/run/report/report.ts";
import { heading, plainReport, quoted } from "./sample-report.ts";

const ANSWER: Block = { ...heading("Answer"), role: "answer" };
const excerpt = (statement: string): Block => ({ kind: "excerpt", statement, marks: [] });
const TWO: Statement = { statement_id: "two", basis: "framing", text: "The two best ones match equally well:" };
const statements = [TWO, quoted("a", "The first says this."), quoted("b", "The second says that.")];

test("one excerpt, where nothing announces more", () => {
  const shown = answerMarkdown(plainReport(statements, { blocks: [ANSWER, excerpt("a"), excerpt("b")] }));
  expect(shown).toContain("The first says this.");
  expect(shown).not.toContain("The second says that.");
});

test("both excerpts that a sentence announces, and not what is below the answer", () => {
  const own: Block[] = [ANSWER, { kind: "paragraph", statements: ["two"] }, excerpt("a"), excerpt("b")];
  const shown = answerMarkdown(plainReport(statements, { blocks: [...own, heading("More on this"), excerpt("a")] }));
  for (const words of ["match equally well", "The first says this.", "The second says that."])
    expect(shown.split(words)).toHaveLength(2);
});
