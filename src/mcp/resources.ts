// Runs and their reports as resources, by the id of the run: the answers of `status` and `report show`.
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { RUN_ID_PATTERN } from "../kernel/ids.ts";
import type { ListResult } from "../operations/look/list-runs.ts";
import type { ShownReport } from "../operations/report/read-report.ts";
import type { Envelope } from "../surface/envelope.ts";
import type { VerbTools } from "../surface/verb-calls.ts";

const PREFIX = "deep-research://runs/";
const REPORT = "/report";
const JSON_TYPE = "application/json";
const MARKDOWN_TYPE = "text/markdown";
const PAGE = 50;

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${PREFIX}{run}`,
    name: "run",
    title: "A run",
    description: "the status of a run, as run_status has it",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${PREFIX}{run}${REPORT}`,
    name: "report",
    title: "The report of a run",
    description: "the current report version, as Markdown",
    mimeType: MARKDOWN_TYPE,
  },
] as const;

/** The newest runs first, each with its report where it has one. The cursor is the number of runs listed before. */
export async function listResources(tools: Pick<VerbTools, "perform">, cursor = "0") {
  if (!/^\d{1,7}$/.test(cursor))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "not a cursor of this server");
  const end = Number(cursor) + PAGE;
  const list = await tools.perform("list", { limit: end });
  const { runs, matched } = resultOf(list) as ListResult;
  const resources = runs.slice(Number(cursor)).flatMap((run) => {
    const { run_id, question, condition, answered, report_versions, updated_at } = run;
    const annotations = { lastModified: updated_at };
    const status = {
      uri: PREFIX + run_id,
      name: run_id,
      title: question,
      description: answered === "nearest" ? `${condition}, not answered` : condition,
      mimeType: JSON_TYPE,
      annotations,
    };
    const report = {
      ...status,
      uri: PREFIX + run_id + REPORT,
      name: `${run_id} report`,
      description: answered === "nearest" ? "what came nearest, without an answer" : "its report",
      mimeType: MARKDOWN_TYPE,
    };
    return report_versions === 0 ? [status] : [status, report];
  });
  return { resources, ...(matched > end ? { nextCursor: String(end) } : {}) };
}

/** Errors: `ResourceNotFoundError` for what is no run and no report. */
export async function readResource(
  tools: Pick<VerbTools, "perform">,
  uri: string,
): Promise<{ uri: string; mimeType: string; text: string }> {
  const path = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : "";
  const isReport = path.endsWith(REPORT);
  const run = isReport ? path.slice(0, -REPORT.length) : path;
  if (!RUN_ID_PATTERN.test(run)) throw new ResourceNotFoundError(uri.slice(0, 300));
  const answer = await tools.perform(isReport ? "report show" : "status", { run });
  if (answer.error?.code === "NOT_FOUND" || answer.error?.code === "NO_EVIDENCE")
    throw new ResourceNotFoundError(uri, answer.error.message);
  return isReport
    ? { uri, mimeType: MARKDOWN_TYPE, text: (resultOf(answer) as ShownReport).report_md }
    : { uri, mimeType: JSON_TYPE, text: JSON.stringify(answer) };
}

function resultOf({ result, error }: Envelope): unknown {
  if (error === null) return result;
  const { code, message, details, hint } = error;
  throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`, { code, details, hint });
}
