// Tests of changelogs and release notes: how they are recognized, that they are ranked behind prose, and which lines are shown.
import { describe, expect, test } from "bun:test";
import { isOfHistory, namesVersion } from "../../../src/drivers/local/histories.ts";
import { answerOf, reportOf } from "./local-run.ts";

const FILLER = "Rain falls on the roof in autumn. Dogs bark at night. The road to the village is long.";

function isHistory(title: string, origin = "docs/mill.txt", asked: string[] = []): boolean {
  return isOfHistory({ origin, title }, new Set(asked));
}

test("a history has the name of a version or a day as its heading, or a name such as NEWS", () => {
  for (const title of [
    "Fixes since v2.25",
    "Release 3.15.0 (12 April 2019)",
    "Änderungen in 1.2.3",
    "2022-10-10 Werner Koch",
    "1.4.0 (unreleased)",
    "Mill 18 ChangeLog > 2023-02-02, Version 18.14.0 > Commits",
  ])
    expect([title, isHistory(title)]).toEqual([title, true]);
  for (const origin of ["docs/CHANGELOG.md", "docs/NEWS.gz", "docs/mill/RelNotes/2.txt", "docs/release-notes/a.html"])
    expect([origin, isHistory("Bugs", origin)]).toEqual([origin, true]);
});

test("control: the number of a section, the version of a whole manual and similar words make no history", () => {
  for (const title of ["3.2 Locks", "4.11. Gates", "Mill v20.20.2 manual > Gates", "HTTP/1.1", "The mill", "Room 4"])
    expect([title, isHistory(title)]).toEqual([title, false]);
  for (const origin of ["docs/newsletter.md", "docs/exchanges.md", "docs/releasing.md"])
    expect([origin, isHistory("Bugs", origin)]).toEqual([origin, false]);
  // A question about the history wants it.
  expect(isHistory("The miller", "docs/history.md", ["history"])).toBeFalse();
  expect(isHistory("The miller", "docs/history.md", ["mill"])).toBeTrue();
  expect([namesVersion("What changed in 2.40?"), namesVersion("What limits the 4 gates?")]).toEqual([true, false]);
});

describe("release notes", () => {
  const QUESTION = "What limits the size of a millstone?";
  const manual = `# Stones\n\nThe width of the gate limits how large the size of a millstone may be.\n\n## Yard\n\n${FILLER}\n`;
  const notes = "# Mill 2.4\n\n- What limits the size of a millstone: millstone size limits are read again.\n";

  test("are ranked behind prose that answers the question, whatever their score", async () => {
    const run = await reportOf({ "stones.md": manual, "notes.md": notes, "a.md": FILLER }, QUESTION);
    const found = run.findings.flatMap(({ quotes }) => quotes.map(({ text }) => text.slice(0, 9)));
    expect(found).toEqual(["The width", "- What li"]);
    expect(answerOf(run)).toHaveLength(1);
    const scores = run.findings.flatMap(({ quotes }) => quotes.map(({ score }) => score));
    expect(scores[1]).toBeGreaterThan(scores[0] ?? Infinity);
    // Control: the same words without a version.
    const plain = await reportOf(
      { "stones.md": manual, "notes.md": notes.replace("2.4", "two"), "a.md": FILLER },
      QUESTION,
    );
    expect(answerOf(plain)[0]).toStartWith("- What limits");
  });

  test("answer when no prose does, and when the question names a version", async () => {
    const alone = await reportOf({ "notes.md": notes, "a.md": FILLER }, QUESTION);
    expect(answerOf(alone)[0]).toStartWith("- What limits");
    const files = { "stones.md": manual.replace("may be.", "may be since 2.4."), "notes.md": notes, "a.md": FILLER };
    const asked = await reportOf(files, "What limits the size of a millstone since 2.4?");
    expect(answerOf(asked)[0]).toStartWith("- What limits");
    // Control: a question without a version.
    expect(answerOf(await reportOf(files, QUESTION))[0]).toStartWith("The width");
  });
});

describe("an excerpt of a history", () => {
  const fix = "      sluice: open the second gate of iron at night";
  const others = (from: number): string[] =>
    Array.from({ length: 12 }, (_, at) => `      wheel: mend plank ${from + at} of the water side with nails of oak`);
  const question = "When does the sluice open the second gate?";

  test("is the marked line with the lines around it", async () => {
    const list = ["Anna Miller (25):", ...others(1), fix, ...others(13)];
    const run = await reportOf({ "log.txt": `Mill 2.4\n========\n\n${list.join("\n")}\n`, "a.md": FILLER }, question);
    expect(answerOf(run)).toEqual([list.slice(11, 16).join("\n").trim()]);
  });

  test("is whole when the list is short", async () => {
    const short = [fix, ...others(1).slice(0, 5)];
    const few = await reportOf({ "log.txt": `Mill 2.4\n========\n\n${short.join("\n")}\n`, "a.md": FILLER }, question);
    expect(answerOf(few)).toEqual([short.join("\n").trim()]);
  });

  test("control: an excerpt of other text is whole", async () => {
    const lines = [...others(1), fix, ...others(13)].slice(4, 20).map((line) => `Of the ${line.trim()}.`);
    const shown = async (title: string): Promise<string | undefined> =>
      answerOf(
        await reportOf({ "log.txt": `${title}\n========\n\n${lines.join("\n")}\n`, "a.md": FILLER }, question),
      )[0];
    expect(await shown("The mill")).toBe(lines.join("\n"));
    expect(await shown("Mill 2.4")).toBe(lines.slice(6, 11).join("\n"));
  });
});
