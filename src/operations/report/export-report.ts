// `report export`: a report version as a file. Markdown and JSON are the published bytes; the other forms are made from them.
import { digestOfBytes } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import type { OutputOptions } from "../../ports/outputs.ts";
import type { Ports } from "../../ports/ports.ts";
import type { ReportVersion } from "../../run/report/report-version.ts";
import { reportBody, reportHtml } from "../../pages/html-page.ts";
import { TimelineFold, type Timeline } from "../../pages/timeline.ts";
import { timelineHtml, type TimelineWords } from "../../pages/timeline-picture.ts";
import { bibtexOf, cslJsonOf, referencesOf } from "../../pages/references.ts";
import { parseReport, readReportBytes, versionOf, withProblemsOf, type ReportWanted } from "./read-report.ts";
import { quotedTexts, storedSources } from "./stored-sources.ts";
import { writeOutput } from "./write-output.ts";

export const EXPORT_FORMATS = ["md", "html", "docx", "json", "bibtex", "csl-json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** How the name of a file of each form ends. */
export const EXPORT_ENDINGS: Record<ExportFormat, string> = {
  md: "md",
  html: "html",
  docx: "docx",
  json: "json",
  bibtex: "bib",
  "csl-json": "csl.json",
};

export interface ExportOptions extends ReportWanted {
  format: ExportFormat;
  /** Words for the page about what models used; null where there is nothing to say. */
  spentText?: (usage: ReportVersion["usage"]) => string | null;
  /** Words for the timeline of the run up to this version, which the HTML page then shows, too. */
  timeline?: TimelineWords;
  /** An absolute path; without it nothing is written. */
  output?: Pick<OutputOptions, "replace" | "makesFolders" | "isPrivate"> & { path: string };
}

/**
 * Errors: as `report show`; `ALREADY_EXISTS` when a file is there, `INVALID_ARGS` for a place where none can be written,
 * `WRITE_FAILED`.
 */
export async function exportReport(ports: Ports, runRoot: string, options: ExportOptions) {
  const { format, versionIndex, output } = options;
  const look = await ports.store.look(runRoot);
  const version = versionOf(look, versionIndex);
  const content = await contentOf(ports, runRoot, version, options);
  const run = await withProblemsOf(ports, look, version, options);
  if (output !== undefined) {
    const { path, ...how } = output;
    if ((await writeOutput(ports, path, content, { ...how, keepOut: runRoot })) === "exists")
      throw new RunError("ALREADY_EXISTS.file", { reason: "there is a file already", output: path });
  }
  const result = {
    version_index: version.version_index,
    format,
    /** Absolute, or null when nothing was written. */
    output: output?.path ?? null,
    bytes: content.byteLength,
    /** The digest of the exported bytes. */
    digest: digestOfBytes(content),
    /** Files that do not verify: of this version, of the sources that it quotes, and those that `store.look` reads. */
    problems: run.problems,
  };
  return { result, run, error: null, content };
}

async function contentOf(
  ports: Ports,
  runRoot: string,
  version: ReportVersion,
  { format, spentText, timeline }: ExportOptions,
): Promise<Uint8Array> {
  const { markdown, json } = await readReportBytes(ports, runRoot, version);
  if (format === "md") return markdown;
  if (format === "json") return json;
  const report = parseReport(json, version);
  const spent = spentText?.(version.usage) ?? null;
  const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
  switch (format) {
    case "bibtex":
    case "csl-json": {
      const sources = await storedSources(ports, runRoot);
      const fetchedAt = new Map(sources.map(({ source_digest, retrieved_at }) => [source_digest, retrieved_at]));
      return encoded((format === "bibtex" ? bibtexOf : cslJsonOf)(referencesOf(report, fetchedAt)));
    }
    case "docx":
      return await (await import("../../pages/docx-page.ts")).reportDocx(report, spent);
    case "html": {
      const texts = await quotedTexts(ports, runRoot, report);
      const picture = timeline && timelineHtml(await timelineUntil(ports, runRoot, version), timeline);
      return encoded(reportHtml(report, spent, texts, picture));
    }
  }
}

/** The body of a version as HTML, by default of the current one, for a page that shows it beside other things. Errors: as `report show`. */
export async function readReportPage(
  ports: Ports,
  runRoot: string,
  { spentText, ...wanted }: ReportWanted & { spentText: NonNullable<ExportOptions["spentText"]> },
): Promise<{ version: ReportVersion; html: string }> {
  const look = await ports.store.look(runRoot);
  const version = versionOf(look, wanted.versionIndex);
  const report = parseReport((await readReportBytes(ports, runRoot, version)).json, version);
  await withProblemsOf(ports, look, version, wanted);
  return { version, html: reportBody(report, spentText(version.usage), await quotedTexts(ports, runRoot, report)) };
}

/** Ends at the record of the version, so that a version always gives the same file. */
async function timelineUntil({ store }: Ports, runRoot: string, { version_index }: ReportVersion): Promise<Timeline> {
  const fold = new TimelineFold();
  for (const { kind, ts, data } of await store.records(runRoot)) {
    fold.note({ event: kind, ts, data });
    const isPublished = kind === "report.published" || kind === "state.changed";
    if (isPublished && data.report?.version_index === version_index) break;
  }
  return fold.timeline;
}
