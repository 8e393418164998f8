// The README's own lines, in an empty home: after its Install a new shell, cron and doctor find deep-research.
import { expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../operations/made-run.ts";

setDefaultTimeout(600_000);

const ROOT = path.resolve(import.meta.dir, "../..");
const README = fs.readFileSync(`${ROOT}/README.md`, "utf8");

/** The code block of a language below a heading. */
function blockOf(heading: string, language: string): string[] {
  const section = README.slice(README.indexOf(`\n## ${heading}\n`) + 1);
  const [, block] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section) ?? [];
  return (block ?? "").split("\n").filter((line) => line !== "");
}

const npm = Bun.which("npm");
if (npm === null) console.log("readme-install: skipped, there is no npm on this machine");

test.skipIf(npm === null)("after the README's install a new shell and cron find the program", async () => {
  using home = temporaryFolder();
  // What `npm install -g bun` leaves: npm's folder of programs on the PATH, with bun in it.
  const programs = `${home.path}/npm/bin`;
  fs.mkdirSync(programs, { recursive: true });
  fs.symlinkSync(process.execPath, `${programs}/bun`);
  const system = [path.dirname(npm ?? ""), path.dirname(Bun.which("node") ?? "/usr/bin/node"), "/usr/bin", "/bin"];
  const shell = (line: string, searched: string): { code: number; out: string } => {
    const environment = { HOME: home.path, npm_config_prefix: `${home.path}/npm`, npm_config_offline: "true" };
    const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", "-c", line], {
      cwd: ROOT,
      env: { ...environment, PATH: searched },
    });
    return { code: exitCode, out: `${stdout.toString()}${stderr.toString()}` };
  };
  const login = [programs, ...system].join(":");

  const [bun, ...install] = blockOf("Install", "sh");
  expect(bun).toStartWith("npm install -g bun@");
  for (const line of install) expect([line, shell(line, login).code]).toEqual([line, 0]);

  const elsewhere = `cd ${home.path} &&`;
  expect(shell(`${elsewhere} deep-research --version`, login).code).toBe(0);
  const { checks } = (
    JSON.parse(shell(`${elsewhere} deep-research doctor --offline --json`, login).out) as {
      result: { checks: { name: string; status: string; detail: string }[] };
    }
  ).result;
  const found = checks.find(({ name }) => name === "path");
  expect(found).toMatchObject({ status: "ok" });
  expect(found?.detail).toContain("as it was built");

  const [standard, ...jobs] = blockOf("Unattended", "cron");
  expect(standard).toStartWith("PATH=");
  const [line = ""] = /PATH=\S+/.exec(found?.detail ?? "") ?? [];
  expect(line).toEndWith(standard?.slice("PATH=".length) ?? "");
  expect(jobs.length).toBe(2);
  for (const job of jobs) {
    const command = job.replace(/^(\S+\s+){5}/, "");
    expect([command, shell(`${elsewhere} ${command}`, line.slice("PATH=".length))]).toEqual([
      command,
      { code: 0, out: "" },
    ]);
  }
  // What is printed is short, and runs as it stands: the PATH leads to this very program.
  const { out } = shell(
    `${elsewhere} deep-research init "How are options parsed?" --corpus ${ROOT}/docs/examples --run-id short`,
    login,
  );
  expect(out).toContain("\n    deep-research run short\n");
  // A run continues in the source and back in what is built, without drift.
  expect(shell(`${elsewhere} bun ${ROOT}/src/main.ts tick short`, login).code).toBe(0);
  expect(shell(`${elsewhere} deep-research run short`, login).code).toBe(0);
  const { result } = JSON.parse(shell(`${elsewhere} deep-research inspect short --json`, login).out) as {
    result: { accepted_drift: unknown; status: { execution_state: string } };
  };
  expect([result.accepted_drift, result.status.execution_state]).toEqual([null, "completed"]);
});
