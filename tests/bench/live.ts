// Live steps against a scripted model: what they cost beside the model's own time, in time, in memory, side by side and in calls.
import { heapStats } from "bun:jsc";
import fs from "node:fs";
import path from "node:path";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { OpenConversations } from "../../src/conversations/open-conversations.ts";
import { owning } from "../../src/orchestrator/owning.ts";
import type { Tool } from "../../src/ports/driver.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import { asksFor, says, type Script } from "../models/answers.ts";
import { LiveRun } from "../live/live-run.ts";
import { named, PLAN, submits, taskOf, wellBehaved } from "../live/well-behaved.ts";
import type { Figure } from "./bench.ts";
import { benchFolder, median } from "./fixtures.ts";
import { liveCost } from "./live-cost.ts";

const TURNS = 500;
const RESULT = "what the tool found ".repeat(100);
const DELAY_MS = 200;
const RESEARCHERS = 8;
/** A step with one call makes five commits, each of which is synced, read back and folded. */
const MOST_APPENDS = 40;

export async function live(): Promise<Figure[]> {
  const folder = benchFolder();
  try {
    return [...(await oneConversation(folder)), await sideBySide(folder), ...(await liveCost(folder))];
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

// --- one long conversation ----------------------------------------------------------------------------------------

async function oneConversation(room: string): Promise<Figure[]> {
  const script: Script = (request) => {
    // The server keeps what it was asked; here that would be what is measured.
    request.body = { stream: true };
    return asksFor([{ name: "look", arguments: {} }]);
  };
  await using run = await LiveRun.open({ script, room });
  await initRun(run.ports, run.initOptions(), {});
  const look: Tool = {
    description: { name: "look", description: "looks", input_schema: { type: "object" } },
    isSafe: () => true,
    run: async () => ({ content: RESULT, is_error: false }),
  };
  const turns: number[] = [];
  const calls = timedCalls(run);
  const heaps: number[] = [];
  const plain = fs.openSync(path.join(room, "plain"), "a", 0o600);
  const appends: number[] = [];
  await owning(run.ports, run.runRoot, { reason: "bench", observer: {} }, async (ownership) => {
    const place = { key: "wave1:bench", stage: "wave1" as const, inputs_digest: digestOfBytes("bench") };
    const options = { name: "main", role: "researcher" as const, tools: [look] };
    const conversation = await new OpenConversations(ownership).converse(place, options, ownership.signal);
    await conversation.say("user", "Look again and again.");
    for (let turn = 1; turn <= TURNS; turn++) {
      const startMs = performance.now();
      await conversation.ask();
      await conversation.answer();
      turns.push(performance.now() - startMs);
      appends.push(appendMs(plain));
      if (turn % 50 === 0) heaps.push(heapMb());
    }
  });
  fs.closeSync(plain);
  const overheadMs = median(turns.map((ms, turn) => ms - (calls[turn] ?? 0)));
  const ratio = overheadMs / median(appends);
  const [first = 0] = heaps;
  const grownMb = (heaps.at(-1) ?? 0) - first;
  const storedMb = ((TURNS - 50) * RESULT.length) / 2 ** 20;
  return [
    {
      name: "overhead of a live step with one tool call, without the model's own time",
      value: `${overheadMs.toFixed(2)} ms, one append + fdatasync ${median(appends).toFixed(2)} ms, ratio ${ratio.toFixed(0)}`,
      target: `at most ${MOST_APPENDS}`,
      holds: ratio <= MOST_APPENDS,
    },
    {
      name: `memory over ${2 * TURNS} messages`,
      value: `${grownMb.toFixed(1)} MB more, of which ${storedMb.toFixed(1)} MB are messages`,
      target: "flat: at most 16 MB",
      holds: grownMb <= 16,
    },
  ];
}

/** Milliseconds of one result on the disk, with nothing around it. */
function appendMs(descriptor: number): number {
  const start = performance.now();
  fs.writeSync(descriptor, RESULT);
  fs.fdatasyncSync(descriptor);
  return performance.now() - start;
}

/** The time of every call of a model, as it is made. */
function timedCalls(run: LiveRun): number[] {
  const times: number[] = [];
  const { ports } = run;
  run.ports = {
    ...ports,
    async loadModels() {
      const models = await ports.loadModels();
      return {
        ...models,
        async call(request, options) {
          const startMs = performance.now();
          const reply = await models.call(request, options);
          times.push(performance.now() - startMs);
          return reply;
        },
      };
    },
  };
  return times;
}

function heapMb(): number {
  Bun.gc(true);
  return heapStats().heapSize / 2 ** 20;
}

// --- side by side -------------------------------------------------------------------------------------------------

async function sideBySide(room: string): Promise<Figure> {
  const one = await waveMs(room, 1);
  const all = await waveMs(room, RESEARCHERS);
  return {
    name: `${RESEARCHERS} researchers in parallel, every reply after ${DELAY_MS} ms`,
    value: `${Math.round(all)} ms, one alone ${Math.round(one)} ms`,
    target: "under 2 times the time of one",
    holds: all < 2 * one,
  };
}

/** How long wave 1 takes with so many perspectives. */
async function waveMs(room: string, researchers: number): Promise<number> {
  const perspectives = Array.from({ length: researchers }, (_, index) => ({
    ...PLAN.perspectives[0],
    id: `angle-${index + 1}`,
    title: `Angle ${index + 1}`,
    kind: index === 0 ? "overview" : "contrarian",
  }));
  const script: Script = (request) => {
    const task = taskOf(request);
    if (task.who === "plan") return asksFor(named(task, [submits({ ...PLAN, perspectives })]));
    const answer = wellBehaved(request);
    return answer.kind === "message" ? { ...answer, delay_ms: DELAY_MS } : says("");
  };
  const limits = { max_perspectives: researchers, results_per_query: 4, max_quotes_per_subject: 4 };
  await using run = await LiveRun.open({ script, limits, room });
  let [enteredMs, leftMs] = [0, 0];
  await run.start({
    onRecord: (_runRoot, record) => {
      if (record.kind !== "stage.entered") return;
      if (record.data.to === "wave1") enteredMs = performance.now();
      if (record.data.from === "wave1") leftMs = performance.now();
    },
  });
  return leftMs - enteredMs;
}
