// Tests of the tools of a researcher: what they show a model, and what they accept.
import { describe, expect, test } from "bun:test";
import { isVerbatim } from "../../../src/run/report/source.ts";
import { ResearchState } from "../../../src/drivers/research/research-state.ts";
import { ToolBench } from "./tool-bench.ts";

interface Found {
  found: { document: string; title: string; origin?: string; document_text: string }[];
}
interface OpenedSlice {
  opened: { document: string; from: number; to: number; length: number; document_text: string };
}

const PARAGRAPH = "このバルブは水を止めます。Ölpumpe läuft weiter, bis der Druck fällt.";
const LONG = `${Array.from({ length: 200 }, (_, index) => `${index}: ${PARAGRAPH}`).join("\n\n")}\n\nThe lease ends after two minutes.\n\nThe end.`;

describe("search", () => {
  test("shows names, titles and texts alone", async () => {
    const bench = new ToolBench({ "docs/a.md": "# A\n\nThe lease ends.", "docs/b.md": "A lease of one." });
    const { content } = await bench.call("search", { query: "lease" });
    expect(JSON.parse(content)).toEqual({
      found: [
        { document: "d1", origin: "docs/a.md", title: "About docs/a.md", document_text: "The lease ends." },
        { document: "d2", origin: "docs/b.md", title: "About docs/b.md", document_text: "A lease of one." },
      ],
    });
    expect(content).not.toMatch(/sha256|score|1\.25/);
  });

  test("shows a row of a table with the names of its columns", async () => {
    const bench = new ToolBench({ "a.md": "# A\n\n| Model | Price |\n|---|---|\n| KT-4 | 86 EUR |" });
    expect((await bench.told<Found>("search", { query: "KT-4" })).found).toMatchObject([
      { columns: "| Model | Price |", document_text: "| KT-4 | 86 EUR |" },
    ]);
  });

  test("gives a passage the same name in each search, and each passage of a document its own", async () => {
    const bench = new ToolBench({ "a.md": "A lease is one.\n\nA lease ends.", "b.md": "It ends." });
    const names = async (query: string): Promise<string[]> =>
      (await bench.told<Found>("search", { query })).found.map(({ document }) => document);
    expect(await names("lease")).toEqual(["d1", "d1.2"]);
    expect(await names("ends")).toEqual(["d1.2", "d2"]);
    expect(await names("one")).toEqual(["d1"]);
  });

  test("only names what an earlier search of the same reply has shown, and shows it again in a later one", async () => {
    const bench = new ToolBench({ "a.md": "A lease is one.\n\nA lease ends." });
    const found = async (query: string) => (await bench.told<Found>("search", { query })).found;
    bench.reply();
    expect(await found("lease is")).toMatchObject([{ document: "d1", document_text: "A lease is one." }]);
    expect(await found("lease")).toMatchObject([
      { document: "d1", shown_above: true },
      { document: "d1.2", origin: "a.md", document_text: "A lease ends." },
    ]);
    bench.reply();
    expect(await found("lease is")).toMatchObject([{ document: "d1", document_text: "A lease is one." }]);
  });

  test("shows fewer passages where there is little room, each in whole sentences or words", async () => {
    const said = "A lease ends after two minutes without a heartbeat, which the owner sends every thirty seconds.";
    const documents = {
      "a.md": `${said} ${said} ${said} ${said}`,
      "b.md": said.replaceAll(/[.,]/gu, "").concat(" ").repeat(4),
      "c.md": said,
      "d.md": said.replace("two", "three"),
    };
    const bench = new ToolBench(documents, {}, {}, 1_536);
    const { found } = await bench.told<Found>("search", { query: "lease" });
    expect(found.map(({ document_text }) => document_text.length)).toEqual([287, 304, said.length]);
    expect(found[0]?.document_text).toBe(`${said} ${said} ${said}`);
    expect(documents["b.md"].startsWith(`${found[1]?.document_text} `)).toBe(true);
    expect(
      await bench.told("quote", { document: "d1", text: found[0]?.document_text, statement: "s", part_ids: ["one"] }),
    ).toEqual({ recorded: "1 of at most 8 quotes", number: 1 });
  });

  test("folds the twin of a page, and not its neighbour", async () => {
    const bench = new ToolBench({
      "a.html": "A lease is the right to write.",
      "a.txt": "A lease is the right\nto write.",
      "b.txt": "A lease is the right to write.",
      "a.md": "Never take a lease twice in a row.",
    });
    const { found } = await bench.told<Found>("search", { query: "lease is" });
    expect(found.map(({ origin }) => origin)).toEqual(["a.html", "b.txt"]);
    expect((await bench.told<Found>("search", { query: "lease" })).found.map(({ origin }) => origin)).toContain("a.md");
  });
});

describe("words of which a byte was lost", () => {
  const quoted = (text: string) => ({ document: "d1", text, statement: "s", part_ids: ["one"] });

  test("are shown by find, and are no quote; those beside them are", async () => {
    const bench = new ToolBench({ "a.md": "The lease ends af\uFFFDer two minutes. The owner renews the lease." });
    await bench.call("search", { query: "lease" });
    const { places } = await bench.told<{ places: { document_text: string }[] }>("find", {
      document: "d1",
      words: "lease",
    });
    const [place] = places;
    expect(place?.document_text).toContain("\uFFFD");
    const refused = await bench.call("quote", quoted(place?.document_text ?? ""));
    expect([refused.is_error, refused.content]).toEqual([true, expect.stringContaining("could not be read")]);
    expect(await bench.told("quote", quoted("The owner renews the lease."))).toHaveProperty("recorded");
  });

  test("are no quote either where the quote leaves them out with the marks of code", async () => {
    const bench = new ToolBench({ "a.md": "The lease ends soon.\n\n``` \uFFFD\nrenew the lease\n```\n" });
    await bench.call("search", { query: "lease" });
    const refused = await bench.call("quote", quoted("The lease ends soon. renew the lease"));
    expect([refused.is_error, refused.content]).toEqual([true, expect.stringContaining("could not be read")]);
  });
});

describe("open", () => {
  test("lands on the passage that was found, whatever letters stand before it, with whole paragraphs", async () => {
    const bench = new ToolBench({ "a.md": LONG });
    await bench.call("search", { query: "lease" });
    const { opened } = await bench.told<OpenedSlice>("open", { document: "d1" });
    expect(opened.document_text).toContain("The lease ends after two minutes.");
    expect(LONG.slice(opened.from, opened.to)).toBe(opened.document_text);
    expect(opened.document_text).toMatch(/^\d+: /);
    expect(opened.length).toBe(LONG.length);
  });

  test("reads on from where the last slice ended, and nothing is lost between", async () => {
    const bench = new ToolBench({ "a.md": LONG });
    await bench.call("search", { query: "lease" });
    let read = "";
    while (read.length < LONG.length) {
      const { opened } = await bench.told<OpenedSlice>("open", { document: "d1", from: read.length, size: 9_000 });
      expect(opened.document_text.endsWith("\n\n") || opened.to === LONG.length).toBe(true);
      read += opened.document_text;
    }
    expect(read).toBe(LONG);
    const { content, is_error } = await bench.call("open", { document: "d1", from: LONG.length });
    expect([is_error, content]).toEqual([true, expect.stringContaining(`has ${LONG.length} characters`)]);
  });

  test("refuses what no search has named", async () => {
    const bench = new ToolBench({ "a.md": LONG });
    const { content, is_error } = await bench.call("open", { document: "../../etc/passwd" });
    expect([is_error, content]).toEqual([true, expect.stringContaining("No search has named")]);
    expect(bench.kept).toEqual([]);
  });
});

test("find gives the paragraphs with most of the words, each with the place to open", async () => {
  const bench = new ToolBench({ "a.md": LONG });
  await bench.call("search", { query: "lease" });
  const told = await bench.told<{ places: { from: number; document_text: string }[]; of: number }>("find", {
    document: "d1",
    words: "leas minutes end",
  });
  expect(told.of).toBe(2);
  expect(told.places[0]?.document_text).toBe("The lease ends after two minutes.");
  const { opened } = await bench.told<OpenedSlice>("open", { document: "d1", from: told.places[0]?.from });
  expect(opened.document_text).toStartWith("The lease ends after two minutes.");
});

test("find gives the row of a long table with the names of its columns, and the item of a long list", async () => {
  const rows = Array.from({ length: 60 }, (_, at) => `| lease ${at} | ${at + 100} seconds |`);
  const items = Array.from({ length: 60 }, (_, at) => `- A claim of the lease, number ${at}, is refused.`);
  const text = `# Leases\n\n| name | end |\n| --- | --- |\n${rows.join("\n")}\n\n${items.join("\n")}\n`;
  const bench = new ToolBench({ "a.md": text });
  await bench.call("search", { query: "lease" });
  interface Found {
    places: { from: number; columns?: string; document_text: string }[];
  }
  const row = (await bench.told<Found>("find", { document: "d1", words: "lease 57 end" })).places[0];
  expect([row?.columns, row?.document_text]).toEqual(["| name | end |", "| lease 57 | 157 seconds |"]);
  expect(text.slice(row?.from)).toStartWith("| lease 57 |");
  const item = (await bench.told<Found>("find", { document: "d1", words: "claim number 58" })).places[0];
  expect(item?.document_text).toBe("- A claim of the lease, number 58, is refused.");
});

describe("find cuts a long place at its sentences, and says so", () => {
  const filler = "The owner may write as long as the clock of the store agrees with its own clock. ";
  const correction = "Since version 3 it works as efficiently without the lease.";
  interface Found {
    places: { from: number; document_text: string; cut?: boolean }[];
  }
  const foundIn = async (text: string, words: string): Promise<Found["places"][number] | undefined> => {
    const bench = new ToolBench({ "a.md": `# Leases\n\n${text}\n` });
    await bench.call("search", { query: "lease" });
    return (await bench.told<Found>("find", { document: "d1", words })).places[0];
  };

  test("where the words are at its start, and behind others", async () => {
    const start = await foundIn(`A lease ends. ${filler.repeat(8)}${correction}`, "lease ends");
    expect(start).toMatchObject({
      cut: true,
      document_text: `A lease ends. ${filler.repeat(Math.floor((500 - 14) / filler.length))}`.trim(),
    });
    const behind = await foundIn(`${filler.repeat(8)}${correction} ${filler.repeat(3)}`, "works as efficiently");
    expect(behind).toMatchObject({ cut: true, document_text: `${correction} ${filler.repeat(3)}`.trim() });
  });

  test("a whole place is not cut, and a sentence that is too long is cut at its words", async () => {
    const whole = await foundIn(`${filler}${correction}`, "lease efficiently");
    expect([whole?.document_text, whole?.cut]).toEqual([`${filler}${correction}`, undefined]);
    const long = `A store ${"and another store ".repeat(60)} without any lease at all.`;
    const cut = await foundIn(long, "any lease");
    expect(cut?.document_text).toMatch(/^(?:and|another|store) .*without any lease at all\.$/);
    expect(cut?.cut).toBe(true);
  });

  test("code is cut at its lines", async () => {
    const line = 'renew("lease"); wait(60);';
    const code = await foundIn(`\`\`\`\n${`${line}\n`.repeat(40)}stop("lease now");\n\`\`\``, "lease now");
    expect(code).toMatchObject({ cut: true, document_text: 'stop("lease now");\n```' });
  });
});

describe("quote", () => {
  const SOURCE = "# Leases\n\nThe owner’s lease\nends after “two” minutes – or less.";
  const QUOTE = { document: "d1", statement: "A lease ends.", part_ids: ["one"] };

  test("stores a document that a search named by itself, and records the bytes of the source", async () => {
    const bench = new ToolBench({ "a.md": SOURCE });
    await bench.call("search", { query: "lease" });
    const text = `The owner's lease ends after "two" minutes - or less.`;
    const { content } = await bench.call("quote", { ...QUOTE, text });
    expect(JSON.parse(content)).toEqual({ recorded: "1 of at most 8 quotes", number: 1 });
    const [quoted] = new ResearchState(bench.messages).quotes();
    expect(quoted?.text).toBe("The owner’s lease\nends after “two” minutes – or less.");
    expect(quoted !== undefined && isVerbatim(quoted, new TextEncoder().encode(SOURCE))).toBe(true);
    await bench.call("quote", { ...QUOTE, text: "# Leases The owner’s lease" });
    expect(bench.kept).toEqual(["a.md"]);
  });

  test("is refused with the first difference, which stands in a field of data", async () => {
    const bench = new ToolBench({ "a.md": SOURCE });
    await bench.call("search", { query: "lease" });
    const { content, is_error } = await bench.call("quote", {
      ...QUOTE,
      text: "The owner's lease ends after ten minutes.",
    });
    expect([is_error, JSON.parse(content)]).toEqual([
      true,
      {
        refused: expect.stringContaining("is not in"),
        same: { document_text: "The owner's lease ends after " },
        document_text: "“two” minutes – or less.",
        text: "ten minutes.",
      },
    ]);
    expect(new ResearchState(bench.messages).quotes()).toEqual([]);
  });

  test("is refused with the name of the document that was shown with it", async () => {
    const bench = new ToolBench({ "a.md": SOURCE, "b.md": "The lease of another." });
    await bench.call("search", { query: "lease" });
    const { content, is_error } = await bench.call("quote", { ...QUOTE, document: "d2", text: "The owner's lease" });
    expect([is_error, JSON.parse(content)]).toEqual([true, { refused: "This text is not in d2, but in d1." }]);
  });

  test("what it stores counts as no search and no opening", async () => {
    const bench = new ToolBench({ "a.md": SOURCE });
    await bench.call("search", { query: "lease" });
    for (let count = 0; count < 100; count++)
      await bench.call("quote", { ...QUOTE, text: "made up from beginning to end" });
    expect((await bench.call("open", { document: "d1" })).is_error).toBe(false);
  });
});

test("searches and openings end together; a model that goes on is told so", async () => {
  const bench = new ToolBench({ "a.md": LONG }, { max_quotes_per_subject: 1 });
  for (let count = 0; count < 8; count++) {
    await bench.call("search", { query: "lease" });
    await bench.call("open", { document: "d1" });
  }
  for (const [name, args] of [
    ["search", { query: "lease" }],
    ["open", { document: "d1" }],
    ["find", { document: "d1", words: "lease" }],
  ] as const)
    expect(await bench.call(name, args)).toMatchObject({ is_error: true, content: expect.stringContaining("16 were") });
  expect(bench.queries).toHaveLength(8);
});

test("a gap keeps its reason and the parts that exist", async () => {
  const bench = new ToolBench({ "a.md": LONG });
  await bench.call("note_gap", { text: "how long it takes", reason: "no page gives a time", part_ids: ["one", "two"] });
  expect(new ResearchState(bench.messages).gaps()).toEqual([
    { text: "how long it takes", reason: "no page gives a time", part_ids: ["one"] },
  ]);
});

test("find puts the words as they were asked first, and shows a long place where they stand", async () => {
  const long = `\`\`\`\n${"A buffer has a limit, and to tune it is hard.\n".repeat(30)}Set tune.buffers.limit here.\n\`\`\``;
  const text = `${long}\n\ntune.buffers.limit = number\n\nIt limits buffers.\n\nTo tune buffers has a limit.`;
  const bench = new ToolBench({ "a.md": text });
  await bench.call("search", { query: "tune" });
  const { places } = await bench.told<{ places: { from: number; document_text: string }[] }>("find", {
    document: "d1",
    words: "tune.buffers.limit",
  });
  expect(places.slice(0, 2).map(({ document_text }) => document_text)).toEqual([
    expect.stringContaining("Set tune.buffers.limit here."),
    "tune.buffers.limit = number",
  ]);
  for (const { from, document_text } of places)
    expect(text.slice(from)).toStartWith(document_text.replace(/…$/u, "").trimEnd());
});
