// Runs of earlier versions that were cut off in each stage go on to the report that they hold evidence for, under a later version.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ResumeOptions } from "../../src/operations/options.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { tickRun } from "../../src/operations/change/tick-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { Driver, Tasks } from "../../src/ports/driver.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { reportSchema } from "../../src/run/report/stored-report.ts";
import { claimsOf } from "../../src/run/report/statements.ts";
import type { Citations } from "../../src/run/report/research.ts";
import { spanKey } from "../../src/run/report/source.ts";
import {
  cutRun,
  EARLIER,
  EARLIER_CORPUS,
  recordsIn,
  unpack,
  type Earlier,
} from "../fixtures/earlier-runs/earlier-runs.ts";
import { livePorts } from "../live/live-run.ts";
import { wellBehaved } from "../live/well-behaved.ts";
import { ScriptedServer } from "../models/scripted-server.ts";
import { temporaryFolder } from "./made-run.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(120_000);

const server = new ScriptedServer(wellBehaved);
const folder = temporaryFolder();
beforeAll(async () => {
  await server.listen();
  for (const commit of EARLIER) await unpack(commit, join(folder.path, commit));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** A driver of a version that none of these runs was made with. `change`: what it does to the input of a task. */
function laterPorts(change: (task: string, input: object) => object = (_task, input) => input): Ports {
  const ports = livePorts();
  const later = (driver: Driver): Driver => ({
    ...driver,
    version: `${driver.version}-later`,
    perform: (task, input, tools) => driver.perform(task, change(task, input) as Tasks[typeof task]["input"], tools),
  });
  return { ...ports, loadDriver: async (...asked) => later(await ports.loadDriver(...asked)) };
}

interface Cut {
  commit: Earlier;
  name: string;
  seq: number;
}

/** The first record of this kind in each stage: between two steps of one, or at its door. */
function placesIn(records: readonly AnyRecord[], kind: "step.completed" | "stage.entered"): AnyRecord[] {
  const stageOf = (record: AnyRecord) =>
    record.kind === "step.completed" ? record.data.stage : record.kind === "stage.entered" ? record.data.to : "";
  const own = records.filter((record) => record.kind === kind);
  return own.filter((record, at) => own.findIndex((other) => stageOf(other) === stageOf(record)) === at);
}

class Continued implements Disposable {
  readonly #folder = mkdtempSync(join(folder.path, "cut-"));
  readonly runRoot: string;
  readonly before: AnyRecord[];

  constructor({ commit, name, seq }: Cut) {
    this.runRoot = join(this.#folder, name);
    cutRun(join(folder.path, commit, name), this.runRoot, seq);
    this.before = recordsIn(this.runRoot);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }

  get options(): ResumeOptions {
    const { driver } = this.#settings;
    const moved = driver === "live" ? { modelBaseUrl: server.baseUrl } : {};
    return { ...moved, ...(driver === "fixture" ? {} : { corpora: [EARLIER_CORPUS] }) };
  }

  get #settings(): { driver: string } {
    const [created] = this.before;
    return created?.kind === "run.created" ? created.data.settings : { driver: "" };
  }

  /** The steps that both versions have finished. */
  doneTwice(): string[] {
    const keys = (records: readonly AnyRecord[]) =>
      records.flatMap((record) => (record.kind === "step.completed" ? [record.data.key] : []));
    const done = keys(this.before);
    return keys(recordsIn(this.runRoot).slice(this.before.length)).filter((key) => done.includes(key));
  }

  /** Places of the quotes of the claims, sorted. */
  async quoted(ports: Ports): Promise<string[]> {
    const { manifest } = await ports.store.look(this.runRoot);
    expect([manifest.execution_state, manifest.halt]).toEqual(["completed", null]);
    expect((await verifyRun(ports, this.runRoot)).error).toBeNull();
    const path = join(this.runRoot, `reports/${manifest.current_report_version_index}/report.json`);
    const report = reportSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return [...new Set(claimsOf(report).flatMap(({ quotes }) => quotes.map(spanKey)))].sort();
  }

  /** Places of the quotes that were verified before the cut. */
  verified(): string[] {
    const checked = this.before.flatMap((record) =>
      record.kind === "step.completed" && record.data.stage === "citations"
        ? [resultOf(this.runRoot, record.data)]
        : [],
    ) as Citations[];
    const found = checked.flatMap(({ citations }) => citations).filter((one) => one.found);
    return [...new Set(found.map(({ quote }) => spanKey(quote)))].sort();
  }
}

function resultOf(runRoot: string, { value, content }: { value?: unknown; content?: { path: string } | undefined }) {
  return content === undefined ? value : (JSON.parse(readFileSync(join(runRoot, content.path), "utf8")) as unknown);
}

function recordsOf(commit: Earlier, name: string): AnyRecord[] {
  return recordsIn(join(folder.path, commit, name));
}

function enters(records: readonly AnyRecord[], stage: string): number {
  const entered = records.find((record) => record.kind === "stage.entered" && record.data.to === stage);
  return entered?.seq ?? 0;
}

async function resumed(
  cut: Cut,
  ports = laterPorts(),
): Promise<{ quoted: string[]; verified: string[]; twice: string[] }> {
  using run = new Continued(cut);
  const { error } = await resumeRun(ports, run.runRoot, { ...run.options, onDrift: "continue" }, {});
  expect(error).toBeNull();
  return { quoted: await run.quoted(ports), verified: run.verified(), twice: run.doneTwice() };
}

describe.each(EARLIER)("a run of %s", (commit) => {
  test.each(["local", "live"])(
    "of the driver %s, cut off in any stage, quotes what it quotes cut off before the checks",
    async (name) => {
      const records = recordsOf(commit, name);
      const places = ["step.completed", "stage.entered"] as const;
      const whole = await resumed({ commit, name, seq: enters(records, "citations") });
      expect(whole.quoted.length).toBeGreaterThan(1);
      for (const { seq } of places.flatMap((kind) => placesIn(records, kind))) {
        const { quoted, verified, twice } = await resumed({ commit, name, seq });
        expect([seq, twice]).toEqual([seq, []]);
        if (seq < enters(records, "citations") || seq > enters(records, "synthesis")) continue;
        expect([seq, quoted]).toEqual([seq, whole.quoted]);
        expect(verified.filter((place) => !quoted.includes(place))).toEqual([]);
      }
    },
  );

  test("goes on by run and by tick, under each policy for drift", async () => {
    const ports = laterPorts();
    const records = recordsOf(commit, "local");
    for (const [at, { seq }] of placesIn(records, "stage.entered").entries()) {
      using run = new Continued({ commit, name: "local", seq });
      const onDrift = (["continue", "refuse", "fork"] as const)[at % 3] ?? "continue";
      await resumeRun(ports, run.runRoot, { ...run.options, onDrift, noRun: true }, {});
      const work = async () =>
        at % 2 === 0 ? await runRun(ports, run.runRoot, {}, {}) : await tickRun(ports, run.runRoot, {});
      let { error, run: look } = await work();
      if (onDrift !== "continue") {
        expect(look?.manifest.halt).toMatchObject({ kind: "drift" });
        ({ error, run: look } = await resumeRun(ports, run.runRoot, { onDrift: "continue", noRun: true }, {}));
      }
      for (let ticks = 0; error === null && look?.state !== "completed" && ticks < 20; ticks++)
        ({ error, run: look } = await work());
      expect(error).toBeNull();
      expect((await run.quoted(ports)).length).toBeGreaterThan(0);
      expect(run.doneTwice()).toEqual([]);
    }
  });
});

test("without the parts of its quotes, as 01df826 stored them, a run comes to no report (control)", async () => {
  const bare = (task: string, input: object): object =>
    task === "draft" && "citations" in input
      ? {
          ...input,
          citations: (input.citations as Citations[]).map((checked) => ({
            ...checked,
            citations: checked.citations.map(({ part_ids: _none, ...citation }) => citation),
          })),
        }
      : input;
  const records = recordsOf("01df826", "local");
  using run = new Continued({ commit: "01df826", name: "local", seq: enters(records, "synthesis") });
  const { run: look } = await resumeRun(laterPorts(bare), run.runRoot, { ...run.options, onDrift: "continue" }, {});
  expect(look?.manifest.halt).toMatchObject({ kind: "gate_blocked" });
});

test("a replay of 626ce955 that was cut off comes to the report that it would have come to", async () => {
  const records = recordsOf("626ce955", "replay");
  const published = records.findLast((record) => record.kind === "state.changed");
  for (const { seq } of placesIn(records, "step.completed")) {
    using run = new Continued({ commit: "626ce955", name: "replay", seq });
    await resumeRun(laterPorts(), run.runRoot, { onDrift: "continue" }, {});
    const ended = recordsIn(run.runRoot).findLast((record) => record.kind === "state.changed");
    expect(ended?.data).toMatchObject({
      report: { digest: published?.kind === "state.changed" && published.data.report?.digest },
    });
    expect(run.doneTwice()).toEqual([]);
  }
});

test("answers that were handed in to 626ce955 are asked for no second time", async () => {
  const ports = laterPorts();
  const records = recordsOf("626ce955", "task");
  for (const { seq } of records.filter((record) => record.kind === "step.answered")) {
    using run = new Continued({ commit: "626ce955", name: "task", seq });
    const answered = run.before.flatMap(({ kind, data }) =>
      kind === "step.answered" ? [`${data.key} ${data.name}`] : [],
    );
    await resumeRun(ports, run.runRoot, { ...run.options, onDrift: "continue" }, {});
    const { manifest } = await ports.store.look(run.runRoot);
    const asked = Object.entries(manifest.steps).flatMap(([key, { waits_for }]) =>
      waits_for ? [`${key} ${waits_for.name}`] : [],
    );
    expect([seq, asked.filter((one) => answered.includes(one))]).toEqual([seq, []]);
    expect(run.doneTwice()).toEqual([]);
  }
});

test("the start line of a run of 0.1.0, given again, goes on with it, also where the limits of its mode were others then", async () => {
  const base = laterPorts();
  const records = recordsOf("626ce955", "local");
  using run = new Continued({ commit: "626ce955", name: "local", seq: enters(records, "citations") });
  const [created] = run.before;
  if (created?.kind !== "run.created") throw new Error("a run begins with run.created");
  const { query, mode, settings, limits } = created.data;
  const ports = { ...base, toolVersion: "0.9.0" };
  const asked = {
    runsRoot: join(run.runRoot, ".."),
    runId: "local",
    question: query.text,
    driver: "local" as const,
    mode,
    sensitivity: query.sensitivity,
    corpora: [EARLIER_CORPUS],
    providers: [],
    policies: settings.policies,
  };
  const { max_depth: _other, ...rest } = limits;
  const { error } = await startRun(ports, { ...asked, limits: rest }, {}).catch((thrown: unknown) => ({
    error: thrown,
  }));
  expect(error).toBeNull();
  const named = { ...rest, max_depth: limits.max_depth + 1 };
  const refused: unknown = await startRun(ports, { ...asked, limits: named }, {}).catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({ code: "ALREADY_EXISTS", facts: { differs_in: ["limits"] } });
});
