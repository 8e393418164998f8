// Another process of this very program, in a session of its own: it goes on when its starter ends or is killed.
import { spawn } from "node:child_process";
import { z } from "../kernel/schema.ts";
import type { OwnProcess } from "../ports/programs.ts";
import { endGroup } from "./programs.ts";

/** Stands in place of argv: every user of the machine reads a command line, so what is asked goes over stdin. */
export const ASKED = "__asked";

const askedSchema = z.object({ argv: z.array(z.string()), input: z.string() });
/** The words behind the entry file, and what the command reads from stdin. */
export type AskedWords = z.infer<typeof askedSchema>;

/** What the starter of this process asks. Nothing, which shows help, where a person started it. */
export async function readAsked(): Promise<AskedWords> {
  const text = await Bun.stdin.text();
  try {
    return askedSchema.parse(JSON.parse(text));
  } catch {
    return { argv: [], input: "" };
  }
}

/**
 * `program` is executable, flags and entry file. `onLine` gets each line of stdout, also a last one without a line end. stderr
 * goes nowhere. Errors: those of the system, when the process cannot be started.
 */
export function startOwnProcess(
  [program = "", ...rest]: readonly string[],
  asked: AskedWords,
  onLine: (line: string) => void,
): OwnProcess {
  // The first word is the name of the command, for whoever lists processes.
  const words = [...rest, ASKED, asked.argv[0] ?? ""];
  const child = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"], detached: true });
  // A program that reads nothing breaks the pipe, which is no error.
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(asked));
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
