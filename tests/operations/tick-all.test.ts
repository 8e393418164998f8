// `tick --all`: which runs it takes, and what others do to them meanwhile.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { watchText } from "../../src/cli/commands/watchdog.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import { AssertionError } from "../../src/kernel/assert.ts";
import { listRuns } from "../../src/operations/look/list-runs.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { tickAll, type TickAllResult } from "../../src/operations/change/tick-all.ts";
import { triageAll } from "../../src/operations/look/triage-all.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { watchAll } from "../../src/operations/change/watchdog.ts";
import type { Driver } from "../../src/ports/driver.ts";
import { dueOf, type Runs } from "../../src/ports/runs.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { makeRun, QUESTION, temporaryFolder, testPorts, TO_RUNNING, withWriter } from "./made-run.ts";

const ports = testPorts();

async function running(runsRoot: string, runId: string): Promise<string> {
  const root = await makeRun(ports, runsRoot, runId);
  await withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING])));
  return root;
}

async function ticked(runsRoot: string, own: Ports = ports): Promise<TickAllResult["runs"]> {
  return (await tickAll(own, runsRoot, { jobs: 1 }, {})).result.runs;
}

test("a link to a run is none: what it leads to is not worked on", async () => {
  using folder = temporaryFolder();
  const root = await running(`${folder.path}/elsewhere`, "dr_1");
  fs.mkdirSync(`${folder.path}/runs`);
  fs.symlinkSync(root, `${folder.path}/runs/dr_1`);
  const before = fs.readFileSync(`${root}/journal.jsonl`);
  expect(await ticked(`${folder.path}/runs`)).toEqual([]);
  expect(fs.readFileSync(`${root}/journal.jsonl`)).toEqual(before);
});

test("a run that is removed between the look and its tick is no error", async () => {
  using folder = temporaryFolder();
  const root = await running(folder.path, "dr_1");
  const acquire: Ports["store"]["acquire"] = async (...words) => {
    await ports.runs.remove(root);
    return await ports.store.acquire(...words);
  };
  const runs = await ticked(folder.path, { ...ports, store: { ...ports.store, acquire } });
  expect(runs).toMatchObject([{ run_id: "dr_1", outcome: "removed", error: null }]);
});

for (const [kind, outcome] of [
  ["pause", "paused"],
  ["abort", "aborted"],
] as const) {
  test(`a tick that heeds a waiting ${kind} is no error`, async () => {
    using folder = temporaryFolder();
    const root = await running(folder.path, "dr_1");
    const asked = { request_id: `${kind}-1`, kind, reason: "asked for", requested_at: "2026-01-31T12:00:00.000Z" };
    await ports.store.request(root, { schema_version: "request.v1", ...asked });
    expect(await ticked(folder.path)).toMatchObject([{ run_id: "dr_1", outcome, error: null }]);
  });
}

test("a run that cannot be read is told with its error, and the others go on", async () => {
  using folder = temporaryFolder();
  const root = await makeRun(ports, folder.path, "dr_1");
  fs.writeFileSync(`${root}/journal.jsonl`, "garbage\n");
  expect(await ticked(folder.path)).toMatchObject([
    { run_id: "dr_1", outcome: "unreadable", error: { code: "INTEGRITY_ERROR" } },
  ]);
});

describe("a run that meets a bug", () => {
  const PLAN = {
    parts: [{ id: "how", text: QUESTION, terms: ["options"] }],
    perspectives: [
      { id: "all", title: "All", kind: "overview", questions: [QUESTION], queries: ["options"], part_ids: ["how"] },
    ],
  };

  /** The first step that is begun meets a false assertion, every later one is done. */
  function withBug(bug: unknown = new AssertionError("a false one, \ud800 in it")): Ports {
    let calls = 0;
    const driver: Driver = {
      id: "local",
      version: "test",
      async perform() {
        calls++;
        if (calls === 1) throw bug;
        return PLAN as never;
      },
    };
    return { ...ports, loadDriver: async () => driver };
  }

  for (const jobs of [1, 2]) {
    test(`is one row and halted with its facts; every other goes on (--jobs ${jobs})`, async () => {
      using folder = temporaryFolder();
      const roots = [await running(folder.path, "dr_1"), await running(folder.path, "dr_2")];
      const own = withBug();
      const all = async (): Promise<TickAllResult["runs"]> =>
        (await tickAll(own, folder.path, { jobs }, {})).result.runs;
      expect((await all()).map(({ outcome }) => outcome)).toEqual(["max_ticks", "max_ticks"]);

      const rows = await all();
      expect(rows.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
        ["halted", "INTERNAL"],
        ["max_ticks", undefined],
      ]);
      const { manifest } = await ports.store.look(roots[0] ?? "");
      expect(manifest.execution_state).toBe("running");
      const { halt } = manifest;
      if (halt?.schema_version !== "halt.v1") throw new Error("no halt");
      expect(halt).toMatchObject({
        kind: "internal",
        details: {
          reason: "a bug in deep-research: a false one, \ufffd in it",
          name: "AssertionError",
          step: "perspectives:plan",
          tool_version: ports.toolVersion,
        },
      });
      const stack = halt.details["stack"] as string[];
      expect(stack.length).toBeGreaterThan(0);
      expect(stack.join("\n")).not.toContain(process.cwd());
      expect(halt.next_commands.map((command) => command.split(" ")[1])).toEqual([
        "resume",
        "fork",
        "inspect",
        "triage",
      ]);

      // Cron leaves it alone until somebody resumes it; then it does the step once more.
      expect((await all()).map(({ run_id }) => run_id)).not.toContain("dr_1");
      await resumeRun(own, roots[0] ?? "", { noRun: true }, {});
      expect((await all())[0]).toMatchObject({ run_id: "dr_1", outcome: "max_ticks", error: null });
      expect((await verifyRun(ports, roots[0] ?? "")).error).toBeNull();
    });
  }

  test("in its writer is told by the row alone, and the others go on", async () => {
    using folder = temporaryFolder();
    const broken = await running(folder.path, "dr_1");
    await running(folder.path, "dr_2");
    const acquire: Ports["store"]["acquire"] = async (runRoot, options) => {
      const acquired = await ports.store.acquire(runRoot, options);
      if (runRoot === broken && acquired.kind === "acquired")
        acquired.writer.commit = () => Promise.reject(new TypeError("x is not a function"));
      return acquired;
    };
    const rows = await ticked(folder.path, { ...ports, store: { ...ports.store, acquire } });
    expect(rows).toMatchObject([
      { outcome: "error", error: { code: "INTERNAL" } },
      { outcome: "max_ticks", error: null },
    ]);
  });

  test("a failure of the operating system is none: nothing is halted", async () => {
    using folder = temporaryFolder();
    const root = await running(folder.path, "dr_1");
    const own = withBug(Object.assign(new Error("no space"), { code: "ENOSPC" }));
    await ticked(folder.path, own);
    await ticked(folder.path, own);
    expect((await ports.store.look(root)).manifest.halt).toBeNull();
  });

  test("keeps no other from the watchdog", async () => {
    using folder = temporaryFolder();
    const broken = await running(folder.path, "dr_1");
    await running(folder.path, "dr_2");
    const acquire: Ports["store"]["acquire"] = async (runRoot, options) => {
      if (runRoot === broken) throw new AssertionError("a false one");
      return await ports.store.acquire(runRoot, options);
    };
    const { result } = await watchAll({ ...ports, store: { ...ports.store, acquire } }, folder.path, {
      strict: true,
      nowMs: Date.now() + 86_400_000,
    });
    expect(result.runs).toMatchObject([
      { run_id: "dr_1", timed_out: false, error: { code: "INTERNAL" } },
      { run_id: "dr_2", timed_out: true },
    ]);
  });

  test("that cannot be read is counted by the watchdog", async () => {
    using folder = temporaryFolder();
    await running(folder.path, "dr_1");
    const unread = await running(folder.path, "dr_2");
    fs.writeFileSync(`${unread}/manifest.json`, "{");
    fs.writeFileSync(`${unread}/journal.jsonl`, "no journal\n");
    const { result } = await watchAll(ports, folder.path, { strict: false });
    expect([result.runs.map(({ run_id }) => run_id), result.unreadable]).toEqual([["dr_1"], 1]);
    expect(watchText(result, PLAIN)).toBe("0 of 1 run late; 1 could not be read: see triage --all\n");
    expect(watchText({ ...result, unreadable: 0 }, PLAIN)).toBe("0 of 1 run late\n");
  });

  test("keeps no other from a list and a triage of all", async () => {
    using folder = temporaryFolder();
    for (const runId of ["dr_1", "dr_2"]) await running(folder.path, runId);
    async function* list(...words: Parameters<Runs["list"]>): ReturnType<Runs["list"]> {
      for await (const entry of ports.runs.list(...words)) {
        if (entry.look !== null && entry.runRoot.endsWith("dr_1"))
          Object.defineProperty(entry.look, "manifest", {
            get: () => {
              throw new AssertionError("a false one");
            },
          });
        yield entry;
      }
    }
    const due: Runs["due"] = (root, limit) => dueOf(list(root), limit);
    const own: Ports = { ...ports, runs: { ...ports.runs, list, due } };
    const listed = (await listRuns(own, folder.path)).result;
    expect([listed.runs.map(({ run_id }) => run_id), listed.unreadable]).toMatchObject([
      ["dr_2"],
      [{ run_id: "dr_1", error: { code: "INTERNAL" } }],
    ]);
    const triaged = (await triageAll(own, folder.path)).result;
    expect(triaged.counts).toMatchObject({ looked_at: 2, need_somebody: 1 });
    expect(triaged.runs).toMatchObject([{ run_id: "dr_1", findings: [{ condition: "unreadable" }] }]);
    expect((await tickAll(own, folder.path, { jobs: 1 }, {})).result.runs).toMatchObject([
      { run_id: "dr_1", outcome: "unreadable", error: { code: "INTERNAL" } },
      { run_id: "dr_2", outcome: "max_ticks" },
    ]);
  });
});
