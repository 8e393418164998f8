// manifest_write: a patch of a run's manifest, journaled with its digest; only state and failures may be patched.
import { z } from "../../../src/kernel/zod.ts";
import { patchManifest } from "../../../src/operations/change/patch-manifest.ts";
import { toolPorts } from "./ports.ts";
import { defineTool, manifestPathSchema, reasonSchema, runAt } from "./tool.ts";

export const manifest_write = defineTool({
  description:
    "Patches a run's manifest: `status` (or `execution_state`) by the table of states, and `failures`, which are appended.",
  args: z.strictObject({
    manifest_path: manifestPathSchema,
    patch: z.record(z.string(), z.unknown()).describe("The fields to change"),
    expected_revision: z.number().int().min(1).optional().describe("Refuse when the run is at another revision"),
    reason: reasonSchema,
  }),
  async run({ manifest_path, patch, expected_revision, reason }) {
    const ports = toolPorts();
    const run = await runAt(ports, manifest_path);
    const expected = expected_revision === undefined ? {} : { expectedRevision: expected_revision };
    const { result } = await patchManifest(ports, run.runRoot, { patch, reason, ...expected });
    return { ...result, manifest_path: run.manifest_path };
  },
});

export default manifest_write;
