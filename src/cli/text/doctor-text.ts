// What doctor found, in text: the checks, how many problems there are, and on request the settings with their origins.
import { shownLine } from "../../kernel/shown-text.ts";
import type { Check } from "../../operations/doctor.ts";
import type { DoctorResult } from "../commands/doctor.ts";
import { factText } from "../../surface/fact-words.ts";
import type { Style } from "../terminal/style.ts";
import { columns, oneLine } from "../terminal/text.ts";
import { count } from "../../surface/words.ts";
import { paragraph } from "../terminal/wrapping.ts";

const VALUE_WIDTH = 60;

/** `withSettings` shows each setting, too. */
export function doctorText(result: DoctorResult, withSettings: boolean, userFile: string | null, style: Style): string {
  const { settings, checks, problems, warnings } = result;
  const rows = settings.map(({ key, value, origin }) => [
    key,
    valueText(value),
    origin.startsWith("built-in") ? style.dim(origin) : shownLine(origin),
  ]);
  const summary = `${count(problems, "problem")}, ${count(warnings, "warning")}`;
  const all = withSettings
    ? `\n${style.bold("settings")}\n${columns(rows, "  ")}`
    : `${count(settings.length, "setting")}: see them with --all\n`;
  return [
    checks.map((check) => checkText(check, style)).join(""),
    `${problems > 0 ? style.bad(summary) : summary}\n`,
    userFile === null ? "" : `${paragraph(`your own settings go into ${userFile}`, style.width)}\n`,
    all,
  ].join("");
}

function valueText(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "-";
  return oneLine(factText(value), VALUE_WIDTH);
}

function checkText({ name, status, detail, next }: Check, style: Style): string {
  const colour = { ok: style.good, warning: style.warn, problem: style.bad }[status];
  const below = " ".repeat(11);
  const words = paragraph(`${name}: ${shownLine(detail)}`, style.width, `  ${colour(status.padEnd(7))}  `, below);
  // Some are commands, which stay whole.
  return next === undefined ? `${words}\n` : `${words}\n${below}${shownLine(next)}\n`;
}
