// settle: the commands that the halt prints run as they stand, once, and are refused where nothing waits.
import { expect, test } from "bun:test";
import type { RecordKind } from "../../src/run/log/record.ts";
import { temporaryFolder, testPorts } from "../operations/made-run.ts";
import { CALL, makeWaitingCall } from "../operations/waiting-call.ts";
import { cli, type Told } from "./fake-host.ts";

interface Waiting extends Disposable {
  runRoot: string;
  kinds(): Promise<RecordKind[]>;
  run(words: string): Promise<Told>;
}

/** A run that waits for somebody to say what became of a call. */
async function waitingRun(): Promise<Waiting> {
  const folder = temporaryFolder();
  const ports = testPorts();
  const runRoot = await makeWaitingCall(ports, folder.path, "dr_1");
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
