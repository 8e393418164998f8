// Word documents and e-books are read, and zip bombs do no harm.
import { describe, expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { docxOf, epubOf, metadataOf, paragraphOf, tableOf, zipOf } from "./office-writer.ts";
import { textFrom } from "./texts.ts";

describe("docx", () => {
  test("title, headings, paragraphs and tables are read, and nothing is fetched", async () => {
    const body = [
      paragraphOf("Bienen in der Stadt", "Title"),
      paragraphOf("Der Winter", "heading 1"),
      paragraphOf("Im Winter ist es wärmer &amp; heller."),
      tableOf(
        [
          ["Ort", "Grad"],
          ["Stadt", "3"],
        ],
        true,
      ),
      paragraphOf("Das Frühjahr", "heading 2"),
      paragraphOf("都市の春は早い。"),
    ];
    const outside = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
      <Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="http://127.0.0.1:1/x.png" TargetMode="External"/></Relationships>`;
    expect(await textFrom("docx", docxOf(body.join(""), { "word/_rels/document.xml.rels": outside }))).toBe(
      "# Bienen in der Stadt\n\n# Der Winter\n\nIm Winter ist es wärmer & heller.\n\n" +
        "| Ort | Grad |\n| --- | --- |\n| Stadt | 3 |\n\n## Das Frühjahr\n\n都市の春は早い。\n",
    );
  });

  test("a table has names of columns only where a header row is marked", async () => {
    const rows = [
      ["Hive", "Queen"],
      ["North", "young"],
    ];
    expect(await textFrom("docx", docxOf(tableOf(rows, true)))).toStartWith("| Hive | Queen |\n| --- | --- |\n");
    expect(await textFrom("docx", docxOf(tableOf(rows)))).toStartWith("|  |  |\n| --- | --- |\n| Hive | Queen |\n");
  });

  test("the title of the properties counts if it looks like one", async () => {
    const body = paragraphOf("Some words.");
    const titled = docxOf(body, { "docProps/core.xml": metadataOf("Bees &amp; Towns") });
    expect(await textFrom("docx", titled)).toBe("# Bees & Towns\n\nSome words.\n");
    const named = docxOf(body, { "docProps/core.xml": metadataOf("Microsoft Word - draft_7.doc") });
    expect(await textFrom("docx", named)).toBe("Some words.\n");
  });

  test("notes come last in a section of their own", async () => {
    const part = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes";
    const body = [
      paragraphOf("Winter", "heading 1"),
      '<w:p><w:r><w:t>Bees stay.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
      paragraphOf("Spring", "heading 1"),
      paragraphOf("Bees fly."),
    ];
    const document = docxOf(body.join(""), {
      "word/_rels/document.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Id="r1" Type="${part}" Target="footnotes.xml"/></Relationships>`,
      "word/footnotes.xml": `<?xml version="1.0"?><w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
        <w:footnote w:id="2">${paragraphOf("Most of them do.")}</w:footnote></w:footnotes>`,
    });
    expect(await textFrom("docx", document)).toBe(
      "# Winter\n\nBees stay.\n\n# Spring\n\nBees fly.\n\n# Footnotes\n\n1. Most of them do.\n",
    );
  });

  test("encrypted, damaged, other and empty files give a reason", async () => {
    const compound = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(512)]);
    expect(await textFrom("docx", compound)).toBe("unfit: damaged");
    const locked = Buffer.concat([compound, Buffer.from("EncryptedPackage", "utf16le")]);
    expect(await textFrom("docx", locked)).toBe("unfit: encrypted");
    expect(await textFrom("docx", "no zip at all")).toBe("unfit: damaged");
    expect(await textFrom("docx", zipOf({ "a.txt": "words" }))).toBe("unfit: damaged");
    expect(await textFrom("docx", docxOf(""))).toBe("unfit: no_text");
    expect(await textFrom("docx", docxOf("<w:p><w:r></w:p>"))).toBe("unfit: damaged");
  });
});

describe("epub", () => {
  test("chapters are read in the order of the spine, below the title of the book", async () => {
    const chapters = {
      "z.xhtml": "<h1>The Winter</h1><p>It is warm&#160;there.</p>",
      "a%20b.xhtml": "<h1>Spring</h1><h2>March</h2><p>Bees fly.</p>",
    };
    expect(await textFrom("epub", epubOf("Bees", chapters))).toBe(
      "# Bees\n\n## The Winter\n\nIt is warm there.\n\n## Spring\n\n### March\n\nBees fly.\n",
    );
  });

  test("the notes of all chapters come last in a section of their own", async () => {
    const note = '<aside epub:type="footnote"><p>Most of them do.</p></aside>';
    const chapters = { "a.xhtml": `<h1>Winter</h1><p>Bees stay.</p>${note}`, "b.xhtml": "<p>The frost goes.</p>" };
    expect(await textFrom("epub", epubOf("Bees", chapters))).toBe(
      "# Bees\n\n## Winter\n\nBees stay.\n\nThe frost goes.\n\n## Footnotes\n\nMost of them do.\n",
    );
  });

  test("formulas, pictures and fields inside of a sentence leave a mark, as in HTML", async () => {
    const root = "<math><msqrt><mi>h</mi></msqrt></math>";
    const chapter = `<p>The mast is ${root} high, see <img src="a.png"/> and <select><option>one</option></select> there.</p>`;
    expect(await textFrom("epub", epubOf("Masts", { "a.xhtml": chapter }))).toBe(
      "# Masts\n\nThe mast is [formula] high, see [picture] and [field] there.\n",
    );
  });

  test("a missing chapter is left out, and the others are read", async () => {
    const book = epubOf("Bees", { "a.xhtml": "<p>Here.</p>" }, { "OPS/book.opf": opf("a.xhtml", "gone.xhtml") });
    expect(await textFrom("epub", book)).toBe("Here.\n");
  });

  test("a chapter whose name is UTF-8 is found even without the flag for it", async () => {
    const book = Buffer.from(epubOf("Bees", { "a.xhtml": "<p>Here.</p>", "kälte.xhtml": "<p>Frost.</p>" }));
    for (const [signature, flagsAt] of [
      ["PK\u0003\u0004", 6],
      ["PK\u0001\u0002", 8],
    ] as const)
      for (let at = book.indexOf(signature); at >= 0; at = book.indexOf(signature, at + 1))
        book.writeUInt16LE(book.readUInt16LE(at + flagsAt) & ~0x800, at + flagsAt);
    expect(await textFrom("epub", book)).toBe("# Bees\n\nHere.\n\nFrost.\n");
  });

  test("a book with an encrypted chapter is encrypted, one with scrambled fonts is not", async () => {
    const encryption = (name: string): string =>
      `<encryption><EncryptedData><CipherData><CipherReference URI="${name}"/></CipherData></EncryptedData></encryption>`;
    const book = (more: Record<string, string>): Uint8Array => epubOf("Bees", { "a.xhtml": "<p>Here.</p>" }, more);
    expect(await textFrom("epub", book({ "META-INF/encryption.xml": encryption("OPS/a.xhtml") }))).toBe(
      "unfit: encrypted",
    );
    expect(await textFrom("epub", book({ "META-INF/encryption.xml": encryption("OPS/f.otf") }))).toContain("Here.");
    expect(await textFrom("epub", book({ "META-INF/rights.xml": "<rights/>" }))).toBe("unfit: encrypted");
  });

  test("a book that was packed with its folder is read, and is as encrypted as it would be without", async () => {
    const inFolder = (more: Record<string, string>): Uint8Array => {
      const entries = unzipSync(epubOf("Bees", { "a.xhtml": "<p>Here.</p>" }, more));
      return zipOf(Object.fromEntries(Object.entries(entries).map(([name, bytes]) => [`book/${name}`, bytes])));
    };
    expect(await textFrom("epub", inFolder({}))).toBe("# Bees\n\nHere.\n");
    expect(await textFrom("epub", inFolder({ "META-INF/rights.xml": "<rights/>" }))).toBe("unfit: encrypted");
    const reference = '<EncryptedData><CipherData><CipherReference URI="OPS/a.xhtml"/></CipherData></EncryptedData>';
    const hidden = { "META-INF/encryption.xml": `<encryption>${reference}</encryption>` };
    expect(await textFrom("epub", inFolder(hidden))).toBe("unfit: encrypted");
  });

  test("a path out of the book leads to no file", async () => {
    const book = epubOf(
      "Bees",
      { "a.xhtml": "<p>Here.</p>" },
      { "OPS/book.opf": opf("../../etc/passwd", "/etc/passwd") },
    );
    expect(await textFrom("epub", book)).toBe("unfit: no_text");
  });

  test("an entity that would grow is not replaced", async () => {
    const bomb = `<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><html><body><p>One &b; word.</p></body></html>`;
    const book = epubOf("Bees", { "a.xhtml": "" }, { "OPS/a.xhtml": bomb });
    expect(await textFrom("epub", book)).toContain("One &b; word.");
  });
});

describe("zip files", () => {
  const MIB = 1024 * 1024;
  test("a file that unpacks to too much is left out", async () => {
    const blanks = Buffer.alloc(24 * MIB, " ");
    expect(await textFrom("docx", docxOf("", { "word/document.xml": blanks }))).toBe("unfit: zip_bomb");
    const chapters = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [`OPS/${at}.xhtml`, blanks.subarray(0, 5 * MIB)]),
    );
    const names = Object.keys(chapters).map((name) => name.slice(4));
    expect(await textFrom("epub", epubOf("Bees", {}, { ...chapters, "OPS/book.opf": opf(...names) }))).toBe(
      "unfit: zip_bomb",
    );
  }, 600_000);

  test("no more is unpacked than the headers say", async () => {
    const bytes = Buffer.from(docxOf("", { "word/document.xml": Buffer.alloc(24 * MIB, " ") }));
    for (let at = bytes.indexOf("PK\u0001\u0002"); at !== -1; at = bytes.indexOf("PK\u0001\u0002", at + 4)) {
      bytes.writeUInt32LE(5, at + 24);
    }
    expect(await textFrom("docx", bytes)).toBe("unfit: damaged");
  }, 600_000);

  test("a bomb in an entry that is not read does no harm", async () => {
    const book = docxOf(paragraphOf("Some words."), { "word/media/image1.png": Buffer.alloc(30 * MIB) });
    expect(await textFrom("docx", book)).toBe("Some words.\n");
  }, 600_000);

  test("a file with too many entries is left out", async () => {
    const entries = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`e${at}`, ""]));
    expect(await textFrom("epub", zipOf(entries))).toBe("unfit: zip_bomb");
  }, 600_000);
});

test("damage at any place gives a text or a reason", async () => {
  const documents = {
    docx: docxOf(paragraphOf("Some words.", "Title") + tableOf([["a", "b"]])),
    epub: epubOf("Bees", { "a.xhtml": "<h1>One</h1><p>Here.</p>", "b.xhtml": "<p>There.</p>" }),
  };
  let seed = 11;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 80; round++) {
    for (const kind of ["docx", "epub"] as const) {
      const damaged = Buffer.from(documents[kind]);
      for (let hit = 0; hit < 1 + (round % 6); hit++) damaged[next(damaged.byteLength)] = next(256);
      const cut = round % 4 === 0 ? damaged.subarray(0, next(damaged.byteLength)) : damaged;
      expect(await textFrom(kind, cut)).toMatch(/^unfit: (damaged|no_text|encrypted|zip_bomb)$|\p{L}/u);
    }
  }
}, 600_000);

/** A package of these files in this order. */
function opf(...names: readonly string[]): string {
  const items = names.map((name, at) => `<item id="c${at}" href="${name}" media-type="application/xhtml+xml"/>`);
  return `<package><manifest>${items.join("")}</manifest><spine>${names.map((_, at) => `<itemref idref="c${at}"/>`).join("")}</spine></package>`;
}
