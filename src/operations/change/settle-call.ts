// `settle`: a person says what became of a tool call that was cut off, and so ends the halt over it.
import { z } from "../../kernel/zod.ts";
import { RunError } from "../../kernel/errors.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import { parseWith } from "../../run/common.ts";
import { isTerminal, saidState } from "../../run/log/lifecycle.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { toolCallPlaceSchema, type RecordDraft } from "../../run/log/record.ts";
import type { Outcome } from "../outcome.ts";
import { work } from "../work.ts";

export interface SettleOptions {
  /** As the halt names it. */
  call: string;
  /** `assume_done`: it did its work, and its output is lost. `replay`: it runs once more. */
  as: "assume_done" | "replay";
}

export interface SettleResult extends SettleOptions {
  tool: string;
}

const detailsSchema = toolCallPlaceSchema.extend({ call: z.string() });

/** Errors: `INVALID_STATE` when no call waits for an answer, `NOT_FOUND` when it is another one, `LOCK_HELD`. */
export async function settleCall(
  ports: Ports,
  runRoot: string,
  options: SettleOptions,
  observer: Observer,
): Promise<Outcome<SettleResult>> {
  return await work(ports, runRoot, {
    reason: "settle",
    observer,
    isQuiet: true,
    // A refusal leaves no record.
    judge({ state, manifest }) {
      if (isTerminal(state)) throw new RunError("RUN_TERMINAL", { state, run_root: runRoot });
      draftsOf(manifest, runRoot, options);
      return null;
    },
    async act({ writer }) {
      const { drafts, tool } = draftsOf(writer.manifest, runRoot, options);
      await writer.commit(drafts);
      return { ...options, tool };
    },
  });
}

function draftsOf(
  { halt, execution_state }: Readonly<Manifest>,
  runRoot: string,
  { call, as }: SettleOptions,
): { drafts: RecordDraft[]; tool: string } {
  const facts = { run_root: runRoot, call };
  if (halt?.schema_version !== "halt.v1" || halt.kind !== "tool_outcome_unknown")
    throw new RunError("INVALID_STATE", {
      ...facts,
      reason: "no tool call waits to be settled",
      state: saidState(execution_state, halt),
    });
  const { call: waiting, ...place } = parseWith(detailsSchema, halt.details, { path: "manifest.json" });
  if (waiting !== call)
    throw new RunError("NOT_FOUND.waiting", { reason: "another tool call waits to be settled", waiting, ...facts });
  const settled: RecordDraft =
    as === "assume_done"
      ? { kind: "tool.completed", data: { ...place, outcome: "assumed_done" } }
      : { kind: "tool.replay_allowed", data: place };
  const reason = as === "assume_done" ? "a person said that it was done" : "a person let it run once more";
  return { drafts: [settled, { kind: "halt.cleared", data: { kind: halt.kind, reason } }], tool: place.name };
}
