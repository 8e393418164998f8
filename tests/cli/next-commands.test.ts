// The first command that triage prints runs as it is in a shell: from another folder, with an empty home, whatever
// is in the path of the run; and it leads further.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import { shellQuote } from "../../src/kernel/shell.ts";
import { temporaryFolder, type TemporaryFolder } from "../operations/made-run.ts";
import { PROGRAM } from "../program.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import { envelopeIn } from "./envelope.ts";

// Real processes, one after the other, on a machine that may be busy.
setDefaultTimeout(600_000);

class Night implements Disposable {
  readonly #folder: TemporaryFolder = temporaryFolder();
  readonly docs = `${this.#folder.path}/docs`;
  readonly runRoot = `${this.#folder.path}/it's a $triage "inspect" status/runs/dr_1`;

  constructor() {
    for (const name of ["docs", "home", "elsewhere"]) fs.mkdirSync(`${this.#folder.path}/${name}`);
    for (const [name, text] of DOCUMENTS) fs.writeFileSync(`${this.docs}/${name}`, text);
  }

  /** A line for sh, as a person pastes it. */
  paste(line: string): { code: number; stdout: string } {
    const { exitCode, stdout } = Bun.spawnSync(["sh", "-c", line], {
      cwd: `${this.#folder.path}/elsewhere`,
      env: { PATH: process.env["PATH"] ?? "", HOME: `${this.#folder.path}/home` },
      stderr: "ignore",
    });
    return { code: exitCode, stdout: stdout.toString() };
  }

  cli(...words: string[]): { code: number; stdout: string } {
    return this.paste([...PROGRAM, ...words].map(shellQuote).join(" "));
  }

  init(question: string, ...flags: string[]): void {
    const runsRoot = this.runRoot.slice(0, this.runRoot.lastIndexOf("/"));
    const named = ["--run-id", "dr_1", "--runs-root", runsRoot, "--mode", "quick"];
    expect(this.cli("init", question, "--corpus", this.docs, ...named, ...flags).code).toBe(0);
  }

  /** What triage would have one do first. */
  get first(): string {
    const { result } = envelopeIn(this.cli("triage", this.runRoot, "--json").stdout);
    return (result as { findings: { next_commands: string[] }[] }).findings[0]?.next_commands[0] ?? "";
  }

  get state(): unknown {
    return envelopeIn(this.cli("status", this.runRoot, "--json").stdout).contract.execution_state;
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

describe("the first command of", () => {
  test("a run that was never started, and of one that is completed", () => {
    using night = new Night();
    night.init(QUESTION);
    expect(night.paste(night.first).code).toBe(0);
    expect(night.state).toBe("completed");
    expect(night.paste(night.first).stdout).toStartWith("# ");
  });

  test("no_evidence, once there are documents", () => {
    using night = new Night();
    night.init("What colour are the moons of Zorg?");
    expect(night.cli("run", night.runRoot).code).toBe(3);
    fs.writeFileSync(
      `${night.docs}/zorg.md`,
      "# Zorg\n\nThe moons of Zorg have a green colour, as visitors write home.\n",
    );
    expect(night.paste(night.first).code).toBe(0);
    expect(night.state).toBe("completed");
  });

  test("drift", () => {
    using night = new Night();
    night.init(QUESTION, "--on-drift", "refuse");
    fs.writeFileSync(`${night.docs}/more.md`, "# More\n\nOptions are parsed from the left to the right.\n");
    expect(night.cli("run", night.runRoot).code).toBe(3);
    expect(night.paste(night.first).code).toBe(0);
    expect(night.state).toBe("completed");
  });

  test("a paused run, and of an aborted one", () => {
    using night = new Night();
    night.init(QUESTION);
    expect(night.cli("tick", night.runRoot).code).toBe(0);
    expect(night.cli("pause", night.runRoot).code).toBe(0);
    expect(night.paste(`${night.first} --max-ticks 1`).code).toBe(0);
    expect(night.cli("abort", night.runRoot, "--yes").code).toBe(0);
    const { code, stdout } = night.paste(`${night.first} --json`);
    expect([code, envelopeIn(stdout).result]).toMatchObject([
      0,
      { forked_from: "dr_1", offered_steps: expect.any(Number) },
    ]);
  });
});
