// The one object that --json prints: dr.cli.v1.
import { join } from "node:path";
import type { ErrorCode, ErrorFacts } from "../kernel/errors.ts";
import type { RunLook } from "../ports/run-log.ts";
import { TIMEOUT_JSON_PATH, type Halt, type HaltKind } from "../run/halt.ts";
import { MANIFEST_FILE } from "../run/layout.ts";
import { factsOfHalt, haltSteps } from "../run/halt-steps.ts";
import { fullCommand } from "../run/next-step.ts";

export interface Envelope {
  schema_version: "dr.cli.v1";
  ok: boolean;
  command: string;
  contract: {
    run_id: string | null;
    run_root: string | null;
    manifest_path: string | null;
    stage_current: string | null;
    execution_state: string | null;
    revision: number | null;
    cli_invocation: string;
  };
  result: unknown;
  error: { code: ErrorCode; message: string; details: ErrorFacts; retryable: boolean; hint: string } | null;
  halt: { kind: HaltKind; path: string; retry_at?: string; next_commands: string[]; blockers: unknown[] } | null;
}

/** What is known of the run: the run itself, or only where it stands. */
export type KnownRun = { look: RunLook } | { runRoot: string; runId?: string } | null;

export function envelopeOf(parts: {
  command: string;
  cliInvocation: string;
  run: KnownRun;
  result: unknown;
  error: Envelope["error"];
}): Envelope {
  const { command, cliInvocation, run, result, error } = parts;
  return {
    schema_version: "dr.cli.v1",
    ok: error === null,
    command,
    contract: contractOf(run, cliInvocation),
    result: result ?? null,
    error,
    halt:
      run !== null && "look" in run && run.look.manifest.halt !== null
        ? haltOf(run.look.manifest.halt, run.look, cliInvocation)
        : null,
  };
}

function contractOf(run: KnownRun, cli_invocation: string): Envelope["contract"] {
  if (run === null) {
    return {
      run_id: null,
      run_root: null,
      manifest_path: null,
      stage_current: null,
      execution_state: null,
      revision: null,
      cli_invocation,
    };
  }
  if ("look" in run) {
    const { runRoot, manifest, state } = run.look;
    return {
      run_id: manifest.run_id,
      run_root: runRoot,
      manifest_path: join(runRoot, MANIFEST_FILE),
      stage_current: manifest.stage.current,
      execution_state: state,
      revision: manifest.revision,
      cli_invocation,
    };
  }
  const { runRoot, runId } = run;
  const manifest_path = join(runRoot, MANIFEST_FILE);
  return {
    run_id: runId ?? null,
    run_root: runRoot,
    manifest_path,
    stage_current: null,
    execution_state: null,
    revision: null,
    cli_invocation,
  };
}

function haltOf(halt: Halt, { runRoot, manifest }: RunLook, cliInvocation: string): NonNullable<Envelope["halt"]> {
  const facts = factsOfHalt(halt);
  const { kind, details } = facts;
  return {
    kind,
    path: kind === "timeout" ? TIMEOUT_JSON_PATH : MANIFEST_FILE,
    ...(halt.schema_version === "halt.v1" && halt.retry_at !== undefined ? { retry_at: halt.retry_at } : {}),
    next_commands: haltSteps(facts, runRoot, manifest).map((step) => fullCommand({ cliInvocation }, step)),
    blockers: blockersOf(details),
  };
}

/** What stands in the way, as the halt's details have it: reasons of gates, steps that failed, differences, parts not found. */
function blockersOf(details: Record<string, unknown>): unknown[] {
  const { gates } = details;
  if (Array.isArray(gates))
    return gates.flatMap(({ gate, reasons }: { gate: string; reasons: string[] }) =>
      reasons.map((reason) => ({ gate, reason })),
    );
  for (const key of ["reasons", "differences", "steps", "looked_for"]) {
    const found = details[key];
    if (Array.isArray(found)) return found;
  }
  return [];
}
