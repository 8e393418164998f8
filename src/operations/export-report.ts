// `report export`: one report version as a file for others; Markdown and JSON are the published bytes, the others are made of them.
import { digestOfBytes, type Digest } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { FileProblem } from "../ports/run-store.ts";
import type { ReportVersion } from "../run/report.ts";
import { reportHtml } from "../pages/html-page.ts";
import { bibtexOf, cslJsonOf, referencesOf, type Reference } from "../pages/references.ts";
import type { Outcome } from "./outcome.ts";
import { fetchTimes, quotedTexts } from "./quoted-sources.ts";
import { parseReport, readReportBytes, versionOf, withProblemsOf } from "./read-report.ts";

export const EXPORT_FORMATS = ["md", "html", "docx", "json", "bibtex", "csl-json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  format: ExportFormat;
  versionIndex?: number;
  /** What models used, in words for the page; null where there is nothing to say. */
  spentText?: (usage: ReportVersion["usage"]) => string | null;
  /** Where to write, absolute; without it nothing is written. */
  output?: { path: string; replace: boolean };
}

export interface ExportResult {
  version_index: number;
  format: ExportFormat;
  /** Absolute, or null when nothing was written. */
  output: string | null;
  bytes: number;
  /** Of the exported bytes. */
  digest: Digest;
  /** What does not verify of this version, of the sources that it quotes, and of what a look sees. */
  problems: FileProblem[];
}

/**
 * Errors: as `report show`; `ALREADY_EXISTS` when a file is there, `INVALID_ARGS` for a place where none can be written,
 * `WRITE_FAILED`.
 */
export async function exportReport(
  ports: Ports,
  runRoot: string,
  options: ExportOptions,
): Promise<Outcome<ExportResult> & { content: Uint8Array }> {
  const { format, versionIndex, output } = options;
  const look = await ports.store.look(runRoot);
  const version = versionOf(look, versionIndex);
  const { markdown, json } = await readReportBytes(ports, runRoot, version);
  const references = async (write: (references: readonly Reference[]) => string): Promise<Uint8Array> => {
    const report = parseReport(json, version);
    return new TextEncoder().encode(write(referencesOf(report, await fetchTimes(ports.store, runRoot))));
  };
  const contents: Record<ExportFormat, () => Promise<Uint8Array>> = {
    md: async () => markdown,
    json: async () => json,
    bibtex: () => references(bibtexOf),
    "csl-json": () => references(cslJsonOf),
    docx: async () => {
      const { reportDocx } = await import("../pages/docx-page.ts");
      return await reportDocx(parseReport(json, version), options.spentText?.(version.usage) ?? null);
    },
    html: async () => {
      const report = parseReport(json, version);
      const texts = await quotedTexts(ports.store, runRoot, report);
      return new TextEncoder().encode(reportHtml(report, options.spentText?.(version.usage) ?? null, texts));
    },
  };
  const content = await contents[format]();
  if (output !== undefined) await write(ports, runRoot, output, content);
  const run = await withProblemsOf(ports, look, version);
  const { version_index } = version;
  const result: ExportResult = {
    version_index,
    format,
    output: output?.path ?? null,
    bytes: content.byteLength,
    digest: digestOfBytes(content),
    problems: run.problems,
  };
  return { result, run, error: null, content };
}

async function write(
  ports: Ports,
  runRoot: string,
  { path, replace }: { path: string; replace: boolean },
  content: Uint8Array,
): Promise<void> {
  const outcome = await ports.outputs.write(path, content, { replace, keepOut: runRoot });
  switch (outcome) {
    case "written":
      return;
    case "exists":
      throw new RunError("ALREADY_EXISTS", { reason: "there is a file already", output: path });
    case "blocked":
      throw new RunError("INVALID_ARGS", { reason: "what is there is no file", option: "--output", found: path });
    case "kept_out":
      throw new RunError("INVALID_ARGS", {
        reason: "a run's own folder holds nothing but the run: name a file elsewhere",
        option: "--output",
        found: path,
      });
  }
}
