// Opens the sink of telemetry: JSON lines on stderr or in a file, or traces over OTLP.
import { RunError } from "../../kernel/errors.ts";
import type { TelemetrySink } from "../../ports/telemetry.ts";
import { fileSink, lineSink } from "./lines.ts";

const TELEMETRY_VARIABLE = "DEEP_RESEARCH_TELEMETRY_SINK";

export interface SinkOptions {
  /** What the variable holds: `console`, `file:PATH` or `otlp`; undefined for none. */
  wanted: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  writeError: (text: string) => void;
  isListed: (endpoint: string) => boolean;
}

/** Null when none is wanted. Errors: `INVALID_ARGS`. */
export async function openTelemetry({
  wanted,
  environment,
  writeError,
  isListed,
}: SinkOptions): Promise<TelemetrySink | null> {
  if (wanted === undefined || wanted === "" || wanted === "off") return null;
  if (wanted === "console") return lineSink(writeError);
  if (wanted.startsWith("file:") && wanted.length > "file:".length) {
    return fileSink(wanted.slice("file:".length), writeError);
  }
  if (wanted === "otlp") return (await import("./otlp.ts")).otlpSink({ environment, writeError, isListed });
  throw new RunError("INVALID_ARGS", {
    reason: `${TELEMETRY_VARIABLE} is console, file:PATH, otlp or off`,
    found: wanted.slice(0, 200),
  });
}
