// Opens the sink of telemetry: JSON lines on stderr or in a file, or traces over OTLP.
import { RunError, describeCause } from "../../kernel/errors.ts";
import type { TelemetrySink } from "../../ports/telemetry.ts";
import fs from "node:fs";

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

// --- JSON lines ---------------------------------------------------------------------------------------------------

function lineSink(write: (line: string) => void): TelemetrySink {
  return {
    // Lines stay on this machine.
    refusalOf: () => null,
    emit(event) {
      write(`${JSON.stringify({ schema_version: "dr.telemetry.v1", ...event })}\n`);
    },
    async close() {},
  };
}

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = fs.constants;
/** With O_NONBLOCK a pipe without a reader fails at once, where the work would otherwise stall. */
const APPENDING = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

/** Appends each line with one write, so that several processes may share the file. A failure is reported once. */
function fileSink(path: string, writeError: (text: string) => void): TelemetrySink {
  let descriptor: number | null = null;
  let isBroken = false;
  const write = (line: string): void => {
    if (isBroken) return;
    try {
      descriptor ??= fs.openSync(path, APPENDING, 0o600);
      fs.writeSync(descriptor, line);
    } catch (error) {
      isBroken = true;
      writeError(`telemetry cannot be written to ${path}: ${describeCause(error)}\n`);
    }
  };
  return {
    ...lineSink(write),
    async close() {
      if (descriptor !== null) fs.closeSync(descriptor);
      descriptor = null;
    },
  };
}
