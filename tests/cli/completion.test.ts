// Shell completions: the scripts are sound, and bash's function completes what there is.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";
import { COMMAND_NAMES } from "../../src/cli/command-table.ts";
import { cli } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

const MAIN = `${import.meta.dir}/../../src/main.ts`;

async function script(shell: string): Promise<string> {
  const { code, stdout } = await cli(["completion", shell]);
  expect(code).toBe(0);
  return stdout;
}

/** What bash offers for a line whose last word is under the cursor. */
async function offered(line: string[], folder: string): Promise<string[]> {
  // Out of the way: files of the working folder are offered, too.
  fs.mkdirSync(`${folder}/bin`, { recursive: true });
  fs.writeFileSync(`${folder}/bin/deep-research`, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, {
    mode: 0o755,
  });
  fs.writeFileSync(`${folder}/completions`, await script("bash"));
  const words = [`${folder}/bin/deep-research`, ...line].map((word) => `'${word}'`).join(" ");
  const drive = `. ./completions; COMP_WORDS=(${words}); COMP_CWORD=${line.length}; _deep_research; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = Bun.spawnSync(["bash", "-c", drive], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, DEEP_RESEARCH_RUNS_ROOT: `${folder}/runs` },
  });
  expect(stderr.toString()).toBe("");
  return stdout
    .toString()
    .split("\n")
    .filter((word) => word !== "")
    .sort();
}

describe("the script", () => {
  for (const [shell, words] of [
    ["bash", ["bash", "-n"]],
    ["zsh", ["zsh", "-n"]],
    ["fish", ["fish", "--no-execute"]],
  ] as const) {
    test.skipIf(Bun.which(shell) === null)(
      `for ${shell} is sound (skipped where ${shell} is not installed)`,
      async () => {
        using folder = temporaryFolder();
        fs.writeFileSync(`${folder.path}/script`, await script(shell));
        const { exitCode, stderr } = Bun.spawnSync([...words, `${folder.path}/script`]);
        expect([exitCode, stderr.toString()]).toEqual([0, ""]);
      },
    );

    test(`for ${shell} names every command`, async () => {
      const text = await script(shell);
      for (const name of COMMAND_NAMES) expect(text).toContain(name);
      expect(text).not.toMatch(/undefined|NaN|\[object/);
    });
  }

  test("for another shell is refused", async () => {
    expect((await cli(["completion", "tcsh"])).code).toBe(2);
    expect((await cli(["completion"])).code).toBe(2);
  });

  test("does not depend on a configuration that is broken", async () => {
    using folder = temporaryFolder();
    fs.writeFileSync(`${folder.path}/deep-research.json`, "{");
    const environment = { DEEP_RESEARCH_LEASE_SECONDS: "x" };
    const { code, stdout } = await cli(["completion", "bash"], { workingFolder: folder.path, environment });
    expect([code, stdout]).toEqual([0, await script("bash")]);
    expect(await cli(["completion", "runs"], { workingFolder: folder.path })).toMatchObject({ code: 0, stdout: "" });
  });
});

describe("bash completes", () => {
  test.each([
    [["st"], ["start", "status"]],
    [
      ["report", "s"],
      ["select", "show"],
    ],
    [["help", "repor"], ["report"]],
    [["help", "report", "sh"], ["show"]],
    [
      ["completion", ""],
      ["bash", "fish", "zsh"],
    ],
    [
      ["start", "--mo"],
      ["--mode", "--model", "--model-base-url"],
    ],
    [
      ["start", "--mode", ""],
      ["deep", "quick", "standard"],
    ],
    [["start", "q", "--corpus", "docs", "--mode", "q"], ["quick"]],
    [["--runs-root", "x", "start", "--mode", "=", "d"], ["deep"]],
    [["start", "--corpus", "d"], ["docs"]],
    [["start", "--corpus", "docs", "d"], ["docs"]],
    [["tick", "--all", "--job"], ["--jobs"]],
    [["start", "--run-id", ""], []],
    [["status", "--max-r"], []],
  ])("%j", async (line, expected) => {
    using folder = temporaryFolder();
    fs.mkdirSync(`${folder.path}/docs`);
    expect(await offered(line, folder.path)).toEqual(expected);
  });

  test("ids of runs, where a run is named", async () => {
    using folder = temporaryFolder();
    for (const id of ["dr_1", "dr_2"]) await makeRun(testPorts(), `${folder.path}/runs`, id);
    for (const line of [
      ["status", "dr"],
      ["report", "show", "dr"],
      ["run", "--run-id", "dr"],
    ])
      expect(await offered(line, folder.path)).toEqual(["dr_1", "dr_2"]);
    expect(await offered(["init", "dr"], folder.path)).toEqual([]);
  });
});

test("programs get the script and the ids, too", async () => {
  using folder = temporaryFolder();
  await makeRun(testPorts(), folder.path, "dr_1");
  const ids = await cli(["completion", "runs", "--json", "--runs-root", folder.path]);
  expect(envelopeIn(ids.stdout).result).toEqual({ run_ids: ["dr_1"] });
  const { result } = envelopeIn((await cli(["completion", "fish", "--json"])).stdout);
  expect(result).toMatchObject({ shell: "fish", script: await script("fish") });
});
