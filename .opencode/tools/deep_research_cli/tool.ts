// The shape that the tools of this folder share: described arguments in, one line of JSON out, never a throw.
import { basename, dirname, resolve } from "node:path";
import { errnoOf, RunError, describeCause, type ErrorCode, type ErrorFacts } from "../../../src/kernel/errors.ts";
import { z } from "../../../src/kernel/zod.ts";
import { findRun } from "../../../src/operations/look/locate-run.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import { issuesOf } from "../../../src/run/common.ts";
import { MANIFEST_FILE } from "../../../src/run/log/layout.ts";

export interface Tool {
  description: string;
  /** The schema of each argument, by name, as the host wants them. It need not check them: `execute` parses them again. */
  args: z.ZodRawShape;
  /** Returns `{ok:true, ...}` or `{ok:false, error:{code, message, details}}` as JSON. */
  execute(args: unknown, context?: unknown): Promise<string>;
}

export interface ToolFailure {
  code: ErrorCode;
  message: string;
  details: ErrorFacts;
}

export function defineTool<Shape extends z.ZodRawShape>(definition: {
  description: string;
  args: z.ZodObject<Shape>;
  /** A result that is a failure and still tells something says `ok: false` itself. */
  run(args: z.infer<z.ZodObject<Shape>>): Promise<Record<string, unknown>>;
}): Tool {
  return {
    description: definition.description,
    args: definition.args.shape,
    async execute(args) {
      try {
        return JSON.stringify({ ok: true, ...(await definition.run(parseArguments(definition.args, args))) });
      } catch (error) {
        return JSON.stringify({ ok: false, error: failureOf(error) });
      }
    },
  };
}

/** Errors: `INVALID_ARGS` with what is wrong. */
export function parseArguments<T>(schema: z.ZodType<T>, args: unknown): T {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  throw new RunError("INVALID_ARGS", { reason: "the arguments do not fit", issues: issuesOf(parsed.error) });
}

/** Any thrown value in the words of the contract. */
export function failureOf(error: unknown): ToolFailure {
  return failureOfOutcome(error instanceof RunError ? error : asRunError(error));
}

/** Why work stopped short, in the words of the contract. */
export function failureOfOutcome({ code, facts }: { code: ErrorCode; facts: ErrorFacts }): ToolFailure {
  const message = typeof facts["reason"] === "string" ? facts["reason"] : code;
  return { code, message, details: facts };
}

function asRunError(error: unknown): RunError {
  const errno = errnoOf(error);
  const reason = describeCause(error);
  if (errno === undefined) return new RunError("INTERNAL", { reason });
  return new RunError(errno === "ENOENT" || errno === "ENOTDIR" ? "NOT_FOUND" : "WRITE_FAILED", { reason, errno });
}

// --- which run ----------------------------------------------------------------------------------------------------

export const manifestPathSchema = z.string().min(1).describe("Path of the run's manifest.json");
export const reasonSchema = z.string().min(1).max(500).describe("Why; stands in the journal");

/** The run root and the absolute path of the manifest. Errors: `INVALID_ARGS`, `NOT_FOUND`. */
export async function runAt(ports: Ports, manifestPath: string): Promise<{ runRoot: string; manifest_path: string }> {
  const path = resolve(manifestPath);
  if (basename(path) !== MANIFEST_FILE)
    throw new RunError("INVALID_ARGS", { reason: `not a ${MANIFEST_FILE}`, manifest_path: path });
  const { runRoot } = await findRun(ports, { runsRoot: dirname(dirname(path)), ref: path }, "newest");
  return { runRoot, manifest_path: path };
}
