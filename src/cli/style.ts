// Colours and weight for terminals; plain text everywhere else.
import type { Host } from "./host.ts";

export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
}

const asItIs = (text: string): string => text;
export const PLAIN: Style = { bold: asItIs, dim: asItIs, good: asItIs, warn: asItIs, bad: asItIs };

/** Loads the colours only where they are seen: on a terminal, without NO_COLOR and --no-color. */
export async function styleOn(
  host: Host,
  stream: "stdout" | "stderr",
  { noColor }: { noColor: boolean },
): Promise<Style> {
  if (noColor || host.environment["NO_COLOR"] || !host.isTerminal(stream)) return PLAIN;
  const { default: picocolors } = await import("picocolors");
  const { bold, dim, green, yellow, red } = picocolors.createColors(true);
  return { bold, dim, good: green, warn: yellow, bad: red };
}
