// A run whose quotes stand in a document that an agent outside brought: it comes to a report, and all of it verifies.
import { expect, test } from "bun:test";
import fs from "node:fs";
import { join } from "node:path";
import { captureRun } from "../../src/operations/report/capture-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { Driver, TaskKind, Tasks, TaskTools } from "../../src/ports/driver.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { Findings } from "../../src/run/report/research.ts";
import { startOptions } from "../simulation/run-world.ts";
import { portsOfNothing, REPLAY, replayOptions } from "../operations/replayed.ts";
import { sourcesOf } from "../operations/run-of-two.ts";
import { temporaryFolder, testPorts } from "../operations/made-run.ts";

const TEXT =
  "# Options\n\nCommand line options are parsed from left to right, and errors in them are reported on standard error.\n";

/** Each researcher quotes what it was brought instead of what it finds; steps say their keys. */
function bringing(driver: Driver, keys: Set<string>): Driver {
  async function perform<K extends TaskKind>(kind: K, input: Tasks[K]["input"], tools: TaskTools) {
    keys.add(tools.step);
    const result = await driver.perform(kind, input, tools);
    if (kind !== "research") return result;
    const bytes = new TextEncoder().encode(TEXT);
    const kept = await tools.take({ name: "/home/someone/handed-in.md", bytes });
    if (kept.kind !== "kept") throw new Error(kept.kind);
    const { source_digest, title, origin } = kept.source;
    const start = "# Options\n\n".length;
    const found = result as Findings;
    const part_ids = found.quotes.flatMap((quote) => quote.part_ids);
    const text = TEXT.slice(start, -1);
    const quote = { source_digest, start, end: TEXT.length - 1, text, score: 1, query: "options", part_ids };
    const findings: Findings = { ...found, quotes: [quote], sources: [{ source_digest, title, origin }] };
    return findings as Tasks[K]["result"];
  }
  return { ...driver, perform };
}

test("the source names who brought it, nobody is said to have stood in, and the run verifies", async () => {
  using folder = temporaryFolder();
  const corpus = join(folder.path, "corpus");
  fs.mkdirSync(corpus);
  fs.writeFileSync(
    join(corpus, "a.md"),
    "# Parsing\n\nOptions are parsed and errors in command line options are reported.\n",
  );
  const keys = new Set<string>();
  const real = testPorts();
  const ports: Ports = { ...real, loadDriver: async (id) => bringing(await real.loadDriver(id), keys) };
  const runsRoot = join(folder.path, "runs");
  const options = { ...startOptions(), runsRoot, corpora: [corpus], mode: "quick" as const };
  const { run } = await startRun(ports, options, {});
  if (run === null) throw new Error("there is no run");
  const { runRoot, manifest } = run;
  expect(manifest.execution_state).toBe("completed");
  const brought = (await sourcesOf(ports, runRoot)).find(({ provider_id }) => provider_id === "operator");
  expect(brought).toMatchObject({ origin: "handed-in.md", title: "Options", text_from: "bytes" });
  expect(brought).not.toHaveProperty("requested_provider_id");
  expect(manifest.provenance.at(-1)).toEqual({
    requested_provider_id: "filesystem",
    resolved_provider_id: "filesystem",
    resolved_from: "default",
    answered_provider_id: "operator",
    source_count: 1,
    quote_count: expect.any(Number),
  });
  expect(keys).toContain("wave1:overview");
  expect(keys).toContain("synthesis:draft-1");
  expect((await verifyRun(ports, runRoot)).error).toBeNull();
  const journal = fs.readFileSync(join(runRoot, "journal.jsonl"), "utf8");
  expect(journal).not.toContain("/home/someone");
  // A bundle keeps it as it was.
  const bundle = join(folder.path, "bundle");
  const { result } = await captureRun(ports, runRoot, bundle);
  const replayed = await startRun(portsOfNothing(), replayOptions(bundle, runsRoot), {});
  expect(replayed.run?.manifest.report_versions[0]?.digest).toBe(result.report_digest);
  expect(replayed.run?.manifest.provenance.at(-1)).toEqual(manifest.provenance.at(-1) as never);
  expect(await sourcesOf(ports, join(runsRoot, REPLAY))).toEqual(brought === undefined ? [] : [brought]);
});
