// Errors about a halted run say the state of after the halt, in words as in JSON.
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { temporaryFolder } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { cli } from "./fake-host.ts";

test("every error about a halted run says that it is halted", async () => {
  using folder = temporaryFolder();
  const docs = `${folder.path}/docs`;
  mkdirSync(docs);
  writeFileSync(`${docs}/kiln.md`, "# Kiln\n\nThe kiln is fired with beech wood.\n");
  const at = ["--runs-root", folder.path];
  const started = await cli(["start", "How do zebras yodel?", "--corpus", docs, "--run-id", "silent", ...at]);
  expect([started.code, started.stderr]).toEqual([3, expect.not.stringContaining("state:")]);
  for (const line of [
    ["report", "show", "silent"],
    ["report", "show", "silent", "--version", "1"],
    ["report", "generate", "silent"],
    ["report", "generate", "silent", "--instruction", "shorter"],
    ["report", "export", "silent", "--output", `${folder.path}/a.html`],
    ["report", "diff", "silent"],
    ["capture", "silent", "--output", `${folder.path}/bundle`],
    ["settle", "silent", "--call", "wave1:overview/main/6/call_2", "--replay"],
    ["ask", "silent", "And horses?"],
  ]) {
    const shown = await cli([...line, ...at]);
    const { error } = envelopeIn((await cli([...line, ...at, "--json"])).stdout);
    expect([line, shown.stderr.match(/^ {2}state: .*$/m)?.[0], error?.details["state"]]).toEqual([
      line,
      "  state: halted",
      "halted",
    ]);
    expect(shown.stderr).not.toContain("running");
  }
  // Its state is "running" for as long as no halt stands: the word comes from the halt alone.
  await cli(["pause", "silent", ...at]);
  expect((await cli(["capture", "silent", "--output", `${folder.path}/bundle`, ...at])).stderr).toContain(
    "  state: paused",
  );
});
