// How text looks where it is shown: colours, weight and width on terminals, and the form of commands.
import { fullCommand, type NextStep } from "../../run/next-step.ts";
import type { Host } from "../host.ts";
import { printedCommand } from "./printed-command.ts";
import { MAX_WIDTH } from "./wrapping.ts";

export interface Style {
  readonly hasColours: boolean;
  /** Of the lines on a terminal; null where none is. */
  readonly width: number | null;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
  /** A command that runs as it stands, as short as it may be. */
  readonly command: (step: NextStep) => string;
}

const asItIs = (text: string): string => text;
export const PLAIN: Style = {
  hasColours: false,
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
  const plain = { ...PLAIN, width, command: (step: NextStep) => printedCommand(host, idsFoundIn, step) };
  if (noColor || host.environment["NO_COLOR"] || width === null) return plain;
  const { default: picocolors } = await import("picocolors");
  const { bold, dim, green, yellow, red } = picocolors.createColors(true);
  return { ...plain, hasColours: true, bold, dim, good: green, warn: yellow, bad: red };
}
