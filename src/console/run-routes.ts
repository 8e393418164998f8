// The routes that look at runs, start them and change them. Each asks a command. A change is answered with the run as it then stands.
import { RunError } from "../kernel/errors.ts";
import { newRunId } from "../kernel/ids.ts";
import type { ListResult } from "../operations/look/list-runs.ts";
import type { VerbUse } from "../surface/verb-use.ts";
import type { Envelope } from "../surface/envelope.ts";
import { headlineOf } from "../surface/state-words.ts";
import { type Action, ACTIONS, INSPECT, LIST, START, TRIAGE } from "./verb-uses.ts";
import {
  addressOf,
  ask,
  askedStart,
  type RouteRequest,
  type ConsoleParts,
  type Handler,
  isNotThere,
  lookAt,
  runRootOf,
} from "./asked.ts";
import { interruptedRun } from "./interrupted-run.ts";
import { json, refused } from "./replies.ts";
import { sessionOf } from "./session.ts";
import { STAGE_NAMES } from "../surface/stage-words.ts";
import { isHaltCode } from "./statuses.ts";

export function runRoutes(parts: ConsoleParts) {
  const look =
    (command: VerbUse, givenOf: (asked: RouteRequest) => object = () => ({})): Handler =>
    async (asked) => {
      const runRoot = await runRootOf(parts, asked);
      return told(await ask(parts, command, { run: runRoot, ...givenOf(asked) }, { ...asked, runRoot }));
    };
  const action =
    (name: Action): Handler =>
    async (asked) => {
      // A stop does not wait for other changes.
      const waits = asked.body["expected_revision"] !== undefined && name !== "pause" && name !== "abort";
      const work = async (): Promise<Response> => await act(parts, name, asked);
      return waits ? await parts.turns.take(await runRootOf(parts, asked), work) : await work();
    };
  const names = Object.keys(ACTIONS) as Action[];
  const actions = Object.fromEntries(names.map((name) => [name, action(name)])) as Record<Action, Handler>;
  return {
    list: async (asked) => {
      const { query } = asked;
      const state = query.getAll("state");
      const given = { ...(state.length === 0 ? {} : { state }), ...numberIn(query, "limit") };
      const envelope = await ask(parts, LIST, given, { ...asked, runRoot: parts.runsRoot });
      return envelope.error === null ? json(listing(parts, envelope.result as ListResult)) : refused(envelope);
    },
    start: async (asked) => await start(parts, asked),
    snapshot: async (asked) => {
      try {
        const run = await lookAt(parts, asked);
        return json(await snapshot(parts, asked, run));
      } catch (error) {
        if (!isNotThere(error)) throw error;
        const envelope = await askedStart(parts, asked);
        return told(envelope, { run_id: asked.params["run"] });
      }
    },
    inspect: look(INSPECT, ({ query }) => (query.has("step") ? { step: query.get("step") } : {})),
    triage: look(TRIAGE),
    ...actions,
  } satisfies Record<string, Handler>;
}

/** The runs, each with its state in words and the address of its routes. */
function listing({ isReadOnly }: ConsoleParts, { runs, ...list }: ListResult) {
  return {
    ...list,
    is_read_only: isReadOnly,
    runs: runs.map((run) => ({
      ...run,
      headline: headlineOf(run),
      stage_name: STAGE_NAMES[run.stage_current],
      address: addressOf(run.run_root.slice(run.run_root.lastIndexOf("/") + 1)),
    })),
  };
}

function told(envelope: Envelope, more: object = {}): Response {
  return envelope.error === null ? json({ ...more, ...(envelope.result as object) }) : refused(envelope);
}

/** Errors: `INVALID_ARGS`. */
export function numberIn(query: URLSearchParams, name: string): Record<string, number> {
  const given = query.get(name);
  if (given === null) return {};
  if (!/^\d{1,9}$/.test(given))
    throw new RunError("INVALID_ARGS", { reason: `${name} is a whole number`, found: given.slice(0, 100) });
  return { [name]: Number(given) };
}

async function snapshot(parts: ConsoleParts, { query }: RouteRequest, run: Awaited<ReturnType<typeof lookAt>>) {
  const verification = parts.verifications.get(run.runRoot) ?? null;
  return { ...(await sessionOf(parts.ports, run, query.get("text") === "1")), verification };
}

// --- work and changes ---------------------------------------------------------------------------------------------

/**
 * Answers with what was done and with the run as it stands now. `isHere`: it is the run that the path names; other folders may
 * hold a run of the same id.
 */
async function done(
  parts: ConsoleParts,
  asked: RouteRequest,
  envelope: Envelope,
  more: { isNew?: boolean; isWork?: boolean; isHere?: boolean; told?: object } = {},
): Promise<Response> {
  const { error, contract, result, command } = envelope;
  const run_id = contract.run_id ?? asked.params["run"] ?? null;
  if (error !== null && !(more.isWork === true && isOnItsWay(envelope))) return refused(envelope);
  const isHeld = error?.code === "LOCK_HELD";
  const work = isHeld ? "going_on" : ((result as { work?: string } | null)?.work ?? "ended");
  const { isNew = false, isHere = false } = more;
  const said = {
    work,
    ...more.told,
    did: { command, result: work === "ended" ? result : null, error },
  };
  const status = isNew ? 201 : 200;
  try {
    const run = await lookAt(parts, isHere ? asked : { params: { run: run_id ?? "" } });
    return json({ ...(await snapshot(parts, asked, run)), ...said }, status);
  } catch (failure) {
    if (!isNotThere(failure)) throw failure;
    return json({ run_id, ...said }, status);
  }
}

/** True for errors after which the work is done or goes on: a halt, or a repeated start whose run is at work. */
function isOnItsWay({ error, contract, command }: Envelope): boolean {
  if (error === null) return false;
  // The process of the first start may not have made the run yet.
  if (command === "start" && error.code === "LOCK_HELD") return true;
  return contract.revision !== null && isHaltCode(error.code);
}

async function act(parts: ConsoleParts, name: Action, asked: RouteRequest): Promise<Response> {
  const command: VerbUse = ACTIONS[name];
  const { expected_revision, ...options } = asked.body;
  const look = await lookAt(parts, asked);
  refuseMoved(look.manifest.revision, expected_revision);
  const runRoot = look.runRoot;
  const given = name === "abort" ? confirmed(options) : options;
  const envelope = await ask(parts, command, { ...given, run: runRoot }, { ...asked, runRoot });
  if (envelope.error !== null || name !== "fork") {
    const isHere = envelope.contract.run_id === look.manifest.run_id;
    return await done(parts, asked, envelope, { isWork: name === "resume", isHere });
  }
  const { run_id } = envelope.result as { run_id: string };
  const contract = { ...envelope.contract, run_id };
  return await done(parts, asked, { ...envelope, contract }, { isNew: true });
}

/** Errors: `REVISION_MISMATCH` with both numbers. */
function refuseMoved(revision: number, expected: unknown): void {
  if (expected === undefined || expected === revision) return;
  if (!Number.isSafeInteger(expected))
    throw new RunError("INVALID_ARGS", { reason: "expected_revision is a whole number" });
  throw new RunError("REVISION_MISMATCH", { expected_revision: expected, revision });
}

function confirmed({ confirm, ...options }: Record<string, unknown>): object {
  if (confirm !== true)
    throw new RunError("INVALID_ARGS", { reason: "abort ends research for good: it needs confirm: true" });
  return { ...options, yes: true };
}

async function start(parts: ConsoleParts, asked: RouteRequest): Promise<Response> {
  const { resume, ...options } = withResume(asked.body);
  const interrupted = resume ? await interruptedRun(parts, options) : null;
  if (interrupted !== null) return await goOn(parts, asked, interrupted);
  return await begin(parts, asked, options);
}

/** Errors: `INVALID_ARGS` for what is neither true nor false. */
export function withResume({ resume = false, ...options }: RouteRequest["body"]): {
  resume: boolean;
  [name: string]: unknown;
} {
  if (typeof resume !== "boolean") throw new RunError("INVALID_ARGS", { reason: "resume is true or false" });
  return { resume, ...options };
}

/** Goes on with an interrupted run. `told` stands in the answer besides. */
export async function goOn(
  parts: ConsoleParts,
  asked: RouteRequest,
  runRoot: string,
  told: object = {},
): Promise<Response> {
  const envelope = await ask(parts, ACTIONS.resume, { run: runRoot }, { ...asked, runRoot });
  return await done(parts, asked, envelope, { isWork: true, told: { resumed: true, ...told } });
}

/** Begins a run with the options of `start`, or goes on with the one of the id that they name. */
export async function begin(
  parts: ConsoleParts,
  asked: RouteRequest,
  options: Readonly<Record<string, unknown>>,
  told: object = {},
): Promise<Response> {
  const { clock, random } = parts.ports;
  const { run_id = newRunId(clock.nowMs(), random.bytes(6)), ...rest } = options;
  const run = String(run_id);
  const there = await lookAt(parts, { params: { run } }).catch(() => null);
  const where = { ...asked, runRoot: `${parts.runsRoot}/${run}` };
  const envelope = await ask(parts, START, { ...rest, run_id }, where);
  return await done(parts, { ...asked, params: { run } }, envelope, {
    isWork: true,
    isNew: there === null,
    told: { resumed: false, ...told },
  });
}
