// Tests of stored messages that are damaged or gone: the step begins a new conversation, unless it called a tool that may not run twice.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { conversationsOf } from "../../src/operations/look/conversations.ts";
import { inspectStep } from "../../src/operations/look/inspect-step.ts";
import { repairRun } from "../../src/operations/care/repair-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { isStrict } from "../run/strict.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";
import { Board } from "./board.ts";
import { crashingPorts, type CrashingOptions } from "./crashes.ts";
import { livePorts, LiveRun, type LiveOptions } from "./live-run.ts";
import { ONE_AT_A_TIME, riskyModel } from "./risky-model.ts";

setDefaultTimeout(600_000);

/** What is opened is too large for its record. */
const LONG_DOCUMENTS = new Map(
  [...DOCUMENTS].map(([path, text]) => [path, `${text}\n${"Nothing of this says more about it. ".repeat(200)}\n`]),
);

async function codeOf(work: Promise<{ error: { code: string } | null }>): Promise<string> {
  return await work.then(
    ({ error }) => error?.code ?? "ok",
    (thrown: unknown) => (thrown instanceof RunError ? thrown.code : String(thrown)),
  );
}

async function openLong(options: LiveOptions = {}): Promise<LiveRun> {
  return await LiveRun.open({ documents: LONG_DOCUMENTS, ...options });
}

/** Works until such a record is there, and is stopped by SIGTERM then. */
async function workUntil(live: LiveRun, isIt: (record: AnyRecord) => boolean): Promise<void> {
  const terminate = new AbortController();
  const signals = { interrupt: new AbortController().signal, terminate: terminate.signal };
  const onRecord = (_root: string, record: AnyRecord): void => {
    if (isIt(record)) terminate.abort();
  };
  expect(await codeOf(startRun(live.ports, live.initOptions(), { onRecord }, signals))).toBe("INTERRUPTED_BY_SIGNAL");
}

/** The file of the last message that stands in one. */
async function lastLong(live: LiveRun): Promise<{ key: string; path: string; file: string }> {
  const stored = (await live.dataOf("message.stored")).findLast(({ content }) => content !== undefined);
  if (stored?.content === undefined) throw new Error("no message is long");
  const { path } = stored.content;
  return { key: stored.key, path, file: join(live.runRoot, path) };
}

const DAMAGES: Record<string, { damage: (file: string) => void; code: string }> = {
  altered: { damage: (file) => writeFileSync(file, "{}"), code: "INTEGRITY_ERROR" },
  removed: { damage: (file) => rmSync(file), code: "MISSING_ARTIFACT" },
};

for (const [how, { damage, code }] of Object.entries(DAMAGES)) {
  test(`a message that was ${how} while its step worked: after repair the step begins anew, to the same report`, async () => {
    await using whole = await openLong();
    expect(await codeOf(whole.start())).toBe("ok");
    await using live = await openLong();
    await workUntil(live, (record) => record.kind === "message.stored" && record.data.content !== undefined);
    const { key, path, file } = await lastLong(live);
    damage(file);
    // Control: without a repair nothing goes on, however often it is tried.
    expect([await codeOf(live.tick()), await codeOf(live.resume())]).toEqual([code, code]);
    expect((await inspectStep(live.ports, live.runRoot, key)).result.conversations[0]?.lost).toHaveLength(1);
    const repaired = await repairRun(live.ports, live.runRoot, { dryRun: false });
    expect(repaired).toMatchObject({ error: null, result: { given_up: [path], remaining: [] } });
    // Two researchers may have read the same document in the same words.
    expect(repaired.result.begun_anew).toContain(key);
    expect((await live.dataOf("step.failed")).find((failed) => failed.key === key)).toMatchObject({
      attempt: 3,
      error: { code: "MISSING_ARTIFACT", retryable: true },
    });
    expect(await codeOf(live.resume())).toBe("ok");
    expect(live.report()).toBe(whole.report());
    // The one that was given up stays as it was left.
    const led = new Map((await conversationsOf(live.ports, live)).map((view) => [view.key + view.conversation, view]));
    expect([...led.values()].every(({ messages }) => isStrict(messages))).toBe(true);
    const { result } = await verifyRun(live.ports, live.runRoot);
    expect(result.notes.join()).toContain("given up by a repair");
  });
}

test("a message of a finished step is given up, too, and its result stays", async () => {
  await using live = await openLong();
  await workUntil(live, (record) => record.kind === "stage.entered" && record.data.to === "citations");
  const { file } = await lastLong(live);
  rmSync(file);
  const { error, result } = await repairRun(live.ports, live.runRoot, { dryRun: false });
  expect(error).toBeNull();
  expect([result.given_up.length, result.begun_anew]).toEqual([1, []]);
  expect(await codeOf(live.resume())).toBe("ok");
  await verifyRun(live.ports, live.runRoot);
});

test("control: content that a result rests on is never given up", async () => {
  await using live = await openLong();
  await workUntil(live, (record) => record.kind === "stage.entered" && record.data.to === "citations");
  const [stored] = await live.dataOf("source.stored");
  rmSync(join(live.runRoot, stored?.files[0]?.path ?? ""));
  const { error, result } = await repairRun(live.ports, live.runRoot, { dryRun: false });
  expect(error?.code).toBe("MISSING_ARTIFACT");
  expect([result.given_up, result.remaining.length]).toEqual([[], 1]);
});

// --- what may not run twice ---------------------------------------------------------------------------------------

async function openRisky(board: Board, guards: Partial<CrashingOptions> = {}): Promise<LiveRun> {
  const live = await openLong({ script: riskyModel, limits: ONE_AT_A_TIME });
  live.ports = crashingPorts(live.ports, { riskyUrl: board.url, ...guards });
  return live;
}

const isPosted = (record: AnyRecord): boolean => record.kind === "tool.completed" && record.data.name === "post_note";

test("a lost conversation that has posted a note is begun anew when a person resumes the run, not before", async () => {
  using board = new Board();
  await using live = await openRisky(board);
  await workUntil(live, isPosted);
  const { file } = await lastLong(live);
  rmSync(file);
  const before = board.notes.length;
  const { error, result } = await repairRun(live.ports, live.runRoot, { dryRun: false });
  expect([error, result.begun_anew, result.waiting]).toEqual([null, [], ["wave1:overview"]]);
  // However often it is ticked, also by a process that finds no halt yet.
  expect([await codeOf(live.tick()), await codeOf(live.tick())]).toEqual(["GATE_BLOCKED", "GATE_BLOCKED"]);
  expect((await live.dataOf("step.failed")).at(-1)?.error.message).toContain("(post_note: done)");
  expect(board.notes).toHaveLength(before);
  expect(await codeOf(live.resume())).toBe("ok");
});

test("a person may resume the run right after the repair", async () => {
  using board = new Board();
  await using live = await openRisky(board);
  await workUntil(live, isPosted);
  rmSync((await lastLong(live)).file);
  await repairRun(live.ports, live.runRoot, { dryRun: false });
  expect(await codeOf(live.resume())).toBe("ok");
});

test("a lost conversation with an unsettled call is begun anew when a person resumes the run", async () => {
  using board = new Board();
  board.mute();
  await using live = await openRisky(board);
  expect(await codeOf(live.start())).toBe("TOOL_OUTCOME_UNKNOWN");
  expect(board.notes).toHaveLength(1);
  const { file } = await lastLong(live);
  rmSync(file);
  const { error, result, run } = await repairRun(live.ports, live.runRoot, { dryRun: false });
  expect([error, result.waiting, run?.manifest.halt]).toEqual([null, ["wave1:overview"], null]);
  expect(await codeOf(live.tick())).toBe("GATE_BLOCKED");
  expect((await live.dataOf("step.failed")).at(-1)?.error.message).toContain("its outcome is not known");
  expect(board.notes).toHaveLength(1);
});

/** Its first research is done, and then fails: what it came to does not arrive. */
function failingOnce(driver: Driver): Driver {
  let tries = 0;
  return {
    ...driver,
    async perform(kind, input, tools) {
      const result = await driver.perform(kind, input, tools);
      if (kind === "research" && ++tries === 1) throw new RunError("PROVIDER_FAILED", { reason: "it broke" });
      return result;
    },
  };
}

async function startFailing(live: LiveRun): Promise<string> {
  const driver = failingOnce(await live.ports.loadDriver("live"));
  live.ports = { ...live.ports, loadDriver: async (id) => (id === "live" ? driver : await livePorts().loadDriver(id)) };
  return await codeOf(live.start());
}

test("a lost conversation whose attempt failed after it posted is begun anew when a person resumes the run", async () => {
  using board = new Board();
  await using live = await openRisky(board);
  expect(await startFailing(live)).toBe("GATE_BLOCKED");
  expect(board.notes).toHaveLength(2);
  const [failed] = await live.dataOf("step.failed");
  expect(failed?.error).toMatchObject({ code: "PROVIDER_FAILED", retryable: false });
  expect(failed?.error.message).toContain("not safe to repeat");
  expect(await codeOf(live.resume())).toBe("ok");
});

test("control: held to be safe, the attempt is tried again by itself, and posts again", async () => {
  using board = new Board();
  await using live = await openRisky(board, { callsRiskySafe: true });
  expect(await startFailing(live)).toBe("ok");
  expect(board.notes).toHaveLength(6);
});

test("control: held to be safe, the note is posted again", async () => {
  using board = new Board();
  await using live = await openRisky(board, { callsRiskySafe: true });
  await workUntil(live, isPosted);
  const { file } = await lastLong(live);
  rmSync(file);
  const before = board.notes.length;
  expect((await repairRun(live.ports, live.runRoot, { dryRun: false })).result.begun_anew).toEqual(["wave1:overview"]);
  expect(await codeOf(live.resume())).toBe("ok");
  // Two by each of the two researchers, and what was posted before.
  expect(board.notes).toHaveLength(before + 4);
});
