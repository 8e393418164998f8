// Tests the guide for agents: runs its shell lines in an empty home, with an agent that knows only its prompt.
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellQuote } from "../../src/kernel/shell.ts";
import { PROGRAM } from "../program.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";
import { answerWell } from "./outside-agent.ts";

const ROOT = join(import.meta.dir, "../..");
const GUIDE = readFileSync(join(ROOT, "docs/agents.md"), "utf8");
const MOST_ROUNDS = 40;

/** The lines of its first block of shell. */
function linesOf(guide: string): string[] {
  const [, block = ""] = /```sh\n(.*?)\n```/s.exec(guide) ?? [];
  return block.split("\n");
}

test("its three lines lead from a question to a report that verifies", () => {
  const home = mkdtempSync(join(tmpdir(), "deep-research-guide-"));
  try {
    mkdirSync(join(home, "docs"));
    mkdirSync(join(home, "bin"));
    for (const [name, text] of DOCUMENTS) writeFileSync(join(home, "docs", name), text);
    const program = join(home, "bin/deep-research");
    writeFileSync(program, `#!/bin/sh\nexec ${PROGRAM.map(shellQuote).join(" ")} "$@"\n`);
    chmodSync(program, 0o755);
    const run = (line: string) => {
      const environment = { HOME: home, PATH: `${join(home, "bin")}:/usr/bin:/bin`, NO_COLOR: "1" };
      const child = Bun.spawnSync(["sh", "-c", line], { cwd: home, env: environment, stdin: "ignore" });
      return { code: child.exitCode, said: `${child.stdout.toString()}${child.stderr.toString()}` };
    };
    const [start = "", handIn = "", goOn = ""] = linesOf(GUIDE);
    let last = run(start);
    const steps: string[] = [];
    for (let round = 0; round < MOST_ROUNDS && last.code === 3; round++) {
      // Whoever wants the next command has it in what was printed.
      let waiting = /submit the answer to (\S+)\n.* --step (\S+) /.exec(last.said);
      while (waiting !== null) {
        const [, prompt = "", key = ""] = waiting;
        writeFileSync(join(home, "answer.txt"), answerWell(readFileSync(prompt, "utf8"), DOCUMENTS, "docs"));
        if (steps.length === 0) expect(handIn).toContain(`--step ${key} `);
        steps.push(key);
        const taken = run(handIn.replace(/--step \S+/, `--step ${key}`));
        expect(taken).toEqual({ code: 0, said: expect.stringContaining("taken") as string });
        waiting = /submit the answer to (\S+)\n.* --step (\S+) /.exec(taken.said);
      }
      last = run(goOn);
    }
    expect(last).toEqual({ code: 0, said: expect.stringContaining("completed") as string });
    expect(steps.length).toBeGreaterThan(5);
    expect(run("deep-research verify options").code).toBe(0);
    // A line whose outcome was not seen is given again: nothing is asked for any more.
    const again = run(handIn.replace(/--step \S+/, `--step ${steps.at(-1)}`));
    expect(again.code).toBe(0);
    expect(again.said).toContain("taken already");
    expect(again.said).toContain("see the state of the run");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}, 600_000);
