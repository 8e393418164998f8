// Signals that end the process at once: what it started ends with it, which the default of the system would leave alive.
import fs from "node:fs";
import os from "node:os";

/** Without SIGINT and SIGTERM, which stop work in order, and SIGKILL, which cannot be caught. */
const DEADLY = ["SIGHUP", "SIGQUIT", "SIGABRT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU", "SIGVTALRM"] as const;

/** Each ends the process with 128 and its number; `exit` listeners end the programs that it started. */
export function exitOnDeadlySignals(exit: (code: number) => never): void {
  const ignored = ignoredSignals();
  for (const name of DEADLY) {
    const number = os.constants.signals[name];
    // Whoever runs the process under nohup wants it to survive its terminal.
    if (((ignored >> BigInt(number - 1)) & 1n) === 0n) process.on(name, () => exit(128 + number));
  }
}

/** As a bit mask; none where the system does not tell. */
function ignoredSignals(): bigint {
  try {
    const [, mask = "0"] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(fs.readFileSync("/proc/self/status", "utf8")) ?? [];
    return BigInt(`0x${mask}`);
  } catch {
    return 0n;
  }
}
