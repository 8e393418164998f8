// The routes of chats: a chat is a label of many runs, `resume` continues with the interrupted one, and a key names one run.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  makeCompletedRun,
  makeRun,
  noEvidenceHalt,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "../operations/made-run.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import { type CalledConsole, openConsole, until } from "./called-console.ts";

const TIMEOUT_MS = 600_000;
const ASKED = "How are options parsed?";
const CUT_OFF = {
  kind: "state.changed",
  data: { from: "running", to: "interrupted", reason: "the owner is gone" },
} as const;

let console: CalledConsole;
let corpus: string;
beforeAll(() => {
  return openConsole().then((opened) => {
    console = opened;
    corpus = join(console.runsRoot, "../corpus");
    mkdirSync(corpus);
    for (const [name, text] of DOCUMENTS) writeFileSync(join(corpus, name), text);
  });
});
afterAll(async () => await console[Symbol.asyncDispose]());

async function run(body: object, headers: Record<string, string> = {}) {
  const response = await console.send("/agents/run", {
    method: "POST",
    headers: { authorization: `Bearer ${console.token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const statusOf = async (chat: string) =>
  (await console.get(`/agents/status?chatId=${encodeURIComponent(chat)}`)).body as Record<string, unknown>;

const ended = (runId: unknown) =>
  until(
    () => console.get(`/api/runs/${String(runId)}`),
    ({ body }) => (body["execution_state"] as unknown) === "completed" || (body["halt"] ?? null) !== null,
  );

/** A run of a chat that was cut off; without a label it is one of before. */
async function interrupted(runId: string, chat_id?: string): Promise<string> {
  const runRoot = await makeRun(
    console.ports,
    console.runsRoot,
    runId,
    runId,
    chat_id === undefined ? {} : { chat_id },
  );
  await withWriter(console.ports, runRoot, async (writer) => void (await writer.commit([TO_RUNNING, CUT_OFF])));
  return runRoot;
}

describe("without resume", () => {
  test(
    "each message begins a run of its own, in a chat of any name, whatever became of the last one",
    async () => {
      const chat = "Anna's chat / 7 ✓";
      const runs = [];
      for (const message of [QUESTION, QUESTION, "What is a lease?"]) {
        const { status, body } = await run({ chatId: chat, message, corpus: [corpus] });
        expect([status, body["resumed"], body["chatId"], body["question"]]).toEqual([201, false, chat, message]);
        runs.push(body["run_id"]);
      }
      expect(new Set(runs).size).toBe(3);
      await interrupted("left-1", chat);
      const fresh = await run({ chatId: chat, message: ASKED, corpus: [corpus], resume: false });
      expect([fresh.status, fresh.body["resumed"], fresh.body["run_id"] === "left-1"]).toEqual([201, false, false]);
      for (const id of [...runs, fresh.body["run_id"]]) await ended(id);
      expect(await statusOf(chat)).toMatchObject({ running: false, chatId: chat, interruptedPipelineId: "left-1" });
      const { body } = await console.get("/api/runs");
      const listed = body["runs"] as unknown as { run_id: string; chat_id: string | null }[];
      expect(listed.filter(({ chat_id }) => chat_id === chat).length).toBe(5);
      // A fork, and a start from scratch, stay in the chat.
      const forked = await console.post(`/api/runs/${String(runs[0])}/fork`, {});
      expect(forked.body["start_again"]).toMatchObject({ chat_id: chat });
    },
    TIMEOUT_MS,
  );
});

describe("with resume", () => {
  test(
    "the newest interrupted run of the chat continues, whatever the message says, and those that wait are named",
    async () => {
      await interrupted("of-another", "other");
      await interrupted("older", "chat");
      await interrupted("newer", "chat");
      const paused = await makeRun(console.ports, console.runsRoot, "rests", "rests", { chat_id: "chat" });
      await withWriter(console.ports, paused, async (writer) => void (await writer.commit([TO_RUNNING, TO_PAUSED])));
      const halted = await makeRun(console.ports, console.runsRoot, "stops", "stops", { chat_id: "chat" });
      await withWriter(console.ports, halted, async (writer) => {
        await writer.commit([TO_RUNNING, noEvidenceHalt(halted, "stops")]);
      });
      const waiting = [
        { runId: "stops", status: "halted", halt: "no_evidence" },
        { runId: "rests", status: "paused", halt: null },
      ];
      expect(await statusOf("chat")).toMatchObject({ interruptedPipelineId: "newer", waiting });
      const first = await run({ chatId: "chat", message: "please continue", resume: true });
      expect(first).toMatchObject({ status: 200, body: { run_id: "newer", resumed: true, chatId: "chat", waiting } });
      // Without a message, too. The next newest is now the older one.
      const second = await run({ chatId: "chat", resume: true });
      expect(second.body).toMatchObject({ run_id: "older", resumed: true });
      // While one that was resumed is at work, no other is begun.
      for (const id of ["newer", "older"]) await ended(id);
      const fresh = await run({ chatId: "chat", message: QUESTION, corpus: [corpus], resume: true });
      expect(fresh).toMatchObject({
        status: 201,
        body: { resumed: false, question: QUESTION, waiting: expect.any(Array) },
      });
      await ended(fresh.body["run_id"]);
      expect(await statusOf("other")).toMatchObject({ interruptedPipelineId: "of-another" });
      expect((await run({ chatId: "new", resume: true })).status).toBe(400);
    },
    TIMEOUT_MS,
  );

  test(
    "a run of before, whose id is the chat's, counts as of that chat, and of no other",
    async () => {
      await interrupted("c-1");
      expect(await statusOf("c-1")).toMatchObject({ chatId: "c-1", interruptedPipelineId: "c-1" });
      expect(await statusOf("c-2")).toMatchObject({ running: false, executions: [], interruptedPipelineId: null });
      expect((await run({ chatId: "c-1", message: "go on", resume: true })).body).toMatchObject({
        run_id: "c-1",
        resumed: true,
      });
      await makeCompletedRun(console.ports, console.runsRoot, "c-3");
      const fresh = await run({ chatId: "c-3", message: QUESTION, corpus: [corpus], resume: true });
      expect([fresh.status, fresh.body["resumed"]]).toEqual([201, false]);
      await ended(fresh.body["run_id"]);
      const [execution] = (await statusOf("c-3"))["executions"] as object[];
      expect(execution).toMatchObject({ id: "perspectives:plan", stage: "perspectives", status: "completed" });
    },
    TIMEOUT_MS,
  );

  test(
    "of two at once one works, and the other is told so; the same where another server has resumed it",
    async () => {
      await interrupted("once", "double");
      const both = await Promise.all(
        [1, 2].map(() => run({ chatId: "double", message: QUESTION, corpus: [corpus], resume: true })),
      );
      expect(both.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
      expect(both.find(({ status }) => status === 409)?.body["error"]).toMatchObject({ code: "LOCK_HELD" });
      const runRoot = await interrupted("elsewhere", "taken");
      const acquisition = await console.ports.store.acquire(runRoot);
      if (acquisition.kind !== "acquired") throw new Error("the lease is held");
      await acquisition.writer.commit([
        { kind: "state.changed", data: { from: "interrupted", to: "running", reason: "resume" } },
      ]);
      const late = await run({ chatId: "taken", message: QUESTION, corpus: [corpus], resume: true });
      expect([late.status, late.body["error"]]).toEqual([409, expect.objectContaining({ code: "LOCK_HELD" })]);
      await acquisition.writer.release();
    },
    TIMEOUT_MS,
  );
});

describe("a key", () => {
  test(
    "has one run: sent again, at once or later, and after a restart; with another body it is refused",
    async () => {
      const body = { chatId: "keyed", message: QUESTION, corpus: [corpus] };
      for (const [name, sent] of [
        ["header", (more: object) => run({ ...body, ...more }, { "idempotency-key": "k 1" })],
        ["run_id", (more: object) => run({ ...body, run_id: "k-2", ...more })],
      ] as const) {
        const both = await Promise.all([sent({}), sent({})]);
        const [id] = both.map((one) => one.body["run_id"]);
        expect([name, ...both.map((one) => String(one.status)).toSorted()]).toEqual([name, "200", "201"]);
        expect(both.map((one) => one.body["run_id"])).toEqual([id, id]);
        await ended(id);
        expect(await sent({})).toMatchObject({ status: 200, body: { run_id: id, execution_state: "completed" } });
        for (const other of [{ message: "What else?" }, { chatId: "x" }, { corpus: [`${corpus}/parsing.md`] }]) {
          const refused = await sent(other);
          expect([name, refused.status, refused.body["error"]]).toEqual([
            name,
            409,
            expect.objectContaining({ code: "ALREADY_EXISTS" }),
          ]);
        }
      }
      const first = console;
      console = await openConsole({ runsRoot: first.runsRoot });
      try {
        expect((await run(body, { "idempotency-key": "k 1" })).status).toBe(200);
        expect((await run({ ...body, message: "What else?" }, { "idempotency-key": "k 1" })).status).toBe(409);
        expect((await run({ ...body, message: "What else?", run_id: "k-2" })).status).toBe(409);
      } finally {
        await console[Symbol.asyncDispose]();
        console = first;
      }
    },
    TIMEOUT_MS,
  );

  test(
    "of a resume answers a repeat as it answered first",
    async () => {
      await interrupted("kept", "again");
      const sent = () =>
        run({ chatId: "again", message: QUESTION, corpus: [corpus], resume: true }, { "idempotency-key": "r" });
      const answers = await Promise.all([sent(), sent()]);
      for (const { status, body } of [...answers, await sent()])
        expect([status, body["run_id"], body["resumed"]]).toEqual([200, "kept", true]);
    },
    TIMEOUT_MS,
  );
});

test("what is no label, no flag, no key or no message is refused, and begins nothing", async () => {
  const message = QUESTION;
  for (const [body, headers] of [
    [{ chatId: "a\nb", message }],
    [{ chatId: "", message }],
    [{ chatId: "x".repeat(201), message }],
    [{ chatId: 7, message }],
    [{ message: " " }],
    [{ chatId: "c" }],
    [{ message, resume: "yes" }],
    [{ message, run_id: "../x" }],
    [{ message, run_id: "r" }, { "idempotency-key": "k" }],
    [{ message }, { "idempotency-key": "k".repeat(256) }],
  ] as [object, Record<string, string>?][]) {
    const refused = await run({ corpus: [corpus], ...body }, headers);
    expect([body, refused.status]).toEqual([body, 400]);
  }
});
