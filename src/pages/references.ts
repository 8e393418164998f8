// Makes a bibliography of the sources of a report, in CSL-JSON and BibTeX.
import { hexOf } from "../kernel/digest.ts";
import { shownLine } from "../kernel/shown-text.ts";
import type { Report } from "../run/report/report.ts";
import { quotingOf } from "../run/report/statements.ts";
import { sourceOf, webAddressOf, type ReportSource } from "./report-view.ts";

export interface Reference {
  /** Made of the title and the digest, so that a source has the same key in each report. */
  key: string;
  title: string;
  /** The pages that are quoted: `3, 12`. */
  pages: string | null;
  place: { kind: "web"; url: string; accessed: string | null } | { kind: "file"; path: string; digest: string };
}

const KEY_DIGITS = 8;
const KEY_WORDS = 3;

/** In the order of the numbers. `fetchedAt`: ISO times by `source_digest`, for those sources where the time is known. */
export function referencesOf(report: Report, fetchedAt: ReadonlyMap<string, string>): Reference[] {
  return report.sources.map((source) => {
    const { title, origin, source_digest } = source;
    const url = webAddressOf(source);
    return {
      key: keyOf(source, report),
      title: shownLine(title) || shownLine(origin),
      pages: pagesOf(source, report),
      place:
        url === null
          ? { kind: "file", path: shownLine(origin), digest: source_digest }
          : { kind: "web", url, accessed: fetchedAt.get(source_digest)?.slice(0, "2026-01-31".length) ?? null },
    };
  });
}

function pagesOf(source: ReportSource, report: Report): string | null {
  const quotes = quotingOf(report).flatMap((statement) =>
    statement.quotes.filter((quote) => sourceOf(quote, report) === source),
  );
  const pages = [...new Set(quotes.flatMap(({ anchor }) => anchor?.page ?? []))].sort((a, b) => a - b);
  return pages.length === 0 ? null : pages.join(", ");
}

function keyOf({ title, source_digest }: ReportSource, { sources }: Report): string {
  // "ß" becomes "ss" by way of the capital "SS".
  const plain = title.toUpperCase().toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  const short = (digest: string): string => hexOf(digest).slice(0, KEY_DIGITS);
  const isAlone = sources.filter((other) => short(other.source_digest) === short(source_digest)).length === 1;
  return [...words.slice(0, KEY_WORDS), isAlone ? short(source_digest) : hexOf(source_digest)].join("-");
}

// --- CSL-JSON -----------------------------------------------------------------------------------------------------

export function cslJsonOf(references: readonly Reference[]): string {
  const items = references.map(({ key, title, pages, place }) => ({
    id: key,
    type: place.kind === "web" ? "webpage" : "document",
    title,
    ...(pages === null ? {} : { page: pages }),
    ...(place.kind === "file" ? { note: `${place.path}, ${place.digest}` } : { URL: place.url }),
    ...(place.kind === "web" && place.accessed !== null
      ? { accessed: { "date-parts": [place.accessed.split("-").map(Number)] } }
      : {}),
  }));
  return `${JSON.stringify(items, null, 2)}\n`;
}

// --- BibTeX -------------------------------------------------------------------------------------------------------

/** Entries in UTF-8, plain enough for BibTeX and biblatex. */
export function bibtexOf(references: readonly Reference[]): string {
  return references.map(bibtexEntry).join("\n");
}

function bibtexEntry({ key, title, pages, place }: Reference): string {
  const fields: [string, string | null][] = [
    // Inner braces keep capital letters.
    ["title", `{${inLatex(title)}}`],
    ["pages", pages],
    ...(place.kind === "web"
      ? ([
          ["url", inUrlField(place.url)],
          ["urldate", place.accessed],
        ] satisfies [string, string | null][])
      : ([
          ["howpublished", inLatex(place.path)],
          ["note", place.digest],
        ] satisfies [string, string | null][])),
  ];
  const lines = fields.flatMap(([name, value]) => (value === null ? [] : [`  ${name} = {${value}},\n`]));
  return `@misc{${key},\n${lines.join("")}}\n`;
}

/** BibTeX counts even escaped braces, so they are spelled by name. */
const LATEX: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  "`": "\\textasciigrave{}",
};
/** LaTeX makes one sign of two of these in a row: a dash or a quotation mark. */
const PAIRS = /([-',])(?=\1)/g;

function inLatex(text: string): string {
  const spelled = text.replace(/[\\{}~^<>|`$&#%_]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
  return spelled.replace(PAIRS, "$1{}");
}

/** The field of an address is read verbatim, so braces and backslashes are percent-encoded. */
function inUrlField(url: string): string {
  return url.replace(/[\\{}]/g, encodeURIComponent);
}
