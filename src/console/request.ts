// A request that was let in, what its handler works with, and how the handler calls verbs.
import { RunError } from "../kernel/errors.ts";
import { RUN_ID_PATTERN } from "../kernel/ids.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import type { Sensitivity } from "../run/settings/settings.ts";
import type { VerbUse } from "../surface/verb-use.ts";
import type { VerbCalls } from "../surface/verb-calls.ts";
import type { FieldTable } from "../kernel/field.ts";
import type { Envelope } from "../surface/envelope.ts";
import { STATUS } from "./verb-uses.ts";
import type { Feeds } from "./feeds.ts";
import type { RouteName } from "./routes.ts";
import type { Turns } from "./turns.ts";

export interface RouteRequest {
  request: Request;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: Readonly<Record<string, unknown>>;
}

export type Handler = (call: RouteRequest) => Promise<Response>;
export type Handlers = Record<RouteName, Handler>;

export interface ConsoleParts {
  ports: Ports;
  calls: VerbCalls;
  readonly fieldsOf: (command: string) => Promise<FieldTable>;
  /** Absolute. */
  runsRoot: string;
  feeds: Feeds;
  /** The last result of `verify` by run, as long as the console lives. */
  verifications: Map<string, object>;
  turns: Turns;
  /** As configured: it says which model servers the form of a new run may list the models of. */
  sensitivity: Sensitivity;
  /** True refuses every request that would change something. */
  isReadOnly: boolean;
  /** Fires when the console ends. */
  stop: AbortSignal;
}

/**
 * The folder of the run that the path names: by the name of the folder, otherwise by the whole id. It may not exist yet.
 * Errors: `NOT_FOUND`, `INVALID_ARGS` for an id that several renamed folders hold.
 */
export async function runRootOf(
  { ports, runsRoot }: Pick<ConsoleParts, "ports" | "runsRoot">,
  { params }: Pick<RouteRequest, "params">,
): Promise<string> {
  const { run = "" } = params;
  const names = (await ports.runs.names(runsRoot)) ?? [];
  // A copy may be named `dr_1 (copy)`.
  const named = names.find((name) => addressOf(name) === run);
  if (named !== undefined) return `${runsRoot}/${named}`;
  if (!RUN_ID_PATTERN.test(run)) throw new RunError("NOT_FOUND", { reason: "there is no run of this id" });
  // Where no folder has its name, one may have been renamed.
  const renamed: string[] = [];
  for await (const { runRoot, look } of ports.runs.list(runsRoot))
    if (look?.manifest.run_id === run) renamed.push(runRoot);
  if (renamed.length > 1)
    throw new RunError("INVALID_ARGS", {
      reason: "several folders hold a run of this id: name one of the folders in its place",
      run_id: run,
      run_roots: renamed,
    });
  return renamed[0] ?? `${runsRoot}/${run}`;
}

/** The name of the folder as a URL writes it. The routes go by it, since several folders may hold a run of one id. */
export function addressOf(folderName: string): string {
  return encodeURIComponent(folderName.toWellFormed());
}

/** Errors: those of `RunLog.look`. */
export async function readRun(parts: ConsoleParts, call: Pick<RouteRequest, "params">): Promise<RunLook> {
  return await parts.ports.store.look(await runRootOf(parts, call), { cutShort: true });
}

/** Calls a verb with arguments in snake_case. The events of its process go to the clients that follow the run. */
export async function callVerb(
  { calls, feeds }: ConsoleParts,
  command: VerbUse,
  given: object,
  { request, runRoot }: { request: Request; runRoot: string },
): Promise<Envelope> {
  const onProgress = feeds.publish.bind(feeds, runRoot);
  return await calls.answer(command, { given, signal: request.signal, onProgress });
}

/** The answer of a start that still reads documents, or the reason why there is no run. Errors: `NOT_FOUND` for any other run. */
export async function startAnswer(parts: ConsoleParts, call: RouteRequest): Promise<Envelope> {
  const runRoot = await runRootOf(parts, call);
  const { run } = call.params;
  const envelope = await callVerb(parts, STATUS, { run }, { ...call, runRoot });
  const isIt = envelope.contract.run_id === run || envelope.command === "start";
  if (envelope.error !== null || isIt) return envelope;
  throw new RunError("NOT_FOUND", { reason: "there is no run of this id", run_id: run });
}

export function isNotThere(error: unknown): boolean {
  return error instanceof RunError && error.code === "NOT_FOUND";
}
