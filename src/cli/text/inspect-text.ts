// Everything about a run in text: one section per kind of fact.
import type { Usage } from "../../run/money/usage.ts";
import { shortened } from "../../kernel/shortened.ts";
import { shownLine, shownText } from "../../kernel/shown-text.ts";
import type { InspectResult, StageView } from "../../operations/look/inspect-run.ts";
import type { StepView } from "../../operations/look/inspect-step.ts";
import type { Standing } from "../../operations/look/conditions.ts";
import type { RunLook } from "../../ports/run-log.ts";
import type { Model } from "../../run/model/model.ts";
import { modelName } from "../../run/settings/model-names.ts";
import { wantedProviders } from "../../run/log/provenance.ts";
import { blockedText, evidenceText, partlyReadRows } from "./evidence-text.ts";
import { callsText, conversationText } from "./conversation-text.ts";
import { changeText, count, duration, fileSize, moment, TRIGGERS } from "../../surface/words.ts";
import { statusText } from "./status-text.ts";
import type { Style } from "../terminal/style.ts";
import { differenceText } from "../../surface/fact-words.ts";
import { columns, oneLine, pairs } from "../terminal/layout.ts";
import { atMostText, costText, number, reservedText, usageText } from "../../surface/usage-words.ts";
import { rankerName } from "../../run/settings/rankers.ts";

const WIDTH = 90;

export function inspectText(run: RunLook, result: InspectResult, standing: Standing, style: Style): string {
  const journal = pairs(
    [
      ["records", String(result.journal.seq)],
      ["head", result.journal.digest],
      ["file", shownLine(result.journal.path)],
    ],
    style.width,
  );
  const sections = {
    Stages: result.stages.map((view) => stageText(view, style)).join(""),
    Gates: gateText(result),
    Spent: spendingText(result, style),
    Evidence: evidenceText(result.provenance, run.manifest.counters.sources),
    "Not reached": blockedText(result.blocked_urls, style),
    Failures: linesOf(
      result.failures,
      ({ ts, kind, stage, message }) => `${moment(ts)}  ${kind} in ${stage}: ${oneLine(message, WIDTH)}`,
    ),
    States: linesOf(
      result.state_history,
      (change) => `${moment(change.ts)}  ${changeText({ ...change, reason: oneLine(change.reason, WIDTH) })}`,
    ),
    Reports: linesOf(
      result.report_versions,
      ({ version_index, trigger_type, digest, claims, sources }) =>
        `${version_index}  ${TRIGGERS[trigger_type]}, ${count(claims, "claim")} from ${count(sources, "source")}, ${digest}`,
    ),
    Settings: settingsText(result, style),
    "Accepted drift": driftText(result),
    Journal: journal,
  };
  // All that inspect shows is here already.
  const next = standing.next.filter(({ verb }) => verb !== "inspect");
  return statusText(run, result.status, { ...standing, next }, style) + sectionsText(sections, style);
}

function linesOf<T>(entries: readonly T[], textOf: (entry: T) => string): string {
  return entries.map((entry) => `  ${textOf(entry)}\n`).join("");
}

/** Without the empty sections. */
function sectionsText(sections: Readonly<Record<string, string>>, style: Style): string {
  return Object.entries(sections)
    .filter(([, body]) => body !== "")
    .map(([title, body]) => `\n${style.bold(title)}\n${body}`)
    .join("");
}

/** By stage and step; nothing where no model was called. */
function spendingText({ spending }: InspectResult, style: Style): string {
  const { run, stages, steps, lost } = spending;
  if (run.calls === 0) return "";
  const cutOff = lost.calls === 0 ? {} : { "of it, at the most, for calls that were cut off": lost };
  return [
    usageTable({ "the whole run": run, ...cutOff }, "  "),
    `  ${style.dim("by stage")}\n${usageTable(stages, "    ")}`,
    `  ${style.dim("by step")}\n${usageTable(steps, "    ")}`,
  ].join("");
}

function stageText({ stage, counts, steps }: StageView, style: Style): string {
  const head = `  ${stage}  ${style.dim(counts.total === 0 ? "no steps yet" : `${counts.completed} of ${count(counts.total, "step")} done`)}\n`;
  const rows = steps.map(({ key, state, attempts, adopted_from, error }) => [
    key,
    state === "failed" ? style.bad(state) : state,
    adopted_from === undefined ? count(attempts, "attempt") : `adopted from ${adopted_from}`,
    error === undefined ? "" : oneLine(error.message, WIDTH),
  ]);
  return head + columns(rows, "    ");
}

function gateText({ gates }: InspectResult): string {
  const rows = Object.entries(gates).flatMap(([gate, { status, metrics, reasons }]) =>
    status === "not_run"
      ? []
      : [[gate, status, reasons.length > 0 ? oneLine(reasons.join("; "), WIDTH) : namedValues(metrics)]],
  );
  return columns(rows, "  ");
}

function namedValues(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}

function settingsText({ settings, limits, question, tool_version, forked_from }: InspectResult, style: Style): string {
  return pairs(
    [
      ["driver", settings.driver],
      ["models", modelsText(settings)],
      ["providers", wantedProviders(settings.providers).ids.join(", ")],
      ["audience", settings.audience === undefined ? null : shownLine(settings.audience)],
      ["length", settings.length ?? null],
      ["sensitivity", question.sensitivity],
      [
        "corpora",
        settings.corpora
          .map(({ name, path, documents }) => `${name} (${count(documents, "document")}, ${shownLine(path)})`)
          .join("; ") || null,
      ],
      ...settings.corpora.flatMap(partlyReadRows),
      ["ranked by", rankText(settings)],
      ["on interrupt", settings.policies.on_interrupt],
      ["on drift", settings.policies.on_drift],
      ["limits", namedValues(limits)],
      ["forked from", forked_from === null ? null : forked_from.run_id],
      ["made by version", tool_version],
    ],
    style.width,
  );
}

/** `compatible:llama3 (http://127.0.0.1:11434/v1); verifier openai:gpt-5`; null for drivers that ask none. */
function modelsText({ models }: InspectResult["settings"]): string | null {
  if (models === undefined) return null;
  const named = (model: Model): string =>
    shownLine(`${modelName(model)}${model.base_url === undefined ? "" : ` (${model.base_url})`}`);
  return [
    named(models.default),
    ...Object.entries(models.roles).map(([role, model]) => `${role} ${named(model)}`),
  ].join("; ");
}

function rankText(settings: InspectResult["settings"]): string | null {
  const name = rankerName(settings);
  const { rank } = settings;
  if (name === undefined || rank === undefined) return null;
  if (rank.by === "endpoint") return shownLine(`${name} (${rank.endpoint.base_url})`);
  const { gate } = rank;
  return shownLine(
    gate === undefined ? name : `${name} (checked: ${gate.first} of 8 first, ${gate.verdicts} of 12 verdicts)`,
  );
}

function driftText({ accepted_drift: drift }: InspectResult): string {
  if (drift === null) return "";
  const rows = drift.differences.map((difference) => `  ${oneLine(differenceText(difference), 4 * WIDTH)}\n`);
  return `  ${moment(drift.ts)}  ${oneLine(drift.reason, WIDTH)}\n${rows.join("")}`;
}

/** A row for each name, under headings. */
export function usageTable(spent: Readonly<Record<string, Usage>>, indent: string): string {
  const rows = Object.entries(spent).map(([name, usage]) => [
    name,
    count(usage.calls, "call"),
    `${number(usage.tokens)} tokens`,
    usage.cached_input_tokens === undefined || usage.cached_input_tokens === 0
      ? ""
      : `${number(usage.cached_input_tokens)} cached`,
    [costText(usage), atMostText(usage)].filter((text) => text !== "").join("; "),
    reservedText(usage),
  ]);
  return columns(rows, indent);
}

const MAX_RESULT_LINES = 60;
const MAX_SHOWN = 20;

export function inspectStepText(step: StepView, style: Style): string {
  const { key, stage, state, attempts, adopted_from, result, sources, provenance } = step;
  const facts = pairs(
    [
      ["stage", stage],
      ["state", state === "failed" ? style.bad(state) : state],
      ["waits for", step.waits_for === null ? null : `an answer to ${step.waits_for.path}`],
      ["inputs", attempts.at(-1)?.inputs_digest],
      ["result", result?.digest],
      ["adopted from", adopted_from === null ? null : `${adopted_from.run_id}, record ${adopted_from.seq}`],
      ["spent", usageText(step.usage)],
    ],
    style.width,
  );
  const sections = {
    Attempts: columns(attempts.map(attemptRow), "  "),
    "Submitted answers": columns(step.handed_over.map(handedOverRow), "  "),
    "Sources stored meanwhile": shortList(sources.map(sourceRow)),
    Evidence: provenance.length === 0 ? "" : evidenceText(provenance, sources.length),
    Calls: callsText(step.calls, style),
    Conversations: step.conversations.map((view) => conversationText(view, style)).join(""),
    Files: shortList((result?.files ?? []).map(({ path, bytes }) => [path, fileSize(bytes)])),
    Result: valueText(step),
  };
  return `${style.bold(key)}\n${facts}${sectionsText(sections, style)}`;
}

function sourceRow({
  origin,
  title,
  provider_id,
  fallback_from_provider_id: from,
}: StepView["sources"][number]): string[] {
  const giver = from === undefined ? provider_id : `${provider_id} in place of ${from}`;
  return [shownLine(origin), oneLine(title, WIDTH), giver];
}

function attemptRow({ attempt, started_at, ended_at, outcome, error }: StepView["attempts"][number]): string[] {
  const took = ended_at === null ? "" : duration(Date.parse(ended_at) - Date.parse(started_at));
  const words = error === undefined ? "" : oneLine(error.message, WIDTH);
  return [String(attempt), moment(started_at), outcome.replaceAll("_", " "), took, words];
}

function handedOverRow({ requested_at, outcome, problems }: StepView["handed_over"][number]): string[] {
  const words = {
    taken: "taken",
    already: "the same as one before",
    refused: "refused",
    unread: "not read yet",
    too_late: "too late",
  };
  return [moment(requested_at), words[outcome], oneLine(problems.join("; "), WIDTH)];
}

function shortList(rows: readonly string[][]): string {
  const more = rows.length > MAX_SHOWN ? `  and ${rows.length - MAX_SHOWN} more (--json names all)\n` : "";
  return columns(rows.slice(0, MAX_SHOWN), "  ") + more;
}

/** Results can be long: people get the beginning and where the rest is. */
function valueText({ result, value }: StepView): string {
  if (result === null) return "";
  const lines = shownText(JSON.stringify(value, null, 2)).split("\n");
  const rest = lines.length - MAX_RESULT_LINES;
  const more = rest > 0 ? [`and ${count(rest, "more line")} (--json shows all)`] : [];
  return [...lines.slice(0, MAX_RESULT_LINES), ...more].map((line) => `  ${shortened(line, 2 * WIDTH)}\n`).join("");
}
