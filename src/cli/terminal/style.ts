// Colours and width of text on a terminal, and the shortest form of a command.
import { commandText, fullCommand, type NextStep, type StepInput } from "../../run/next-steps/next-step.ts";
import type { Host } from "../host.ts";
import { MAX_WIDTH } from "./layout.ts";
import { basename, dirname } from "node:path";
import { RUN_ID_PATTERN } from "../../kernel/ids.ts";
import { MANIFEST_FILE } from "../../run/log/layout.ts";

export interface Style {
  readonly hasColours: boolean;
  /** The locale has no lines to draw boxes with. */
  readonly inAscii: boolean;
  /** The width of lines on a terminal; null where there is none. */
  readonly width: number | null;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
  /** A command that runs verbatim, as short as it may be. */
  readonly command: (step: NextStep) => string;
}

const asItIs = (text: string): string => text;
export const PLAIN: Style = {
  hasColours: false,
  inAscii: false,
  width: null,
  bold: asItIs,
  dim: asItIs,
  good: asItIs,
  warn: asItIs,
  bad: asItIs,
  command: (step) => fullCommand({ cliInvocation: "deep-research" }, step),
};

/** Loads the colours only where they are seen: on a terminal, without NO_COLOR and --no-color. */
export async function styleOn(
  host: Host,
  stream: "stdout" | "stderr",
  { noColor, idsFoundIn }: { noColor: boolean; idsFoundIn: string | null },
): Promise<Style> {
  const width = host.isTerminal(stream) ? Math.min(host.columns(stream), MAX_WIDTH) : null;
  const inAscii = isWithoutUnicode(host);
  const plain = { ...PLAIN, inAscii, width, command: (step: NextStep) => printedCommand(host, idsFoundIn, step) };
  if (noColor || host.environment["NO_COLOR"] || width === null) return plain;
  const { default: picocolors } = await import("picocolors");
  const { bold, dim, green, yellow, red } = picocolors.createColors(true);
  return { ...plain, hasColours: true, bold, dim, good: green, warn: yellow, bad: red };
}

/** The first of these that is set decides, as everywhere. Where none is, a terminal of today shows all signs. */
function isWithoutUnicode({ environment }: Pick<Host, "environment">): boolean {
  const locale = ["LC_ALL", "LC_CTYPE", "LANG"].map((name) => environment[name]).find((value) => value);
  return locale !== undefined && !/utf-?8/i.test(locale);
}

export const PROGRAM_NAME = "deep-research";

const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

/** `idsFoundIn` is the runs root in which an id is found from any folder; null where only a path names a run. */
function printedCommand(
  host: Pick<Host, "cliInvocation" | "isOnPath" | "readSmallFile">,
  idsFoundIn: string | null,
  longStep: NextStep,
): string {
  const step = { ...longStep, input: withoutRoot(longStep.input, idsFoundIn) };
  if (!host.isOnPath(PROGRAM_NAME)) return fullCommand(host, step);
  const { runRoot } = step;
  const goesById = runRoot !== null && dirname(runRoot) === idsFoundIn && isNamedByItsId(host, runRoot);
  return commandText(PROGRAM_NAME, step, goesById ? basename(runRoot) : runRoot);
}

/** Ids are found in that root from any folder, so the command need not name it. */
function withoutRoot({ runs_root, ...input }: StepInput, idsFoundIn: string | null): StepInput {
  return runs_root === undefined || runs_root === idsFoundIn ? input : { ...input, runs_root };
}

/** False also for a folder that was renamed: its name may be the id of another run. */
function isNamedByItsId(host: Pick<Host, "readSmallFile">, runRoot: string): boolean {
  const name = basename(runRoot);
  if (!RUN_ID_PATTERN.test(name)) return false;
  const file = host.readSmallFile(`${runRoot}/${MANIFEST_FILE}`, MAX_MANIFEST_BYTES);
  if (file.kind !== "read") return false;
  try {
    const manifest: unknown = JSON.parse(new TextDecoder().decode(file.bytes));
    return (manifest as { run_id?: unknown } | null)?.run_id === name;
  } catch {
    return false;
  }
}
