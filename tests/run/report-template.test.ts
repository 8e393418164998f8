// Templates of reports: what each leaves of a page that holds everything, and that it stands by itself.
import { describe, expect, test } from "bun:test";
import { draftFaults } from "../../src/run/report/draft-faults.ts";
import { claimsOf, statementsOf } from "../../src/run/report/statements.ts";
import { templated, templateMark, TEMPLATES, type TemplateName } from "../../src/run/report/report-template.ts";
import { derived, FULL_REPORT, plainReport, quoted } from "../pages/sample-report.ts";

const report = FULL_REPORT;
const names = Object.keys(TEMPLATES) as TemplateName[];

describe("a template", () => {
  test("leaves a report that holds together, whatever it leaves out", () => {
    const before = draftFaults(report).map(({ text }) => text);
    for (const name of names) {
      const shown = templated(report, TEMPLATES[name]);
      const faults = draftFaults(shown).filter(({ text }) => !before.includes(text));
      expect([name, faults]).toEqual([name, []]);
      expect(shown.sources.map(({ number }) => number)).toEqual(shown.sources.map((_source, at) => at + 1));
      expect(claimsOf(shown).length).toBeGreaterThan(0);
    }
  });

  test("full is the page as it is; brief is shorter, and a table has a row for each claim", () => {
    expect(templated(report, TEMPLATES.full)).toBe(report);
    const brief = templated(report, TEMPLATES.brief);
    expect(statementsOf(brief).length).toBeLessThan(statementsOf(report).length);
    const table = templated(report, TEMPLATES.table);
    expect(
      claimsOf(table)
        .map(({ statement_id }) => statement_id)
        .toSorted(),
    ).toEqual(
      claimsOf(report)
        .map(({ statement_id }) => statement_id)
        .toSorted(),
    );
    expect(table.blocks.every(({ kind }) => kind === "heading" || kind === "table" || kind === "list")).toBe(true);
  });

  test("shows what a conclusion follows from, also where its section is left out", () => {
    const premises = [quoted("a", "Records are kept."), derived("b", "So they are there.", { from: ["a"] })];
    const answer = derived("c", "Ask for them.", { from: ["b"] });
    const whole = plainReport([answer, ...premises], {
      blocks: [
        { kind: "heading", level: 2, text: "Answer", role: "answer" },
        { kind: "paragraph", statements: ["c"] },
        { kind: "heading", level: 2, text: "More" },
        { kind: "paragraph", statements: ["a", "b"] },
      ],
    });
    const brief = templated(whole, TEMPLATES.brief);
    expect(brief.blocks.slice(2)).toEqual([
      { kind: "heading", level: 2, text: "What it follows from" },
      { kind: "list", ordered: false, items: [{ statements: ["b"] }, { statements: ["a"] }] },
    ]);
    expect(draftFaults(brief)).toEqual([]);
    // Control: without them the report would not hold together.
    const bare = { ...brief, blocks: brief.blocks.slice(0, 2) };
    expect(draftFaults(bare).length).toBeGreaterThan(0);
  });

  test("is named by what it says", () => {
    const [brief, table] = [TEMPLATES.brief, TEMPLATES.table].map((template) => templateMark({ name: "x", template }));
    expect(brief?.digest).not.toBe(table?.digest ?? "");
    expect(templateMark({ name: "x", template: { form: "table" } })).toEqual(table as never);
  });
});
