// The launcher: it starts what was built from this source, else the source, from wherever a link leads to it.
import { expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../operations/made-run.ts";

const LAUNCHER = path.resolve(import.meta.dir, "../../src/deep-research");

function program(file: string, says: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' ${says} "$@"\n`, { mode: 0o755 });
}

test("what is built is started while it is newer than the source, with every word as it was given", () => {
  using folder = temporaryFolder();
  const root = path.join(folder.path, "a clone");
  const source = path.join(root, "src/main.ts");
  fs.mkdirSync(path.dirname(source), { recursive: true });
  fs.copyFileSync(LAUNCHER, path.join(root, "src/deep-research"));
  fs.writeFileSync(source, "");
  fs.writeFileSync(path.join(root, "package.json"), "{}");
  program(path.join(folder.path, "bin/bun"), "bun");
  fs.symlinkSync(path.join(root, "src/deep-research"), path.join(folder.path, "bin/deep-research"));
  const started = (): string[] => {
    const env = { PATH: `${folder.path}/bin:/usr/bin:/bin` };
    const { stdout } = Bun.spawnSync(["deep-research", "start", "a question?", ""], { env, cwd: "/" });
    return stdout.toString().split("\n").slice(0, -1);
  };
  const ofSource = ["bun", "--config=/dev/null", "--no-env-file", source, "start", "a question?", ""];
  expect(started()).toEqual(ofSource);
  program(path.join(root, "dist/deep-research"), "built");
  const old = new Date(Date.now() - 60_000);
  for (const file of [
    source,
    path.join(root, "src/deep-research"),
    path.join(root, "src"),
    path.join(root, "package.json"),
  ])
    fs.utimesSync(file, old, old);
  expect(started()).toEqual(["built", "start", "a question?", ""]);
  const later = new Date(Date.now() + 60_000);
  fs.utimesSync(source, later, later);
  expect(started()).toEqual(ofSource);
});
