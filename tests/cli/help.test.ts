// Help: every command has a purpose, examples before options, and exit statuses.
import { describe, expect, test } from "bun:test";
import { COMMAND_NAMES, findCommand } from "../../src/cli/command-table.ts";
import { flagName } from "../../src/kernel/field.ts";
import { flagsOf } from "../../src/cli/command.ts";
import { COMMON } from "../../src/cli/options/options.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings/settings.ts";
import { cli } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

const CONTRACT_COMMANDS =
  "start init tick run resume pause abort ask fork status list show inspect triage watch watchdog search verify repair remove prune agent-result approve settle capture serve mcp doctor completion schema worker"
    .split(" ")
    .concat(
      "cache clear,opencode install,opencode uninstall,report list,report show,report open,report generate,report select,report export,report diff,store migrate,store status,store export,store import,documents push,documents list".split(
        ",",
      ),
    );

test("every command of the contract is here, and none other", () => {
  expect(COMMAND_NAMES.toSorted()).toEqual([...CONTRACT_COMMANDS].sort());
});

describe("help of each command", () => {
  for (const name of COMMAND_NAMES) {
    test(name, async () => {
      const { code, stdout, stderr } = await cli([...name.split(" "), "--help"]);
      expect([code, stderr]).toEqual([0, ""]);
      for (const columns of [60, 80, 100, 200])
        for (const asked of ["-h", "--help"])
          for (const line of (await cli([...name.split(" "), asked], { columns })).stdout.split("\n"))
            // One word alone has no place to break at.
            if (line.trim().includes(" ")) expect([line, line.length <= Math.min(columns, 100)]).toEqual([line, true]);
      expect(stdout.split("\n")[0]).toStartWith(`deep-research ${name} - `);
      const places = [
        "\nUsage\n",
        "\nDescription\n",
        "\nExamples\n  ",
        "\n  $ deep-research ",
        "\nOptions",
        "\nExit status\n",
        "\nConfiguration\n",
        "\nSee also\n",
      ].map((mark) => stdout.indexOf(mark));
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      const command = (await findCommand(name)?.load())?.command;
      for (const other of command?.seeAlso ?? []) expect(COMMAND_NAMES).toContain(other);
      for (const key of Object.keys({ ...COMMON, ...(command && flagsOf(command)) }))
        expect(stdout).toContain(`  ${flagName(key)}`);
      expect(command?.exits.some(([status]) => status === 0)).toBe(true);
      expect(command?.exits.some(([status]) => status === 2)).toBe(true);
      for (const [line] of command?.examples ?? []) expect(line).toStartWith(name);
      expect(stdout).toMatch(/^  129 +\S.*(\n.*)*^  130 +\S.*(\n.*)*^  143 +\S/m);
    });
  }
});

test("help of init names defaults and every limit, and offers nothing that is refused", async () => {
  for (const name of ["init", "start"]) {
    const { stdout } = await cli([name, "--help"]);
    for (const limit of Object.keys(LIMITS_BY_MODE.standard)) expect(stdout).toMatch(new RegExp(`  ${limit} +[\\d.]+`));
    for (const words of ["deep (default: standard)", "hold (default: continue)", "fork (default: continue)"])
      expect(stdout.replace(/\s+/g, " ")).toContain(words);
  }
  expect((await cli(["fork", "--help"])).stdout).not.toContain("(default: standard)");
});

test("help of the program names every command once", async () => {
  for (const argv of [[], ["--help"], ["help"]]) {
    const { code, stdout } = await cli(argv);
    expect(code).toBe(0);
    for (const name of COMMAND_NAMES)
      expect(stdout.split("\n").filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
  }
});

describe("short help", () => {
  for (const name of COMMAND_NAMES) {
    test(`${name} -h has the main options, one example, and the way to all of it`, async () => {
      const [short, whole] = await Promise.all(
        ["-h", "--help"].map(async (asked) => (await cli([...name.split(" "), asked])).stdout),
      );
      const lines = short?.split("\n") ?? [];
      expect(lines.length).toBeLessThan(40);
      expect(lines.length).toBeLessThan(whole?.split("\n").length ?? 0);
      expect(lines.filter((line) => line.startsWith("  --")).length).toBeLessThan(10);
      expect(lines.filter((line) => line.startsWith("  $ "))).toHaveLength(1);
      expect(lines.at(-2)).toEndWith(`deep-research ${name} --help`);
      for (const key of (await findCommand(name)?.load())?.command.mainOptions ?? [])
        expect(short).toContain(`  ${flagName(key)}`);
    });
  }

  test("of the program names every command", async () => {
    const { code, stdout } = await cli(["-h"]);
    expect(code).toBe(0);
    for (const name of COMMAND_NAMES) expect(stdout.replace(/\s+/g, " ")).toContain(name);
    expect(stdout.split("\n").length).toBeLessThan(25);
  });
});

test("a command line that is broken over lines is the same to a shell", async () => {
  const { stdout } = await cli(["start", "--help"], { columns: 60 });
  const shown = stdout.replace(/ \\\n +/g, " ");
  const command = (await findCommand("start")?.load())?.command;
  for (const [line] of command?.examples ?? []) expect(shown).toContain(`  $ deep-research ${line}\n`);
});

test("help and version in the envelope, for programs", async () => {
  const result = async (...argv: string[]): Promise<unknown> => {
    const { code, stdout } = await cli([...argv]);
    expect(code).toBe(0);
    return envelopeIn(stdout).result;
  };
  for (const argv of [
    ["--json", "--version"],
    ["--version", "--json"],
  ])
    expect(await result(...argv)).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  for (const argv of [
    ["--json", "help"],
    ["--json", "--help"],
    ["help", "--json"],
  ])
    expect(await result(...argv)).toEqual({ help: expect.stringContaining("First steps") });
  for (const argv of [
    ["--json", "help", "start"],
    ["start", "--help", "--json"],
  ])
    expect(await result(...argv)).toEqual({ help: expect.stringContaining("deep-research start - ") });
  expect(await result("report", "--json")).toEqual({ help: expect.stringContaining("report generate") });
});

test("help of a command by name, of a group, and the version", async () => {
  expect((await cli(["help", "report", "show"])).stdout).toStartWith("deep-research report show - ");
  expect((await cli(["report"])).stdout).toContain("report generate");
  expect((await cli(["help", "cache"])).stdout).toContain("cache clear");
  for (const word of ["--version", "-V", "version"]) expect((await cli([word])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("help says which run is meant where none is named", async () => {
  const { stdout } = await cli(["help", "resume"], { columns: 200 });
  expect(stdout.replace(/\s+/g, " ")).toContain("it is the newest run that is interrupted, paused or halted.");
  expect((await cli(["help", "run"])).stdout.replace(/\s+/g, " ")).toContain("it is the newest run.");
});

describe("what is no command", () => {
  test("comes with what was meant", async () => {
    const { code, stderr } = await cli(["statsu"]);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "deep-research status"');
  });

  test("no command at all is an error for programs only", async () => {
    const { code, stdout } = await cli(["--json"]);
    expect([code, envelopeIn(stdout).error?.code]).toEqual([2, "INVALID_ARGS"]);
  });
});
