// Runs that no driver brings to where they stand, made record by record in a place.
import { digestOfJson } from "../../src/kernel/digest.ts";
import { plainHalt } from "../../src/orchestrator/halts.ts";
import { testPorts, tickStarted, TO_RUNNING, UPTIME_STEP_MS, withWriter } from "../operations/made-run.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { FEW, type LivePlace } from "./live-place.ts";

export const INIT = ["init", QUESTION, "--corpus", "docs", ...FEW];

/** As a process leaves it that dies in its first tick. */
export async function dies(place: LivePlace, ...flags: string[]): Promise<void> {
  await place.run([...INIT, ...flags]);
  const ports = testPorts();
  await withWriter(ports, place.runRoot, async (writer) => {
    await writer.commit([TO_RUNNING, tickStarted(ports)]);
  });
}

export async function isLate(place: LivePlace): Promise<void> {
  await place.run(INIT, { environment: { DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS: "0.001" } });
  const ports = testPorts();
  await withWriter(ports, place.runRoot, async (writer) => {
    await writer.commit([TO_RUNNING, tickStarted(ports)]);
  });
  await Bun.sleep(UPTIME_STEP_MS * 2);
  await place.run(["watchdog", "--strict"]);
}

export async function losesCall(place: LivePlace): Promise<void> {
  await place.run(INIT);
  const ports = testPorts();
  const call = {
    key: "wave1:overview",
    stage: "wave1",
    inputs_digest: digestOfJson("inputs"),
    conversation: "main",
    message_id: 6,
    tool_call_id: "call_2",
    name: "post_note",
  } as const;
  await withWriter(ports, place.runRoot, async (writer) => {
    const asked = { is_safe: false, attempt: 1, arguments_digest: digestOfJson({}) };
    await writer.commit([TO_RUNNING, tickStarted(ports), { kind: "tool.requested", data: { ...call, ...asked } }]);
    const details = { call: "wave1:overview/main/6/call_2", ...call };
    const halt = plainHalt(ports, place.runRoot, writer.manifest, { kind: "tool_outcome_unknown", details });
    await writer.commit([
      { kind: "halt.raised", data: { halt } },
      { kind: "tick.ended", data: { tick: 1, stopped_by: "halted", worked_ms: 0 } },
    ]);
  });
}
