// PDFs are read page by page in reading order.
import { describe, expect, test } from "bun:test";
import { markdownCells } from "../../../src/kernel/cells.ts";
import { fileOf, linesAt, pdfOf, type PdfText } from "./pdf-writer.ts";
import { textFrom } from "./texts.ts";

const LEFT = [
  "Bees that live in cities find food in gar-",
  "dens, on balconies and along the tracks of",
  "the railways. They fly less far than their",
  "relatives in the country do. A colony of",
  "medium size needs about thirty kilograms",
  "of pollen in one year, which is more than",
  "most people would expect of such a small",
  "animal. The honey is free of most of the",
];
const RIGHT = [
  "poisons that are found in fields, because",
  "nobody sprays them in a town. In winter",
  "the hives are warmer there by two or three",
  "degrees, so that the colonies begin to",
  "breed earlier. This has a price: mites",
  "breed earlier, too, and keepers who look",
  "away in February lose their bees in autumn.",
  "We watched forty hives for four years.",
];
const BOTH = `${LEFT.join(" ").replace("gar- dens", "gardens")} ${RIGHT.join(" ")}`;

describe("columns", () => {
  test("two columns are read one after the other, however the file lists them", async () => {
    const inOrder = [...linesAt(72, 150, LEFT), ...linesAt(320, 150, RIGHT)];
    expect(await textFrom("pdf", pdfOf([inOrder]))).toBe(`${BOTH}\n`);
    const lineByLine = LEFT.flatMap((line, at) => [
      ...linesAt(72, 150 + 12 * at, [line]),
      ...linesAt(320, 150 + 12 * at, [RIGHT[at] ?? ""]),
    ]);
    expect(await textFrom("pdf", pdfOf([lineByLine]))).toBe(`${BOTH}\n`);
  });

  test("text across both columns is read between them", async () => {
    const page: PdfText[] = [
      { text: "Bees in the City", x: 200, top: 80, size: 20, font: "bold" },
      { text: "1 Introduction", x: 72, top: 130, size: 12, font: "bold" },
      ...linesAt(72, 150, LEFT),
      ...linesAt(320, 150, RIGHT),
    ];
    expect(await textFrom("pdf", pdfOf([page]))).toBe(`# Bees in the City\n\n## 1 Introduction\n\n${BOTH}\n`);
  });

  test("a paragraph across both columns keeps its short last line", async () => {
    const wide =
      "An abstract goes over the whole width of the page, from the margin at the left to the one at the right";
    const page = [
      ...linesAt(72, 100, [wide, "and ends early."]),
      ...linesAt(72, 150, LEFT),
      ...linesAt(320, 150, RIGHT),
    ];
    expect(await textFrom("pdf", pdfOf([page]))).toBe(`${wide} and ends early.\n\n${BOTH}\n`);
  });

  test("lines of a table of contents are left out", async () => {
    const contents = linesAt(72, 100, [
      "1 Bees . . . . . . . . . . . . 3",
      "2 Wasps .............. 12",
      "3 Licence . . . 174",
    ]);
    const text = await textFrom("pdf", pdfOf([[...contents, ...linesAt(72, 200, ["Bees are not wasps."])]]));
    expect(text).toBe("Bees are not wasps.\n");
  });

  test("the names of columns are in a font of their own, or above numbers", async () => {
    const tableIn = async (font: "plain" | "bold", rows: readonly (readonly string[])[]): Promise<string> => {
      const cells = rows.flatMap((row, at) =>
        row.map((text, column) => ({
          text,
          x: 100 + 160 * column,
          top: 300 + 14 * at,
          font: at === 0 ? font : ("plain" as const),
        })),
      );
      const text = await textFrom("pdf", pdfOf([[...linesAt(72, 150, LEFT.slice(2, 4)), ...cells]]));
      return text.slice(text.indexOf("|"));
    };
    const words = [
      ["Oak", "at the gate"],
      ["Elm", "by the mill"],
      ["Ash", "on the hill"],
    ];
    expect(await tableIn("plain", words)).toStartWith("|  |  |\n| --- | --- |\n| Oak | at the gate |\n");
    expect(await tableIn("bold", [["Mast", "Place"], ...words])).toStartWith(
      "| Mast | Place |\n| --- | --- |\n| Oak |",
    );
    const heights = words.map(([name = ""], at) => [name, `${at + 7} m`]);
    expect(await tableIn("plain", [["Mast", "Height"], ...heights])).toStartWith("| Mast | Height |\n| --- | --- |\n");
    expect(await tableIn("plain", heights)).toStartWith("|  |  |\n| --- | --- |\n| Oak | 7 m |\n");
  });

  test("a bar inside of a cell ends no cell, in a PDF as in HTML and a manual page", async () => {
    const rows = [
      ["Flag", "Takes"],
      ["-c", "always|never"],
      ["-d", "a|b"],
      ["-e", "x"],
    ];
    const cells = rows.flatMap((row, at) =>
      row.map((text, column) => ({
        text,
        x: 100 + 160 * column,
        top: 300 + 14 * at,
        font: at === 0 ? ("bold" as const) : ("plain" as const),
      })),
    );
    const html = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("");
    const tbl = `.TH t 1\n.SH NAME\nt - t\n.SH FLAGS\n.TS\nl l.\n${rows.map((row) => row.join("\t")).join("\n")}\n.TE\n`;
    for (const text of [
      await textFrom("pdf", pdfOf([[...linesAt(72, 150, LEFT.slice(2, 4)), ...cells]])),
      await textFrom("html", new TextEncoder().encode(`<p>Flags:</p><table>${html}</table>`)),
      await textFrom("manual", new TextEncoder().encode(tbl)),
    ]) {
      const table = text.slice(text.indexOf("\n|") + 1).split("\n");
      expect(table).toContain("| -c | always\\|never |");
      const read = table.filter((line) => line.startsWith("|")).map(markdownCells);
      expect(read.every((row) => row.length <= 2)).toBe(true);
      expect(read).toContainEqual(["-d", "a|b"]);
    }
  });

  test("a table is kept in rows", async () => {
    const rows = [
      ["Year", "Hives", "Honey"],
      ["2019", "12", "88"],
      ["2020", "15", "97"],
      ["2021", "14", "101"],
      ["2022", "18", "120"],
      ["2023", "21", "133"],
    ];
    const cells = rows.flatMap((row, at) =>
      row.map((text, column) => ({ text, x: 100 + 120 * column, top: 200 + 14 * at })),
    );
    const text = await textFrom("pdf", pdfOf([[...linesAt(72, 150, LEFT.slice(2, 4)), ...cells]]));
    expect(text).toContain(["| Year | Hives | Honey |", "| --- | --- | --- |", "| 2019 | 12 | 88 |"].join("\n"));
    expect(text.match(/^\|/gm)).toHaveLength(7);
  });
});

describe("pages", () => {
  const bodies = [LEFT.slice(0, 7), RIGHT, LEFT.slice(2)];
  const pages = bodies.map((lines, at): PdfText[] => [
    { text: "Journal of Small Animals, Vol. 12", x: 72, top: 40, size: 8 },
    ...linesAt(72, 100, lines),
    { text: `Page ${at + 1} of 3`, x: 300, top: 760, size: 8 },
  ]);

  test("running titles and page numbers are left out, and a form feed ends a page", async () => {
    const text = await textFrom("pdf", pdfOf(pages));
    expect(text).not.toContain("Journal");
    expect(text).not.toContain("Page");
    expect(text.split("\f")).toHaveLength(3);
  });

  test("a line that is on two pages is a running title", async () => {
    const printed = [1, 2].map((number): PdfText[] => [
      { text: "11/22/26, 11:38 PM Bees in the city", x: 50, top: 30, size: 8 },
      ...linesAt(72, 100, number === 1 ? LEFT : RIGHT),
      { text: `bees.html ${number}/2`, x: 50, top: 770, size: 8 },
    ]);
    expect(await textFrom("pdf", pdfOf(printed))).not.toMatch(/11:38|html/);
    expect(await textFrom("pdf", pdfOf(printed.slice(0, 1)))).toMatch(/11:38[^]*html/);
  });

  test("a row of two running titles is left out where one of them comes again, a table and a heading are not", async () => {
    const sections = ["1.1. ANTS", "1.2. BEES", "2.1. CICADAS", "2.2. WASPS"];
    const pagesOf = (chapter: (at: number) => string, top: number): Uint8Array =>
      pdfOf(
        sections.map((section, at): PdfText[] => [
          { text: chapter(at), x: 72, top, font: "bold" },
          { text: section, x: 400, top, font: "bold" },
          ...linesAt(72, 100, at % 2 === 0 ? LEFT : RIGHT),
        ]),
      );
    const inChapters = (at: number): string => (at < 2 ? "CHAPTER 1. SMALL ANIMALS" : "CHAPTER 2. LOUD ANIMALS");
    expect(await textFrom("pdf", pagesOf(inChapters, 50))).not.toMatch(/CHAPTER|ANTS|WASPS/);
    // Close to the text it is a row of it, and where nothing comes again nobody knows.
    expect(await textFrom("pdf", pagesOf(inChapters, 85))).toMatch(/CHAPTER 1[^]*WASPS/);
    expect(
      await textFrom(
        "pdf",
        pagesOf((at) => `PART ${"ABCD"[at]}`, 50),
      ),
    ).toMatch(/PART A[^]*WASPS/);
  });

  test("a running title next to the number of the page is left out, while a heading with a number is not", async () => {
    const names = ["Ants", "Bees", "Cicadas", "Dragonflies"];
    const running = names.map((name, at): PdfText[] => [
      { text: at % 2 === 0 ? name : String(at + 17), x: 72, top: 60 },
      { text: at % 2 === 0 ? String(at + 17) : name, x: 400, top: 60 },
      ...linesAt(72, 100, at % 2 === 0 ? LEFT : RIGHT),
    ]);
    expect(await textFrom("pdf", pdfOf(running))).not.toMatch(/Ants|Bees\n|Cicadas|Dragonflies|17|20/);
    const numbered = names.map((name, at): PdfText[] => [
      { text: String(at + 1), x: 72, top: 60, size: 14 },
      { text: name, x: 100, top: 60, size: 14 },
      ...linesAt(72, 100, at % 2 === 0 ? LEFT : RIGHT),
    ]);
    expect(await textFrom("pdf", pdfOf(numbered))).toContain("## 2 Bees\n");
    expect(await textFrom("pdf", pdfOf(running.slice(0, 2)))).toContain("18 Bees");
    const noted = names.map((name, at): PdfText[] => [
      ...linesAt(72, 100, at % 2 === 0 ? LEFT : RIGHT),
      { text: String(at + 3), x: 72, top: 700, size: 6 },
      { text: `A note on ${name}.`, x: 80, top: 702, size: 8 },
    ]);
    expect(await textFrom("pdf", pdfOf(noted))).toMatch(/note on Ants[^]*note on Bees[^]*note on Cicadas/);
  });

  test("a sentence and a word continue over the end of a page", async () => {
    const first = [...linesAt(72, 100, LEFT.slice(2, 7)), { text: "1 A note.", x: 72, top: 700, size: 7 }];
    const second = linesAt(72, 100, ["animal in a whole summer.", "Nobody knows why that is so in our towns."]);
    const text = await textFrom("pdf", pdfOf([first, second]));
    expect(text).toMatch(/expect of such a small\fanimal in a whole summer\./);
    expect(text.indexOf("A note.")).toBeLessThan(text.indexOf("\f"));
    const cut = [
      linesAt(72, 100, [...LEFT.slice(1, 4), "relatives in the country do with their col-"]),
      linesAt(72, 100, ["onies of bees."]),
    ];
    expect(await textFrom("pdf", pdfOf(cut))).toContain("with their colonies\fof bees.");
  });
});

describe("lines", () => {
  test("a hyphen at the end of a line goes in a cut word, and stays in a compound and before a conjunction", async () => {
    const lines = [
      "The self-evident way is not al-",
      "ways the one that is self-",
      "evident to others, as Ein-",
      "und Ausgang show, or Anglo-",
      "Saxon.",
    ];
    expect(await textFrom("pdf", pdfOf([linesAt(72, 100, lines)]))).toBe(
      "The self-evident way is not always the one that is self-evident to others, as Ein- und Ausgang show, or Anglo-Saxon.\n",
    );
  });

  test("paragraphs are told by indent and space, lists by their marks", async () => {
    const page: PdfText[] = [
      ...linesAt(72, 100, ["The first paragraph goes on for two whole", "lines and then ends."]),
      { text: "The second one begins with an indent and", x: 90, top: 124 },
      { text: "goes on at the margin.", x: 72, top: 136 },
      { text: "- one thing", x: 80, top: 160 },
      { text: "- another thing", x: 80, top: 172 },
    ];
    expect(await textFrom("pdf", pdfOf([page]))).toBe(
      "The first paragraph goes on for two whole lines and then ends.\n\n" +
        "The second one begins with an indent and goes on at the margin.\n\n- one thing\n\n- another thing\n",
    );
  });

  test("headings are told by bookmark and size, code by its font, and numbers of notes are left out", async () => {
    const page: PdfText[] = [
      { text: "Findings", x: 72, top: 80, font: "bold" },
      { text: "Bees breed earlier in towns.", x: 72, top: 110 },
      { text: "3", x: 207, top: 106, size: 6 },
      { text: "hive --list", x: 72, top: 140, font: "mono" },
      { text: "--all", x: 96, top: 152, font: "mono" },
      { text: "Larger words", x: 72, top: 190, size: 14 },
      { text: "More text below the larger words stands here.", x: 72, top: 215 },
    ];
    const text = await textFrom("pdf", pdfOf([page], { bookmarks: ["1. Findings"], title: "On bees" }));
    expect(text).toBe(
      "# On bees\n\n## Findings\n\nBees breed earlier in towns.\n\n```\nhive --list\n    --all\n```\n\n" +
        "## Larger words\n\nMore text below the larger words stands here.\n",
    );
  });

  test("a bookmark with its subject next to it is a heading, the end of a paragraph is not", async () => {
    const page: PdfText[] = [
      { text: "scan.hive", x: 72, top: 80, font: "bold" },
      { text: "Counts the Bees of a Hive", x: 250, top: 80, font: "bold" },
      { text: "The bees of one hive are counted in the very same way as by", x: 72, top: 110 },
      { text: "count.bees.", x: 72, top: 122, font: "mono" },
      { text: "count.bees", x: 72, top: 160 },
      { text: "the number that is found", x: 250, top: 160 },
      { text: "Warning", x: 72, top: 200, font: "bold" },
      { text: "Bees sting.", x: 72, top: 225 },
      { text: "scan.hive", x: 72, top: 265, font: "bold" },
      { text: "17", x: 250, top: 265, font: "bold" },
    ];
    const text = await textFrom(
      "pdf",
      pdfOf([page], { bookmarks: ["Hives", "scan.hive", "count.bees", "warning"], title: "On bees" }),
    );
    expect(text).toBe(
      "# On bees\n\n## scan.hive Counts the Bees of a Hive\n\nThe bees of one hive are counted in the very same way as by count.bees.\n\n" +
        "count.bees the number that is found\n\n## Warning\n\nBees sting.\n\nscan.hive 17\n",
    );
  });

  test("an address continues in the next line", async () => {
    const page: PdfText[] = [
      { text: "There is more to read about bees (https://bees.example.", x: 72, top: 100 },
      { text: "org/in/towns.html) and about their honey", x: 72, top: 112, font: "mono" },
      { text: "as well.", x: 72, top: 124 },
    ];
    expect(await textFrom("pdf", pdfOf([page]))).toBe(
      "There is more to read about bees (https://bees.example.org/in/towns.html) and about their honey as well.\n",
    );
  });

  test("a line of a paragraph that happens to be all code stays in the paragraph", async () => {
    const page: PdfText[] = [
      { text: "The words of this paragraph are followed by the name", x: 72, top: 100 },
      { text: "of_a_function_that_takes(all, of, a, line)", x: 72, top: 112, font: "mono" },
      { text: "and by a few more words.", x: 72, top: 124 },
    ];
    expect(await textFrom("pdf", pdfOf([page]))).toBe(
      "The words of this paragraph are followed by the name of_a_function_that_takes(all, of, a, line) and by a few more words.\n",
    );
  });

  test("Japanese lines are joined without a space, and German letters stay", async () => {
    const lines = ["冬の巣箱は暖かく、春の始まりは早くなりま", "す。四年間、四十の巣箱を観察しました。"];
    const page = lines.map((text, at) => ({ text, x: 72, top: 120 + 14 * at, font: "any" as const }));
    expect(await textFrom("pdf", pdfOf([page]))).toBe(`${lines.join("")}\n`);
    expect(await textFrom("pdf", pdfOf([linesAt(72, 80, ["Größe, Äpfel und Öl"])]))).toBe("Größe, Äpfel und Öl\n");
  });
});

describe("documents that cannot be read", () => {
  test("pages without text, encryption, other bytes and an empty file give a reason", async () => {
    expect(await textFrom("pdf", pdfOf([[], []]))).toBe("unfit: scanned");
    expect(await textFrom("pdf", pdfOf([linesAt(72, 80, ["secret"])], { isEncrypted: true }))).toBe("unfit: encrypted");
    expect(await textFrom("pdf", "<html>not found</html>")).toBe("unfit: damaged");
    expect(await textFrom("pdf", "%PDF-1.7\n")).toBe("unfit: damaged");
  });

  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>";
  const treeOf = (kids: string, count: number, third = page): Uint8Array =>
    fileOf(
      new Map([
        [1, "<< /Type /Catalog /Pages 2 0 R >>"],
        [2, `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`],
        [3, third],
      ]),
    );

  test("a page tree that is a loop is damaged, and pages that only its count claims are not there", async () => {
    expect(await textFrom("pdf", treeOf("2 0 R", 1))).toBe("unfit: damaged");
    expect(await textFrom("pdf", treeOf("3 0 R", 9, "<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 9 >>"))).toBe(
      "unfit: damaged",
    );
    expect(await textFrom("pdf", treeOf("3 0 R", 100_000))).toBe("unfit: scanned");
  });

  test("a document with little but text in fonts without their table of characters has unknown characters", async () => {
    const content = "BT /F1 12 Tf 72 700 Td <8776306F> Tj ET BT /F2 12 Tf 72 600 Td (page 3) Tj ET";
    const ordering = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>";
    const objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 7 0 R >> >> >>",
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      "<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /UniJIS-UCS2-H /DescendantFonts [6 0 R] >>",
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Any ${ordering} /FontDescriptor 8 0 R >>`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      "<< /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 0 9 9] /ItalicAngle 0 /Ascent 9 /Descent 0 /StemV 8 >>",
    ];
    const file = fileOf(new Map(objects.map((body, at) => [at + 1, body])));
    expect(await textFrom("pdf", file)).toBe("unfit: unknown_characters");
  });

  test("a document with too many pages is left out", async () => {
    expect(await textFrom("pdf", treeOf("3 0 R ".repeat(5_001), 5_001))).toBe("unfit: too_many_pages");
  }, 600_000);

  test("damage at any place gives a text or a reason", async () => {
    const whole = pdfOf([[...linesAt(72, 100, LEFT), ...linesAt(320, 100, RIGHT)]], {
      bookmarks: ["a", "b"],
      title: "Bees",
    });
    let seed = 7;
    const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 60; round++) {
      const damaged = Buffer.from(whole);
      for (let hit = 0; hit < 1 + (round % 8); hit++) damaged[next(damaged.byteLength)] = next(256);
      const cut = round % 3 === 0 ? damaged.subarray(0, next(damaged.byteLength)) : damaged;
      expect(await textFrom("pdf", cut)).toMatch(/^unfit: (damaged|scanned|no_text|encrypted)$|\p{L}/u);
    }
  }, 600_000);
});

test("equal bytes give equal text", async () => {
  const bytes = pdfOf([[...linesAt(72, 100, LEFT), ...linesAt(320, 100, RIGHT)]], { title: "Bees" });
  expect(await textFrom("pdf", bytes)).toBe(await textFrom("pdf", Buffer.from(bytes)));
});
