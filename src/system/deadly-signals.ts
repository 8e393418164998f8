// Ends this process at once on deadly signals, together with the programs that it started, which would otherwise keep running.
import { unlessThrown } from "../kernel/unless-thrown.ts";
import fs from "node:fs";
import os from "node:os";

/** Commands that work on a run take these over, and stop in good order. */
const STOPPING = ["SIGINT", "SIGTERM"] as const;
type Stopping = (typeof STOPPING)[number];

/** SIGKILL is not here because it cannot be caught, SIGSEGV and its like because no code can be trusted to run after them. */
const DEADLY = [
  ...STOPPING,
  "SIGHUP",
  "SIGQUIT",
  "SIGABRT",
  "SIGUSR1",
  "SIGUSR2",
  "SIGALRM",
  "SIGXCPU",
  "SIGVTALRM",
  "SIGPROF",
  "SIGIO",
  "SIGSYS",
] as const;

/** The exit status is 128 plus the number of the signal. Listeners of `exit` end the programs that were started. */
export function exitOnDeadlySignals(exit: (code: number) => never): void {
  const ignored = ignoredSignals();
  for (const name of DEADLY) {
    const number = os.constants.signals[name];
    // Under nohup the process has to survive its terminal.
    if (((ignored >> BigInt(number - 1)) & 1n) !== 0n) continue;
    const leave = (): void => exit(128 + number);
    leaving.set(name, leave);
    process.on(name, leave);
  }
}

const leaving = new Map<string, () => void>();

/** From now on this signal calls back instead of ending the process. */
export function takeOverSignal(name: Stopping, callback: () => void): void {
  const leave = leaving.get(name);
  if (leave !== undefined) process.off(name, leave);
  process.on(name, callback);
}

/** A bit mask; 0 where the system does not report it. */
function ignoredSignals(): bigint {
  const status = unlessThrown(() => fs.readFileSync("/proc/self/status", "utf8"), "");
  const [, mask = "0"] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status) ?? [];
  return BigInt(`0x${mask}`);
}
