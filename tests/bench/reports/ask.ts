// Asks one question of the bench: a real run of the command line, which a later start finds again and goes on with.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { reportV3Schema } from "../../../src/run/report/report.ts";
import type { Question } from "./rubric.ts";
import { scoreOf, type Score } from "./score.ts";

/** The command line: its exit status, and the object that it prints with --json. */
export interface Cli {
  (argv: readonly string[]): Promise<{ code: number; json: unknown }>;
}

export interface Bench {
  cli: Cli;
  /** Where the runs of this model are kept. */
  runsRoot: string;
  /** Options of `start`, as they are typed. */
  options: readonly string[];
  /** Where the model answers now; it may have moved. */
  baseUrl?: string;
}

export interface Asked {
  id: string;
  /** `stopped`: it can be gone on with. */
  outcome: "report" | "no_evidence" | "stopped";
  /** Why it stopped, in the words of the product. */
  reason?: string;
  /** The next start would meet the same: a limit of the provider, a key, a server that does not answer. */
  isForAll?: boolean;
  score: Score;
  calls: number;
  tokens: number;
  /** Null where a price is not known. */
  costUsd: number | null;
  /** Worked on, without pauses. */
  seconds: number;
}

const DOCUMENTS = join(import.meta.dir, "documents");

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
type Status = z.infer<typeof statusSchema>;

const NO_SUCH_RUN = 10;
const FIRST_STAGE = "perspectives";

export async function ask(question: Question, bench: Bench): Promise<Asked> {
  const runId = runIdOf(question);
  const where = ["--runs-root", bench.runsRoot];
  const before = await bench.cli(["status", runId, ...where, "--json"]);
  const known = before.code === NO_SUCH_RUN ? null : statusSchema.parse(before.json);
  const moved = bench.baseUrl === undefined ? [] : ["--model-base-url", bench.baseUrl];
  const argv =
    known === null
      ? ["start", question.ask, "--corpus", join(DOCUMENTS, question.corpus), "--run-id", runId, ...bench.options]
      : ["resume", runId, ...moved];
  const worked = known !== null && isOver(known) ? null : await bench.cli([...argv, ...where, "--json"]);
  const after = await bench.cli(["status", runId, ...where, "--json"]);
  const failure = worked === null ? null : (envelopeSchema.parse(worked.json).error?.message ?? null);
  if (after.code === NO_SUCH_RUN) throw new Error(`${question.id}: ${failure ?? "no run was made"}`);
  return askedOf(question, statusSchema.parse(after.json), failure);
}

/** Another question, rubrics aside, or other documents are another run. */
function runIdOf({ id, corpus, ask: text }: Question): string {
  const folder = join(DOCUMENTS, corpus);
  const documents = readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  const digest = digestOfBytes(JSON.stringify([text, documents]));
  return `${id}-${digest.replace("sha256:", "").slice(0, 8)}`;
}

function isOver({ result }: Status): boolean {
  return result.execution_state === "completed" || result.halt === "no_evidence";
}

/** Where it lies with the model's provider: a limit, a server that does not answer, a key or a name that it refuses. */
function isForAll({ result, contract }: Status): boolean {
  return result.halt === "quota" || result.model_unreachable || contract.stage_current === FIRST_STAGE;
}

function askedOf(question: Question, status: Status, failure: string | null): Asked {
  const { execution_state, halt, report_versions, usage } = status.result;
  const version = report_versions.findLast(({ partial }) => !partial);
  const isFinished = execution_state === "completed" && version !== undefined;
  const outcome = isFinished ? "report" : halt === "no_evidence" ? "no_evidence" : "stopped";
  const page = isFinished ? pageAt(join(status.contract.run_root, version.report_file_path)) : null;
  return {
    id: question.id,
    outcome,
    ...(outcome !== "stopped" ? {} : { reason: failure ?? "it did not end", isForAll: isForAll(status) }),
    score: scoreOf(page, question),
    calls: usage.calls,
    tokens: usage.tokens,
    costUsd: (usage.unpriced_calls ?? 0) > 0 ? null : usage.cost_usd,
    seconds: usage.worked_ms / 1000,
  };
}

function pageAt(markdownPath: string): z.infer<typeof reportV3Schema> {
  const text = readFileSync(markdownPath.replace(/\.md$/, ".json"), "utf8");
  return reportV3Schema.parse(JSON.parse(text));
}
