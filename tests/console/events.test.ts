// The stream of events over a scripted process: what is durable, what models say meanwhile, and a run that is not made yet.
import { describe, expect, test } from "bun:test";
import type { StartOwnProcess } from "../../src/surface/own-workers.ts";
import { makeCompletedRun, makeRun, testPorts, TO_RUNNING, withWriter } from "../operations/made-run.ts";
import { type CalledConsole, openConsole, until } from "./called-console.ts";

/** A process that the test speaks for. */
function scripted() {
  const speaking = Promise.withResolvers<(line: object) => void>();
  const ended = Promise.withResolvers<number | null>();
  const start: StartOwnProcess = async (_words, _input, onLine) => {
    speaking.resolve((line) => onLine(JSON.stringify(line)));
    return { ended: ended.promise, kill: () => ended.resolve(null) };
  };
  return { start, speaking: speaking.promise, end: ended.resolve };
}

/** Reads on until something is in it. */
async function reading(console: CalledConsole, path: string, headers: Record<string, string> = {}) {
  const response = await console.send(path, { headers: { authorization: `Bearer ${console.token}`, ...headers } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    status: response.status,
    async whenRead(wanted: string): Promise<string> {
      while (!text.includes(wanted)) text += (await reader?.read())?.value ?? "";
      return text;
    },
    leave: async () => await reader?.cancel(),
  };
}

const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id = ""]) => id);

describe("the events of a run", () => {
  test("come with the seq of their record, and continue behind the one that was had last", async () => {
    await using console = await openConsole();
    await makeCompletedRun(console.ports, console.runsRoot, "r1");
    const { body } = await console.get("/api/runs/r1");
    const last = Number(body["revision"]);
    const whole = await reading(console, "/api/runs/r1/events");
    const ids = idsIn(await whole.whenRead(`id: ${last}\n`));
    // The record that completes a run also publishes its report.
    const before = Array.from({ length: last - 1 }, (_, at) => `${at + 1}`);
    expect(ids).toEqual([...before, `${last}.1`, `${last}`]);
    for (const id of ["1", `${last - 1}`, `${last}.1`]) {
      const rest = await reading(console, "/api/runs/r1/events", { "last-event-id": id });
      expect(idsIn(await rest.whenRead(`id: ${last}\n`))).toEqual(ids.slice(ids.indexOf(id) + 1));
      await rest.leave();
    }
    // Control: who says nothing gets all of it again.
    const again = await reading(console, "/api/runs/r1/events?after=0");
    expect(idsIn(await again.whenRead(`id: ${last}\n`))).toEqual(ids);
    await again.leave();
    // For a page: the same ids, no names, and each record's line.
    const lines = await reading(console, "/api/runs/r1/events?lines=1");
    const read = await lines.whenRead(`id: ${last}\n`);
    expect([idsIn(read), read.includes("event: ")]).toEqual([ids, false]);
    expect(read).toContain('"line":{"tone":"plain"');
    await lines.leave();
    await whole.leave();
    expect((await console.get("/api/runs/r1/events?after=x")).status).toBe(400);
    expect((await console.get("/api/runs/nothing/events")).status).toBe(404);
  });

  test("of a process of this console: records by their seq, what a model says without an id", async () => {
    const process = scripted();
    await using console = await openConsole({ start: process.start });
    const runRoot = await makeRun(console.ports, console.runsRoot, "r1");
    const stream = await reading(console, "/api/runs/r1/events");
    await stream.whenRead("event: run.created");
    const resuming = console.post("/api/runs/r1/resume");
    const say = await process.speaking;
    say({ schema_version: "dr.event.v1", event: "text", ts: "", data: { key: "wave1:a", text: "Half a" } });
    const said = await stream.whenRead("Half a");
    expect(said.slice(said.lastIndexOf("event: "))).toStartWith("event: text\ndata: {");
    expect(idsIn(said)).toEqual(["1"]);
    await withWriter(console.ports, runRoot, async (writer) => {
      await writer.commit([TO_RUNNING]);
    });
    say({ schema_version: "dr.event.v1", event: "state.changed", ts: "", seq: 3, data: {} });
    expect((await resuming).body).toMatchObject({ run_id: "r1", work: "going_on" });
    expect(await stream.whenRead('"to":"running"')).toContain("event: state.changed");
    await stream.leave();
    // For a page, whatever a model says: to a regular expression U+2028 ends a line, to a stream it does not.
    const forPage = await reading(console, "/api/runs/r1/events?lines=1&after=99");
    await forPage.whenRead("retry");
    const text = "one\u2028event: two";
    say({ schema_version: "dr.event.v1", event: "text", ts: "", data: { key: "wave1:a", text } });
    expect(await forPage.whenRead("two")).toContain(JSON.stringify(text));
    await forPage.leave();
    process.end(0);
  });
});

test("a run whose documents are still read has a session and a stream, which begins with its first record", async () => {
  const process = scripted();
  const ports = testPorts();
  // Whoever waits, waits a hundredth of it.
  const clock = { ...ports.clock, sleep: (ms: number, signal?: AbortSignal) => ports.clock.sleep(ms / 100, signal) };
  await using console = await openConsole({ start: process.start, ports: { ...ports, clock } });
  const started = await console.post("/api/runs", { question: "What is a lease?", run_id: "slow" });
  expect([started.status, started.body]).toEqual([
    201,
    expect.objectContaining({ run_id: "slow", work: "reading_documents", resumed: false }),
  ]);
  expect((await console.get("/api/runs/slow")).body).toEqual({ run_id: "slow", work: "reading_documents" } as never);
  expect((await console.get("/api/runs/slo")).status).toBe(404);
  const stream = reading(console, "/api/runs/slow/events");
  await makeRun(ports, console.runsRoot, "slow");
  const begun = await stream;
  expect(idsIn(await begun.whenRead("event: run.created"))).toEqual(["1"]);
  await begun.leave();
});

test("a start that is refused behind its answer says why to whoever asks for its run", async () => {
  const process = scripted();
  const ports = testPorts();
  const clock = { ...ports.clock, sleep: (ms: number, signal?: AbortSignal) => ports.clock.sleep(ms / 100, signal) };
  await using console = await openConsole({ start: process.start, ports: { ...ports, clock } });
  await console.post("/api/runs", { question: "What is a lease?", run_id: "never" });
  const error = { code: "INVALID_ARGS", message: "no documents", hint: "name others", details: {}, retryable: false };
  (await process.speaking)({
    schema_version: "dr.cli.v1",
    ok: false,
    command: "start",
    contract: {},
    error,
    halt: null,
  });
  process.end(2);
  const refused = await until(
    () => console.get("/api/runs/never"),
    ({ status }) => status === 400,
  );
  expect(refused.body["error"]).toMatchObject({ message: "no documents" });
  expect((await console.get("/api/runs/never/events")).status).toBe(400);
});
