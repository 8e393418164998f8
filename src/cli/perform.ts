// A verb that another surface calls, with its input as data: in this process, or in one of its own that reads it from stdin.
import { RunError } from "../kernel/errors.ts";
import { completed, type FieldTable, judged, refuseMissing } from "../kernel/field.ts";
import { replaced } from "../kernel/replaced.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import { asCommands, type WriteStep } from "../surface/advice.ts";
import { type VerbRequest, verbRequestSchema } from "../surface/verb-request.ts";
import { type Envelope, envelopeOf } from "../surface/envelope.ts";
import { errorReportOfRun } from "../surface/error-report.ts";
import { answerAndShow } from "./answer.ts";
import type { Commands } from "./command.ts";
import { type Known, makeContext, type MakePorts } from "./context.ts";
import { failureReport } from "./failure.ts";
import type { Host } from "./host.ts";

/** An answer from outside with its sources is in one request. */
const MAX_REQUEST_BYTES = 256 * 1024 * 1024;

/** Performs a verb in this process, and returns the object of --json; never throws. */
export async function performWithin(
  host: Host,
  makePorts: MakePorts,
  commands: Commands,
  request: VerbRequest,
): Promise<Envelope> {
  const known: Known = { command: request.verb, ports: null, runRoot: null, noColor: true, idsFoundIn: null };
  const here = hostFor(host, request);
  try {
    const { command, context, input } = await prepared(here, makePorts, commands, request, known);
    const { outcome } = await command.run(context, input);
    const { error, run } = outcome;
    const { ports, write } = context;
    const failure = error === null ? null : await errorReportOfRun(error, write, run?.runRoot, run, ports);
    const { cliInvocation } = host;
    const { runRoot } = known;
    return envelopeOf({
      ...outcome,
      command: request.verb,
      cliInvocation,
      write,
      runRoot,
      error: failure?.error ?? null,
    });
  } catch (error) {
    return (await failureReport(here, error, known)).envelope;
  }
}

/** Reads a request from stdin, performs it, and prints the answer. The exit status. */
export async function answerRequest(
  host: Host,
  loadPorts: () => Promise<MakePorts>,
  commands: Commands,
  known: Known,
): Promise<number> {
  // The verb, for what is wrong with the request.
  known.command = host.argv[1] ?? "";
  const request = await readRequest(host);
  known.command = request.verb;
  const here = hostFor(host, request);
  const { command, context, input } = await prepared(here, await loadPorts(), commands, request, known);
  return await answerAndShow(here, context, async () => await command.run(context, input), known);
}

/** Errors: `INVALID_ARGS` where a person started it. */
async function readRequest(host: Host): Promise<VerbRequest> {
  const bytes = await host.readInput(MAX_REQUEST_BYTES);
  const request = bytes === null ? null : verbRequestSchema.safeParse(parseStrictJson(bytes, MAX_REQUEST_BYTES));
  if (request?.success === true) return request.data;
  throw new RunError("INVALID_ARGS", { reason: "no verb with its input is on stdin" });
}

/** The request replaces the command line and stdin. */
function hostFor(host: Host, { verb, said, has_events }: VerbRequest): Host {
  const { run } = said;
  const argv = [...verb.split(" "), ...(typeof run === "string" ? [run] : []), has_events ? "--jsonl" : "--json"];
  // Not a copy: that would read the working folder, which may be gone.
  return replaced(host, { argv, readInput: async () => new Uint8Array(), readLine: async () => null });
}

async function prepared(host: Host, makePorts: MakePorts, commands: Commands, request: VerbRequest, known: Known) {
  const { verb, said, has_events, steps } = request;
  const { runs_root, config, trust_workspace = false, store, store_file, store_schema } = request.common;
  const entry = commands.find(verb);
  if (entry === undefined) throw new RunError("INVALID_ARGS", { reason: `there is no verb ${verb.slice(0, 80)}` });
  const { command } = await entry.load();
  const input = completed(command.fields, readSaid(command.fields, said));
  const common = {
    json: !has_events,
    jsonl: has_events,
    quiet: false,
    no_color: true,
    runs_root,
    config,
    trust_workspace,
    store,
    store_file,
    store_schema,
  };
  known.write = await writerOf(host, commands, steps);
  const context = await makeContext(host, makePorts, common, command, known, commands);
  return { command, context, input };
}

/** Writes next steps as the caller reads them. */
export async function writerOf(host: Host, commands: Commands, steps: VerbRequest["steps"]): Promise<WriteStep> {
  const write = asCommands(host);
  return steps === "commands" ? write : await (await import("../mcp/tool-steps.ts")).asCalls(fieldsOf(commands), write);
}

/** Of a verb; none where there is no such verb. */
export function fieldsOf(commands: Commands): (verb: string) => Promise<FieldTable> {
  return async (verb) => (await commands.find(verb)?.load())?.command.fields ?? {};
}

/** Errors: `INVALID_ARGS` that names the field. */
function readSaid(fields: FieldTable, said: VerbRequest["said"]): Record<string, unknown> {
  const read = Object.entries(said).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field === undefined || value === undefined ? [] : [[name, judged(field, value)] as const];
  });
  const known = Object.fromEntries(read);
  refuseMissing(fields, known);
  return known;
}
