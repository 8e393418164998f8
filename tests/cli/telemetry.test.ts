// DEEP_RESEARCH_TELEMETRY_SINK from the command line: where it goes, that stdout stays data, and that it is off by itself.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import { QUESTION } from "../simulation/run-world.ts";
import { answerIn, CANARY, LivePlace } from "./live-place.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(60_000);

interface Told {
  schema_version: string;
  kind: string;
  name: string;
  attributes: Record<string, unknown>;
}

function linesIn(text: string): Told[] {
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith('{"schema_version":"dr.telemetry.v1"') ? [JSON.parse(line) as Told] : []));
}

describe("console", () => {
  test("prints JSON lines on stderr, with what models and tools did and no text of theirs", async () => {
    await using place = await LivePlace.open();
    const environment = { DEEP_RESEARCH_TELEMETRY_SINK: "console" };
    const told = await place.start(["--json", "--quiet"], { environment });
    expect(answerIn(told).ok).toBe(true);
    expect(told.stdout.trimEnd().split("\n")).toHaveLength(1);
    const lines = linesIn(told.stderr);
    expect(lines.filter(({ name }) => name === "tool_result_persisted").length).toBeGreaterThan(3);
    expect(lines.filter(({ name }) => name.startsWith("chat "))).toHaveLength(place.server.requests.length);
    expect(lines.find(({ name }) => name.startsWith("chat "))?.attributes).toMatchObject({
      "deep_research.run_id": "dr_live",
      "gen_ai.request.model": "scripted",
    });
    for (const hidden of [CANARY, "standard error stream", QUESTION]) expect(told.stderr).not.toContain(hidden);
  });

  test("tells of every run of tick --all", async () => {
    await using place = await LivePlace.open();
    for (const id of ["dr_1", "dr_2"])
      await place.run(["init", QUESTION, "--corpus", "docs", "--run-id", id, "--mode", "quick"]);
    for (const id of ["dr_1", "dr_2"]) await place.run(["tick", id]);
    const { stderr } = await place.run(["tick", "--all", "--quiet"], {
      environment: { DEEP_RESEARCH_TELEMETRY_SINK: "console" },
    });
    const runs = new Set(linesIn(stderr).map(({ attributes }) => attributes["deep_research.run_id"]));
    expect(runs).toEqual(new Set(["dr_1", "dr_2"]));
  });
});

test("file:PATH appends, run after run", async () => {
  await using place = await LivePlace.open();
  const file = `${place.path}/telemetry.jsonl`;
  const environment = { DEEP_RESEARCH_TELEMETRY_SINK: `file:${file}` };
  const init = ["init", QUESTION, "--corpus", "docs", "--run-id", "dr_live", "--mode", "quick"];
  await place.run(init);
  await place.run(["tick", "dr_live"], { environment });
  const first = linesIn(fs.readFileSync(file, "utf8")).length;
  await place.run(["tick", "dr_live"], { environment });
  expect(first).toBeGreaterThan(0);
  expect(linesIn(fs.readFileSync(file, "utf8")).length).toBeGreaterThan(first);
});

test("without it nothing is told; a sink that nobody knows is refused before anything is done", async () => {
  await using place = await LivePlace.open();
  const init = ["init", QUESTION, "--corpus", "docs", "--run-id", "dr_live"];
  const { code, stderr } = await place.run(init, { environment: { DEEP_RESEARCH_TELEMETRY_SINK: "syslog" } });
  expect([code, stderr.includes("file:PATH")]).toEqual([2, true]);
  expect(fs.existsSync(place.runRoot)).toBe(false);
  expect(linesIn((await place.run(init)).stderr)).toEqual([]);
});
