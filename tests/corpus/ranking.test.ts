// The ranking counts sections, titles, nearness, near duplicates and scripts, and does not depend on the order of files.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import fs from "node:fs";
import { PostingList, Postings } from "../../src/corpus/index/posting-list.ts";
import { NO_ABORT, openAt, TemporaryFolder } from "./temporary-folder.ts";

/** Other documents, so that words are rare or common as in a real corpus. */
function fillers(count: number): Record<string, string> {
  const words = ["garden", "ladder", "window", "river", "letter", "market", "winter", "candle", "bridge", "engine"];
  const text = (number: number): string =>
    Array.from({ length: 12 }, (_, index) => words[(number * 7 + index * (number % 3) + index) % words.length]).join(
      " ",
    );
  return Object.fromEntries(
    Array.from({ length: count }, (_, number) => [`filler-${number}.txt`, `${text(number)}.\n`]),
  );
}

async function pathsFor(files: Record<string, string>, query: string, limit = 10): Promise<string[]> {
  using folder = new TemporaryFolder(files);
  const corpus = await openAt(folder.path);
  const found = await corpus.search(query, { limit, perDocument: 1 }, NO_ABORT);
  corpus.close();
  return found.map(({ path }) => path);
}

describe("posting lists", () => {
  test("are read as they were written", () => {
    const postings = fc.uniqueArray(
      fc.record({ passage: fc.integer({ min: 1, max: 2 ** 29 }), inText: fc.nat(255), inTitle: fc.nat(255) }),
      { selector: ({ passage }) => passage },
    );
    fc.assert(
      fc.property(postings, (given) => {
        const sorted = given.filter(({ inText, inTitle }) => inText + inTitle > 0);
        sorted.sort((left, right) => left.passage - right.passage);
        const list = new PostingList();
        for (const { passage, inText, inTitle } of sorted) list.add(passage, inText, inTitle);
        const read = new Postings();
        read.read(list.toBytes());
        const found = Array.from({ length: read.count }, (_, at) => ({
          passage: read.passages[at],
          inText: read.inText[at],
          inTitle: read.inTitle[at],
        }));
        expect(found).toEqual(sorted);
      }),
    );
  });
});

describe("a list that only leads elsewhere", () => {
  const SAYS =
    "The broker grants a lease to one worker at a time. When the heartbeat of the worker stops for two minutes, another worker takes the lease over, and the takeover is noted in the journal.";
  const found = async (files: Record<string, string>) => {
    using folder = new TemporaryFolder({ ...fillers(40), ...files });
    const corpus = await openAt(folder.path);
    const passages = await corpus.search("lease takeover heartbeat", { limit: 10, explains: true }, NO_ABORT);
    corpus.close();
    return passages;
  };

  test.each([
    ["a.md", "## See also", "- [Lease takeover](lease.md)\n- [Heartbeat of a lease](heartbeat.md)"],
    ["a.rst", "See also\n--------", "* :doc:`Lease takeover <lease>`\n* `Heartbeat of a lease <heartbeat.html>`_"],
    ["a.adoc", "== See also", "* xref:lease.adoc[Lease takeover]\n* link:h.html[Heartbeat of a lease]"],
  ])("comes behind what says something, and counts by its own words: %s", async (name, heading, list) => {
    const [first, second] = await found({ [name]: `# Broker\n\n${SAYS}\n\n${heading}\n\n${list}\n` });
    expect(first?.text).toContain("The broker grants");
    expect(second?.why?.score).toMatchObject({ section: 0, nearness: 0 });
    expect(second?.score).toBeCloseTo(second?.why?.score.words ?? 0, 2);
    // Control: the same words, of which one item says more than where it leads.
    const said = list.replace(
      /\n.*$/s,
      "\n- Heartbeat of a lease: the takeover follows when it stops, whatever the lease says.",
    );
    const [other] = await found({ [name]: `# Broker\n\n${SAYS}\n\n${heading}\n\n${said}\n` });
    expect(other?.why?.score.section).toBeGreaterThan(0);
    expect(other?.text).not.toContain("The broker grants");
  });

  test("is found all the same where nothing else holds the words", async () => {
    const [first] = await found({
      "a.md": "# Broker\n\nIt is small.\n\n## See also\n\n- [Lease takeover](lease.md)\n",
    });
    expect(first?.text).toBe("- [Lease takeover](lease.md)");
  });
});

describe("ranking", () => {
  test("a text without headings that has the word in all parts comes before one that has it once", async () => {
    const part = (text: string): string => `${text} ${"Much else is said here about other matters. ".repeat(26)}`;
    const long = [part("The turbine spins."), part("Every turbine has blades."), part("A turbine is oiled.")].join(
      "\n\n",
    );
    const once = [part("A turbine spins."), part("There is a shed."), part("There is a yard.")].join("\n\n");
    expect((await pathsFor({ ...fillers(40), "a-once.txt": once, "z-long.txt": long }, "turbine"))[0]).toBe(
      "z-long.txt",
    );
  });

  test("a word in the title counts for more, in Markdown and as the first line of a plain text", async () => {
    const body = "It is checked in spring by the caretaker of the house, who writes down what was found.";
    const other = "The boiler room is checked in spring by the caretaker, who writes down all that was found.";
    for (const [name, text] of [
      ["z.md", `# Boiler\n\n${body}\n`],
      ["z.txt", `Boiler\n\n${body}\n`],
    ] as const) {
      expect(await pathsFor({ ...fillers(30), "a.txt": other, [name]: text }, "boiler")).toEqual([name, "a.txt"]);
    }
  });

  test("a passage whose section has the word more often comes before one whose document has it in other sections", async () => {
    const much = "Much else is said here about other matters. ".repeat(26);
    const parts = [`The turbine spins. ${much}`, `Every turbine has blades. ${much}`, `A turbine is oiled. ${much}`];
    const section = (heading: string, text: string): string => `# ${heading}\n\n${text}\n\n`;
    const scattered = parts.map((text, index) => section(`Part ${index + 1}`, text)).join("");
    const gathered = section("Part 1", parts.join("\n\n"));
    const files = { ...fillers(40), "a-scattered.md": scattered, "z-gathered.md": gathered };
    expect((await pathsFor(files, "turbine"))[0]).toBe("z-gathered.md");
  });

  test("a line below a long title does not come before a text that has the word itself", async () => {
    const title = "# The caretaker of the old boiler in the long shed behind the garden wall";
    const text = "The boiler is lit at dawn. Open the valve, wait until the boiler is warm, and watch the boiler.";
    const files = { ...fillers(40), "a.md": `${title}\n\nSee there.\n`, "z.md": `# In spring\n\n${text}\n` };
    expect((await pathsFor(files, "boiler"))[0]).toBe("z.md");
  });

  test("words next to each other come before the same words far apart", async () => {
    const apart = "The stale bread lies there. Beside the door, under the stairs, hangs the old lock of iron.";
    const together = "The stale lock lies there. Beside the door, under the stairs, hangs the old bread of iron.";
    const files = { ...fillers(30), "a.txt": apart, "z.txt": together };
    expect((await pathsFor(files, "stale lock"))[0]).toBe("z.txt");
    expect((await pathsFor(files, "stale bread"))[0]).toBe("a.txt");
  });

  test("nearness of words counts before a document is limited to its best passages", async () => {
    const far = "The index of the book names people and places, and nobody is there by force.";
    const parts = Array.from({ length: 5 }, (_, index) => `## Part ${index}\n\n${far}\n`).join("\n");
    const near = "For a test of the planner it is useful to force index scans, as the chapter on settings says.";
    const manual = `# Manual\n\n${parts}\n## Testing\n\n${near}\n`;
    using folder = new TemporaryFolder({ ...fillers(30), "manual.md": manual });
    const corpus = await openAt(folder.path);
    const found = await corpus.search("force index", { limit: 5, perDocument: 1 }, NO_ABORT);
    expect(found[0]?.heading_path).toBe("Manual > Testing");
  });

  test("a row of a table is found by its words and by the names of its columns", async () => {
    const row = (index: number): string => `| word${index} | Something of the kind ${index}. |`;
    const rows = Array.from({ length: 30 }, (_, index) => row(index)).join("\n");
    const table = `| term | explanation |\n|---|---|\n${rows}\n| lease | The right to write a run, for a limited time. |\n`;
    using folder = new TemporaryFolder({ ...fillers(30), "words.md": `# Glossary\n\n${table}` });
    const corpus = await openAt(folder.path);
    for (const question of ["What is a lease?", "explanation of the lease"]) {
      const [first] = await corpus.search(question, { limit: 3 }, NO_ABORT);
      expect(first?.text).toBe("| lease | The right to write a run, for a limited time. |");
    }
  });

  test("the parts of a camelCase name are found", async () => {
    const files = { ...fillers(10), "code.ts": "export function parseOptions(argv) {}\n" };
    expect(await pathsFor(files, "options")).toEqual(["code.ts"]);
    expect(await pathsFor(files, "parseOptions")).toEqual(["code.ts"]);
  });

  test("numbers in file names do not count", async () => {
    const files = { ...fillers(20), "docs/7.txt": "Nothing of the kind.", "docs/8.txt": "There were 7 of them." };
    expect(await pathsFor(files, "7")).toEqual(["docs/8.txt"]);
  });
});

describe("languages", () => {
  test("German words are found with umlauts, inflected, and at the beginning of compounds", async () => {
    const files = {
      ...fillers(20),
      "form.txt": "Die Wärmepumpen laufen auch im Winter leise.",
      "compound.txt": "Eine Wärmepumpenanlage braucht Platz im Keller.",
      "other.txt": "Der Garten ist im Sommer am schönsten.",
    };
    const found = await pathsFor(files, "Was kostet eine Wärmepumpe und wie wird sie gewartet?");
    expect(found).toEqual(["form.txt", "compound.txt"]);
    expect(await pathsFor(files, "WARMEPUMPE")).toEqual(["form.txt", "compound.txt"]);
  });

  test("Japanese words are found without spaces between them", async () => {
    const files = {
      ...fillers(20),
      "a.txt": "この関数はオプションを解析します。",
      "b.txt": "庭には桜の木があります。",
    };
    expect(await pathsFor(files, "オプションの解析")).toEqual(["a.txt"]);
    expect(await pathsFor(files, "桜")).toEqual(["b.txt"]);
  });

  test("decomposed and full-width letters are the same letters", async () => {
    const files = { ...fillers(5), "a.txt": "Der Gru\u0308ne Punkt. ＡＢＣ１２３", "b.txt": "Nichts." };
    expect(await pathsFor(files, "grüne")).toEqual(["a.txt"]);
    expect(await pathsFor(files, "abc123")).toEqual(["a.txt"]);
  });

  test("a question in a language that the corpus does not have finds nothing", async () => {
    for (const query of ["какая сегодня погода", "今日の天気", "¿dónde está la biblioteca?", "?!", "\u0000"]) {
      expect(await pathsFor(fillers(10), query)).toEqual([]);
    }
  });

  test("any question is answered, whatever it holds", async () => {
    using folder = new TemporaryFolder(fillers(5));
    const corpus = await openAt(folder.path);
    for (const query of ['"', "NEAR(", "a* OR", "title:x", "-", "''", "{a b}:c", "x".repeat(100_000), "\ud800 river"]) {
      expect((await corpus.search(query, { limit: 3 }, NO_ABORT)).length).toBeLessThanOrEqual(3);
    }
    corpus.close();
  });
});

describe("near duplicates", () => {
  const text = (end: string): string =>
    `The valve opens at three bar, lets the steam out through the roof, and closes again when the pressure has fallen below two bar ${end}.\n`;

  test("are folded into the best passage, which counts them", async () => {
    using folder = new TemporaryFolder({
      ...fillers(10),
      "a.txt": text("today"),
      "b.txt": text("again"),
      "c.txt": text("then"),
    });
    const corpus = await openAt(folder.path);
    const found = await corpus.search("valve pressure", { limit: 10, perDocument: 1 }, NO_ABORT);
    expect(found.map(({ path, similar }) => [path, similar])).toEqual([["a.txt", 2]]);
    corpus.close();
  });
});

describe("order", () => {
  test("is the same whatever the history of the index", async () => {
    const zebras = Array.from({ length: 8 }, (_, number) => [`zebra-${number}.txt`, `Zebra ${number} has a stripe.`]);
    const files: Record<string, string> = { ...fillers(60), ...Object.fromEntries(zebras) };
    using folder = new TemporaryFolder();
    using cache = new TemporaryFolder();
    const names = Object.keys(files).reverse();
    // Many small and large updates with changes, so that batches are merged in between.
    for (let at = 0, step = 1; at < names.length; at += step, step = (step * 5) % 7) {
      for (const name of names.slice(at, at + step)) folder.write(name, files[name] ?? "");
      folder.write("changing.md", "# Zebra\n\nA zebra.\n\n".repeat(9 + (at % 7)));
      (await openAt(folder.path, cache.path)).close();
    }
    fs.rmSync(folder.at("changing.md"));
    const updated = await openAt(folder.path, cache.path);
    const fresh = await openAt(folder.path);
    for (const query of ["river", "stripe", "winter candle", "engine bridge letter market"]) {
      const limits = { limit: 30 };
      const expected = await fresh.search(query, limits, NO_ABORT);
      expect(expected.length).toBeGreaterThan(7);
      expect(await updated.search(query, limits, NO_ABORT)).toEqual(expected);
    }
    updated.close();
    fresh.close();
  });
});
