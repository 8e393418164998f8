// Text on a terminal fits its width; commands stay whole, and a pipe gets every sentence on one line.
import fs from "node:fs";
import { expect, test } from "bun:test";
import { plainHalt } from "../../src/orchestrator/halts.ts";
import { paragraph } from "../../src/cli/terminal/layout.ts";
import { makeRun, temporaryFolder, testPorts, TO_RUNNING, withWriter } from "../operations/made-run.ts";
import { cli, type FakeHostOptions } from "./fake-host.ts";

const COMMAND = /^ +deep-research /;
const TERMINALS = ["stdout", "stderr"] as const;

/** A halted run with a long reason, and one that is damaged. */
async function runs(runsRoot: string): Promise<string> {
  const ports = testPorts();
  const halted = await makeRun(ports, runsRoot, "dr_20260131120304_abcdef");
  await withWriter(ports, halted, async (writer) => {
    await writer.commit([TO_RUNNING]);
    const details = {
      reason: "step perspectives:plan failed 3 times: compatible:llama3: the server does not answer",
      help: "start the server of the model, or name another one that answers with --model PROVIDER:NAME",
      unreachable: true,
    };
    const halt = plainHalt(ports, halted, writer.manifest, { kind: "gate_blocked", details });
    await writer.commit([{ kind: "halt.raised", data: { halt } }]);
  });
  const damaged = await makeRun(ports, runsRoot, "dr_20260131120305_abcdeg");
  fs.writeFileSync(`${damaged}/manifest.json`, "{}");
  return halted;
}

/** A run of which a repair would lose a record. */
async function cutRun(runsRoot: string): Promise<string> {
  const runRoot = await makeRun(testPorts(), runsRoot, "dr_20260131120306_abcdeh");
  await withWriter(testPorts(), runRoot, async (writer) => void (await writer.commit([TO_RUNNING])));
  const path = `${runRoot}/journal.jsonl`;
  fs.writeFileSync(path, fs.readFileSync(path, "utf8").replace('"to":"running"', '"to":"runninG"'));
  return runRoot;
}

test.each([40, 60, 80])("at %d columns", async (columns) => {
  using folder = temporaryFolder();
  const halted = await runs(folder.path);
  const looks: string[][] = [
    ["status", halted],
    ["triage", halted],
    ["verify", halted],
    ["report", "show", halted],
    ["repair", await cutRun(folder.path), "--dry-run"],
    ["triage", "--all", "--runs-root", folder.path],
    ["list", "--size", "--runs-root", folder.path],
  ];
  for (const argv of looks) {
    const look = async (options: FakeHostOptions): Promise<string> => {
      const { stdout, stderr } = await cli(argv, options);
      return Bun.stripANSI(stdout + stderr);
    };
    const lines = (await look({ columns, terminals: TERMINALS })).split("\n");
    for (const line of lines) {
      const cell = line.trim().split(/ {2,}/).at(-1) ?? "";
      // One word alone, a path for instance, has no place to break at.
      if (!COMMAND.test(line) && cell.includes(" ")) expect([line, line.length <= columns]).toEqual([line, true]);
    }
    if (argv[0] === "list") continue;
    const piped = await look({ columns });
    expect(lines.join(" ").split(/\s+/)).toEqual(piped.split(/\s+/));
    expect(lines.filter((line) => COMMAND.test(line))).toEqual(piped.split("\n").filter((line) => COMMAND.test(line)));
  }
});

test("what doctor found", async () => {
  const { stdout } = await cli(["doctor", "--offline"], { columns: 60, terminals: TERMINALS });
  const found = Bun.stripANSI(stdout).split("\n");
  const [lease = -1] = found.flatMap((line, index) => (line.includes("lease: ") ? [index] : []));
  expect(found.slice(lease, lease + 2)).toEqual([
    "  ok       lease: of 120 s, refreshed every 30 s; new runs",
    "           keep it",
  ]);
});

test("a pipe gets each sentence on one line, whatever the terminal next to it", async () => {
  using folder = temporaryFolder();
  const halted = await runs(folder.path);
  for (const argv of [
    ["status", halted],
    ["triage", halted],
    ["triage", "--all", "--runs-root", folder.path],
  ]) {
    const [narrow, wide] = await Promise.all([40, 200].map(async (columns) => (await cli(argv, { columns })).stdout));
    expect(narrow).toBe(wide ?? "");
  }
});

test("colours take no width, and a word that is too long is alone", () => {
  expect(paragraph("\u001b[1mab\u001b[22m cd ef", 7, "", "  ")).toBe("\u001b[1mab\u001b[22m cd\n  ef");
  expect(paragraph("a /a/path/without/an/end b", 6, "  ")).toBe("  a\n  /a/path/without/an/end\n  b");
});
