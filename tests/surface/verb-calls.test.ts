// Calls of commands over scripted processes: documents that are read for long, refusals that come late, work that crashes.
import { describe, expect, test } from "bun:test";
import { FakeHost } from "../cli/fake-host.ts";
import { fieldsOf, performWithin } from "../../src/cli/perform.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { asCommands } from "../../src/surface/advice.ts";
import { type Manner, OwnWorkers, type StartOwnProcess } from "../../src/surface/own-workers.ts";
import { VerbCalls } from "../../src/surface/verb-calls.ts";
import { makePorts } from "../../src/wiring.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";

/** A process that the test speaks for. */
interface Scripted {
  words: readonly string[];
  /** What it is asked. */
  asked: { verb: string; said: object; has_events: boolean };
  print(line: object): void;
  end(status: number | null): void;
  isKilled: boolean;
}

function place() {
  const folder = temporaryFolder();
  const started: Scripted[] = [];
  const start: StartOwnProcess = async (words, input, onLine) => {
    const ended = Promise.withResolvers<number | null>();
    const scripted: Scripted = {
      words,
      asked: JSON.parse(input) as Scripted["asked"],
      print: (line) => onLine(JSON.stringify(line)),
      end: ended.resolve,
      isKilled: false,
    };
    started.push(scripted);
    return {
      ended: ended.promise,
      kill() {
        scripted.isKilled = true;
        ended.resolve(null);
      },
    };
  };
  const ports = testPorts();
  const manner: Manner = { common: { runs_root: folder.path }, steps: "commands" };
  const calls = new VerbCalls({
    // Whoever waits, waits a hundredth of it.
    ports: { ...ports, clock: { ...ports.clock, sleep: (ms, signal) => ports.clock.sleep(ms / 100, signal) } },
    workers: new OwnWorkers(start, manner),
    perform: async (verb, said) =>
      await performWithin(new FakeHost([]), makePorts, COMMANDS, {
        ...manner,
        verb,
        said: { ...said },
        has_events: false,
      }),
    fieldsOf: fieldsOf(COMMANDS),
    runsRoot: () => folder.path,
    write: asCommands(ports),
    following: (run) => ({ next_tool: { name: "run_status", arguments: { run } } }),
  });
  const call = async (name: string, given: unknown, signal = new AbortController().signal) => {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined) throw new Error(name);
    return await calls.answer(tool, { given, signal, onProgress: () => {} });
  };
  /** So many processes were started. */
  const whenStarted = async (count: number): Promise<void> => {
    while (started.length < count) await Bun.sleep(1);
  };
  return { path: folder.path, started, call, whenStarted, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const EVENT = { schema_version: "dr.event.v1", event: "lease.taken", ts: "", seq: 1, data: {} };
const REFUSED = { schema_version: "dr.cli.v1", ok: false, error: { code: "INVALID_ARGS" } };

describe("a start that reads documents for long", () => {
  test("is answered before there is a run, and its refusal is told to who asks for the run", async () => {
    using here = place();
    const answer = await here.call("run_start", { question: "What is a lease?", corpus: ["docs"], max_rounds: 2 });
    const run = answer.contract.run_id ?? "";
    expect(answer).toMatchObject({
      ok: true,
      command: "start",
      contract: { run_root: `${here.path}/${run}`, execution_state: null },
      result: { work: "reading_documents", next_tool: { name: "run_status", arguments: { run } } },
    });
    const [work] = here.started;
    // Everybody reads a command line, so it holds the verb alone.
    expect(work?.words).toEqual(["__asked", "start"]);
    expect(work?.asked).toMatchObject({
      verb: "start",
      said: { run_id: run, question: "What is a lease?", corpus: ["docs"], max_rounds: 2 },
      has_events: true,
    });
    for (const wait of [0, 1])
      expect(await here.call("run_status", { run, wait })).toMatchObject({
        ok: true,
        command: "status",
        result: { work: "reading_documents" },
      });
    expect(await here.call("run_status", { run: "dr_other" })).toMatchObject({ error: { code: "NOT_FOUND" } });
    const waiting = here.call("run_status", { run, wait: 50 });
    work?.print(REFUSED);
    work?.end(2);
    expect(await waiting).toEqual(REFUSED as never);
    expect(await here.call("run_status", { run })).toEqual(REFUSED as never);
  });

  test("a client that no longer waits does not end it", async () => {
    using here = place();
    const client = new AbortController();
    const calling = here.call("run_start", { question: "What is a lease?", wait: 50 }, client.signal);
    await here.whenStarted(1);
    client.abort();
    await calling;
    expect(here.started.map(({ isKilled }) => isKilled)).toEqual([false]);
  });
});

describe("processes", () => {
  test("work that goes on elsewhere than in its run is not waited for", async () => {
    using here = place();
    await makeRun(testPorts(), here.path, "dr_1");
    const calling = here.call("run_resume", { run: "dr_1", on_drift: "fork" });
    await here.whenStarted(1);
    here.started[0]?.print(EVENT);
    expect(await calling).toMatchObject({
      ok: true,
      command: "resume",
      contract: { execution_state: "idle" },
      result: { work: "going_on" },
    });
  });

  for (const status of [0, 1, 70])
    test(`one that ends by itself with ${status} and without an answer is a bug that is told`, async () => {
      using here = place();
      const calling = here.call("run_tick", { run: "dr_1" });
      await here.whenStarted(1);
      here.started[0]?.print(EVENT);
      here.started[0]?.end(status);
      expect(await calling).toMatchObject({ ok: false, command: "tick", error: { code: "INTERNAL" } });
    });

  // A signal that the program takes itself ends it with 128 and the number of the signal.
  for (const status of [null, 129, 143])
    test(`one that a signal ended (${status}) may be asked again, and the answer names the run as it stands`, async () => {
      using here = place();
      await makeRun(testPorts(), here.path, "dr_1");
      const calling = here.call("run_tick", { run: "dr_1" });
      await here.whenStarted(1);
      here.started[0]?.print(EVENT);
      here.started[0]?.end(status);
      expect(await calling).toMatchObject({
        ok: false,
        command: "tick",
        contract: { run_id: "dr_1", run_root: `${here.path}/dr_1`, execution_state: "idle" },
        error: { code: "WORKER_KILLED", retryable: true, hint: expect.stringContaining("repeat") as string },
      });
    });

  test("a start that is killed names the run that it was about to make, then and later", async () => {
    using here = place();
    const calling = here.call("run_start", { question: "What is a lease?", run_id: "mine", wait: 50 });
    await here.whenStarted(1);
    here.started[0]?.end(null);
    const killed = { error: { code: "WORKER_KILLED" }, contract: { run_id: "mine", run_root: `${here.path}/mine` } };
    expect(await calling).toMatchObject({ ...killed, command: "start" });
    expect(await here.call("run_status", { run: "mine" })).toMatchObject({ ...killed, command: "start" });
  });

  test("a search ends with its call, and at most four read side by side", async () => {
    using here = place();
    const client = new AbortController();
    const searches = [1, 2, 3, 4, 5].map(() => here.call("search", { query: "lease" }, client.signal));
    await here.whenStarted(4);
    await Bun.sleep(20);
    expect(here.started).toHaveLength(4);
    here.started[0]?.print({ schema_version: "dr.cli.v1", ok: true });
    here.started[0]?.end(0);
    expect(await Promise.race(searches)).toMatchObject({ ok: true });
    await here.whenStarted(5);
    client.abort();
    await Promise.all(searches);
    expect(here.started.map(({ isKilled }) => isKilled)).toEqual([false, true, true, true, true]);
  });
});
