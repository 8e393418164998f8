// The routes of reports and of the sources behind them.
import { RunError } from "../kernel/errors.ts";
import {
  EXPORT_ENDINGS,
  EXPORT_FORMATS,
  exportReport,
  readReportPage,
  type ExportFormat,
} from "../operations/report/export-report.ts";
import type { ReportWanted } from "../operations/report/read-report.ts";
import { readSource } from "../operations/report/stored-sources.ts";
import { TIMELINE_WORDS } from "../surface/timeline-words.ts";
import { usageText } from "../surface/usage-words.ts";
import { askForm, threadHtml } from "./thread.ts";
import { DIFF } from "./verb-uses.ts";
import { callVerb, type RouteRequest, type ConsoleParts, type Handler, runRootOf } from "./request.ts";
import { json, refused, reply } from "./replies.ts";
import { numberIn } from "./run-routes.ts";

const TYPES: Record<ExportFormat, string> = {
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
  json: "application/json; charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  bibtex: "application/x-bibtex; charset=utf-8",
  "csl-json": "application/vnd.citationstyles.csl+json",
};
/** A browser that shows a report instead of saving it runs nothing in it: the report is sandboxed. */
const ALONE = { "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'" };

export function reportRoutes(parts: ConsoleParts) {
  return {
    diff: async (call) => {
      const runRoot = await runRootOf(parts, call);
      const given = { ...numberIn(call.query, "from"), ...numberIn(call.query, "to") };
      const envelope = await callVerb(parts, DIFF, { run: runRoot, ...given }, { ...call, runRoot });
      return envelope.error === null ? json(envelope.result) : refused(envelope);
    },
    source: async (call) => {
      const { source: hex = "" } = call.params;
      if (!/^[0-9a-f]{64}$/.test(hex))
        throw new RunError("NOT_FOUND", { reason: "a source is named by 64 hex digits" });
      const { source, text } = await readSource(parts.ports, await runRootOf(parts, call), `sha256:${hex}`);
      return json({ ...source, text });
    },
    page: async (call) => {
      const shown = { ...wantedBy(call), spentText: usageText };
      const runRoot = await runRootOf(parts, call);
      const { html, version } = await readReportPage(parts.ports, runRoot, shown);
      const run = await parts.ports.store.look(runRoot);
      const page = `${await threadHtml(parts.ports, run)}${html}${askForm(run, parts.isReadOnly)}`;
      return reply(page, 200, {
        "content-type": "text/html; charset=utf-8",
        "x-report-version": String(version.version_index),
        ...ALONE,
      });
    },
    report: async (call) => await download(parts, call),
  } satisfies Record<string, Handler>;
}

async function download(parts: ConsoleParts, call: RouteRequest): Promise<Response> {
  const format = EXPORT_FORMATS.find((one) => one === call.params["format"]);
  if (format === undefined)
    throw new RunError("NOT_FOUND", { reason: `a report has one of the forms ${EXPORT_FORMATS.join(", ")}` });
  const runRoot = await runRootOf(parts, call);
  const exported = await exportReport(parts.ports, runRoot, {
    format,
    ...wantedBy(call),
    spentText: usageText,
    ...(call.query.get("timeline") === "1" ? { timeline: TIMELINE_WORDS } : {}),
  });
  const name = `${call.params["run"]}-report-${exported.result.version_index}.${EXPORT_ENDINGS[format]}`;
  return reply(new Uint8Array(exported.content), 200, {
    "content-type": TYPES[format],
    "content-disposition": `attachment; filename="${name}"`,
    ...ALONE,
  });
}

/** Errors: `NOT_FOUND` for what is no number of a version. */
function wantedBy({ params, query }: RouteRequest): ReportWanted {
  const { version = "" } = params;
  const allowDamaged = query.get("allow_damaged") === "1";
  if (version === "current") return { allowDamaged };
  if (!/^[1-9]\d{0,6}$/.test(version)) throw new RunError("NOT_FOUND", { reason: "a version is a number, or current" });
  return { versionIndex: Number(version), allowDamaged };
}
