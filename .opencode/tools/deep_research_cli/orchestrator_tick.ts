// The tick behind the four orchestrator tools: one bounded piece of progress of a run, whatever its stage and its driver.
import { z } from "../../../src/kernel/zod.ts";
import { tickRun } from "../../../src/operations/change/tick-run.ts";
import { envelopeOf } from "../../../src/surface/envelope.ts";
import { toolPorts, workingPorts } from "./ports.ts";
import { defineTool, failureOfOutcome, manifestPathSchema, reasonSchema, runAt, type Tool } from "./tool.ts";

/** A run that loses its lock meanwhile is failed with a failure of kind `lock_lost`, and the answer is `LOCK_LOST`. */
export function tickTool(command: string, description: string): Tool {
  return defineTool({
    description,
    args: z.strictObject({
      manifest_path: manifestPathSchema,
      max_steps: z.number().int().min(1).optional().describe("At most this many steps"),
      reason: reasonSchema,
    }),
    async run({ manifest_path, max_steps, reason }) {
      const found = await runAt(toolPorts(), manifest_path);
      const ports = await workingPorts();
      const bounds = max_steps === undefined ? {} : { maxSteps: max_steps };
      const { result, run, error } = await tickRun(ports, found.runRoot, { reason, ...bounds });
      const { cliInvocation } = ports;
      const { contract, halt } = envelopeOf({ command, cliInvocation, run, result, error: null });
      return {
        ...(error === null ? {} : { ok: false, error: failureOfOutcome(error) }),
        ...result,
        stage: contract.stage_current,
        execution_state: contract.execution_state,
        revision: contract.revision,
        halt,
        manifest_path: found.manifest_path,
      };
    },
  });
}
