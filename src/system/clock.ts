// The clock port over the operating system.
import fs from "node:fs";
import os from "node:os";
import type { Clock } from "../ports/clock.ts";

export const realClock: Clock = {
  nowMs: () => Date.now(),
  uptimeMs,
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  every(ms, callback) {
    const timer = setInterval(callback, ms);
    timer.unref();
    return { stop: () => clearInterval(timer) };
  },
};

/** On Linux /proc/uptime includes sleep. Elsewhere the system library gives whole seconds. */
function uptimeMs(): number {
  if (hasUptimeFile) {
    try {
      return Math.round(Number(fs.readFileSync("/proc/uptime", "latin1").split(" ", 1)[0]) * 1000);
    } catch {
      hasUptimeFile = false;
    }
  }
  return Math.round(os.uptime() * 1000);
}

let hasUptimeFile = true;
