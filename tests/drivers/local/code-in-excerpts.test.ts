// Tests that code stays code on the pages when an excerpt is cut out of it, without its fence or indent.
import { describe, expect, test } from "bun:test";
import { parseHTML } from "linkedom";
import { reportHtml } from "../../../src/pages/html-page.ts";
import { reportMarkdown } from "../../../src/pages/markdown-page.ts";
import type { Report } from "../../../src/run/report/report.ts";
import { HANDBOOK } from "../../pages/sample-report.ts";
import { answerOf, reportOf } from "./local-run.ts";

/** Longer than a passage, so that its middle is found without its first and last line. */
const PROGRAM = Array.from({ length: 60 }, (_, at) =>
  [
    `def step_${at}(mill):`,
    `    # ${at === 30 ? "Grease the axle of the oak wheel before dawn" : `Plank ${at} of the water side`}`,
    `    if mill.brook > ${at}:`,
    `        turn(${at})`,
    "",
  ].join("\n"),
).join("\n");
const QUESTION = "When is the axle of the oak wheel greased before dawn?";
const REST = "# The mill\n\nThis is how the mill is run by its miller.\n\n";
const OTHERS = { "a.md": "# Bread\n\nRye needs sourdough.\n", "b.md": "# Honey\n\nBees dance on the comb.\n" };

const DOCUMENTS: Readonly<Record<string, Record<string, string>>> = {
  "a fence of Markdown": { "mill.md": `${REST}\`\`\`python\n${PROGRAM}\`\`\`\n\nThen it rests.\n` },
  "indented code": { "mill.md": `${REST}${PROGRAM.replace(/^(?=.)/gm, "    ")}\nThen it rests.\n` },
  "code indented by tabs": { "mill.md": `${REST}${PROGRAM.replace(/^(?=.)/gm, "\t")}\nThen it rests.\n` },
  "a program of a strange ending": { "mill.dem": PROGRAM },
  "<pre> of HTML": {
    "mill.html": `<html><body><h1>The mill</h1><p>This is how the mill is run.</p><pre>${PROGRAM.replaceAll(">", "&gt;")}</pre><p>Then it rests.</p></body></html>`,
  },
};

async function pagesOf(files: Record<string, string>) {
  const run = await reportOf({ ...files, ...OTHERS }, QUESTION);
  const version = { version_index: 1, trigger_type: "auto_natural_stop", partial: false } as const;
  const report: Report = { ...run.draft, ...version, schema_version: "report.v2", evidence_digest: HANDBOOK };
  const { document } = parseHTML(reportHtml(report));
  return { run, markdown: reportMarkdown(report), quoted: document.querySelector("blockquote") };
}

describe.each(Object.entries(DOCUMENTS))("%s", (_name, files) => {
  test("keeps its lines and their indent", async () => {
    const { run, markdown, quoted } = await pagesOf(files);
    // The quote begins and ends inside of the block.
    const [text = ""] = answerOf(run);
    expect(text).toContain("before dawn");
    expect(text).not.toContain("step_0(");
    expect(text).not.toContain("step_59(");
    const code = quoted?.querySelector("pre")?.textContent ?? "";
    expect(PROGRAM).toContain(code);
    expect(code).toMatch(/^ {4}# Grease the axle of the oak wheel before dawn\n {4}if mill\.brook > 30:\n {8}turn/m);
    expect(quoted?.querySelectorAll("p, h1").length).toBe(0);
    for (const line of code.split("\n")) expect(markdown.split("\n")).toContain(`> ${line}`.trimEnd());
  });
});

test("control: prose before code stays prose", async () => {
  const text = `${REST}Grease the axle of the oak wheel before dawn:\n\n\tturn(1)\n\n\tturn(2)\n\nThen it rests.\n`;
  const { quoted } = await pagesOf({ "mill.md": text });
  expect(quoted?.querySelectorAll("pre").length).toBe(1);
  expect(quoted?.querySelector("pre")?.textContent).toBe("turn(1)\n\nturn(2)");
  expect(quoted?.textContent).toContain("Grease the axle");
  expect(quoted?.querySelectorAll("p").length).toBe(3);
});

test("control: indented paragraphs of an item in HTML are no code", async () => {
  const item = "<li><p>Of the wheel:</p><pre>turn(1)</pre><p>Grease the axle of the oak wheel before dawn.</p></li>";
  const { quoted } = await pagesOf({
    "mill.html": `<html><body><h1>The mill</h1><p>This is how it is run.</p><ul>${item}</ul></body></html>`,
  });
  expect([...(quoted?.querySelectorAll("pre") ?? [])].map(({ textContent }) => textContent)).toEqual(["turn(1)"]);
  expect(quoted?.querySelector("mark")?.textContent).toContain("Grease the axle");
});

test("control: prose in a file of a strange ending stays prose", async () => {
  const wrapped =
    "Grease the axle of the oak wheel before dawn, when the brook is low and the miller\nhas not yet opened the gate of the upper pond for the day. The wheel stands still then.\n";
  const { quoted, run } = await pagesOf({ "README.mill": `${wrapped}\n${wrapped.replace("Grease", "Do not oil")}` });
  expect(answerOf(run)[0]).toContain("before dawn");
  expect(quoted?.querySelectorAll("pre").length).toBe(0);
});
