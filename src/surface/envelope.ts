// The one object that --json prints: dr.cli.v1.
import { join } from "node:path";
import { given } from "../kernel/given.ts";
import type { z } from "../kernel/zod.ts";
import type { RunLook } from "../ports/run-log.ts";
import { TIMEOUT_JSON_PATH } from "../run/log/halt.ts";
import { MANIFEST_FILE } from "../run/log/layout.ts";
import { knownHalt, obstaclesIn, type KnownHalt } from "../run/log/halt-details.ts";
import { haltSteps } from "../run/next-steps/halt-steps.ts";
import { asCommands, type WriteStep } from "./advice.ts";
import type { envelopeSchema } from "./schemas.ts";

export type Envelope = z.infer<typeof envelopeSchema>;

interface EnvelopeParts extends Pick<Envelope, "command" | "result" | "error"> {
  cliInvocation: string;
  /** Writes the next steps of a halt; as commands by default. */
  write?: WriteStep;
  run: RunLook | null;
  /** Where the run is, or will be, when it could not be read. */
  runRoot?: string | null;
  runId?: string | undefined;
}

export function envelopeOf({
  command,
  cliInvocation,
  write = asCommands({ cliInvocation }),
  run,
  runRoot,
  runId,
  result,
  error,
}: EnvelopeParts): Envelope {
  const root = run?.runRoot ?? runRoot ?? null;
  return {
    schema_version: "dr.cli.v1",
    ok: error === null,
    command,
    contract: {
      run_id: run?.manifest.run_id ?? (root === null ? null : (runId ?? null)),
      run_root: root,
      manifest_path: root === null ? null : join(root, MANIFEST_FILE),
      stage_current: run?.manifest.stage.current ?? null,
      execution_state: run?.state ?? null,
      revision: run?.manifest.revision ?? null,
      cli_invocation: cliInvocation,
    },
    result: result ?? null,
    error,
    halt: run === null ? null : haltOf(run, write),
  };
}

/** The halt of a run with its next steps; null where it has none. */
export function haltOf({ runRoot, manifest }: RunLook, write: WriteStep): Envelope["halt"] {
  const { halt } = manifest;
  if (halt === null) return null;
  const known = knownHalt(halt);
  const { kind, retry_at } = known;
  return {
    kind,
    path: kind === "timeout" ? TIMEOUT_JSON_PATH : MANIFEST_FILE,
    ...given({ retry_at }),
    next_commands: haltSteps(known, runRoot, manifest).map(write),
    blockers: blockersOf(known),
  };
}

/** What keeps the run from continuing; each reason of a gate by itself. */
function blockersOf(halt: KnownHalt): unknown[] {
  const { gates } = halt.kind === "gate_blocked" ? halt.details : {};
  return gates?.flatMap(({ gate, reasons }) => reasons.map((reason) => ({ gate, reason }))) ?? [...obstaclesIn(halt)];
}
