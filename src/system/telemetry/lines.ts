// Telemetry as JSON lines.
import fs from "node:fs";
import { describeCause } from "../../kernel/errors.ts";
import type { TelemetrySink } from "../../ports/telemetry.ts";

export function lineSink(write: (line: string) => void): TelemetrySink {
  return {
    // They stay on this machine.
    refusalOf: () => null,
    emit(event) {
      write(`${JSON.stringify({ schema_version: "dr.telemetry.v1", ...event })}\n`);
    },
    async close() {},
  };
}

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = fs.constants;
/** A pipe without a reader fails at once; otherwise the work would stand still. */
const APPENDING = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

/** Appends, one write a line, so that several processes may share the file. What cannot be written is said once. */
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
