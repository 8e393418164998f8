// The list of runs fits the terminal, whatever its width, and is whole in a pipe.
import { expect, test } from "bun:test";
import { makeCompletedRun, temporaryFolder, testPorts, type TemporaryFolder } from "../operations/made-run.ts";
import { listText } from "../../src/cli/commands/list.ts";
import { triageAllText } from "../../src/cli/commands/triage.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import { cli } from "./fake-host.ts";

const IDS = ["dr_20261122143701_8g9c29", "dr_20261122143702_8g9c30"];

async function runs(): Promise<TemporaryFolder> {
  const folder = temporaryFolder();
  for (const id of IDS) await makeCompletedRun(testPorts(), folder.path, id);
  return folder;
}

test.each([40, 60, 80, 100, 146])("at %d columns", async (columns) => {
  using folder = await runs();
  for (const more of [[], ["--size"]]) {
    const { stdout } = await cli(["list", "--runs-root", folder.path, ...more], { terminals: ["stdout"], columns });
    const shown = Bun.stripANSI(stdout).split("\n");
    const lines = shown.slice(
      0,
      shown.findIndex((line) => line.startsWith("2 runs in ")),
    );
    for (const line of lines) expect([line, line.length <= columns]).toEqual([line, true]);
    // A row for each run, or a readable block of two lines.
    expect(lines).toHaveLength(columns >= 80 ? IDS.length : 2 * IDS.length);
    for (const id of IDS) expect(lines.filter((line) => line.startsWith(`${id}  completed`))).toHaveLength(1);
  }
});

test("in a pipe each run is one row with everything", async () => {
  using folder = await runs();
  const { stdout } = await cli(["list", "--runs-root", folder.path], { columns: 40 });
  const lines = stdout.trimEnd().split("\n").slice(0, -1);
  expect(lines).toHaveLength(IDS.length);
  for (const line of lines) expect(line).toMatch(/completed +set-up +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC +\S/);
});

test("a run that this user may not read is named with its folder, in list and in triage", () => {
  const [run_id, run_root] = ["dr_1", "/runs/dr_1"];
  const facts = { reason: "EACCES: permission denied, scandir '/runs/dr_1'", errno: "EACCES", run_root };
  const unreadable = [{ run_id, run_root, error: { code: "READ_FAILED" as const, ...facts } }];
  const listed = { runs_root: "/runs", runs_root_exists: true, runs: [], matched: 0, unreadable };
  const why = { code: "READ_FAILED" as const, ...facts };
  const finding = { condition: "unreadable" as const, needs_attention: true, why, next: [] };
  const counts = { looked_at: 1, need_somebody: 1, by_condition: { unreadable: 1 } };
  const all = {
    runs: [{ run_id, run_root, findings: [finding] as [typeof finding] }],
    counts: { ...counts, failed_and_forked: 0, went_on_in_fork: 0 },
  };
  for (const text of [listText(listed, false, null, PLAIN), triageAllText(all, PLAIN)]) {
    expect(text).toContain("/runs/dr_1 could not be read: permission denied\n");
    expect(text).not.toContain("scandir");
  }
});
