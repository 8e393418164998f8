// Tests of the map of coverage: what it counts, its size, its words, and equal maps for equal reports.
import { describe, expect, test } from "bun:test";
import { parseHTML } from "linkedom";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { coverageMapOf } from "../../src/pages/coverage-map.ts";
import { reportHtml } from "../../src/pages/html-page.ts";
import { mapHtml } from "../../src/pages/html-blocks.ts";
import type { Report } from "../../src/run/report/report.ts";
import { cited, FULL_REPORT, HOSTILE, plainReport, quote } from "./sample-report.ts";

const SOURCES = 200;

function largeReport(): Report {
  const digests = Array.from({ length: SOURCES }, (_, at) => digestOfBytes(`source ${at}`));
  // The last source has the most claims.
  const claims = digests.flatMap((digest, at) =>
    Array.from({ length: at === SOURCES - 1 ? 9 : 1 }, (_, nth) =>
      cited(`c${at}-${nth}`, `Claim ${at}.`, { quotes: [quote("It is so.", digest)] }),
    ),
  );
  const answered_by = claims.map(({ statement_id }) => statement_id);
  return plainReport(claims, {
    sources: digests.map((source_digest, at) => ({
      number: at + 1,
      source_digest,
      title: `Source ${at}`,
      origin: `${at}.md`,
    })),
    parts: Array.from({ length: 40 }, (_, at) => ({
      text: `part ${at}`,
      coverage: 1,
      missing: [],
      claims: claims.length,
      sources: SOURCES,
      answered_by,
    })),
  });
}

describe("the map of coverage", () => {
  test("counts for each part the claims by their sources", () => {
    const { columns = [], rows = [] } = coverageMapOf(FULL_REPORT) ?? {};
    expect(columns).toEqual(["1", "2", "3"]);
    expect(rows.map(({ cells }) => cells.map(({ answers, mentions }) => `${answers} ${mentions}`))).toEqual([
      ["2 0", "1 0", "0 0"],
      // A conclusion counts for the sources that it follows from.
      ["0 0", "0 1", "2 0"],
      ["0 0", "0 0", "0 0"],
    ]);
  });

  test("has a dot or a ring for each count, and says the counts in words", () => {
    const { document } = parseHTML(reportHtml(FULL_REPORT));
    const rows = [...document.querySelectorAll(".map tbody svg")];
    expect(rows.map((row) => row.getAttribute("aria-label"))).toEqual([
      "source 1: 2 claims; source 2: 1 claim",
      "source 2: 1 mention; source 3: 2 claims",
      "no source",
    ]);
    expect(rows.map((row) => row.querySelectorAll("circle:not(.ring)").length)).toEqual([2, 1, 0]);
    expect(rows.map((row) => row.querySelectorAll(".ring").length)).toEqual([0, 1, 0]);
  });

  test("has at most 24 columns for 200 sources: the most quoted ones, and one for all others", () => {
    const report = largeReport();
    const map = coverageMapOf(report);
    expect(map?.columns).toHaveLength(24);
    expect(map?.columns.slice(-2)).toEqual(["200", "+177"]);
    expect(map?.rows[0]?.cells.slice(-2)).toEqual([
      { answers: 9, mentions: 0 },
      { answers: 177, mentions: 0 },
    ]);
    const html = map === null ? "" : mapHtml(map);
    expect(html).toContain("177 other sources: 177 claims");
    expect(html.length).toBeLessThan(120_000);
  });

  test("is equal for equal reports, and escapes text from outside", () => {
    expect(reportHtml(structuredClone(FULL_REPORT))).toBe(reportHtml(FULL_REPORT));
    const parts = FULL_REPORT.parts.map((part) => ({ ...part, text: HOSTILE.script }));
    const { document } = parseHTML(reportHtml({ ...FULL_REPORT, parts }));
    expect(document.querySelectorAll(".map img, .map script")).toHaveLength(0);
    expect(document.querySelector(".map tbody th")?.textContent).toContain("<script>");
  });

  test("is missing with one source, and when the report does not say which claims answer a part", () => {
    const older = FULL_REPORT.parts.map(({ answered_by: _a, mentioned_by: _m, ...part }) => part);
    expect(coverageMapOf({ ...FULL_REPORT, parts: older })).toBeNull();
    expect(coverageMapOf(plainReport([cited("a", "One.")]))).toBeNull();
    expect(reportHtml({ ...FULL_REPORT, parts: older })).not.toContain('class="map"');
  });

  test("counts no source for an unknown id, nor for the name of a member of every object", () => {
    const strange = ["nothing", "constructor", "__proto__"];
    const parts = FULL_REPORT.parts.map((part) => ({
      ...part,
      answered_by: ["s1", ...strange],
      mentioned_by: strange,
    }));
    const map = coverageMapOf({ ...FULL_REPORT, parts });
    expect(map?.rows[2]?.cells.map(({ answers, mentions }) => answers + mentions)).toEqual([1, 0, 0]);
  });

  test("counts no source for a claim that a template left out", () => {
    const { s7: _dropped, s8: _too, ...statements } = FULL_REPORT.statements;
    const map = coverageMapOf({ ...FULL_REPORT, statements });
    expect(map?.rows[1]?.cells.map(({ answers }) => answers)).toEqual([0, 0, 0]);
  });
});
