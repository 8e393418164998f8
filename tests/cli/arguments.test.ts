// A command line as commander reads it, and the values of its options.
import { describe, expect, test } from "bun:test";
import { valuesOf } from "../../src/cli/options/arguments.ts";
import { readArguments } from "../../src/cli/options/commander-arguments.ts";
import { flagsOf, ONE_RUN } from "../../src/cli/command.ts";
import { COMMAND_NAMES, findCommand } from "../../src/cli/command-table.ts";
import { flag, flagName, integer, listOf, oneOf, text } from "../../src/kernel/field.ts";
import { COMMON, runNamed } from "../../src/cli/options/options.ts";
import { AssertionError } from "../../src/kernel/assert.ts";
import { RunError } from "../../src/kernel/errors.ts";

const TABLE = {
  ...COMMON,
  max_steps: integer("N", "steps", { least: 1, most: 9 }),
  no_run: flag("only lift"),
  reason: text("TEXT", "why"),
  mode: oneOf("MODE", "depth", ["quick", "deep"]),
  corpus: listOf(text("DIR", "folders")),
};
const whole = (argv: string[]) => readArguments("test", TABLE, ONE_RUN, argv);

function codeOf(work: () => unknown): RunError {
  try {
    work();
  } catch (error) {
    if (error instanceof RunError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

test("a run is named once, by an id or by a path, which holds a slash", () => {
  const none = { manifest: undefined, run_root: undefined, run_id: undefined };
  expect(runNamed(undefined, none)).toBeUndefined();
  expect(runNamed("dr_1", none)).toBe("dr_1");
  expect(runNamed(undefined, { ...none, run_id: "dr_1" })).toBe("dr_1");
  expect(runNamed(undefined, { ...none, run_root: "dr_1" })).toBe("./dr_1");
  expect(runNamed(undefined, { ...none, run_root: "/data/dr_1" })).toBe("/data/dr_1");
  expect(runNamed(undefined, { ...none, manifest: "manifest.json" })).toBe("./manifest.json");
  for (const wrong of [{ run_id: "a/b" }, { manifest: "/data/other.json" }])
    expect(codeOf(() => runNamed(undefined, { ...none, ...wrong })).code).toBe("INVALID_ARGS");
  expect(codeOf(() => runNamed("dr_1", { ...none, run_id: "dr_2" })).facts["named"]).toEqual(["dr_1", "dr_2"]);
});

test("flags, values and operands are read in any order", () => {
  const values = valuesOf(TABLE, whole(["--json", "dr_1", "--max-steps", "3", "--no-run"]));
  expect(values).toMatchObject({
    json: true,
    quiet: false,
    no_run: true,
    no_color: false,
    max_steps: 3,
    reason: undefined,
    corpus: [],
  });
});

test("lists take several words, and may be given again", () => {
  const raw = whole(["--corpus", "a", "b", "--json", "--corpus", "c"]);
  expect(valuesOf(TABLE, raw).corpus).toEqual(["a", "b", "c"]);
});

test("a lone word of a list is one element, and nothing else is taken for a value", () => {
  const given = (value: true | string | string[]) => ({ options: new Map([["corpus", value]]), operands: [] });
  expect(valuesOf(TABLE, given("a")).corpus).toEqual(["a"]);
  expect(valuesOf(TABLE, given(["a", "b"])).corpus).toEqual(["a", "b"]);
  expect(() => valuesOf(TABLE, given(true))).toThrow(AssertionError);
  expect(() => valuesOf(TABLE, { options: new Map([["reason", ["a"]]]), operands: [] })).toThrow(AssertionError);
});

test("every list of every command reaches its command", async () => {
  for (const name of COMMAND_NAMES) {
    const command = (await findCommand(name)?.load())?.command;
    const flags = command === undefined ? {} : flagsOf(command);
    const lists = Object.entries(flags).filter(([, { kind }]) => kind === "list");
    for (const [key] of lists) {
      const { options } = readArguments(name, flags, ONE_RUN, [flagName(key), "x"]);
      expect([name, key, options.get(key)]).toEqual([name, key, ["x"]]);
    }
  }
});

describe("errors of usage", () => {
  test("an unknown option comes with the one that was meant", () => {
    const { code, facts } = codeOf(() => whole(["--jsn"]));
    expect([code, facts["option"], facts["did_you_mean"]]).toEqual(["INVALID_ARGS", "--jsn", "--json"]);
  });

  test("a missing value, too many operands", () => {
    expect(codeOf(() => whole(["--reason"])).code).toBe("INVALID_ARGS");
    expect(codeOf(() => whole(["a", "b"])).code).toBe("INVALID_ARGS");
  });

  test("a value out of range names its option", () => {
    for (const [option, raw] of [
      ["--max-steps", "0"],
      ["--max-steps", "10"],
      ["--max-steps", "2.5"],
      ["--max-steps", "1e1"],
      ["--mode", "Deep"],
      ["--reason", ""],
    ] as const) {
      const { code, facts } = codeOf(() => valuesOf(TABLE, whole([option, raw])));
      expect([code, facts["option"]]).toEqual(["INVALID_ARGS", option]);
    }
  });
});
