// settle: the commands that the halt prints run as they stand, once, and are refused where nothing waits.
import { expect, test } from "bun:test";
import { digestOfJson } from "../../src/kernel/digest.ts";
import { plainHalt } from "../../src/orchestrator/halts.ts";
import type { RecordKind } from "../../src/run/record.ts";
import { makeRun, temporaryFolder, testPorts, tickStarted, TO_RUNNING, withWriter } from "../operations/made-run.ts";
import { cli, type Told } from "./fake-host.ts";

const CALL = "wave1:overview/main/6/call_2";
const PLACE = {
  key: "wave1:overview",
  stage: "wave1",
  inputs_digest: digestOfJson("inputs"),
  conversation: "main",
  message_id: 6,
  tool_call_id: "call_2",
  name: "post_note",
} as const;

interface Waiting extends Disposable {
  runRoot: string;
  kinds(): Promise<RecordKind[]>;
  run(words: string): Promise<Told>;
}

/** A run that waits for somebody to say what became of a call. */
async function waitingRun(): Promise<Waiting> {
  const folder = temporaryFolder();
  const ports = testPorts();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  await withWriter(ports, runRoot, async (writer) => {
    const asked = { is_safe: false, attempt: 1, arguments_digest: digestOfJson({}) };
    await writer.commit([TO_RUNNING, tickStarted(ports), { kind: "tool.requested", data: { ...PLACE, ...asked } }]);
    const details = { call: CALL, ...PLACE };
    const halt = plainHalt(ports, runRoot, writer.manifest, { kind: "tool_outcome_unknown", details });
    const ended = { tick: 1, stopped_by: "halted", worked_ms: 0 };
    await writer.commit([
      { kind: "halt.raised", data: { halt } },
      { kind: "tick.ended", data: ended },
    ]);
  });
  return {
    runRoot,
    kinds: async () => (await ports.store.records(runRoot)).map(({ kind }) => kind as RecordKind),
    run: async (words) => await cli(words.split(" ").slice(1), { environment: { HOME: folder.path } }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

for (const [flag, kind] of [
  ["--assume-done", "tool.completed"],
  ["--replay", "tool.replay_allowed"],
] as const) {
  test(`the printed command with ${flag} ends the halt, once`, async () => {
    using waiting = await waitingRun();
    const { stdout } = await waiting.run(`deep-research triage ${waiting.runRoot}`);
    const printed =
      stdout
        .split("\n")
        .find((line) => line.endsWith(flag))
        ?.trim() ?? "";
    expect(printed).toStartWith("deep-research settle ");
    const told = await waiting.run(printed.replaceAll("'", ""));
    expect([told.code, told.stderr]).toEqual([0, expect.any(String)]);
    expect(told.stdout).toContain("post_note");
    const kinds = await waiting.kinds();
    expect(kinds).toContain(kind);
    expect(kinds).toContain("halt.cleared");
    expect((await waiting.run(printed.replaceAll("'", ""))).code).toBe(1);
  });
}

test("what is not said, said twice, or about another call, is refused and leaves no record", async () => {
  using waiting = await waitingRun();
  const before = (await waiting.kinds()).length;
  const settle = `deep-research settle ${waiting.runRoot}`;
  expect((await waiting.run(`${settle} --replay`)).stderr).toContain("--call");
  expect((await waiting.run(`${settle} --call ${CALL}`)).code).toBe(2);
  expect((await waiting.run(`${settle} --call ${CALL} --replay --assume-done`)).code).toBe(2);
  const other = await waiting.run(`${settle} --call wave1:overview/main/7/call_9 --replay`);
  expect([other.code, other.stderr.includes(CALL), other.stderr.includes("triage")]).toEqual([10, true, true]);
  expect(await waiting.kinds()).toHaveLength(before);
});

test("a tick does not lift it: exit 3, with both commands", async () => {
  using waiting = await waitingRun();
  const { code, stderr } = await waiting.run(`deep-research tick ${waiting.runRoot}`);
  expect(code).toBe(3);
  expect(stderr).toMatch(/settle .*--assume-done\n[^]*settle .*--replay\n/);
});
