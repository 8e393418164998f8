// Shell completions: the scripts are sound, and bash's function completes what there is.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";
import { PROGRAM } from "../program.ts";
import { COMMAND_NAMES } from "../../src/cli/command-table.ts";
import { cli } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

async function script(shell: string): Promise<string> {
  const { code, stdout } = await cli(["completion", shell]);
  expect(code).toBe(0);
  return stdout;
}

/** How each shell is made to complete a line whose last word is under the cursor, a word a line. */
const DRIVES: Readonly<Record<string, (words: readonly string[]) => string[]>> = {
  bash: (words) => [
    "bash",
    "-c",
    `. ./completions; COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}; _deep_research; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // What the completion system would show is printed instead.
  zsh: (words) => [
    "zsh",
    "-fc",
    `compdef() {}; _describe() { for one in "\${(@P)2}"; do print -r -- "\${one%%:*}"; done }; _files() { [[ $1 == -/ ]] && print -lr -- \${words[CURRENT]}*(N/) || print -lr -- \${words[CURRENT]}*(N) }; . ./completions; words=(${quoted(words)}); CURRENT=${words.length}; _deep_research`,
  ],
  fish: (words) => [
    "fish",
    "--no-config",
    "-c",
    `. ./completions; set -x PATH $PWD/bin $PATH; complete -C ${quoted([["deep-research", ...words.slice(1)].join(" ")])} | string replace -r '\\t.*' '' | string trim -c / -r`,
  ],
};

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(" ");
}

/** What a shell offers for a line whose last word is under the cursor. */
async function offered(line: string[], folder: string, shell = "bash"): Promise<string[]> {
  // Out of the way: files of the working folder are offered, too.
  fs.mkdirSync(`${folder}/bin`, { recursive: true });
  fs.writeFileSync(`${folder}/bin/deep-research`, `#!/bin/sh\nexec ${quoted(PROGRAM)} "$@"\n`, {
    mode: 0o755,
  });
  fs.writeFileSync(`${folder}/completions`, await script(shell));
  const { stdout, stderr } = Bun.spawnSync(DRIVES[shell]?.([`${folder}/bin/deep-research`, ...line]) ?? [], {
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

describe("a shell completes", () => {
  const lines: [string[], string[]][] = [
    [["st"], ["start", "status", "store"]],
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
  ];
  test.each(lines)("bash: %j", async (line, expected) => {
    using folder = temporaryFolder();
    fs.mkdirSync(`${folder.path}/docs`);
    expect(await offered(line, folder.path)).toEqual(expected);
  });

  for (const shell of ["zsh", "fish"]) {
    test.skipIf(Bun.which(shell) === null)(`${shell}, the same (skipped where ${shell} is not installed)`, async () => {
      using folder = temporaryFolder();
      fs.mkdirSync(`${folder.path}/docs`);
      // Only bash takes `--mode=d` apart.
      for (const [line, expected] of lines.filter(([words]) => !words.includes("=")))
        expect([line, await offered(line, folder.path, shell)]).toEqual([line, expected]);
      expect(await offered(["start", "--mode=d"], folder.path, shell)).toEqual(["--mode=deep"]);
    });
  }

  test("every command is offered by its first word, and behind `help`", async () => {
    using folder = temporaryFolder();
    const first = [...new Set(COMMAND_NAMES.map((name) => name.split(" ")[0] ?? ""))];
    expect(await offered([""], folder.path)).toEqual([...first, "help"].sort());
    expect(await offered(["help", "t"], folder.path)).toEqual(["tick", "triage"]);
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
