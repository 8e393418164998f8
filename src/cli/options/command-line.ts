// Splits argv into the command's words and what stands behind them; the common options may stand before it.
import { COMMON, flagName } from "./options.ts";

export interface CommandLine {
  /** What comes first: a command's words joined by a space, `help`, `--version`, or nothing. */
  name: string;
  /** The other words, common options first that stood before the command. */
  rest: string[];
}

/** Commands whose second word belongs to their name. */
const GROUPS = new Set(["cache", "report"]);
/** The common options by name: true for those that take the next word. */
const COMMON_OPTIONS = new Map(Object.entries(COMMON).map(([key, { kind }]) => [flagName(key), kind !== "flag"]));

export function splitCommandLine(argv: readonly string[]): CommandLine {
  let start = 0;
  while (isCommonOption(argv[start])) start += COMMON_OPTIONS.get(argv[start] ?? "") === true ? 2 : 1;
  const first = argv[start];
  if (first === undefined) return { name: "", rest: [...argv] };
  const second = argv[start + 1];
  const words = GROUPS.has(first) && second !== undefined && !second.startsWith("-") ? [first, second] : [first];
  return { name: words.join(" "), rest: [...argv.slice(0, start), ...argv.slice(start + words.length)] };
}

function isCommonOption(word: string | undefined): boolean {
  return word !== undefined && COMMON_OPTIONS.has(word.split("=", 1)[0] ?? "");
}

/** `-h` asks for short help, `--help` for all of it, null for none; what stands behind `--` is never an option. */
export function helpAsked(words: readonly string[]): "short" | "whole" | null {
  const end = words.indexOf("--");
  const options = end < 0 ? words : words.slice(0, end);
  if (options.includes("--help")) return "whole";
  return options.includes("-h") ? "short" : null;
}

/** True when programs read the output: errors in argv itself are told as JSON, too. */
export function asksForJson(argv: readonly string[]): boolean {
  return argv.includes("--json") || argv.includes("--jsonl");
}
