// A run of the command line that a bench starts, finds again, and continues where it stopped.
import { z } from "zod";

/** The command line: its exit status, and the object that it prints with --json. `input` is its standard input. */
export interface Cli {
  (argv: readonly string[], input?: string): Promise<{ code: number; json: unknown }>;
}

const envelopeSchema = z.looseObject({
  error: z.looseObject({ message: z.string() }).nullable(),
});

const statusSchema = z.looseObject({
  result: z.looseObject({
    execution_state: z.string(),
    halt: z.string().nullable(),
    model_unreachable: z.boolean(),
    report_versions: z.array(z.looseObject({ partial: z.boolean(), report_file_path: z.string() })),
    usage: z.looseObject({
      calls: z.number(),
      tokens: z.number(),
      cost_usd: z.number(),
      unpriced_calls: z.number().optional(),
      worked_ms: z.number(),
    }),
  }),
  contract: z.looseObject({ run_root: z.string(), stage_current: z.string() }),
});
export type Status = z.infer<typeof statusSchema>;

const NO_SUCH_RUN = 10;
const FIRST_STAGE = "perspectives";

export interface KeptRun {
  cli: Cli;
  runId: string;
  runsRoot: string;
  /** What makes the run: the words of `start`, and what it reads. */
  start: readonly string[];
  input?: string;
  /** Where the model answers now; it may have moved. */
  baseUrl?: string | undefined;
}

/** `failure`: why it did not end, in the words of the product; null when it was over before. `status` is null when no run was made. */
export async function workOn(run: KeptRun): Promise<{ status: Status | null; failure: string | null }> {
  const { cli, runId, runsRoot, start, input, baseUrl } = run;
  const where = ["--runs-root", runsRoot, "--json"];
  const read = async (): Promise<Status | null> => {
    const { code, json } = await cli(["status", runId, ...where]);
    return code === NO_SUCH_RUN ? null : statusSchema.parse(json);
  };
  const before = await read();
  if (before !== null && isOver(before)) return { status: before, failure: null };
  const moved = baseUrl === undefined ? [] : ["--model-base-url", baseUrl];
  const worked =
    before === null
      ? await cli(["start", ...start, "--run-id", runId, ...where], input)
      : await cli(["resume", runId, ...moved, ...where]);
  const failure = envelopeSchema.parse(worked.json).error?.message ?? null;
  return { status: await read(), failure };
}

function isOver({ result }: Status): boolean {
  return result.execution_state === "completed" || result.halt === "no_evidence";
}

export interface RunFigures {
  /** `stopped`: it can be continued. */
  outcome: "report" | "no_evidence" | "stopped";
  /** The next start would meet the same: a limit of the provider, a key, a server that does not answer. */
  isForAll: boolean;
  /** The path of the report in Markdown, from the run; null without one. */
  report: string | null;
  calls: number;
  tokens: number;
  /** Null where a price is not known. */
  costUsd: number | null;
  /** Worked on, without pauses. */
  seconds: number;
}

export function figuresOf({ result, contract }: Status): RunFigures {
  const { execution_state, halt, report_versions, usage } = result;
  const version = report_versions.findLast(({ partial }) => !partial);
  const isFinished = execution_state === "completed" && version !== undefined;
  const outcome = isFinished ? "report" : halt === "no_evidence" ? "no_evidence" : "stopped";
  return {
    outcome,
    isForAll:
      outcome === "stopped" && (halt === "quota" || result.model_unreachable || contract.stage_current === FIRST_STAGE),
    report: isFinished ? version.report_file_path : null,
    calls: usage.calls,
    tokens: usage.tokens,
    costUsd: (usage.unpriced_calls ?? 0) > 0 ? null : usage.cost_usd,
    seconds: usage.worked_ms / 1000,
  };
}
