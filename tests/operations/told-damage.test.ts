// Damage is told by every look at a run: what a look can see of itself, and what showing a report meets.
import { expect, test } from "bun:test";
import fs from "node:fs";
import { join } from "node:path";
import { EXPORT_FORMATS, exportReport } from "../../src/operations/report/export-report.ts";
import { repairRun } from "../../src/operations/care/repair-run.ts";
import { showReport } from "../../src/operations/report/read-report.ts";
import { statusOf } from "../../src/operations/look/status.ts";
import { triageRun } from "../../src/operations/look/triage-run.ts";
import { cli } from "../cli/fake-host.ts";
import { runOfTwo, sourcesOf } from "./run-of-two.ts";
import { codeOf, temporaryFolder, testPorts } from "./made-run.ts";

const ports = testPorts();
const FIXTURE = join(import.meta.dir, "../fixtures/runs-0.1.0");

interface Copy extends Disposable {
  runsRoot: string;
  runRoot: string;
}

function copyOf(name: string): Copy {
  const folder = temporaryFolder();
  const runRoot = join(folder.path, name);
  fs.cpSync(join(FIXTURE, name), runRoot, { recursive: true });
  return { runsRoot: folder.path, runRoot, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** What each look tells: the paths of the files that it names. */
async function toldBy({ runsRoot, runRoot }: Copy): Promise<Record<string, string[]>> {
  const pathsOf = (problems: readonly { path: string }[] = []): string[] => problems.map(({ path }) => path);
  const [finding] = (await triageRun(ports, runRoot)).result.findings;
  const list: string[] = [];
  for await (const { look } of ports.runs.list(runsRoot)) list.push(...pathsOf(look?.problems));
  return {
    status: pathsOf((await statusOf(ports, runRoot)).result.problems),
    triage: pathsOf(finding.condition === "damaged" ? finding.why["files"] : []),
    list,
  };
}

function all(...paths: string[]): Record<string, string[]> {
  return { status: paths, triage: paths, list: paths };
}

const SEEN: Record<string, { run: string; damage: (runRoot: string) => void; told: string[] }> = {
  "a report file is gone": {
    run: "local",
    damage: (runRoot) => fs.rmSync(`${runRoot}/reports/1/report.md`),
    told: ["reports/1/report.md"],
  },
  "the sources are gone": {
    run: "local",
    damage: (runRoot) => fs.rmSync(`${runRoot}/sources`, { recursive: true }),
    told: ["sources"],
  },
  "a result of the current stage was cut": {
    run: "halted",
    damage: (runRoot) => fs.truncateSync(`${runRoot}/wave-1/overview.1.json`, 10),
    told: ["wave-1/overview.1.json"],
  },
};

for (const [name, { run, damage, told }] of Object.entries(SEEN)) {
  test(`each look tells it: ${name}; and nothing once it is back`, async () => {
    using copy = copyOf(run);
    expect(await toldBy(copy)).toEqual(all());
    damage(copy.runRoot);
    expect(await toldBy(copy)).toEqual(all(...told));
    fs.cpSync(join(FIXTURE, run), copy.runRoot, { recursive: true });
    expect(await toldBy(copy)).toEqual(all());
  });
}

function firstText(runRoot: string): string {
  return `sources/${fs.readdirSync(`${runRoot}/sources`).find((name) => name.endsWith(".txt")) ?? ""}`;
}

/** Flips a byte of every source text, and says which. */
function flipTexts(runRoot: string): string[] {
  const names = fs.readdirSync(`${runRoot}/sources`).filter((name) => name.endsWith(".txt"));
  for (const name of names) {
    const bytes = fs.readFileSync(`${runRoot}/sources/${name}`);
    bytes[2] = (bytes[2] ?? 0) ^ 1;
    fs.writeFileSync(`${runRoot}/sources/${name}`, bytes);
  }
  return names.map((name) => `sources/${name}`);
}

test("a report whose sources are damaged is neither shown nor exported, in no form; where that is allowed, the damage is told", async () => {
  using copy = copyOf("local");
  const whole = await showReport(ports, copy.runRoot);
  expect(whole.result.problems).toEqual([]);
  const flipped = flipTexts(copy.runRoot);
  expect(await codeOf(showReport(ports, copy.runRoot))).toBe("INTEGRITY_ERROR");
  const output = `${copy.runRoot}-out`;
  for (const format of EXPORT_FORMATS)
    for (const line of [["report", "export", copy.runRoot, "--output", output, "--format", format, "--force"]]) {
      const { code, stdout, stderr } = await cli(line);
      expect([format, code, stdout, fs.existsSync(output)]).toEqual([format, 12, "", false]);
      expect(stderr).toContain("--allow-damaged");
    }
  const refused = await cli(["report", "show", copy.runRoot]);
  expect([refused.code, refused.stdout]).toEqual([12, ""]);
  expect(refused.stderr).toContain(flipped[0] ?? "none");
  expect(refused.stderr).toContain(`deep-research verify ${copy.runRoot}`);
  const shown = await showReport(ports, copy.runRoot, { allowDamaged: true });
  expect(shown.result.report_md).toBe(whole.result.report_md);
  expect(shown.result.problems.length).toBeGreaterThan(0);
  for (const { path } of shown.result.problems) expect(flipped).toContain(path);
  const exported = await exportReport(ports, copy.runRoot, { format: "md", allowDamaged: true });
  expect(exported.result.problems).toEqual(shown.result.problems);
  for (const command of [
    ["report", "show", copy.runRoot, "--allow-damaged"],
    ["report", "export", copy.runRoot, "--output", "-", "--allow-damaged"],
  ]) {
    const { code, stdout, stderr } = await cli(command);
    expect([code, stdout]).toEqual([0, whole.result.report_md]);
    expect(stderr).toContain("stored files are damaged: sources/");
  }
});

test("two versions are not compared where a source of either is damaged", async () => {
  using folder = temporaryFolder();
  const runRoot = await runOfTwo(ports, folder.path);
  const alone = (await sourcesOf(ports, runRoot)).at(-1);
  const path = `${runRoot}/sources/${alone?.source_digest.slice("sha256:".length)}.txt`;
  fs.appendFileSync(path, "altered");
  for (const versions of [[], ["--from", "2", "--to", "1"], ["--from", "2", "--to", "2"]]) {
    const refused = await cli(["report", "diff", runRoot, ...versions]);
    expect([refused.code, refused.stdout]).toEqual([12, ""]);
    expect(refused.stderr).toContain("--allow-damaged");
  }
  // Control: the first version does not quote it.
  expect((await cli(["report", "diff", runRoot, "--from", "1", "--to", "1"])).code).toBe(0);
  const { code, stdout, stderr } = await cli(["report", "diff", runRoot, "--allow-damaged"]);
  expect([code, stdout.includes("other evidence")]).toEqual([0, true]);
  expect(stderr).toContain("stored files are damaged: sources/");
});

test("after a repair that could not bring a file back every look says so, and names fork", async () => {
  using copy = copyOf("local");
  const path = firstText(copy.runRoot);
  fs.truncateSync(join(copy.runRoot, path), 3);
  expect((await repairRun(ports, copy.runRoot, { dryRun: false })).error?.code).toBe("MISSING_ARTIFACT");
  expect(await toldBy(copy)).toEqual(all(path));
  const [finding] = (await triageRun(ports, copy.runRoot)).result.findings;
  expect(finding.next.map(({ verb }) => verb)).toContain("fork");
  const allowed = await showReport(ports, copy.runRoot, { allowDamaged: true });
  expect(allowed.result.problems.map((problem) => problem.path)).toContain(path);
  const refused = (await cli(["report", "show", copy.runRoot])).stderr;
  expect(refused).toContain(`deep-research triage ${copy.runRoot}`);
  expect(refused).not.toContain("deep-research verify");
});

test("a report whose own files are damaged is not shown", async () => {
  using copy = copyOf("local");
  fs.truncateSync(`${copy.runRoot}/reports/1/report.json`, 10);
  expect(await codeOf(showReport(ports, copy.runRoot))).toBe("INTEGRITY_ERROR");
});
