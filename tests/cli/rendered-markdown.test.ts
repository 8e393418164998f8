// Markdown on a terminal: rendered, in its width, and harmless whatever it says.
import { describe, expect, test } from "bun:test";
import { renderedMarkdown } from "../../src/cli/terminal/rendered-markdown.ts";
import { reportMarkdown } from "../../src/pages/markdown-page.ts";
import { makeCompletedRun, temporaryFolder, testPorts } from "../operations/made-run.ts";
import { cli } from "./fake-host.ts";
import { FULL_REPORT } from "../pages/sample-report.ts";

const COLOURED = { columns: 60, hasColours: true };
const TITLE = `${FULL_REPORT.question} And since when, and for which of the tables?`;
const example = reportMarkdown({ ...FULL_REPORT, title: TITLE });

describe("a report", () => {
  test("has bold headings, bullets, tables and no escapes of Markdown", () => {
    const shown = renderedMarkdown(
      `${example}\nA price of \\$5 in \\\${var\\[\\$MBEGIN\\]}.\n\n54\\. Utilities\n`,
      COLOURED,
    );
    expect(Bun.stripANSI(shown)).not.toContain("\\");
    expect(shown).not.toMatch(/^#/m);
    expect(shown).toContain("54. Utilities");
    expect(shown).toContain("A price of $5 in ${var[$MBEGIN]}.");
    expect(shown).toMatch(/\u001b\[1m.*Answer/);
    const plain = Bun.stripANSI(shown);
    expect(plain).toContain("keeps records for 30 days.[1a]");
    expect(plain).toContain("1. Nobody says who may change it.");
    expect(plain).toContain("│ 90 days │");
    expect(plain).toContain("[∴ 3a, computed as (5.2 - 3.1) / 5.2]");
  });

  test("is drawn in ASCII where the locale has no other signs, and as before in UTF-8 or where none is said", async () => {
    using folder = temporaryFolder();
    const runRoot = await makeCompletedRun(testPorts(), folder.path, "dr_1");
    const shownIn = async (environment: Record<string, string>): Promise<string> =>
      Bun.stripANSI((await cli(["report", "show", runRoot], { environment, terminals: ["stdout"] })).stdout);
    const drawn = await shownIn({});
    expect(drawn).toMatch(/^═+$/m);
    for (const environment of [
      { LANG: "C.UTF-8" },
      { LC_ALL: "en_US.utf8", LANG: "C" },
      { LC_ALL: "", LANG: "de_DE.UTF-8" },
    ])
      expect(await shownIn(environment)).toBe(drawn);
    for (const environment of [
      { LANG: "C" },
      { LC_CTYPE: "de_DE.ISO-8859-1", LANG: "de_DE.UTF-8" },
      { LC_ALL: "POSIX" },
    ]) {
      const shown = await shownIn(environment);
      expect(shown).toMatch(/^=+$/m);
      expect(shown).not.toMatch(/[\u2500-\u257f\u2022]/);
    }
    const signs = Bun.stripANSI(renderedMarkdown(example, { ...COLOURED, inAscii: true }));
    expect(signs).toContain("| 90 days |");
    expect(signs).not.toMatch(/[\u2500-\u257f\u2022]/);
    expect(signs).toContain("[∴ 3a, computed as");
  });

  test("shows an excerpt next to a line, with what is marked in bold, its table and its code", () => {
    const shown = renderedMarkdown(example, COLOURED);
    expect(shown).toContain("\u001b[1mRecords are kept for 30 days");
    const plain = Bun.stripANSI(shown);
    expect(plain).toContain("│ - Backups have a date of their own.\n│ \u00a0\u00a0Nobody removes them");
    expect(plain).toMatch(/^│ │ retention_days +│ 30 days +│$/m);
    expect(plain).toMatch(/^│ │ retain --days 30 {3}# the default$/m);
  });

  test.each([40, 60, 80, 100])("fits %d columns, headings among it", (columns) => {
    const lines = Bun.stripANSI(renderedMarkdown(example, { columns, hasColours: true })).split("\n");
    for (const line of lines) expect([line, Bun.stringWidth(line) <= columns]).toEqual([line, true]);
    expect(lines[0]).toStartWith("How long are records kept");
    expect(lines[1]).not.toMatch(/^═/);
  });

  test("is no wider than a hundred columns", () => {
    const widest = Math.max(
      ...renderedMarkdown(example, { columns: 300, hasColours: false })
        .split("\n")
        .map((line) => Bun.stringWidth(line)),
    );
    expect(widest).toBeLessThanOrEqual(100);
  });

  test("without colours has no escape at all", () => {
    const shown = renderedMarkdown(`[a](https://x.org)\n\n${example}`, { columns: 80, hasColours: false });
    expect(shown).not.toContain("\u001b");
    expect(shown).toContain("a (https://x.org)");
  });
});

describe("links", () => {
  test("that are their own text are written once where a terminal has none", () => {
    const shown = (columns: number): string =>
      renderedMarkdown("A page of the memo. <https://x.org/a?b=c>, twice.", { columns, hasColours: false });
    expect(shown(80)).toBe("A page of the memo. https://x.org/a?b=c, twice.\n");
    expect(shown(30)).not.toContain("(");
  });

  test("are those of the terminal", () => {
    expect(renderedMarkdown("[page](https://x.org/a) <mailto:me@x.org>", COLOURED)).toContain(
      "\u001b]8;;https://x.org/a\u001b\\",
    );
  });

  test("that lead to files or programs are text", () => {
    for (const text of ["[a](file:///etc/passwd)", "[a](javascript:x)", "![a](/etc/passwd)", "[a](FILE:x)"])
      expect(renderedMarkdown(text, COLOURED)).not.toMatch(/\u001b\]8;;[^\u001b]/);
  });
});

test("nothing in it steers the terminal or turns a line around", () => {
  const hostile =
    "a \u001b[31m \u009b31m \u202e b &#27;[31m &#x1b;]0;title&#7; &#x9b;31m &#x202e; &#8238; `\u001b]8;;x\u0007`";
  for (const hasColours of [true, false]) {
    const shown = renderedMarkdown(hostile, { columns: 80, hasColours });
    // Weight and colour of the page itself end in m, links in a backslash.
    expect(shown.replace(/\u001b\[[\d;]*m/g, "")).not.toContain("\u001b");
    expect(shown).not.toContain("\u001b[31m");
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e]/);
  }
});
