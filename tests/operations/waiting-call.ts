// A run that waits for somebody to say what became of a tool call.
import { digestOfJson } from "../../src/kernel/digest.ts";
import { plainHalt } from "../../src/orchestrator/halts.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { makeRun, tickStarted, TO_RUNNING, withWriter } from "./made-run.ts";

export const CALL = "wave1:overview/main/6/call_2";
const PLACE = {
  key: "wave1:overview",
  stage: "wave1",
  inputs_digest: digestOfJson("inputs"),
  conversation: "main",
  message_id: 6,
  tool_call_id: "call_2",
  name: "post_note",
} as const;

export async function makeWaitingCall(ports: Ports, runsRoot: string, runId: string): Promise<string> {
  const runRoot = await makeRun(ports, runsRoot, runId);
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
  return runRoot;
}
