// perspectives_write: hands in the plan of a run from outside; it becomes the result of the run's plan step.
import { basename, dirname, join, resolve } from "node:path";
import { RunError } from "../../../src/kernel/errors.ts";
import { z } from "../../../src/kernel/zod.ts";
import { writePerspectives } from "../../../src/operations/change/write-perspectives.ts";
import { MANIFEST_FILE } from "../../../src/run/log/layout.ts";
import { toolPorts } from "./ports.ts";
import { defineTool, manifestPathSchema, reasonSchema, runAt } from "./tool.ts";

const PERSPECTIVES_FILE = "perspectives.json";

export const perspectives_write = defineTool({
  description:
    "Writes the plan of a run (parts of the question and perspectives) while its stage is perspectives and it has no plan yet.",
  args: z.strictObject({
    manifest_path: manifestPathSchema.optional(),
    perspectives_path: z
      .string()
      .min(1)
      .optional()
      .describe("Path of the run's perspectives.json; names the run like manifest_path does"),
    value: z.unknown().describe("The plan: {parts: [...], perspectives: [...]}"),
    reason: reasonSchema,
  }),
  async run({ manifest_path, perspectives_path, value, reason }) {
    const ports = toolPorts();
    const run = await runAt(ports, manifestOf(manifest_path, perspectives_path));
    const { result } = await writePerspectives(ports, run.runRoot, { value, reason });
    return { ...result, manifest_path: run.manifest_path };
  },
});

/** Both paths name the same run, or one is missing. */
function manifestOf(manifestPath: string | undefined, perspectivesPath: string | undefined): string {
  if (perspectivesPath === undefined) {
    if (manifestPath !== undefined) return manifestPath;
    throw new RunError("INVALID_ARGS", { reason: "manifest_path or perspectives_path is needed" });
  }
  const path = resolve(perspectivesPath);
  if (basename(path) !== PERSPECTIVES_FILE)
    throw new RunError("INVALID_ARGS", { reason: `not a ${PERSPECTIVES_FILE}`, perspectives_path: path });
  const beside = join(dirname(path), MANIFEST_FILE);
  if (manifestPath === undefined || resolve(manifestPath) === beside) return beside;
  throw new RunError("INVALID_ARGS", {
    reason: "the two paths belong to different runs",
    manifest_path: manifestPath,
    perspectives_path: path,
  });
}

export default perspectives_write;
