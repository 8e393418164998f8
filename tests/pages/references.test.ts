// Tests of the bibliographies of a report. An independent library reads them back.
import { Cite } from "@citation-js/core";
import "@citation-js/plugin-bibtex";
import "@citation-js/plugin-csl";
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { bibtexOf, cslJsonOf, referencesOf } from "../../src/pages/references.ts";
import type { Report } from "../../src/run/report/report.ts";
import { cited, FULL_REPORT, HOSTILE_REPORT, MEMO, plainReport, quote } from "./sample-report.ts";

const FETCHED = new Map([[MEMO, "2026-03-09T08:07:06.500Z"]]);

function titled(titles: readonly string[], origin = "docs/a.md"): Report {
  const sources = titles.map((title, at) => ({ number: at + 1, source_digest: digestOfBytes(title), title, origin }));
  return plainReport([cited("a", "A.")], { sources });
}

function bibtexItems(report: Report): Record<string, unknown>[] {
  return new Cite(bibtexOf(referencesOf(report, FETCHED))).data;
}

function cslItems(report: Report): Record<string, unknown>[] {
  return new Cite(JSON.parse(cslJsonOf(referencesOf(report, FETCHED)))).data;
}

const SIGNS = '50 % of {A} & B_c #1 ~ ^ \\d <i> | $x$ "q" don\'t';
const PAIRS = "a -- b --- c, 'd' ''e'' ``f`` ,, ?` !`";
const WORDS = [
  PAIRS,
  "Größe der Zisterne",
  "Łódź, İstanbul, naïve",
  "記録の保存",
  "Ωμέγα",
  SIGNS,
  "}",
  "{",
  "\\",
  "a\\",
];

describe.each([
  ["BibTeX", bibtexItems],
  ["CSL-JSON", cslItems],
] as const)("%s", (form, items) => {
  test("has an entry for each source: web pages with the day of access, files with path and digest", () => {
    const [handbook, memo, study] = items(FULL_REPORT);
    expect(memo).toMatchObject({
      type: form === "BibTeX" ? "document" : "webpage",
      title: "Memo of the data team",
      URL: "https://intra.example/memo?year=2026",
      accessed: { "date-parts": [[2026, 3, 9]] },
    });
    expect(handbook).toMatchObject({ type: "document", title: "Handbook" });
    expect(handbook).not.toHaveProperty("accessed");
    const text = JSON.stringify([handbook, study]);
    for (const { origin, source_digest } of FULL_REPORT.sources.filter(({ number }) => number !== 2)) {
      expect(text).toContain(origin);
      expect(text).toContain(source_digest);
    }
    expect([memo, study].map((one) => one?.["page"])).toEqual(["2, 12, 14", "7"]);
    expect(items(FULL_REPORT)).toHaveLength(3);
  });

  test("keeps every sign of a title", () => {
    expect(items(titled(WORDS)).map(({ title }) => title)).toEqual(WORDS);
  });

  test("keeps hostile text within its field", () => {
    const entries = items(HOSTILE_REPORT);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.["title"]).toBe(HOSTILE_REPORT.sources[0]?.title);
  });

  test("names no day of access when it is not known", () => {
    const report = plainReport([], {
      sources: [{ number: 1, source_digest: digestOfBytes("x"), title: "", origin: "https://a.example/{x}?{y}#\\z" }],
    });
    const [entry] = items(report);
    expect(entry).not.toHaveProperty("accessed");
    expect(entry).toMatchObject({ title: "https://a.example/{x}?{y}#\\z" });
    expect(new URL(String(entry?.["URL"])).pathname).toBe("/%7Bx%7D");
  });
});

describe("keys", () => {
  const keysOf = (report: Report): string[] => referencesOf(report, FETCHED).map(({ key }) => key);

  test("are made of title and digest, and do not change with the other sources", () => {
    const [handbook, memo] = keysOf(FULL_REPORT);
    expect(handbook).toMatch(/^handbook-[0-9a-f]{8}$/);
    expect(memo).toMatch(/^memo-of-the-[0-9a-f]{8}$/);
    expect(keysOf({ ...FULL_REPORT, sources: FULL_REPORT.sources.slice(1) })[0]).toBe(memo ?? "");
    expect(keysOf(titled(["Größe", "記録"]))[0]).toStartWith("grosse-");
    expect(keysOf(titled(["記録"]))[0]).toMatch(/^[0-9a-f]{8}$/);
  });

  test("are unique when digests begin with the same digits", () => {
    const digests = ["1", "2"].map((end) => `sha256:${"a".repeat(63)}${end}` as const);
    const sources = digests.map((source_digest, at) => ({ number: at + 1, source_digest, title: "A", origin: "a.md" }));
    expect(keysOf(plainReport([], { sources }))).toEqual(digests.map((one) => `a-${one.slice("sha256:".length)}`));
  });
});

test("the library prints a bibliography in the style APA", () => {
  const report = plainReport([cited("a", "A.", { quotes: [quote("A.", MEMO)] })], { sources: FULL_REPORT.sources });
  const items = JSON.parse(cslJsonOf(referencesOf(report, FETCHED))) as unknown;
  const text = new Cite(items).format("bibliography", { format: "text", template: "apa" });
  expect(text).toContain(
    "Memo of the data team. (n.d.). Retrieved March 9, 2026, from https://intra.example/memo?year=2026",
  );
});
