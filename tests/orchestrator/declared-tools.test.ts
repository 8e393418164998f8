// A server that says something else of its tools when it is opened again: what it said first stands, and a stricter word since.
import { expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { owning } from "../../src/orchestrator/owning.ts";
import { toolsFor } from "../../src/orchestrator/step-tools.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { mcpServerSchema } from "../../src/run/settings/provider-settings.ts";
import { makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";
import { oddServer, openMcp } from "../providers/mcp/open-mcp.ts";

const PLACE = { key: "wave1:overview", stage: "wave1" as const, inputs_digest: digestOfBytes("inputs") };

interface Opening {
  /** What the server says of its tools this time. */
  says: "reads" | "destroys";
  isSafe?: boolean;
}

/** Opens one run anew each time: whether its server may be asked twice, and how often its tools were declared so far. */
async function opened(openings: readonly Opening[]): Promise<[isRepeatable: boolean, declared: number][]> {
  using folder = temporaryFolder();
  const ports = testPorts();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  const seen: [boolean, number][] = [];
  for (const { says, isSafe } of openings) {
    using mcp = openMcp([oddServer(says, isSafe === undefined ? {} : { is_safe: isSafe })]);
    const openCorpora: Ports["openCorpora"] = async () => ({ provider: mcp.provider, reports: [] });
    const over: Ports = { ...ports, openCorpora };
    await owning(over, runRoot, { reason: "test", performs: true }, async (ownership) => {
      const tools = toolsFor(ownership, PLACE, ownership.signal);
      const [isRepeatable = false] = await Promise.all([tools.isRepeatable?.(), tools.isRepeatable?.("odd:fetch(1)")]);
      const records = await ports.store.records(runRoot);
      seen.push([isRepeatable, records.filter(({ kind }) => kind === "tool.declared").length]);
    });
  }
  return seen;
}

test("a tool that says later that it only reads is risky all the same", async () => {
  expect(await opened([{ says: "destroys" }, { says: "reads" }])).toEqual([
    [false, 2],
    [false, 2],
  ]);
});

test("one that says later that it destroys is risky from then on", async () => {
  expect(await opened([{ says: "reads" }, { says: "reads" }, { says: "destroys" }, { says: "reads" }])).toEqual([
    [true, 2],
    [true, 2],
    [false, 4],
    [false, 4],
  ]);
});

test("what the user says of the server stands above, and freezes nothing", async () => {
  expect(
    await opened([{ says: "destroys", isSafe: true }, { says: "destroys" }, { says: "destroys", isSafe: true }]),
  ).toEqual([
    [true, 0],
    [false, 2],
    [true, 2],
  ]);
});

test("while the server is down every call is risky, also when it is up before they reach it", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  const command = path.join(folder.path, "server");
  using mcp = openMcp([mcpServerSchema.parse({ name: "late", kind: "stdio", command })]);
  const openCorpora: Ports["openCorpora"] = async () => ({ provider: mcp.provider, reports: [] });
  const over: Ports = { ...ports, openCorpora };
  await owning(over, runRoot, { reason: "test", performs: true }, async (ownership) => {
    const tools = toolsFor(ownership, PLACE, ownership.signal);
    expect(await Promise.all([tools.isRepeatable?.(), tools.isRepeatable?.()])).toEqual([false, false]);
    const server = new URL("../providers/mcp/odd-server.ts", import.meta.url).pathname;
    fs.writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${server} destroys\n`, { mode: 0o755 });
    const found = await Promise.all([tools.search("lease", 5), tools.search("lease", 5)]);
    expect(found.map(({ length }) => length)).toEqual([2, 2]);
    const records = await ports.store.records(runRoot);
    expect(records.filter(({ kind }) => kind === "tool.declared")).toEqual([]);
    expect(await tools.isRepeatable?.()).toBe(false);
  });
});
