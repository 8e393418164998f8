// The list of runs fits the terminal, whatever its width, and is whole in a pipe.
import { expect, test } from "bun:test";
import { makeCompletedRun, temporaryFolder, testPorts, type TemporaryFolder } from "../operations/made-run.ts";
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
  for (const line of lines) expect(line).toMatch(/completed +init +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC +\S/);
});
