// A manifest that its digest vouches for and that is none, and journals of an odd size: what a look and an owner make of them.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";
import type { Manifest } from "../../src/run/log/manifest.ts";
import { makePorts } from "../../src/wiring.ts";
import { runCreated, stateChanged } from "../conformance/sample-run.ts";
import { codeOf } from "../operations/made-run.ts";

const { store, runs, folders } = makePorts({ indexFolder: null, cliInvocation: "deep-research" });
let runsRoot = "";
let runRoot = "";

beforeEach(async () => {
  runsRoot = fs.mkdtempSync(path.join(os.tmpdir(), "dr-odd-"));
  runRoot = path.join(runsRoot, "dr_sample");
  await store.create(runRoot, [runCreated()], []);
  await own(async () => undefined);
});
afterEach(() => fs.rmSync(runsRoot, { recursive: true }));

async function own(work: (revision: number) => Promise<void>): Promise<void> {
  const acquired = await store.acquire(runRoot);
  if (acquired.kind !== "acquired") throw new Error("the lease is held");
  try {
    if (acquired.writer.manifest.execution_state === "idle")
      await acquired.writer.commit([stateChanged("idle", "running")]);
    await acquired.writer.repairFolds();
    await work(acquired.writer.manifest.revision);
  } finally {
    await acquired.writer.release();
  }
}

/** Changes the manifest and seals it again: only the journal knows better. */
function forge(change: (manifest: Record<string, unknown>) => void): void {
  const file = path.join(runRoot, "manifest.json");
  const { digest: _old, ...manifest } = JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, unknown>;
  change(manifest);
  const text = canonicalJson(manifest);
  const at = /"current_report_version_index":(?:null|\d+)/.exec(text);
  const end = (at?.index ?? 0) + (at?.[0].length ?? 0);
  fs.writeFileSync(file, `${text.slice(0, end)},"digest":"${digestOfBytes(text)}"${text.slice(end)}\n`);
}

describe("a manifest that is sealed and has another shape", () => {
  test("is folded anew by the next owner, and verifies afterwards", async () => {
    forge((manifest) => delete (manifest["counters"] as Record<string, unknown>)["takeovers"]);
    expect((await store.inspect(runRoot)).problems.map(({ path: name }) => name)).toEqual(["manifest.json"]);
    let revision = 0;
    await own(async (now) => void (revision = now));
    expect(revision).toBeGreaterThan(0);
    expect((await store.look(runRoot)).manifest.counters.takeovers).toBe(0);
  });

  const UNFIT: Record<string, (manifest: Manifest) => void> = {
    "sources that no record stored": (manifest) => void (manifest.counters.sources = 7),
    "limits that are none": (manifest) => void ((manifest as { limits: unknown }).limits = {}),
    "a halt of another form": (manifest) => void ((manifest as { halt: unknown }).halt = "x"),
    "a step that is none": (manifest) => void ((manifest.steps as Record<string, unknown>)["wave1:x"] = -1),
    "a stage that does not exist": (manifest) => void ((manifest.stage as { current: string }).current = "x"),
    "a history of nothing": (manifest) => void ((manifest.stage as { history: unknown }).history = [null]),
    "settings of another form": (manifest) => void ((manifest.settings as { corpora: unknown }).corpora = {}),
  };
  for (const [what, change] of Object.entries(UNFIT))
    test(`with ${what}, it is folded anew by the next owner`, async () => {
      forge((manifest) => change(manifest as unknown as Manifest));
      await own(async () => undefined);
      expect((await store.inspect(runRoot)).problems).toEqual([]);
    });

  test("that names records which the journal lacks lets no owner go on from a journal that was cut short", async () => {
    const journal = path.join(runRoot, "journal.jsonl");
    const lines = fs.readFileSync(journal, "utf8").split("\n");
    fs.writeFileSync(journal, lines.slice(0, -3).join("\n") + "\n");
    fs.rmSync(path.join(runRoot, ".head"));
    expect(await codeOf(own(async () => undefined))).toBe("INTEGRITY_ERROR");
  });

  describe("of a long journal", () => {
    beforeEach(async () => {
      const reason = "x".repeat(600_000);
      const acquired = await store.acquire(runRoot);
      if (acquired.kind !== "acquired") throw new Error("the lease is held");
      await acquired.writer.commit([
        { kind: "request.pause", data: { request_id: "pause-1", reason, requested_at: "2026-01-01T00:00:00.000Z" } },
      ]);
      await acquired.writer.release();
    });

    for (const [what, change] of Object.entries(UNFIT).slice(1))
      test(`with ${what}, it is folded anew by the next owner`, async () => {
        forge((manifest) => change(manifest as unknown as Manifest));
        await own(async () => undefined);
        expect((await store.inspect(runRoot)).problems).toEqual([]);
      });

    test("that fits its schema and differs from the journal is folded anew by a repair", async () => {
      forge((manifest) => void ((manifest["counters"] as Record<string, unknown>)["sources"] = 7));
      await own(async () => undefined);
      expect((await store.inspect(runRoot)).problems.map(({ path: name }) => name)).toEqual(["manifest.json"]);
      const acquired = await folders.acquireForRepair(runRoot);
      if (acquired.kind !== "acquired") throw new Error("the lease is held");
      expect((await acquired.repair()).rebuilt).toEqual(["manifest.json"]);
      await acquired.writer.release();
      expect((await store.inspect(runRoot)).problems).toEqual([]);
    });
  });

  test("without its first-level fields is no manifest, and a look folds the journal", async () => {
    forge((manifest) => delete manifest["journal"]);
    expect((await store.look(runRoot)).manifest.execution_state).toBe("running");
  });
});

describe("a journal larger than a journal can be", () => {
  test("is INTEGRITY_ERROR, and hides no other run in a list", async () => {
    const other = path.join(runsRoot, "other");
    await store.create(other, [runCreated()], []);
    fs.truncateSync(path.join(runRoot, "journal.jsonl"), 10 * 1024 ** 4);
    const entries = await Array.fromAsync(runs.list(runsRoot));
    const byRoot = new Map(entries.map((entry) => [entry.runRoot, entry]));
    const { error } = byRoot.get(runRoot) ?? { error: null };
    expect(error).toBeInstanceOf(RunError);
    expect((error as RunError).code).toBe("INTEGRITY_ERROR");
    expect(byRoot.get(other)?.look).not.toBeNull();
  });
});

test("a content file that grew beyond the limit is called altered", async () => {
  const acquired = await store.acquire(runRoot);
  if (acquired.kind !== "acquired") throw new Error("the lease is held");
  const ref = await acquired.writer.storeContent("results/x.json", new TextEncoder().encode("{}"));
  await acquired.writer.release();
  fs.truncateSync(path.join(runRoot, ref.path), 1024 ** 3);
  const read = store.readContent(runRoot, ref);
  expect(await read.catch((error: unknown) => (error as RunError).code)).toBe("INTEGRITY_ERROR");
});
