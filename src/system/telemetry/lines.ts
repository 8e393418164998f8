// Telemetry as JSON lines.
import fs from "node:fs";
import { describeCause } from "../../kernel/errors.ts";
import type { TelemetrySink } from "../../ports/telemetry.ts";

export function lineSink(write: (line: string) => void): TelemetrySink {
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
export function fileSink(path: string, writeError: (text: string) => void): TelemetrySink {
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
