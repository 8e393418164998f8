// deep-research status
import { settledStanding } from "../../operations/look/triage-run.ts";
import { statusOf } from "../../operations/look/status.ts";
import { runCommand } from "../command.ts";
import { snapshotOf } from "../../surface/snapshot.ts";
import { LOOK_EXITS } from "../exits.ts";

export const command = runCommand({
  description: "One screen about one run. It writes nothing, and may run while another process works.",
  seeAlso: ["watch", "inspect", "triage", "list"],
  fields: {},
  examples: [
    ["status", "the newest run"],
    ["status dr_2026", "the run whose id begins like this"],
    ["status ./runs/dr_20260131120304_abcdef", "a run by its folder"],
  ],
  exits: LOOK_EXITS,
  async run(context, input) {
    const { runRoot, seen } = await context.find(input.run);
    const outcome = await statusOf(context.ports, runRoot, seen);
    const { run, result } = outcome;
    const standing = await settledStanding(context.ports, run);
    return {
      outcome: { ...outcome, result: snapshotOf(result, standing, context.write) },
      text: async (style) => (await import("../text/status-text.ts")).statusText(run, result, standing, style),
    };
  },
});
