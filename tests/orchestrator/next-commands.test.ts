// The commands that a halt names: what goes on from it, and nothing that would only end there again.
import { expect, test } from "bun:test";
import { plainHalt, timeoutHalt } from "../../src/orchestrator/halts.ts";
import { verdict } from "../../src/run/log/gate.ts";
import type { PlainHalt } from "../../src/run/log/halt.ts";
import { knownHalt } from "../../src/run/log/halt-details.ts";
import { haltSteps } from "../../src/run/next-steps/halt-steps.ts";
import { fullCommand } from "../../src/run/next-steps/next-step.ts";
import type { Settings } from "../../src/run/settings/settings.ts";
import { makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";

async function verbs(kind: PlainHalt["kind"], on_drift: Settings["policies"]["on_drift"]): Promise<string[]> {
  using folder = temporaryFolder();
  const ports = testPorts();
  const root = await makeRun(ports, folder.path, "dr_1");
  const { manifest } = await ports.store.look(root);
  const { settings } = manifest;
  const changed = { ...manifest, settings: { ...settings, policies: { ...settings.policies, on_drift } } };
  const { next_commands } = plainHalt(ports, root, changed, { kind, details: {} });
  return next_commands.map((command) => command.replace("deep-research ", "").replace(` ${root}`, ""));
}

test("a drift under the policy fork is forked first, one under refuse is accepted first", async () => {
  expect(await verbs("drift", "fork")).toEqual([
    "resume --on-drift fork",
    "resume --on-drift continue",
    "inspect",
    "triage",
  ]);
  expect(await verbs("drift", "refuse")).toEqual(["resume --on-drift continue", "fork", "inspect", "triage"]);
});

test("a run without evidence is asked another question: a fork as it is would find none either", async () => {
  expect(await verbs("no_evidence", "continue")).toEqual(["resume", 'fork --question "..."', "inspect", "triage"]);
  expect(await verbs("gate_blocked", "continue")).toEqual(["resume", "fork", "inspect", "triage"]);
});

test("a gate that failed for more than its limits names none of them", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const root = await makeRun(ports, folder.path, "dr_1");
  const { manifest } = await ports.store.look(root);
  const metrics = { claims: 4, contradicted: 2, not_checked: 0, unsupported_share: 0.5, rounds: 1, accepted: true };
  const inputsAt = (...reasons: string[]): string[] => {
    const gates = [verdict("E", metrics, reasons)];
    return haltSteps({ kind: "gate_blocked", details: { gates } }, root, manifest).map(({ input }) =>
      JSON.stringify(input),
    );
  };
  const share = "2 of 4 claims contradicted and 0 not checked";
  expect(inputsAt(share)).toEqual(['{"max_unsupported_share":0.5}', '{"mode":"deep"}', "{}", "{}"]);
  expect(inputsAt(share, "claim c1 has no quote")).toEqual(['{"mode":"deep"}', "{}", "{}"]);
});

test("a halt of a run that was moved or copied names the run where it lies, and no other", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const root = await makeRun(ports, folder.path, "dr_1");
  const { manifest } = await ports.store.look(root);
  const halt = plainHalt(ports, root, manifest, { kind: "no_evidence", details: {} });
  const commandsAt = (runRoot: string): string[] =>
    haltSteps(knownHalt(halt), runRoot, manifest).map((step) => fullCommand(ports, step));
  expect(commandsAt(root)).toEqual(halt.next_commands);
  const moved = commandsAt("/else where/$&");
  expect(moved[0]).toBe("deep-research resume '/else where/$&'");
  expect(moved.join("\n")).not.toContain(root);
});

test("a timeout has what every halt has, and a fork gets more time than was too little", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const root = await makeRun(ports, folder.path, "dr_1");
  const { manifest } = await ports.store.look(root);
  const late = (timeout_s: number, elapsed_s: number) =>
    timeoutHalt(ports, root, manifest, {
      timed_out: true,
      timeout_s,
      elapsed_s,
      timer_origin_field: "stage.started_at",
      timer_origin: manifest.stage.started_at,
      measured: "time_worked",
    });
  const halt = late(0.001, 5.2);
  expect(halt).toMatchObject({
    kind: "timeout",
    details: { reason: "no progress for 5.2 s (limit 0.001 s)", measured: "time_worked" },
  });
  // Never less than the stage has by default.
  expect(halt.next_commands).toContain(`deep-research fork ${root} --stage-timeout 120`);
  expect(late(1000, 1000.5).next_commands).toContain(`deep-research fork ${root} --stage-timeout 2001`);
});

test("a timeout of version 0.1.0, which has no details, is read all the same", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const root = await makeRun(ports, folder.path, "dr_1");
  const { manifest } = await ports.store.look(root);
  const {
    kind: _kind,
    details: _details,
    ...old
  } = timeoutHalt(ports, root, manifest, {
    timed_out: true,
    timeout_s: 100,
    elapsed_s: 101,
    timer_origin_field: "stage.started_at",
    timer_origin: manifest.stage.started_at,
    measured: "time_worked",
  });
  expect(knownHalt(old)).toEqual({ kind: "timeout", details: { elapsed_s: 101, timeout_s: 100 } });
});
