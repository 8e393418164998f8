// stage_advance: leaves the current stage when its steps are done and its gates pass.
import { z } from "../../../src/kernel/zod.ts";
import { advanceStage } from "../../../src/operations/change/advance-stage.ts";
import { toolPorts } from "./ports.ts";
import { defineTool, manifestPathSchema, reasonSchema, runAt } from "./tool.ts";

export const stage_advance = defineTool({
  description:
    "Brings a run from its current stage to the next one, once every step of the stage is done and its gates pass.",
  args: z.strictObject({
    manifest_path: manifestPathSchema,
    gates_path: z.string().optional().describe("Accepted and ignored: gates stand in the manifest"),
    requested_next: z.string().min(1).optional().describe("The stage to enter; refused when the run may not go there"),
    reason: reasonSchema,
  }),
  async run({ manifest_path, requested_next, reason }) {
    const ports = toolPorts();
    const run = await runAt(ports, manifest_path);
    const requested = requested_next === undefined ? {} : { requestedNext: requested_next };
    const { result } = await advanceStage(ports, run.runRoot, { reason, ...requested });
    return { ...result, stage: result.to, manifest_path: run.manifest_path };
  },
});

export default stage_advance;
