// Capture: what a bundle holds and what it must not, and the runs and places that it refuses.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { captureRun } from "../../src/operations/report/capture-run.ts";
import { conversationsOf } from "../../src/operations/look/conversations.ts";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import type { RunLook } from "../../src/ports/run-log.ts";
import { CORPUS, ports, record } from "../fixtures/recorded-runs.ts";
import { cli } from "../cli/fake-host.ts";
import { temporaryFolder, type TemporaryFolder } from "./made-run.ts";
import { bundleIn, portsOfNothing, REPLAY, replayOptions } from "./replayed.ts";

setDefaultTimeout(600_000);

let folder: TemporaryFolder;
let live: RunLook;
let local: RunLook;
beforeAll(async () => {
  folder = temporaryFolder();
  live = await record("live", folder.path);
  local = await record("local", folder.path);
});
afterAll(() => folder[Symbol.dispose]());

const place = (name: string): string => join(folder.path, "bundles", name);

async function codeOf(runRoot: string, output: string): Promise<string> {
  return await captureRun(ports, runRoot, output).then(
    () => "ok",
    ({ code }: { code: string }) => code,
  );
}

describe("a bundle", () => {
  test("holds no place, no address, no id of the run, and nothing that was said to a model", async () => {
    const output = place("told");
    await captureRun(ports, live.runRoot, output);
    const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
    const said = (await conversationsOf(ports, live)).flatMap(({ messages }) => messages);
    expect(said.length).toBeGreaterThan(20);
    for (const secret of [
      folder.path,
      CORPUS,
      live.manifest.run_id,
      String(live.manifest.settings.models?.default.base_url),
      "127.0.0.1",
      hostname(),
      ...said.flatMap(({ role, content }) => (role === "system" || role === "user" ? [content.slice(0, 60)] : [])),
    ])
      expect(text).not.toContain(secret);
    // Control: the same looking finds what is there.
    expect(text).toContain(live.manifest.query.text);
  });

  test("holds the sources that are quoted and no other", async () => {
    await captureRun(ports, local.runRoot, place("sources"));
    const stored = readdirSync(join(local.runRoot, "sources")).filter((name) => !name.endsWith(".json"));
    expect(readdirSync(join(place("sources"), "sources")).sort()).toEqual(stored.sort());
    expect(bundleIn(place("sources")).sources).toHaveLength(stored.length / 2);
  });
});

describe("the folder", () => {
  test("that holds this very bundle is left alone, and mended where a source is damaged", async () => {
    const output = place("twice");
    const { result } = await captureRun(ports, local.runRoot, output);
    const [first = ""] = readdirSync(join(output, "sources"));
    const file = join(output, "sources", first);
    const bytes = readFileSync(file);
    writeFileSync(file, "torn");
    const mended = { ...result, written: false, mended_sources: 1 };
    expect((await captureRun(ports, local.runRoot, output)).result).toEqual(mended);
    expect(readFileSync(file)).toEqual(bytes);
  });

  test("that holds another bundle is refused, and that one stays", async () => {
    const output = place("other");
    await captureRun(ports, local.runRoot, output);
    const before = readFileSync(join(output, "bundle.json"));
    expect(await codeOf(live.runRoot, output)).toBe("ALREADY_EXISTS");
    expect(readFileSync(join(output, "bundle.json"))).toEqual(before);
    expect(readdirSync(join(output, "sources"))).toHaveLength(2 * bundleIn(output).sources.length);
  });

  test("is never the run's own, by whatever name, and nothing is made there", async () => {
    const before = readdirSync(local.runRoot).sort();
    symlinkSync(local.runRoot, join(folder.path, "link"));
    for (const output of [local.runRoot, join(local.runRoot, "a/b"), join(folder.path, "link/a")])
      expect(await codeOf(local.runRoot, output)).toBe("INVALID_ARGS");
    expect(readdirSync(local.runRoot).sort()).toEqual(before);
  });

  test("is for this user alone, since it holds whole sources", async () => {
    const output = place("private");
    await captureRun(ports, local.runRoot, output);
    const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const modes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o777);
    expect([...new Set(modes)]).toEqual([0o600]);
  });

  test.each(["sources", "bundle.json"])("in which %s is a link leads nowhere else", async (name) => {
    const output = place(`linked ${name}`);
    const victim = place(`victim of ${name}`);
    mkdirSync(output, { recursive: true });
    mkdirSync(victim);
    symlinkSync(victim, join(output, name));
    expect(["INVALID_ARGS", "ALREADY_EXISTS"]).toContain(await codeOf(local.runRoot, output));
    expect(readdirSync(victim)).toEqual([]);
  });

  test("without a bundle.json is no bundle: what was killed half-way is captured again", async () => {
    const output = place("half");
    await captureRun(ports, local.runRoot, output);
    rmSync(join(output, "bundle.json"));
    expect((await captureRun(ports, local.runRoot, output)).result.written).toBe(true);
  });

  test("that lacked sources says how many it has again", async () => {
    const output = place("mended");
    const { sources } = (await captureRun(ports, local.runRoot, output)).result;
    const original = readdirSync(join(output, "sources"), { recursive: true, withFileTypes: true }).find((one) =>
      one.isFile(),
    );
    writeFileSync(join(original?.parentPath ?? "", original?.name ?? ""), "altered");
    const again = async () => (await captureRun(ports, local.runRoot, output)).result;
    expect(await again()).toMatchObject({ written: false, mended_sources: 1 });
    expect(await again()).toMatchObject({ written: false, mended_sources: 0 });
    rmSync(join(output, "sources"), { recursive: true });
    expect(await again()).toMatchObject({ written: false, mended_sources: sources });
    rmSync(join(output, "sources"), { recursive: true });
    const { stdout } = await cli(["capture", local.runRoot, "--output", output]);
    expect(stdout).toStartWith(
      `bundle  is there already; ${sources === 1 ? "1 source was" : `${sources} sources were`} missing or altered and `,
    );
  });

  test("that cannot be made is told", async () => {
    mkdirSync(place(""), { recursive: true });
    writeFileSync(place("file"), "");
    expect(await codeOf(local.runRoot, place("file/below"))).toBe("WRITE_FAILED");
  });
});

describe("a run", () => {
  const runsRoot = (): string => join(folder.path, "further");
  const optionsOf = (runId: string): InitOptions => {
    const { bundle: _none, ...options } = replayOptions("", runsRoot(), { runId, driver: "local", corpora: [CORPUS] });
    return { ...options, question: local.manifest.query.text };
  };

  test("that is not completed has no bundle", async () => {
    const { result } = await initRun(ports, optionsOf("dr_idle"), {});
    expect(await codeOf(result.run_root, place("idle"))).toBe("INVALID_STATE");
    expect(existsSync(place("idle"))).toBe(false);
  });

  test("that published a partial report before is replayed to its last one, as the first", async () => {
    const root = join(runsRoot(), "dr_partial");
    await startRun(ports, { ...optionsOf("dr_partial"), untilStage: "review" }, {});
    await pauseRun(ports, root, { waitSeconds: 0 });
    await generateReport(ports, root, {});
    await resumeRun(ports, root, {}, {});
    const { manifest } = await ports.store.look(root);
    expect([manifest.execution_state, manifest.report_versions.length]).toEqual(["completed", 2]);
    await captureRun(ports, root, place("partial"));
    const { run } = await startRun(portsOfNothing(), replayOptions(place("partial"), runsRoot()), {});
    expect(run?.state).toBe("completed");
    const page = (runId: string, version: number): string =>
      readFileSync(join(runsRoot(), runId, `reports/${version}/report.md`), "utf8");
    expect(page(REPLAY, 1)).toBe(page("dr_partial", 2).replace("Version 2,", "Version 1,"));
  });

  test("of version 0.1.0 is refused: its report is another than this version would write", async () => {
    const root = join(import.meta.dir, "../fixtures/runs-0.1.0/local");
    expect(await codeOf(root, place("earlier"))).toBe("INVALID_STATE");
  });
});
