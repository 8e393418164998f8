// A run that the next tick would continue, where nothing can be written: somebody has to make room first.
import { expect, test } from "bun:test";
import { listRuns } from "../../src/operations/look/list-runs.ts";
import { triageAll } from "../../src/operations/look/triage-all.ts";
import { triageRun } from "../../src/operations/look/triage-run.ts";
import { triageAllText, triageText } from "../../src/cli/commands/triage.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import {
  makeCompletedRun,
  makeRun,
  temporaryFolder,
  testPorts,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "./made-run.ts";

const ports = testPorts();

for (const [errno, words] of [
  ["ENOSPC", "the disk is full"],
  ["EROFS", "the file system is read-only"],
  ["EACCES", "permission denied"],
  ["EDQUOT", "this user has no room left on the disk"],
  ["EIO", "the disk failed"],
] as const)
  test(`${errno}: triage, triage --all and list say it of what waits for a tick, and of nothing else`, async () => {
    using folder = temporaryFolder();
    const waiting = await makeRun(ports, folder.path, "dr_waiting");
    await withWriter(ports, waiting, async (writer) => void (await writer.commit([TO_RUNNING])));
    const paused = await makeRun(ports, folder.path, "dr_paused");
    await withWriter(ports, paused, async (writer) => void (await writer.commit([TO_RUNNING, TO_PAUSED])));
    await makeRun(ports, folder.path, "dr_idle");
    await makeCompletedRun(ports, folder.path, "dr_done");
    // Control: with room, the next tick goes on.
    expect((await triageAll(ports, folder.path)).result.runs.map(({ run_id }) => run_id)).toEqual(["dr_paused"]);
    const asked: string[] = [];
    const full = { ...ports, whyNotWritable: (path: string) => (asked.push(path), errno) };
    const all = (await triageAll(full, folder.path)).result;
    expect(asked).toEqual([folder.path]);
    expect(all.runs.map(({ run_id, findings }) => [run_id, findings[0].condition])).toEqual([
      ["dr_waiting", "cannot_write"],
      ["dr_paused", "paused"],
    ]);
    const told = triageAllText(all, PLAIN);
    expect(told.replace(/\s+/g, " ")).toContain(`${folder.path} could not be written: ${words}`);
    expect(told).toContain("2 runs need attention, of 4 runs");
    const one = triageText((await triageRun(full, waiting)).result, PLAIN).replace(/\s+/g, " ");
    expect(one).toContain(`The run cannot continue: ${folder.path} could not be written: ${words}.`);
    expect(one).toMatch(/next: (?:make room|mount it|allow this user|see that the disk).* deep-research resume/);
    const listed = (await listRuns(full, folder.path)).result.runs;
    expect(listed.find(({ run_id }) => run_id === "dr_waiting")).toMatchObject({
      condition: "cannot_write",
      needs_attention: true,
    });
  });
