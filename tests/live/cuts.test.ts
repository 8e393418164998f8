// Tests that a live run whose journal is cut behind any record goes on to the same report, and pays for little twice.
import { expect, test } from "bun:test";
import { liveDriver } from "../../src/drivers/live.ts";
import { conversationsOf } from "../../src/operations/look/conversations.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { NO_FOLDERS } from "../../src/ports/run-folders.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { isStrict } from "../run/strict.ts";
import { asksFor, says, type Answer, type SeenRequest } from "../models/answers.ts";
import { memoryLog, type Memory } from "../conformance/memory-log.ts";
import { repeatedBy } from "../simulation/chance.ts";
import { RUNS_ROOT, RunWorld } from "../simulation/run-world.ts";
import { numbersTo, Sweep, SWEEP_TIMEOUT_MS } from "../simulation/sweep.ts";
import { liveOptions, PRICES, RUN_ID } from "./live-run.ts";
import { portModels } from "./port-models.ts";
import { named, submits, taskOf, wellBehaved } from "./well-behaved.ts";

const CUTS = 20;
const RUN_ROOT = `${RUNS_ROOT}/${RUN_ID}`;

interface Worked {
  memory: Memory;
  report: string;
  calls: number;
}

type Replies = (request: Pick<SeenRequest, "body">) => Answer;

/** The first review asks for research, whose researcher hands nothing in. */
const failsToResearch: Replies = (request) => {
  const task = taskOf(request);
  const queries = ["what a dash in a file name does"];
  if (task.who === "research" && task.user.includes(String(queries))) return says("No.");
  if (task.who !== "review" || !task.messages.some(({ content }) => content.includes("this is draft 1")))
    return wellBehaved(request);
  const wish = { kind: "research", target: "s1", detail: "dashes", part_id: "parsing", queries };
  return asksFor(named(task, [submits({ decision: "revise", directives: [wish] })]));
};

/** Works on the run in a process of its own, until it is done. */
async function work(memory: Memory, replies: Replies): Promise<Worked> {
  const { ports: given } = new RunWorld().process("owner");
  let calls = 0;
  const models = portModels((request) => {
    calls++;
    return replies(request);
  });
  const ports: Ports = {
    ...given,
    store: memoryLog(given, memory),
    folders: NO_FOLDERS,
    prices: [PRICES],
    loadDriver: async () => liveDriver,
    loadModels: async () => models,
  };
  if (!memory.has(RUN_ROOT)) {
    const options = { runsRoot: RUNS_ROOT, corpora: ["/corpus"], baseUrl: "http://127.0.0.1:1/v1" };
    await initRun(ports, liveOptions(options), {});
  }
  const { error, run } = await runRun(ports, RUN_ROOT, {}, {});
  expect(error).toBeNull();
  expect(run?.manifest.usage).toMatchObject({ reserved_usd: 0, reserved_tokens: 0 });
  for (const { messages } of await conversationsOf(ports, { runRoot: RUN_ROOT })) expect(isStrict(messages)).toBe(true);
  const bytes = memory.get(RUN_ROOT)?.files.get("reports/1/report.json");
  return { memory, report: new TextDecoder().decode(bytes), calls };
}

function cutAfter(memory: Memory, count: number): Memory {
  const run = memory.get(RUN_ROOT);
  if (run === undefined) throw new Error("no run");
  const cut = { records: run.records.slice(0, count), files: new Map(run.files), requests: new Map(), claim: null };
  return new Map([[RUN_ROOT, cut]]);
}

test.each([
  ["a whole run", wellBehaved, 0],
  ["one whose review asks for research that fails for good", failsToResearch, 1],
] as const)(
  "%s ends in the same report, strict, with no step done twice and no reply asked for again (C1, C3)",
  async (_which, replies, failures) => {
    const whole = await work(new Map(), replies);
    const records = whole.memory.get(RUN_ROOT)?.records ?? [];
    expect(whole.report.length).toBeGreaterThan(1_000);
    expect(whole.report.split("Further research failed").length - 1).toBe(failures);
    const sweep = new Sweep("journal cut behind every record");
    for (const count of sweep.drawn(numbersTo(records.length - 1).slice(2), CUTS)) {
      const { memory, report, calls } = await work(cutAfter(whole.memory, count), replies);
      const where = `cut behind record ${count}, ${repeatedBy()}`;
      expect(report, where).toBe(whole.report);
      const kept = records
        .slice(0, count)
        .filter((record) => record.kind === "message.stored" && record.data.role === "assistant");
      expect(calls, where).toBe(whole.calls - kept.length);
      const steps = (memory.get(RUN_ROOT)?.records ?? []).flatMap((record) =>
        record.kind === "step.completed" ? [record.data.key] : [],
      );
      expect(steps, where).toHaveLength(new Set(steps).size);
      sweep.note(where, []);
    }
    expect(sweep.end()).toEqual([]);
  },
  SWEEP_TIMEOUT_MS * 4,
);
