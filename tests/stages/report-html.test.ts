// The HTML page: one file that loads and runs nothing, whose links hold, and in which quoted text stays text.
import { describe, expect, test } from "bun:test";
import { parseHTML } from "linkedom";
import type { Report } from "../../src/run/report.ts";
import { reportHtml } from "../../src/stages/report-html.ts";
import { claim, FULL_REPORT, HANDBOOK, HOSTILE, HOSTILE_REPORT, plainReport, quote } from "./sample-report.ts";

type Document = ReturnType<typeof parseHTML>["document"];

function documentOf(report: Report): Document {
  return parseHTML(reportHtml(report)).document;
}

function textsOf(document: Document, selector: string): string[] {
  return [...document.querySelectorAll(selector)].map(({ textContent }) =>
    (textContent ?? "").replace(/\s+/g, " ").trim(),
  );
}

/** Elements and attributes that could run or load something. */
function aliveIn(document: Document): string[] {
  const elements = document.querySelectorAll("script,img,iframe,object,embed,link,base,form,svg,video,audio,source");
  const attributes = [...document.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes].filter(
      ({ name, value }) => /^on|^(src|srcset|style|action|data)$/.test(name) || /^\w+:/.test(value),
    ),
  );
  return [...[...elements].map(({ tagName }) => tagName), ...attributes.map(({ name, value }) => `${name}=${value}`)];
}

describe("the page", () => {
  test("loads nothing and runs nothing", () => {
    for (const report of [FULL_REPORT, HOSTILE_REPORT]) {
      const html = reportHtml(report);
      expect(html).toContain(
        `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
      );
      expect(html).not.toMatch(/url\(|@import/);
      expect(
        aliveIn(documentOf(report)).filter((one) => one !== "content=width=device-width, initial-scale=1"),
      ).toEqual([]);
    }
    const { document } = parseHTML(`<p onclick="x()"><img src="a"><a href="javascript:x()">a</a></p>`);
    expect(aliveIn(document)).toHaveLength(4);
  });

  test("control: the same page with its text unescaped is alive", () => {
    const unescaped = reportHtml(HOSTILE_REPORT)
      .replaceAll("&lt;", "<")
      .replaceAll("&quot;", '"')
      .replaceAll("&gt;", ">");
    expect(aliveIn(parseHTML(unescaped).document)).toContain("SCRIPT");
  });

  test("has the answer first and every section under a heading", () => {
    expect(textsOf(documentOf(FULL_REPORT), "h2")).toEqual([
      "Answer in quotes",
      "Overview",
      "Limits and objections",
      "Where sources differ",
      "How strong the evidence is",
      "What was not found",
      "Thin evidence",
      "How this report was made",
      "Sources",
    ]);
    expect(documentOf(FULL_REPORT).querySelectorAll("section.answer")).toHaveLength(1);
  });

  test("links each claim to its sources and back, and every link leads somewhere", () => {
    for (const report of [FULL_REPORT, HOSTILE_REPORT]) {
      const document = documentOf(report);
      const links = [...document.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? "");
      expect(links.length).toBeGreaterThan(5);
      expect(links.filter((href) => !href.startsWith("#") || document.getElementById(href.slice(1)) === null)).toEqual(
        [],
      );
      const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    const document = documentOf(FULL_REPORT);
    expect(textsOf(document, "#claim-3 .refs a")).toEqual(["[1, Retention > Options]", "[3, p. 3]"]);
    expect(textsOf(document, "#source-1 a")).toEqual(["1", "3"]);
  });

  test("gives each claim what it takes to check it, with the bytes as they are", () => {
    const document = documentOf(FULL_REPORT);
    const [first = ""] = textsOf(document, "#claim-1 details");
    expect(first).toContain("Verdict: supported. Method: verbatim.");
    expect(first).toContain(`Source${HANDBOOK}`);
    expect(first).toContain("Bytes0 to 71 of its text");
    expect(first).toContain(`tail -c +1 sources/${HANDBOOK.slice(7)}.txt | head -c 71`);
    expect(document.querySelector("#claim-1 blockquote")?.textContent).toBe(
      "Records are kept for 30 days,\nthen they are removed by the nightly job.",
    );
    expect(textsOf(document, "#claim-6 .doubt")).toEqual(["(not checked: the source could not be read)"]);
  });

  test("shows comparisons and strengths as tables with captions and scopes", () => {
    const document = documentOf(FULL_REPORT);
    expect(document.querySelectorAll("table > caption")).toHaveLength(3);
    expect(document.querySelectorAll("th:not([scope])")).toHaveLength(0);
    expect(textsOf(document, "tbody th")).toEqual([
      "30 days",
      "90 days",
      "makes faster",
      "does not make faster",
      "how long are records kept",
      "what does that cost",
      "who may change it",
    ]);
  });

  test("a report of before, without roles, strengths, comparisons, notes and scope, still reads", () => {
    const { sections, ...rest } = plainReport([claim("a", "A.")]);
    const document = documentOf({ ...rest, sections: sections.map(({ title, claims }) => ({ title, claims })) });
    expect(document.querySelectorAll("table")).toHaveLength(0);
    expect(textsOf(document, "h2")).not.toContain("How strong the evidence is");
  });

  test("equal reports give equal bytes", () => {
    expect(reportHtml(structuredClone(FULL_REPORT))).toBe(reportHtml(FULL_REPORT));
  });
});

describe("what others wrote", () => {
  test("is shown as it stands, in its own direction and language", () => {
    const document = documentOf(HOSTILE_REPORT);
    const [, attribute, bidi, long, japanese, arabic, , lines] = [
      ...document.querySelectorAll("section.answer li p > span:first-child"),
    ];
    expect(textsOf(document, "h1")).toEqual([HOSTILE.script]);
    expect(attribute?.textContent).toBe(HOSTILE.attribute);
    expect(bidi?.textContent).toBe("safe txt.exe and what follows");
    expect(long?.textContent).toBe(HOSTILE.long);
    expect([japanese?.textContent, japanese?.getAttribute("lang")]).toEqual([HOSTILE.japanese, "ja"]);
    expect([arabic?.textContent, arabic?.getAttribute("dir")]).toEqual([HOSTILE.arabic, "auto"]);
    expect(lines?.textContent).toBe("line next\uFFFD\uFFFDline end");
  });

  test("code stays code, and is escaped as all else", () => {
    const text = "Set `<b>` and `a&b` but not <i>.";
    const document = documentOf(plainReport([claim("a", text, { quotes: [quote(text)] })]));
    expect(textsOf(document, "#claim-1 p code")).toEqual(["<b>", "a&b"]);
    expect(document.querySelectorAll("b,i")).toHaveLength(0);
  });
});
