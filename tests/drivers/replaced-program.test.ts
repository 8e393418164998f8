// Tests that a running process needs no further file of its driver, so that the program may be replaced meanwhile.
import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const PROJECT = path.join(import.meta.dir, "../..");

/** The error of a last step, before which the files of the drivers are removed. `first`: code that runs before that. */
function failureIn(driver: "live" | "local", first: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "deep-research-replaced-"));
  try {
    cpSync(path.join(PROJECT, "src"), path.join(folder, "src"), { recursive: true });
    symlinkSync(path.join(PROJECT, "node_modules"), path.join(folder, "node_modules"));
    const script = `
      import { rmSync } from "node:fs";
      const { ${driver}Driver: driver } = await import("./src/drivers/${driver}.ts");
      const tools = { signal: AbortSignal.any([]) };
      const failure = (kind) => driver.perform(kind, {}, tools).then(() => "none", String);
      ${first}
      rmSync("./src/drivers", { recursive: true });
      console.log(await failure("summarize"));`;
    return Bun.spawnSync([process.execPath, "-e", script], { cwd: folder }).stdout.toString();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MISSING = /ENOENT|Cannot find/;

test.each(["live", "local"] as const)("the %s driver needs no file after its first step", (driver) => {
  const failure = failureIn(driver, `await failure("plan");`);
  expect(failure).toContain("Error");
  expect(failure).not.toMatch(MISSING);
});

test("control: the live driver needs its files before its first step", () => {
  expect(failureIn("live", "")).toMatch(MISSING);
});
