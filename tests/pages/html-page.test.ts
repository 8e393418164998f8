// Tests of the HTML page: it loads and runs nothing, its links lead somewhere, and quoted text stays text.
import { describe, expect, test } from "bun:test";
import { parseHTML } from "linkedom";
import type { Block, Report } from "../../src/run/report/report.ts";
import { claimsOf } from "../../src/run/report/statements.ts";
import { reportSchema } from "../../src/run/report/stored-report.ts";
import { reportHtml } from "../../src/pages/html-page.ts";
import {
  cited,
  derived,
  FULL_REPORT,
  gapMarksReport,
  HANDBOOK,
  heading,
  HOSTILE,
  HOSTILE_REPORT,
  plainReport,
  quote,
  quoted,
  statementsById,
  stepsReport,
  tasksReport,
  clausesReport,
} from "./sample-report.ts";

type Document = ReturnType<typeof parseHTML>["document"];

function documentOf(report: Report): Document {
  return parseHTML(reportHtml(report)).document;
}

function textsOf(document: Document, selector: string): string[] {
  return [...document.querySelectorAll(selector)].map(({ textContent }) =>
    (textContent ?? "").replace(/\s+/g, " ").trim(),
  );
}

/** Elements and attributes that could run or load something. In pictures only shapes and words are allowed. */
function aliveIn(document: Document): string[] {
  const elements = document.querySelectorAll(
    "script,img,iframe,object,embed,link,base,form,video,audio,source,svg :not(circle,path,line,rect,polyline,text,title)",
  );
  const attributes = [...document.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes].filter(
      ({ name, value }) => /^on|^(src|srcset|style|action|data)$/.test(name) || /^\w+:/.test(value),
    ),
  );
  return [...[...elements].map(({ tagName }) => tagName), ...attributes.map(({ name, value }) => `${name}=${value}`)];
}

/** Allowed: the size of the screen, and the link to the one source that is a web page. */
const HARMLESS = new Set(["content=width=device-width, initial-scale=1", "href=https://intra.example/memo?year=2026"]);

test("steps behind code continue counting", () => {
  const lists = [...documentOf(stepsReport()).querySelectorAll("ol")];
  expect(lists.slice(0, 2).map((list) => list.getAttribute("start"))).toEqual([null, "3"]);
});

describe("the page", () => {
  test("loads nothing and runs nothing", () => {
    for (const report of [FULL_REPORT, HOSTILE_REPORT]) {
      const html = reportHtml(report);
      expect(html).toContain(
        `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
      );
      expect(html).not.toMatch(/url\(|@import/);
      expect(aliveIn(documentOf(report)).filter((one) => !HARMLESS.has(one))).toEqual([]);
    }
    const { document } = parseHTML(`<p onclick="x()"><img src="a"><a href="javascript:x()">a</a></p><svg><use/></svg>`);
    expect(aliveIn(document)).toHaveLength(5);
  });

  test("control: the same page without escapes has a script", () => {
    const unescaped = reportHtml(HOSTILE_REPORT)
      .replaceAll("&lt;", "<")
      .replaceAll("&quot;", '"')
      .replaceAll("&gt;", ">");
    expect(aliveIn(parseHTML(unescaped).document)).toContain("SCRIPT");
  });

  test("has the answer first, and the sections about the report last", () => {
    const document = documentOf(FULL_REPORT);
    expect(textsOf(document, "h2")).toEqual([
      "Answer",
      "What it costs",
      "What the quotes contradict",
      "Nearest",
      "What was not found",
      "Thin evidence",
      "What the review still requests",
      "How well each part is covered",
      "How this report was made",
      "Sources",
    ]);
    expect(textsOf(document, "h1")).toEqual(["Retention of records"]);
    expect(document.querySelector("main")?.children[1]?.className).toBe("answer");
    expect(textsOf(document, "section.contradicted > h2, section.nearest > h2")).toEqual([
      "What the quotes contradict",
      "Nearest",
    ]);
  });

  test("has a list of contents behind the answer when it is long", () => {
    const document = documentOf(FULL_REPORT);
    expect(textsOf(document, "nav a")).toEqual(textsOf(document, "h2"));
    expect(document.querySelector("main")?.children[2]?.tagName).toBe("NAV");
    expect(documentOf(plainReport([cited("a", "A.")])).querySelectorAll("nav")).toHaveLength(0);
  });

  test("links only to its own places and to sources on the web, and has a card for every mark", () => {
    for (const report of [FULL_REPORT, HOSTILE_REPORT, gapMarksReport()]) {
      const document = documentOf(report);
      const links = [...document.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? "");
      const targets = [...document.querySelectorAll("button")].map((one) => `#${one.getAttribute("popovertarget")}`);
      expect(targets.length).toBeGreaterThan(4);
      const cards = [...document.querySelectorAll(".card")].map(({ id }) => `#${id}`);
      expect(cards.sort()).toEqual([...new Set(targets)].sort());
      const lost = [...links, ...targets].filter(
        (href) => !href.startsWith("#") || document.getElementById(href.slice(1)) === null,
      );
      expect(lost).toEqual(report === FULL_REPORT ? ["https://intra.example/memo?year=2026"] : []);
      const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test("has equal bytes for equal reports", () => {
    expect(reportHtml(structuredClone(FULL_REPORT))).toBe(reportHtml(FULL_REPORT));
  });
});

describe("statements", () => {
  test("have a mark for each quote, and conclusions have a sign", () => {
    const document = documentOf(FULL_REPORT);
    expect(textsOf(document, "section.answer > p").join(" ")).toBe(
      "Two numbers compete. The handbook keeps records for 30 days.1a The memo speaks of 90 days.2a Ask the data team which of the two numbers holds.∴1a2a",
    );
    expect(textsOf(document, "main > p.note")).toEqual([
      "A mark such as [1a] leads to one quote: source 1 at the end of the page, quote a. ∴ marks what we conclude, with the quotes that it follows from. Emphasis in excerpts is ours.",
    ]);
    expect(textsOf(document, ".doubt")).toEqual([
      "(not checked: the verifier did not answer)",
      "(contradicted: the study measures that it does)",
    ]);
  });

  test("that name what was not found lead to its line, and a conclusion says it", () => {
    const document = documentOf(gapMarksReport());
    expect(textsOf(document, ".answer li")).toEqual([
      "Take it.∴1ag1",
      "It takes an hour.1ag2",
      "Nobody knows the price.∴g1",
      "Ask before. our suggestion, from1ag2",
      "The price is nowhere.",
    ]);
    expect([...document.querySelectorAll("a.mark")].map((one) => one.getAttribute("href"))).toContain("#gap_g1");
    expect(textsOf(document, "#gap_g1, #gap_g2")).toEqual(["g1. The price", "g2. How long"]);
    expect(textsOf(document, "#conclusion-1 li, #conclusion-2 li")).toEqual([
      "The price g1",
      "The price is nowhere. g1",
    ]);
  });

  test("have marks where their clauses end", () => {
    const document = documentOf(clausesReport());
    expect(textsOf(document, ".answer li")).toEqual([
      "Ä takes s1a; hours for *b*.1b1c",
      "One1b and two.1a1b1cg1 (not checked: why)",
      "Whole.1a1b1c",
    ]);
    expect(document.querySelectorAll('.answer [data-statement="a"]')).toHaveLength(3);
  });

  test("of items with boxes have a box that nobody can check, and code has the class of its language", () => {
    const document = documentOf(tasksReport());
    const boxes = [...document.querySelectorAll("li.task > input")];
    expect(boxes.map((box) => [box.hasAttribute("checked"), box.getAttribute("disabled")])).toEqual([
      [true, ""],
      [false, ""],
    ]);
    expect(document.querySelectorAll("li.task")).toHaveLength(2);
    expect(document.querySelector(".code code")?.getAttribute("class")).toBe("language-sh");
    const [quoted] = documentOf(FULL_REPORT).querySelectorAll("section.answer blockquote code[class]");
    expect([quoted?.getAttribute("class"), quoted?.textContent]).toEqual([
      "language-sh",
      "retain --days 30   # the default",
    ]);
  });

  test("have no line break before their marks", () => {
    const kept = (text: string): string[] => textsOf(documentOf(plainReport([cited("a", text)])), ".keep");
    expect(kept("It speaks of 90 days.")).toEqual(["days.1a"]);
    expect(kept("Days.")).toEqual(["Days.1a"]);
    expect(kept("Set `a` and `b`.")).toEqual(["b.1a"]);
    // A very long word has to break, and code is not cut.
    expect(kept(`It is ${"w".repeat(40)}.`)).toEqual([]);
    expect(kept("Run `git commit -a`")).toEqual([]);
    expect(textsOf(documentOf(plainReport([cited("a", "Run `git commit -a`")])), ".answer li")).toEqual([
      "Run git commit -a1a",
    ]);
  });

  test("open the same card when they are shown twice", () => {
    const document = documentOf(FULL_REPORT);
    expect(document.querySelectorAll(`section [popovertarget="quote-1a"]`).length).toBeGreaterThan(1);
    expect(document.querySelectorAll(`[id="quote-1a"]`)).toHaveLength(1);
  });
});

describe("a card", () => {
  const cardOf = (document: Document, button: string): string => {
    const id = document.querySelector(button)?.getAttribute("popovertarget") ?? "";
    return textsOf(document, `#${id}`).join("");
  };

  test("shows the quote with its place, who judged it, and the command that checks it by hand", () => {
    const own = quote("Gone after\n30 days.", HANDBOOK, { section: ["Handbook", "Retention"], page: 4 }, 20);
    const document = documentOf(plainReport([cited("a", "They go.", { quotes: [own] })]));
    const card = cardOf(document, "li button");
    expect(card).toContain("[1a] Handbook, Retention, p. 4 Gone after 30 days.");
    expect(card).toContain(`tail -c +21 sources/${HANDBOOK.slice(7)}.txt | head -c 19`);
    expect(card).toEndWith("Checked: supported, by model local:small.");
    expect(document.querySelector(".card blockquote")?.textContent?.trim()).toBe("Gone after\n30 days.");
  });

  test("shows what a conclusion follows from, and how its number was computed", () => {
    const statements = [
      cited("a", "It takes 5 s."),
      derived("b", "Twice takes 10 s.", { from: ["a", "gone"], expression: "5 * 2" }),
    ];
    const document = documentOf(plainReport(statements));
    expect(cardOf(document, "li:last-child button")).toBe(
      "Our conclusion It follows from: It takes 5 s. 1a Computed as 5 * 2 Checked: supported, by model local:small.",
    );
  });
});

describe("a card with the text of its source", () => {
  const text = "Other.\n\nRecords live long. Gone after 30 days. Backups stay.\n";
  const own = quote("Gone after 30 days.", HANDBOOK, undefined, text.indexOf("Gone"));
  const report = plainReport([cited("a", "They go.", { quotes: [own] })]);
  const cardIn = (bytes: string) =>
    parseHTML(reportHtml(report, null, new Map([[HANDBOOK, new TextEncoder().encode(bytes)]]))).document.querySelector(
      ".card blockquote",
    );

  test("shows the quote marked in its paragraph", () => {
    expect(cardIn(text)?.textContent?.trim()).toBe("Records live long. Gone after 30 days. Backups stay.");
    expect(cardIn(text)?.querySelector("mark")?.textContent).toBe("Gone after 30 days.");
  });

  test("marks nothing when the quote is the whole paragraph, and shows no text in which the quote does not stand", () => {
    const alone = plainReport([cited("a", "They go.", { quotes: [quote("All.", HANDBOOK)] })]);
    const html = reportHtml(alone, null, new Map([[HANDBOOK, new TextEncoder().encode("All.\n\nMore.")]]));
    expect(html).not.toContain("<mark>");
    expect(cardIn("Another text.")?.textContent?.trim()).toBe("Gone after 30 days.");
  });
});

describe("blocks", () => {
  test("keep every cell of a table, with its caption and scopes", () => {
    const document = documentOf(FULL_REPORT);
    expect(textsOf(document, "section > .wide > table > caption")).toEqual([
      "Numbers that differ, put together by the rule same-words",
    ]);
    expect(document.querySelectorAll("th:not([scope])")).toHaveLength(0);
    expect(textsOf(document, "section > .wide tbody th")).toEqual([
      "30 days",
      "90 days",
      "how long are records kept",
      "what does that cost",
      "who may change it",
    ]);
    const blocks: Block[] = [{ kind: "table", columns: ["a"], rows: [["x", ["s"]], []] }];
    const ragged = documentOf(plainReport([], { blocks, statements: statementsById([cited("s", "S.")]) }));
    expect(ragged.querySelectorAll("table th, table td")).toHaveLength(6);
  });

  test("keep the lines, the table and the code of an excerpt, and mark the sentences that matter", () => {
    const document = documentOf(FULL_REPORT);
    expect(textsOf(document, "section.answer mark")).toEqual([
      "Records are kept for 30 days, then they are removed by the nightly job.",
      "30 days",
    ]);
    const [first, second] = document.querySelectorAll("section.answer .lines");
    expect(first?.textContent).toBe(
      "Retention is set once for all tables.\nRecords are kept for 30 days, then they are removed by the nightly job.",
    );
    expect(second?.textContent).toBe("- Backups have a date of their own.\n  Nobody removes them — not even the job.");
    expect(textsOf(document, "section.answer td")).toEqual(["retention_days", "30 days"]);
    expect(document.querySelector("section.answer pre")?.textContent).toBe("retain --days 30   # the default");
    expect(textsOf(document, "section.answer figcaption")[0]).toStartWith(
      "[1a] Handbook, Retention > Defaults, p. 12 Check by hand",
    );
    expect(textsOf(document, ".lacks")).toEqual(["lacks: change, owner"]);
  });

  test("keep the levels of headings", () => {
    const blocks = [heading("A"), heading("B", 3), heading("C", 4)];
    const document = documentOf(plainReport([], { blocks, statements: {} }));
    expect([textsOf(document, "h3"), textsOf(document, "h4")]).toEqual([["B"], ["C"]]);
  });
});

describe("sources", () => {
  test("name their quotes by letters, on paper whole where the page does not show them", () => {
    const document = documentOf(FULL_REPORT);
    expect(textsOf(document, "#source-2 li")).toEqual([
      "2a. p. 12: “Since spring we keep records for 90 days.”",
      "2b. p. 2: “The cost of disks is settled by the board.”",
      "2c. p. 14: “Backups keep all.” Backups keep all.",
    ]);
    expect(document.querySelectorAll("#source-1 .on-paper")).toHaveLength(0);
  });
});

describe("a report of version 0.1.0", () => {
  test.each(["local", "live", "halted"])("is shown whole: %s", async (run) => {
    const path = `${import.meta.dir}/../fixtures/runs-0.1.0/${run}/reports/1/report.json`;
    const report = reportSchema.parse(await Bun.file(path).json());
    const shown = textsOf(documentOf(report), "section > ul > li");
    for (const { text, basis } of claimsOf(report)) {
      const words = basis === "quoted" ? `“${text}”` : text;
      const item = shown.find((one) => one.startsWith(words)) ?? "";
      expect(item.slice(words.length)).toMatch(/^\d/);
    }
    expect(textsOf(documentOf(report), "h2")).toContain("How strong the evidence is");
  });
});

describe("text from outside", () => {
  test("is shown as it was written, in its own direction and language", () => {
    const document = documentOf(HOSTILE_REPORT);
    const framing = [...document.querySelectorAll("section > p > span:last-child")];
    const [, attribute, bidi, long, japanese, arabic, , lines] = framing;
    expect(framing).toHaveLength(8);
    expect(textsOf(document, "h1")).toEqual([HOSTILE.script]);
    expect(attribute?.textContent).toBe(HOSTILE.attribute);
    expect(bidi?.textContent).toBe("safe txt.exe and what follows");
    expect(long?.textContent).toBe(HOSTILE.long);
    expect([japanese?.textContent, japanese?.getAttribute("lang")]).toEqual([HOSTILE.japanese, "ja"]);
    expect([arabic?.textContent, arabic?.getAttribute("dir")]).toEqual([HOSTILE.arabic, "auto"]);
    expect(lines?.textContent).toBe("line next\uFFFD\uFFFDline end");
  });

  test("keeps its code, which is escaped", () => {
    const text = "Set `<b>` and `a&b` but not <i>.";
    const document = documentOf(plainReport([quoted("a", text, { quotes: [quote(text)] })]));
    expect(textsOf(document, ".answer li > span code")).toEqual(["<b>", "a&b"]);
    expect(document.querySelectorAll("b,i")).toHaveLength(0);
  });
});
