// An entry whose term is asked comes before the passages that only mention the term.
import { describe, expect, test } from "bun:test";
import { worthOfEntries } from "../../src/corpus/blocks/entries.ts";
import { NO_ABORT, openAt, TemporaryFolder } from "./temporary-folder.ts";

const MENTIONS = Object.fromEntries(
  Array.from({ length: 6 }, (_, at) => [
    `mention-${at}.md`,
    `# Sluices\n\nA sluice ${at} drains. A sluice fills. Each sluice of the mill leaks in winter.\n`,
  ]),
);
const OTHERS = "the long wooden wheel of the mill turns by day and rests by night beside the slow brown river ".repeat(
  3,
);

async function firstFor(files: Record<string, string>, query: string): Promise<string> {
  using folder = new TemporaryFolder(files);
  const corpus = await openAt(folder.path);
  const [first] = await corpus.search(query, { limit: 3 }, NO_ABORT);
  corpus.close();
  return first?.path ?? "";
}

describe("the entry of an asked term is found first", () => {
  const entries = {
    "an item with a bold term": ["terms.md", `# Words\n\n- **race**: ${OTHERS}\n- **sluice**: A gate for water.\n`],
    "an item with code and a dash": [
      "terms.md",
      `# Words\n\n- \`race\` - ${OTHERS}\n- \`sluice\` - A gate for water.\n`,
    ],
    "a paragraph with a bold term": ["terms.md", `# Words\n\n**Sluice:** A gate for water. ${OTHERS}\n`],
    "a definition list": ["terms.html", `<h1>Words</h1><dl><dt>Sluice</dt><dd>A gate for water. ${OTHERS}</dd></dl>`],
    "the tag of a manual page": ["mill.5", `.TH MILL 5\n.SH OPTIONS\n.TP\n.B Sluice=\nA gate for water. ${OTHERS}\n`],
    "the keyword of a reference": ["keywords.txt", `sluice <name> [ -lv ]\n  A gate for water. ${OTHERS}\n`],
  } as const;
  test.each(Object.entries(entries))("%s", async (_, [name, text]) => {
    expect(await firstFor({ ...MENTIONS, [name]: text }, "What is a sluice?")).toBe(name);
  });

  test("control: not an entry whose term has another word", async () => {
    const text = `# Words\n\n- **sluice keeper**: ${OTHERS}\n`;
    expect(await firstFor({ ...MENTIONS, "terms.md": text }, "What is a sluice?")).toStartWith("mention-");
  });

  test("control: not a program with such lines", async () => {
    const text = `sluice:\n    turn()\n${"    wheel.turn(by_day, beside=river)\n".repeat(30)}`;
    expect(await firstFor({ ...MENTIONS, "mill.py": text }, "What is a sluice?")).toStartWith("mention-");
  });
});

test("an entry is worth what the words of its name are, a row half of it", () => {
  const worth = new Map(["depth", "forc", "data", "directori"].map((term) => [term, 2]));
  const worthOf = (text: string): number => worthOfEntries(text, worth, 1);
  expect(worthOf("**data directory**: Where it lies.")).toBe(4);
  expect(worthOf("-f, --force\n: Asks nothing.")).toBe(2);
  expect(worthOf("--depth=<n>\n: How deep it looks.")).toBe(2);
  expect(worthOf("force (of a wheel)\n  How hard it turns.")).toBe(2);
  expect(worthOf("| depth | How deep it looks. |")).toBe(1);
  expect(worthOf("| wheel | The depth of the water. |")).toBe(0);
  expect(worthOf("**wheel directory**: Where it lies.")).toBe(0);
  expect(worthOfEntries("**depth**: How deep it looks.", worth, 2)).toBe(0);
  expect(worthOf("The **depth** is what it is.")).toBe(0);
});
