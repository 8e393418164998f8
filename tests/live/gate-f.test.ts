// Tests that gate F makes the checks of `verify`: a report that would not verify is not published, and the gate names the faults.
import { expect, test } from "bun:test";
import { localDriver } from "../../src/drivers/local.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import type { Draft } from "../../src/run/report/report.ts";
import { LiveRun } from "./live-run.ts";

/** The local driver, with another draft. */
function drafting(change: (draft: Draft) => Draft): Driver {
  return {
    ...localDriver,
    async perform(kind, input, tools) {
      const result = await localDriver.perform(kind, input, tools);
      return kind === "draft" ? change(result as Draft) : result;
    },
  };
}

const LIES: Record<string, (draft: Draft) => Draft> = {
  "a source under another title": (draft) => ({
    ...draft,
    sources: draft.sources.map((source) => ({ ...source, title: "Another" })),
  }),
  "another question": (draft) => ({ ...draft, question: "Another?" }),
};

for (const [name, lie] of Object.entries(LIES)) {
  test(`a draft that would not verify halts the run: ${name}`, async () => {
    await using run = await LiveRun.open({ driver: "local" });
    run.ports = { ...run.ports, loadDriver: async () => drafting(lie) };
    const { error, run: look } = await run.start();
    expect(error?.code).toBe("GATE_BLOCKED");
    expect(look?.manifest.report_versions).toEqual([]);
    expect(look?.manifest.gates.F.reasons.join("\n")).toContain("reports/1/report.json: Another");
  });
}

test("control: the same driver without the fault completes, and the run verifies", async () => {
  await using run = await LiveRun.open({ driver: "local" });
  run.ports = { ...run.ports, loadDriver: async () => drafting((draft) => draft) };
  expect((await run.start()).error).toBeNull();
  expect((await verifyRun(run.ports, run.runRoot)).result.looked_at).toBe("report");
});

test("each content file is read once", async () => {
  await using run = await LiveRun.open({ driver: "local" });
  await run.start();
  const read: string[] = [];
  const { store } = run.ports;
  const counting: RunLog = {
    ...store,
    readContent: async (runRoot, ref) => {
      read.push(ref.path);
      return await store.readContent(runRoot, ref);
    },
    inspect: async (runRoot, options) => {
      expect(options).toEqual({ withContent: false });
      return await store.inspect(runRoot, options);
    },
  };
  const { result } = await verifyRun({ ...run.ports, store: counting }, run.runRoot);
  expect(read.length).toBe(result.files);
  expect(new Set(read).size).toBe(result.files);
});
