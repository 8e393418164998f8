// `watch` on the command line: events for programs, lines and one redrawn line for people, Ctrl-C.
import { describe, expect, test } from "bun:test";
import { atWaits } from "../operations/at-waits.ts";
import { runCli } from "../../src/cli/program.ts";
import {
  makeCompletedRun,
  makeRun,
  temporaryFolder,
  testPorts,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "../operations/made-run.ts";
import { eventSchema } from "../../src/surface/schemas.ts";
import { envelopeIn } from "./envelope.ts";
import { cli, FakeHost } from "./fake-host.ts";

const ports = testPorts();

function eventsIn(stdout: string): { seqs: (number | undefined)[]; last: string } {
  const lines = stdout.trimEnd().split("\n");
  const last = lines.pop() ?? "";
  return { seqs: lines.map((line) => eventSchema.parse(JSON.parse(line)).seq), last };
}

test("--jsonl prints each record as an event, and the object of --json last", async () => {
  using folder = temporaryFolder();
  const root = await makeCompletedRun(ports, folder.path, "dr_1");
  const { revision } = (await ports.store.look(root)).manifest;
  const { code, stdout } = await cli(["watch", root, "--jsonl"]);
  expect(code).toBe(0);
  const { seqs, last } = eventsIn(stdout);
  expect([...new Set(seqs)]).toEqual(Array.from({ length: revision }, (_, at) => at + 1));
  expect(envelopeIn(`${last}\n`)).toMatchObject({ ok: true, command: "watch", result: { last_seq: revision } });
  const rest = eventsIn((await cli(["watch", root, "--jsonl", "--since", String(revision - 1)])).stdout);
  expect([...new Set(rest.seqs)]).toEqual([revision]);
});

test("people see the last lines and how the run stands; on a terminal one line is redrawn and taken away", async () => {
  using folder = temporaryFolder();
  const root = await makeCompletedRun(ports, folder.path, "dr_1");
  const plain = await cli(["watch", root]);
  expect(plain.stdout).toContain("running -> completed");
  expect(plain.stdout.split("dr_1  completed\n")).toHaveLength(2);
  expect(plain.stdout).not.toContain("\u001b");
  const { stdout } = await cli(["watch", root, "--no-color"], { terminals: ["stdout"] });
  expect(stdout).toContain("no process works on it");
  const [, status = ""] = stdout.split("  now           Completed.\n");
  expect(status).toContain("folder");
  expect(status).not.toContain("since the last progress");
});

test("--json says nothing before the end, and one object then", async () => {
  using folder = temporaryFolder();
  const root = await makeCompletedRun(ports, folder.path, "dr_1");
  expect(envelopeIn((await cli(["watch", root, "--json"])).stdout).result).toMatchObject({
    status: { execution_state: "completed" },
  });
});

test("Ctrl-C ends it with 130 and leaves the run alone", async () => {
  using folder = temporaryFolder();
  const root = await makeRun(ports, folder.path, "dr_1");
  await withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING])));
  const before = (await ports.store.look(root)).manifest.revision;
  const host = new FakeHost(["watch", root, "--jsonl"]);
  const stopped = atWaits(ports, async (ms, signal) => (host.fire("SIGINT"), ports.clock.sleep(ms, signal)));
  expect(await runCli(host, async () => () => stopped)).toBe(130);
  const { last } = eventsIn(host.stdout);
  expect(envelopeIn(`${last}\n`)).toMatchObject({ ok: false, error: { code: "INTERRUPTED_BY_SIGNAL" } });
  expect(envelopeIn(`${last}\n`).error?.hint).toContain("the run continues");
  expect((await ports.store.look(root)).manifest).toMatchObject({ revision: before, execution_state: "running" });
});

test("a reader that goes away ends it", async () => {
  using folder = temporaryFolder();
  const root = await makeCompletedRun(ports, folder.path, "dr_1");
  const stdoutError = Object.assign(new Error("EPIPE"), { code: "EPIPE" });
  expect((await cli(["watch", root, "--jsonl"], { stdoutError })).code).toBe(1);
});

describe("without a run", () => {
  /** Two runs at work and one that rests; at the first sleep of the watching one continues and ends paused, the other halts. */
  async function watched(words: readonly string[]): Promise<FakeHost> {
    using folder = temporaryFolder();
    const roots = await Promise.all(["dr_1", "dr_2", "dr_idle"].map((id) => makeRun(ports, folder.path, id)));
    for (const root of roots.slice(0, 2))
      await withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING])));
    const host = new FakeHost(["watch", "--runs-root", folder.path, "--no-color", ...words]);
    let slept = 0;
    const clock = {
      ...ports.clock,
      sleep: async () => {
        if (++slept > 20) throw new Error("the watching does not end");
        if (slept !== 1) return;
        for (const root of roots.slice(0, 2))
          await withWriter(ports, root, async (writer) => void (await writer.commit([TO_PAUSED])));
      },
    };
    expect(await runCli(host, async () => () => ({ ...ports, clock }))).toBe(0);
    return host;
  }

  test("it follows every run at work from now on, names each, and ends when none is at work", async () => {
    const { stdout } = await watched([]);
    for (const id of ["dr_1", "dr_2"]) expect(stdout).toMatch(new RegExp(`${id}  running -> paused`));
    expect(stdout).not.toContain("idle -> running");
    expect(stdout).not.toContain("dr_idle");
    expect(stdout).toContain("2 runs followed; none is at work any more");
  });

  test("--jsonl names the run of each event, and the result says up to where each was told", async () => {
    const lines = (await watched(["--jsonl"])).stdout.trimEnd().split("\n");
    const { result } = envelopeIn(`${lines.pop() ?? ""}\n`);
    expect(new Set(lines.map((line) => eventSchema.parse(JSON.parse(line)).run_id))).toEqual(new Set(["dr_1", "dr_2"]));
    expect(result).toMatchObject({
      runs: [
        { run_id: "dr_1", execution_state: "paused", halt: null },
        { run_id: "dr_2", execution_state: "paused", halt: null },
      ],
    });
  });

  test("where no run is at work it says so at once; --since is about one run", async () => {
    using folder = temporaryFolder();
    await makeCompletedRun(ports, folder.path, "dr_1");
    expect((await cli(["watch", "--runs-root", folder.path])).stdout).toBe("no run is at work\n");
    const refused = await cli(["watch", "--runs-root", folder.path, "--since", "3", "--json"]);
    expect(envelopeIn(refused.stdout)).toMatchObject({ error: { code: "INVALID_ARGS" } });
  });
});
