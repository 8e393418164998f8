// `abort` asks on a terminal, wants --yes elsewhere, and never asks where nobody can answer.
import { describe, expect, test } from "bun:test";
import { makeRun, storeSource, temporaryFolder, testPorts, TO_RUNNING, withWriter } from "../operations/made-run.ts";
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

  test("on a terminal it says what abort means, and only yes goes on", async () => {
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
