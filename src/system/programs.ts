// Runs a program with its own input, environment and time limit, and ends it together with all its children.
import { spawn } from "node:child_process";
import { describeCause } from "../kernel/errors.ts";
import type { ProgramEnd, ProgramOptions } from "../ports/programs.ts";

const MAX_STDERR_CHARACTERS = 2000;

/** Never throws. stdout goes nowhere. The beginning of stderr is kept. */
export function runProgram(words: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  const { input, limitMs, signal } = options;
  const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
  let child: ReturnType<typeof start>;
  try {
    child = start(words, options);
  } catch (error) {
    // Most failures come as an event, but this one does not: words that are too long for the system.
    return Promise.resolve({ kind: "not_started", why: describeCause(error) });
  }
  let why: "too long" | "stopped" | "signal" = "signal";
  let stderr = "";
  const end = (reason: typeof why): void => {
    why = reason;
    endGroup(child.pid);
  };
  const timer = setTimeout(() => end("too long"), limitMs);
  const onAbort = (): void => end("stopped");
  const onExit = (): void => endGroup(child.pid);
  signal?.addEventListener("abort", onAbort, { once: true });
  process.once("exit", onExit);
  const finish = (ended: ProgramEnd): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    process.off("exit", onExit);
    resolve(ended);
  };
  child.on("error", (error) => finish({ kind: "not_started", why: describeCause(error) }));
  // The end of its pipes is not waited for, since a child that it left may hold them for ever.
  child.on("exit", (status) =>
    finish(status === null ? { kind: "killed", why, stderr } : { kind: "ended", status, stderr }),
  );
  child.stderr.on("data", (bytes: Buffer) => {
    stderr = (stderr + bytes.toString()).slice(0, MAX_STDERR_CHARACTERS);
  });
  // A program that reads nothing breaks the pipe, which is no error.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  if (signal?.aborted === true) onAbort();
  return promise;
}

function start([program = "", ...rest]: readonly string[], { environment, workingFolder }: ProgramOptions) {
  return spawn(program, rest, {
    cwd: workingFolder,
    env: { ...environment },
    stdio: ["pipe", "ignore", "pipe"],
    // It gets a process group of its own, so that its children can be ended with it.
    detached: true,
  });
}

/** Ends a process that leads a group, with all its children. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
