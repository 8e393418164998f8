// `abort` asks on a terminal, wants --yes elsewhere, and never asks where nobody can answer.
import { describe, expect, test } from "bun:test";
import {
  makeCompletedRun,
  makeRun,
  storeSource,
  temporaryFolder,
  testPorts,
  TO_RUNNING,
  withWriter,
} from "../operations/made-run.ts";
import { cli, type FakeHostOptions } from "./fake-host.ts";

async function abort(
  argv: string[],
  options: FakeHostOptions,
  source = "",
): Promise<{ code: number; stdout: string; stderr: string; state: string }> {
  using folder = temporaryFolder();
  const ports = testPorts();
  const root = await makeRun(ports, folder.path, "dr_1");
  await withWriter(ports, root, async (writer) => {
    await writer.commit([TO_RUNNING]);
    if (source !== "") await storeSource(writer, source, "docs/a.md");
  });
  const { code, stdout, stderr } = await cli(["abort", "--runs-root", folder.path, ...argv], options);
  return { code, stdout, stderr, state: (await ports.store.look(root)).state };
}

const TERMINAL: FakeHostOptions["terminals"] = ["stdin", "stdout", "stderr"];

describe("abort", () => {
  test("with --yes it is done", async () => {
    expect(await abort(["--yes"], {})).toMatchObject({ code: 0, state: "aborted" });
  });

  test("offers a report as the next step only where something was read", async () => {
    expect((await abort(["--yes"], {})).stdout).not.toContain("report generate");
    expect((await abort(["--yes"], {}, "Apples keep well.")).stdout).toContain("report generate");
  });

  test("without a terminal it is refused and nothing changes", async () => {
    expect(await abort([], { answer: "y" })).toMatchObject({ code: 2, state: "running" });
    expect(await abort([], { answer: "y", terminals: ["stdin"] })).toMatchObject({ code: 2, state: "running" });
    expect(await abort(["--json"], { answer: "y", terminals: TERMINAL })).toMatchObject({ code: 2, state: "running" });
  });

  test("without a terminal the printed line is the one that works", async () => {
    const { stderr } = await abort([], { isOnPath: true });
    expect(stderr).toMatch(/next:\n  the same, confirmed\n    deep-research abort --runs-root \S+ --yes\n/);
  });

  test("what cannot be aborted, or was, is said and not asked about", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const options = { answer: "n", terminals: TERMINAL };
    await makeRun(ports, folder.path, "idle");
    await makeCompletedRun(ports, folder.path, "done");
    const over = await makeRun(ports, folder.path, "over");
    await withWriter(ports, over, async (writer) => {
      await writer.commit([TO_RUNNING]);
    });
    expect((await cli(["abort", over, "--yes"])).code).toBe(0);
    const told = async (id: string) => await cli(["abort", `${folder.path}/${id}`], { ...options, isOnPath: true });
    const idle = await told("idle");
    expect([idle.code, idle.stderr]).toEqual([1, expect.stringContaining("has not begun: there is nothing to abort")]);
    expect(idle.stderr).toContain(`deep-research remove ${folder.path}/idle --yes`);
    const done = await told("done");
    expect([done.code, done.stderr]).toEqual([1, expect.stringContaining("the run has ended")]);
    const again = await told("over");
    expect([again.code, Bun.stripANSI(again.stdout)]).toEqual([0, expect.stringContaining("aborted already")]);
    for (const { stderr } of [idle, done, again]) expect(stderr).not.toContain("[y/N]");
  });

  test("on a terminal it says what abort means, and only yes continues", async () => {
    const yes = await abort([], { answer: "y", terminals: TERMINAL });
    expect(yes).toMatchObject({ code: 0, state: "aborted" });
    expect(yes.stderr).toContain("permanently");
    for (const answer of ["", "n", "yeah", "abort"]) {
      expect(await abort([], { answer, terminals: TERMINAL })).toMatchObject({
        code: 0,
        stdout: "nothing was changed\n",
        state: "running",
      });
    }
  });
});
