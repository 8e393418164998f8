// `show`: the files that a run names, one of them byte for byte or safe for a terminal, and nothing that lies next to them.
import { describe, expect, test } from "bun:test";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { makeRun, temporaryFolder, testPorts, TO_RUNNING, withWriter } from "../operations/made-run.ts";
import { cli } from "./fake-host.ts";

const HOSTILE = "a title\u001b[2J\u202e and \u0007 more\n";

async function runWith(folder: string, text: string): Promise<string> {
  const ports = testPorts();
  const root = await makeRun(ports, folder, "dr_1");
  await withWriter(ports, root, async (writer) => {
    const prompt = await writer.storeContent("operator/prompts/wave1/a.md", new TextEncoder().encode(text));
    const waits = { key: "wave1:a", stage: "wave1", inputs_digest: prompt.sha256, name: "main", prompt } as const;
    await writer.commit([TO_RUNNING, { kind: "step.waiting", data: waits }]);
  });
  return root;
}

const PATH = "operator/prompts/wave1/a.md";

describe("show", () => {
  test("lists what the journal names; a file goes into a pipe byte for byte", async () => {
    using folder = temporaryFolder();
    const root = await runWith(folder.path, HOSTILE);
    const listed = await cli(["show", root]);
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining(PATH)]);
    expect((await cli(["show", root, PATH])).stdout).toBe(HOSTILE);
    const { result } = JSON.parse((await cli(["show", root, PATH, "--json"])).stdout) as { result: object };
    expect(result).toMatchObject({ path: PATH, bytes: Buffer.byteLength(HOSTILE), text: HOSTILE });
  });

  test("a terminal gets nothing that would control it", async () => {
    using folder = temporaryFolder();
    const root = await runWith(folder.path, HOSTILE);
    const { stdout } = await cli(["show", root, PATH], { terminals: ["stdout"] });
    expect(stdout).toBe("a title\uFFFD[2J and \uFFFD more\n");
  });

  test("what the journal does not name is not shown, wherever it lies", async () => {
    using folder = temporaryFolder();
    const root = await runWith(folder.path, "text\n");
    writeFileSync(`${root}/operator/own.md`, "own");
    symlinkSync("/etc/passwd", `${root}/operator/link`);
    for (const path of [
      "operator/own.md",
      "operator/link",
      "/etc/passwd",
      `../dr_1/${PATH}`,
      "manifest.json",
      `${PATH}/`,
    ]) {
      const { code, stdout, stderr } = await cli(["show", root, path]);
      expect([path, code, stdout]).toEqual([path, 10, ""]);
      expect(stderr).toContain("the run names no such file");
      expect(stderr).toContain(`show ${root}`);
    }
    expect((await cli(["show", root, "operator/prompts/wave1/b.md"])).stderr).toContain(PATH);
  });

  test("a file that was altered, or made a link, ends with 12, and nothing of it is printed", async () => {
    using folder = temporaryFolder();
    const root = await runWith(folder.path, "text\n");
    writeFileSync(`${root}/${PATH}`, "else\n");
    const { code, stdout } = await cli(["show", root, PATH]);
    expect([code, stdout]).toEqual([12, ""]);
    rmSync(`${root}/${PATH}`);
    symlinkSync("/etc/hostname", `${root}/${PATH}`);
    expect((await cli(["show", root, PATH])).code).toBe(12);
  });
});
