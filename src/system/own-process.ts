// Another process of this very program, in a session of its own: it continues when its starter ends or is killed.
import { spawn } from "node:child_process";
import type { OwnProcess } from "../ports/programs.ts";
import { endGroup } from "./programs.ts";

/**
 * `program` is executable, flags and entry file. `onLine` gets each line of stdout, also a last one without a line end. stderr
 * goes nowhere. Errors: those of the system, when the process cannot be started.
 */
export function startOwnProcess(
  [program = "", ...rest]: readonly string[],
  words: readonly string[],
  input: string,
  onLine: (line: string) => void,
): OwnProcess {
  const child = spawn(program, [...rest, ...words], { stdio: ["pipe", "pipe", "ignore"], detached: true });
  // A program that reads nothing breaks the pipe, which is no error.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  let begun = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const [first = "", ...others] = chunk.split("\n");
    if (others.length === 0) begun += first;
    else {
      onLine(begun + first);
      begun = others.pop() ?? "";
      for (const line of others) onLine(line);
    }
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      if (begun !== "") onLine(begun);
      resolve(status);
    });
  });
  return { ended, kill: () => endGroup(child.pid) };
}
