// The tools for OpenCode: what the host's loader takes, and the command line behind each of them, over real documents.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { envelopeSchema } from "../../../src/surface/schemas.ts";
import * as exported from "../../tools/deep_research.ts";
import { makeRun, withTempDir } from "../helpers/dr-harness.ts";

const tools = { ...exported };
const FILE = path.join(import.meta.dir, "../../tools/deep_research.ts");
const QUESTION = "Why do tides rise, and what do people use tides for?";

interface Place {
  folder: string;
  readonly call: (name: keyof typeof tools, args: Record<string, unknown>) => Promise<string>;
  /** The object that the tool returns. */
  readonly told: (
    name: keyof typeof tools,
    args: Record<string, unknown>,
  ) => Promise<ReturnType<typeof envelopeSchema.parse>>;
}

/** A folder with three documents in `corpus`, and a session of the host in it whose runs and index stay there. */
async function inSession(work: (place: Place) => Promise<void>, abort = new AbortController().signal): Promise<void> {
  await withTempDir(async (folder) => {
    await makeRun(folder);
    await fs.rm(path.join(folder, "runs"), { recursive: true });
    await fs.writeFile(path.join(folder, "deep-research.json"), '{"runs_root":"runs","cache_dir":"cache"}');
    const session = { sessionID: "ses_0", directory: folder, abort };
    const call: Place["call"] = (name, args) => tools[name].execute(args, session);
    await work({
      folder,
      call,
      told: async (name, args) => envelopeSchema.parse(JSON.parse(await call(name, args))),
    });
  });
}

const started = { question: QUESTION, corpus: ["corpus"], mode: "quick", run_id: "" };

describe("the file", () => {
  test("needs nothing but what every host has: no module of this or any other package", async () => {
    const source = await fs.readFile(FILE, "utf8");
    const imported = [...source.matchAll(/^import (type )?.*from "([^"]+)";$/gm)].filter(
      ([, type]) => type === undefined,
    );
    expect(imported.map(([, , name]) => name).filter((name) => !name?.startsWith("node:"))).toEqual([]);
    expect(imported.length).toBeGreaterThan(0);
    expect(source).not.toMatch(/\b(require|import)\(/);
  });

  test("stands beside others that need no package by its name: one that the host installs here would be taken", async () => {
    const folder = path.join(import.meta.dir, "../..");
    const files = [...new Bun.Glob("{tools,pai-tools,tests}/**/*.ts").scanSync({ cwd: folder })];
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const text = await fs.readFile(path.join(folder, file), "utf8");
      const names = [...text.matchAll(/^(?:import|} from).*"([^"]+)";$/gm)].map(([, name = ""]) => name);
      expect([file, names.filter((name) => !/^(\.|node:|bun:)/.test(name))]).toEqual([file, []]);
    }
  });

  test("exports tools and nothing else: plain objects with arguments in JSON Schema, none of them nested", () => {
    const names = "agent_result inspect prompt report resume search start status tick triage".split(" ");
    expect(Object.keys(tools).sort()).toEqual(names);
    for (const tool of Object.values(tools)) {
      const { description, args } = tool;
      expect(description.length).toBeGreaterThan(20);
      expect(Object.keys(tool).sort()).toEqual(["args", "description", "execute"]);
      for (const schema of Object.values(args)) {
        // A mark of zod's would have the host read all of them with its own zod.
        expect("_zod" in schema).toBe(false);
        expect(["string", "array"]).toContain(schema.type);
        expect(schema.description.length).toBeGreaterThan(10);
      }
    }
  });
});

describe("the tools", () => {
  test("start, status, inspect, search, triage and report tell of one run", () =>
    inSession(async ({ folder, told }) => {
      const { ok, contract } = await told("start", { ...started, driver: "local" });
      expect({ ok, state: contract.execution_state }).toEqual({ ok: true, state: "completed" });
      expect(contract.run_root).toStartWith(path.join(folder, "runs"));
      const run = contract.run_id;
      for (const name of ["status", "triage", "tick", "resume"] as const)
        expect(await told(name, { run })).toMatchObject({ ok: true, command: name, contract: { run_id: run } });
      expect(await told("inspect", { run: "", step: "" })).toMatchObject({ ok: true, contract: { run_id: run } });
      const found = await told("search", { query: "moon tides", corpus: ["corpus"] });
      expect(JSON.stringify(found.result)).toContain("the moon pulls");
      const report = await told("report", { run, version: "" });
      expect(JSON.stringify(report.result)).toContain("moon pulls");
      expect((await told("report", { run, version: "9" })).error?.code).toBe("NOT_FOUND");
    }));

  test("a task run hands its prompt out, refuses a bad answer with its faults, and takes a good one", () =>
    inSession(async ({ call, told }) => {
      const halted = await told("start", { ...started, driver: "task" });
      expect(halted).toMatchObject({
        ok: false,
        error: { code: "RUN_AGENT_REQUIRED" },
        halt: { kind: "agent_required" },
      });
      const run = halted.contract.run_id;
      expect(await call("prompt", { run, step: "perspectives:plan" })).toStartWith("# Prompt for the planner\n");
      // What waits for nothing has no prompt, and the run as it stands says why.
      expect(JSON.parse(await call("prompt", { run, step: "wave1:x" }))).toMatchObject({ command: "inspect" });
      const handIn = (result: string) => told("agent_result", { run, step: "perspectives:plan", result });
      expect((await handIn('{"parts":[]}')).error?.code).toBe("AGENT_RESULT_INVALID");
      const plan = {
        parts: [{ id: "why", text: "Why do tides rise?" }],
        perspectives: [
          {
            id: "causes",
            title: "Causes",
            kind: "overview",
            questions: ["Why do tides rise?"],
            queries: ["tides rise moon"],
            part_ids: ["why"],
          },
        ],
      };
      expect(await handIn(JSON.stringify(plan))).toMatchObject({ ok: true, command: "agent-result" });
      expect((await told("tick", { run })).contract.stage_current).toBe("wave1");
    }));

  test("no argument is taken for an option, and none that is missing breaks a call", () =>
    inSession(async ({ told }) => {
      expect((await told("start", { ...started, question: "--help", driver: "local" })).command).toBe("start");
      expect((await told("status", { run: "--all" })).error?.code).toBe("INVALID_ARGS");
      expect(await told("status", {})).toMatchObject({ ok: true, command: "status" });
      expect((await told("agent_result", {})).ok).toBe(false);
    }));

  test("a session that is cancelled ends the command", async () => {
    const cancel = new AbortController();
    cancel.abort();
    await inSession(async ({ call }) => expect(call("status", { run: "" })).rejects.toThrow(), cancel.signal);
  });
});
