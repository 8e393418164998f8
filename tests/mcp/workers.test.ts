// The processes that work for an agent: one that is killed is told as that, and none shows on its command line what was asked.
import { expect, test } from "bun:test";
import { commandLinesDuring, killNextWorker } from "../crash/children.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { Connected } from "./connected.ts";

const TIMEOUT_MS = 600_000;

test(
  "a worker that is killed before its first record is told as killed, with the run, and the same call again does it",
  async () => {
    await using here = await Connected.open();
    const given = { question: QUESTION, corpus: [here.host.corpus], run_id: "new", wait: 50 };
    const [killed] = await Promise.all([here.call("run_start", given), killNextWorker(here.pid)]);
    expect(killed.envelope).toMatchObject({
      command: "start",
      contract: { run_id: "new" },
      error: { code: "WORKER_KILLED", retryable: true },
    });
    const { envelope } = await here.call("run_start", given);
    expect(envelope).toMatchObject({ ok: true, contract: { run_id: "new", execution_state: "completed" } });
  },
  TIMEOUT_MS,
);

test(
  "the command line of a worker names the command and nothing that a person or an agent said",
  async () => {
    await using here = await Connected.open();
    const [secret, corpus] = ["SECRETWORD", [here.host.corpus]];
    const answer = { run: secret, step: "perspectives:plan", agent_run_id: secret, answer: secret };
    const lines: string[] = [];
    for (const [name, given] of [
      ["run_start", { question: `Is ${secret} true?`, corpus, wait: 50 }],
      ["search", { query: secret, corpus }],
      ["agent_result", answer],
    ] as const)
      lines.push(...(await commandLinesDuring(here.pid, here.call(name, given))));
    for (const command of ["start", "search", "agent-result"])
      expect(lines.filter((line) => line.endsWith(`__asked ${command}`))).not.toEqual([]);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  },
  TIMEOUT_MS,
);
