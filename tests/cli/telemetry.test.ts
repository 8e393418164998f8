// DEEP_RESEARCH_TELEMETRY_SINK from the command line: where it goes, that stdout stays data, and that it is off by itself.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import { QUESTION } from "../simulation/run-world.ts";
import { answerIn, CANARY, LivePlace } from "./live-place.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

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

test("without a sink nothing is told; an unknown sink is refused before anything is done", async () => {
  await using place = await LivePlace.open();
  const init = ["init", QUESTION, "--corpus", "docs", "--run-id", "dr_live"];
  const { code, stderr } = await place.run(init, { environment: { DEEP_RESEARCH_TELEMETRY_SINK: "syslog" } });
  expect([code, stderr.includes("file:PATH")]).toEqual([2, true]);
  expect(fs.existsSync(place.runRoot)).toBe(false);
  expect(linesIn((await place.run(init)).stderr)).toEqual([]);
});

describe("otlp, for a run under no_web", () => {
  /** Starts a run of the sensitivity next to a collector: how often that was asked, and what was said of it. */
  async function collected(sensitivity: string, settings: object = {}) {
    let requests = 0;
    const collector = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch() {
        requests++;
        return new Response("{}");
      },
    });
    await using place = await LivePlace.open();
    place.user(settings);
    const environment = { DEEP_RESEARCH_TELEMETRY_SINK: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.href };
    const made = await place.start(["--json", "--sensitivity", sensitivity], { environment });
    // In another process nothing makes the run: it is known from what is stored.
    const again = await place.run(["report", "generate", "dr_live", "--quiet"], { environment });
    await collector.stop(true);
    expect(answerIn(made).ok).toBe(true);
    return { requests, said: [made.stderr, again.stderr] };
  }

  test("opens no socket to a collector, and says so, whichever process works on it", async () => {
    const { requests, said } = await collected("no_web");
    expect(requests).toBe(0);
    for (const words of said) expect(words).toContain("no telemetry of dr_live: a run with sensitivity no_web");
  });

  test("control: a run without, or with the host in allowed_hosts, is told", async () => {
    expect((await collected("normal")).requests).toBeGreaterThan(1);
    const { requests, said } = await collected("no_web", { allowed_hosts: ["127.0.0.1"] });
    expect([requests > 1, said.join().includes("no telemetry")]).toEqual([true, false]);
  });
});
