// Real processes that work on a live run over HTTP, killed with SIGKILL between a model and its tools.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { settleCall } from "../../src/operations/change/settle-call.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { repeatedBy } from "../simulation/chance.ts";
import { SimulatedRandom } from "../simulation/random.ts";
import { isFull, Sweep } from "../simulation/sweep.ts";
import { Board } from "./board.ts";
import type { Crash, CrashingOptions } from "./crashes.ts";
import { LiveRun } from "./live-run.ts";
import { riskyModel } from "./risky-model.ts";
import type { WorkerOptions } from "./worker.ts";

const TIMEOUT_MS = 600_000;
const KILLS_OF_A_RUN = 8;
const KILLS = isFull ? 200 : KILLS_OF_A_RUN;
/** About as long as a worker does something between two requests. */
const MAX_DELAY_MS = 12;
const WORKER = join(import.meta.dir, "worker.ts");

/** Works in a process of its own: what it says at its end, or the signal that it died of, here of one from outside. */
async function work(live: LiveRun, options: CrashingOptions, random?: SimulatedRandom): Promise<string> {
  const { runsRoot, corpus, server } = live;
  const given: WorkerOptions = { ...options, runsRoot, corpus, baseUrl: server.baseUrl };
  const child = Bun.spawn([process.execPath, WORKER, JSON.stringify(given)], { stdout: "pipe", stderr: "inherit" });
  if (random !== undefined) {
    await Promise.race([server.arrived(server.requests.length + 1 + random.below(3)), child.exited]);
    await Bun.sleep(random.below(MAX_DELAY_MS));
    child.kill("SIGKILL");
  }
  const [said] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return String(child.signalCode ?? said.trim());
}

interface Ending {
  said: string[];
  notes: string[];
  report: string;
  repairs: number;
}

/** Works, dies at each of the crashes in turn, goes on; a person assumes that what is not known was done, or replays it. */
async function survive(
  crashes: readonly (Crash | SimulatedRandom)[],
  guards: Partial<CrashingOptions> = {},
  as: "assume_done" | "replay" = "assume_done",
): Promise<Ending> {
  using board = new Board();
  await using live = await LiveRun.open({ script: riskyModel });
  const options = { ...guards, riskyUrl: board.url };
  const said: string[] = [];
  for (const crash of [...crashes, undefined]) {
    if (crash instanceof SimulatedRandom) said.push(await work(live, options, crash));
    else said.push(await work(live, { ...options, crash }));
    if (said.at(-1) !== "TOOL_OUTCOME_UNKNOWN") continue;
    const { halt } = (await live.ports.store.look(live.runRoot)).manifest;
    const call = halt?.schema_version === "halt.v1" ? String(halt.details["call"]) : "";
    await settleCall(live.ports, live.runRoot, { call, as }, {});
    said.push(await work(live, options));
  }
  expect(await live.isStrict()).toBe(true);
  await verifyRun(live.ports, live.runRoot);
  expect(live.server.unexpected).toEqual([]);
  const repairs = (await live.dataOf("message.stored")).filter(({ repaired }) => repaired !== undefined).length;
  return { said, notes: board.notes.toSorted(), report: live.report(), repairs };
}

const uninterrupted = survive([]);
/** Two by the researcher of the one perspective, two by that of its gap. */
const NOTES = 4;
const KILLED = "SIGKILL";

const SAFE_PLACES: Record<string, Crash> = {
  "after the model's reply, before it is stored": { at: "before", kind: "message.stored", role: "assistant", nth: 3 },
  "after the model's reply was stored": { at: "after", kind: "message.stored", role: "assistant", nth: 3 },
  "before the request of a risky tool is stored": { at: "before", kind: "tool.requested", nth: 8 },
  "between two tools": { at: "after", kind: "message.stored", role: "tool", nth: 4 },
  "when a result is known and its message is not stored": { at: "after", kind: "tool.completed", nth: 5 },
  "inside a safe tool": { at: "inside", tool: "open", nth: 1 },
  "while a call is reserved": { at: "after", kind: "usage.reserved", nth: 5 },
  "between the outline and its sections": { at: "after", kind: "step.completed", key: "synthesis:outline", nth: 1 },
  "when a section is judged": { at: "after", kind: "usage.settled", key: "synthesis:section:1", nth: 2 },
  "before a section is stored": { at: "before", kind: "step.completed", key: "synthesis:section:1", nth: 1 },
  "inside the answer": { at: "after", kind: "message.stored", key: "synthesis:answer", nth: 4 },
};

for (const [place, crash] of Object.entries(SAFE_PLACES)) {
  test(
    `killed ${place}, a run calls every risky tool once and ends in the same report (C1, C2, C3)`,
    async () => {
      const [expected, ended] = await Promise.all([uninterrupted, survive([crash])]);
      expect(expected.said).toEqual(["ok"]);
      expect(expected.notes).toHaveLength(NOTES);
      expect(ended).toMatchObject({ said: [KILLED, "ok"], notes: expected.notes, report: expected.report });
    },
    TIMEOUT_MS,
  );
}

test(
  `killed ${KILLS} times at random moments, no risky tool is called twice, and the report is the same`,
  async () => {
    const sweep = new Sweep("with models: SIGKILL of real processes");
    const expected = await uninterrupted;
    for (let kills = 0; kills < KILLS; kills += KILLS_OF_A_RUN) {
      const { notes, report, said } = await survive(Array.from({ length: KILLS_OF_A_RUN }, () => sweep.chance));
      expect(said.at(-1), repeatedBy()).toBe("ok");
      expect(notes, repeatedBy()).toHaveLength(new Set(notes).size);
      expect(report, repeatedBy()).toBe(expected.report);
      for (let kill = 1; kill <= KILLS_OF_A_RUN; kill++) sweep.note(`kill ${kills + kill}`, []);
    }
    expect(sweep.end()).toEqual([]);
  },
  isFull ? 30 * TIMEOUT_MS : TIMEOUT_MS,
);

const INSIDE: Crash = { at: "inside", tool: "post_note", nth: 2 };

test(
  "killed inside a risky tool, the run halts and asks; assumed to be done, it was called once (C2)",
  async () => {
    const [expected, ended] = await Promise.all([uninterrupted, survive([INSIDE])]);
    expect(ended.said).toEqual([KILLED, "TOOL_OUTCOME_UNKNOWN", "ok"]);
    expect(ended.notes).toEqual(expected.notes);
    expect(ended.report).toBe(expected.report);
  },
  TIMEOUT_MS,
);

test(
  "killed before a risky tool that was requested is called, a person may let it run: it is called once",
  async () => {
    const requested: Crash = { at: "after", kind: "tool.requested", nth: 7 };
    const [expected, ended] = await Promise.all([uninterrupted, survive([requested], {}, "replay")]);
    expect(ended.said).toEqual([KILLED, "TOOL_OUTCOME_UNKNOWN", "ok"]);
    expect(ended).toMatchObject({ notes: expected.notes, report: expected.report });
  },
  TIMEOUT_MS,
);

test(
  "control: without the guard, a risky tool that was cut off is called again",
  async () => {
    for (const guard of [{ callsRiskySafe: true }, { dropsRequests: true }]) {
      const ended = await survive([INSIDE], guard);
      expect(ended.notes.length).toBeGreaterThan(new Set(ended.notes).size);
    }
  },
  TIMEOUT_MS,
);

test(
  "killed inside a safe tool and inside its repetition, a run ends in the same report; killed a third time it goes on, too",
  async () => {
    const open: Crash = { at: "inside", tool: "open", nth: 1 };
    const [expected, twice, thrice] = await Promise.all([
      uninterrupted,
      survive([open, open]),
      survive([open, open, open]),
    ]);
    expect(twice).toMatchObject({ said: [KILLED, KILLED, "ok"], report: expected.report });
    // The model is told, and nobody is asked.
    expect(thrice.said).toEqual([KILLED, KILLED, KILLED, "ok"]);
    expect(thrice.repairs).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
