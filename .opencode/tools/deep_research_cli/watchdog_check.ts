// watchdog_check: judges one run by the wall clock alone, and ends it when its stage is past its time limit.
import { z } from "../../../src/kernel/zod.ts";
import { watchRun } from "../../../src/operations/change/watchdog.ts";
import { STAGES } from "../../../src/run/stage.ts";
import { toolPorts } from "./ports.ts";
import { defineTool, manifestPathSchema, reasonSchema, runAt } from "./tool.ts";

export const watchdog_check = defineTool({
  description:
    "Checks whether a run is past the time limit of its stage; a late run is failed and leaves its checkpoint files.",
  args: z.strictObject({
    manifest_path: manifestPathSchema,
    stage: z.enum(STAGES).optional().describe("Judge by the limit of this stage instead of the current one"),
    now_iso: z.iso.datetime({ offset: true }).optional().describe("Judge as of this time instead of now"),
    reason: reasonSchema,
  }),
  async run({ manifest_path, stage, now_iso, reason }) {
    const ports = toolPorts();
    const { runRoot } = await runAt(ports, manifest_path);
    const moment = {
      ...(stage === undefined ? {} : { stage }),
      ...(now_iso === undefined ? {} : { nowMs: Date.parse(now_iso) }),
    };
    const [watched] = (await watchRun(ports, runRoot, { strict: true, reason, ...moment })).result.runs;
    return { ...watched };
  },
});

export default watchdog_check;
