// Folds that another version made of the same records: they are behind, never damage, and nothing goes on from them.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { FOLD_VERSION } from "../../src/run/log/manifest-text.ts";
import type { Manifest } from "../../src/run/log/manifest.ts";
import { foldRef } from "../../src/run/log/stage-folds.ts";
import { makePorts } from "../../src/wiring.ts";
import { codeOf } from "../operations/made-run.ts";
import { runCreated, stateChanged } from "../conformance/sample-run.ts";

const { store } = makePorts({ indexFolder: null, cliInvocation: "deep-research" });
const STAGE_FILE = "stages/init.json";
let folder = "";
let runRoot = "";

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "dr-folds-"));
  runRoot = path.join(folder, "dr_sample");
  await store.create(runRoot, [runCreated()], []);
  await own(async ({ commit }) => await commit([stateChanged("idle", "running")]));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

type Commit = Extract<Awaited<ReturnType<typeof store.acquire>>, { kind: "acquired" }>["writer"]["commit"];

async function own(work: (writer: { commit: Commit }) => Promise<unknown>): Promise<void> {
  const acquired = await store.acquire(runRoot);
  if (acquired.kind !== "acquired") throw new Error("the lease is held");
  const { writer } = acquired;
  await work({ commit: (...given) => writer.commit(...given) });
  await writer.foldNow();
  await writer.release();
}

function read(name: string): string {
  return fs.readFileSync(path.join(runRoot, name), "utf8");
}

function write(name: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(runRoot, name)), { recursive: true });
  fs.writeFileSync(path.join(runRoot, name), text);
}

/** The stored manifest as another fold would have sealed it. */
function foldOtherwise(change: (manifest: Record<string, unknown>) => void): void {
  const { digest: _old, ...manifest } = JSON.parse(read("manifest.json")) as Record<string, unknown>;
  change(manifest);
  const text = canonicalJson(manifest);
  const at = /"current_report_version_index":(?:null|\d+)/.exec(text);
  const end = (at?.index ?? 0) + (at?.[0].length ?? 0);
  write("manifest.json", `${text.slice(0, end)},"digest":"${digestOfBytes(text)}"${text.slice(end)}\n`);
}

async function problemsAndBehind(): Promise<{ problems: string[]; behind: string[] }> {
  const { problems, behind } = await store.inspect(runRoot);
  return { problems: problems.map(({ path: name }) => name), behind };
}

const LATER = FOLD_VERSION + 1;

describe("a manifest of another fold version", () => {
  const others: Record<string, (manifest: Record<string, unknown>) => void> = {
    "with a field more": (manifest) => {
      manifest["fold_version"] = LATER;
      (manifest["counters"] as Record<string, unknown>)["tools"] = 0;
    },
    "of 0.1.0, which names no version": (manifest) => delete manifest["fold_version"],
    "with a state that this version does not derive": (manifest) => {
      manifest["fold_version"] = LATER;
      manifest["execution_state"] = "asleep";
    },
  };
  for (const [name, change] of Object.entries(others)) {
    test(`${name} is behind: a look folds the journal, and the next owner writes it anew`, async () => {
      const sealed = read("manifest.json");
      foldOtherwise(change);
      expect(await problemsAndBehind()).toEqual({ problems: [], behind: ["manifest.json"] });
      const look = await store.look(runRoot);
      expect(look.problems).toEqual([]);
      expect(canonicalJson(look.manifest)).toBe(canonicalJson(withoutDigest(sealed)));
      await own(async () => undefined);
      expect(await problemsAndBehind()).toEqual({ problems: [], behind: [] });
      expect((JSON.parse(read("manifest.json")) as Manifest).fold_version).toBe(FOLD_VERSION);
    });
  }

  test("control: the same change under this version is damage, and so is a flipped byte", async () => {
    const sealed = read("manifest.json");
    foldOtherwise((manifest) => ((manifest["counters"] as Record<string, unknown>)["tools"] = 0));
    expect(await problemsAndBehind()).toEqual({ problems: ["manifest.json"], behind: [] });
    write("manifest.json", sealed);
    foldOtherwise((manifest) => (manifest["fold_version"] = LATER));
    const bytes = Buffer.from(read("manifest.json"));
    const at = bytes.length >> 1;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    fs.writeFileSync(path.join(runRoot, "manifest.json"), bytes);
    expect(await problemsAndBehind()).toEqual({ problems: ["manifest.json"], behind: [] });
    expect((await store.look(runRoot)).problems.map(({ path: name }) => name)).toEqual(["manifest.json"]);
  });

  test("still tells a journal that was cut, and one of another history", async () => {
    foldOtherwise((manifest) => (manifest["fold_version"] = LATER));
    const journal = read("journal.jsonl");
    const lines = journal.trimEnd().split("\n");
    fs.rmSync(path.join(runRoot, ".head"));
    write("journal.jsonl", `${lines.slice(0, -2).join("\n")}\n`);
    expect(await codeOf(store.look(runRoot))).toBe("INTEGRITY_ERROR");
    expect((await problemsAndBehind()).problems).toEqual(["manifest.json"]);
    write("journal.jsonl", journal);
    foldOtherwise((manifest) => ((manifest["journal"] as Record<string, unknown>)["digest"] = digestOfBytes("other")));
    expect((await problemsAndBehind()).problems).toEqual(["manifest.json"]);
    expect((await store.look(runRoot)).problems.map(({ path: name }) => name)).toEqual(["manifest.json"]);
  });
});

function withoutDigest(sealed: string): unknown {
  const { digest: _digest, ...manifest } = JSON.parse(sealed) as Record<string, unknown>;
  return manifest;
}

describe("a fold of a stage that an earlier version pinned", () => {
  const pinned = `${canonicalJson({ schema_version: "stage.v1", stage: "init", steps: {}, note: "of an earlier fold" })}\n`;
  const derived = `${canonicalJson({ schema_version: "stage.v1", stage: "init", steps: {} })}\n`;

  beforeEach(async () => {
    const fold = { path: STAGE_FILE, text: pinned };
    const data = {
      from: "init" as const,
      to: "perspectives" as const,
      reason: "a test",
      inputs_digest: digestOfBytes(""),
      gates_revision: 0,
      folds: [foldRef(fold)],
    };
    await own(async ({ commit }) => await commit([{ kind: "stage.entered", data }], { folds: [fold] }));
  });

  test("is right as the earlier version pinned it, and as this version makes it", async () => {
    expect(await problemsAndBehind()).toEqual({ problems: [], behind: [] });
    write(STAGE_FILE, derived);
    expect(await problemsAndBehind()).toEqual({ problems: [], behind: [] });
  });

  test("is written once as this version makes it when it is missing", async () => {
    fs.rmSync(path.join(runRoot, STAGE_FILE));
    expect(await problemsAndBehind()).toEqual({ problems: [], behind: [STAGE_FILE] });
    await own(async () => undefined);
    expect(read(STAGE_FILE)).toBe(derived);
    expect(await problemsAndBehind()).toEqual({ problems: [], behind: [] });
    const written = fs.statSync(path.join(runRoot, STAGE_FILE)).ino;
    await own(async () => undefined);
    expect(fs.statSync(path.join(runRoot, STAGE_FILE)).ino).toBe(written);
  });

  test("control: anything else is damage", async () => {
    write(STAGE_FILE, derived.replace("init", "inix"));
    expect(await problemsAndBehind()).toEqual({ problems: [STAGE_FILE], behind: [] });
  });
});
