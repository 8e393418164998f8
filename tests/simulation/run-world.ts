// A whole run in the simulated world: the real store, stages and driver, processes that die, and a look from outside.
import { errnoOf, RunError } from "../../src/kernel/errors.ts";
import type { Files } from "../../src/ports/files.ts";
import type { Observer, StopSignals } from "../../src/ports/observer.ts";
import { NO_DAMAGE_NOTES } from "../../src/ports/damage-notes.ts";
import { NO_RANK_GATES } from "../../src/ports/rank-gates.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RunFolders } from "../../src/ports/run-folders.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import type { Outcome, RunResult } from "../../src/operations/outcome.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import { fileStore } from "../../src/stores/file-store.ts";
import { Crashed } from "./disk.ts";
import { Outside } from "./run-outside.ts";
import { SimulatedWorld, type Actor, type WorldOptions } from "./world.ts";

export const RUNS_ROOT = "/runs";
export const RUN_ID = "dr_world";
export const RUN_ROOT = `${RUNS_ROOT}/${RUN_ID}`;
export const QUESTION = "How are command line options parsed, and how are errors in them reported?";

export const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  [
    "parser.md",
    "# Parser\n\nThe parser reads command line options from left to right and keeps every value as a string.\n\nOptions that take a value may be parsed with an equals sign or with the next argument.\n",
  ],
  [
    "errors.md",
    "# Errors\n\nErrors in command line options are reported on the standard error stream together with the name of the option.\n\nThe program stops with the exit status two when an option is unknown, and reports the nearest known name.\n\nEvery message about errors names the command line option and the value that could not be read.\n\nErrors are collected first and reported together at the end, unless the very first option already fails.\n",
  ],
  [
    "habits.md",
    "# Habits\n\nMany tools treat a double dash as the end of all options, so that file names may begin with a dash.\n\nHowever, short options that are grouped behind one dash cannot be parsed when one of them needs a value in the middle.\n",
  ],
]);

/** What `start` is asked for, the same in every process. */
export function startOptions(given: Partial<InitOptions> = {}): InitOptions {
  return {
    runsRoot: RUNS_ROOT,
    question: QUESTION,
    runId: RUN_ID,
    driver: "local",
    mode: "standard",
    sensitivity: "normal",
    corpora: ["/corpus"],
    providers: [],
    limits: { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 2 },
    policies: {},
    ...given,
  };
}

export interface RunProcess {
  actor: Actor;
  ports: Ports;
  /** What it starts a run with, beside the usual. */
  asked: Partial<InitOptions>;
  observer: Observer;
  signals: StopSignals;
  /** Ctrl-C. */
  interrupt(): void;
  terminate(): void;
}

export interface ProcessOptions {
  /** Stands between the store and the disk: how a control takes a guard out. */
  wrapFiles?: (files: Files) => Files;
  wrapStore?: (store: RunLog) => RunLog;
  wrapFolders?: (folders: RunFolders) => RunFolders;
  driverVersion?: string;
}

const noFolder = () => Promise.reject(new Error("this world has no folders but runs"));

export class RunWorld {
  readonly world: SimulatedWorld;
  readonly outside: Outside;

  constructor(world?: SimulatedWorld, outside?: Outside, options: WorldOptions = {}) {
    this.world = world ?? new SimulatedWorld({ autoAdvance: true, ...options });
    this.outside = outside ?? new Outside(DOCUMENTS);
    this.world.disk.plantFolder(RUNS_ROOT);
  }

  process(name: string, { wrapFiles, wrapStore, wrapFolders, driverVersion }: ProcessOptions = {}): RunProcess {
    const actor = this.world.spawn(name);
    const { clock, random, processes } = actor;
    const files = wrapFiles === undefined ? actor.files : wrapFiles(actor.files);
    const store = fileStore({ files, clock, random, processes });
    const [interrupt, terminate] = [new AbortController(), new AbortController()];
    const ports: Ports = {
      clock,
      random,
      processes,
      store: wrapStore === undefined ? store : wrapStore(store),
      runs: store,
      folders: wrapFolders === undefined ? store : wrapFolders(store),
      storeServer: () => Promise.reject(new Error("this world has no server")),
      indexCache: { clear: () => Promise.reject(new Error("this world has no cache")) },
      outputs: { write: noFolder, remove: noFolder, removeEmptyFolder: noFolder, isLinked: noFolder },
      inputs: { read: () => ({ kind: "absent" }) },
      openCorpora: this.outside.corporaFor(actor),
      readAttached: this.outside.readAttached,
      readAttachedPage: () => Promise.reject(new Error("this world has no web")),
      damage: NO_DAMAGE_NOTES,
      rankGates: NO_RANK_GATES,
      corpusAt: () => "there",
      whyNotWritable: () => null,
      loadDriver: async (id) => this.outside.driverFor(actor, id, driverVersion),
      loadModels: () => this.outside.modelsFor(actor),
      prices: this.outside.prices,
      toolVersion: "0.0.0",
      cliInvocation: "deep-research",
    };
    const signals = { interrupt: interrupt.signal, terminate: terminate.signal };
    return {
      actor,
      ports,
      asked: this.outside.asked,
      observer: this.outside.listen(),
      signals,
      interrupt: () => interrupt.abort(),
      terminate: () => terminate.abort(),
    };
  }

  /** An equal world in which every process was killed. */
  cloneKilled(): RunWorld {
    return new RunWorld(this.world.cloneKilled(), this.outside.clone());
  }
}

// --- how work ends ------------------------------------------------------------------------------------------------

export type Ending =
  | { kind: "ended"; outcome: Outcome<RunResult> }
  /** A typed error, which a surface shows with an exit code of its own. */
  | { kind: "refused"; error: RunError }
  | { kind: "crashed" }
  /** An error without a type, or work that never ended. */
  | { kind: "bug"; error: unknown };

/** Of this machine, which may be busy: what hangs does so for ever. */
const HUNG_AFTER_MS = 40_000;

/** Does the work of one process to its end, whatever that is. */
export async function endingOf(work: () => Promise<Outcome<RunResult>>): Promise<Ending> {
  const hung = Promise.withResolvers<Ending>();
  const alarm = setTimeout(() => hung.resolve({ kind: "bug", error: new Error("it hangs") }), HUNG_AFTER_MS);
  try {
    return await Promise.race([
      hung.promise,
      work().then((outcome): Ending => ({ kind: "ended", outcome }), endingOfError),
    ]);
  } finally {
    clearTimeout(alarm);
  }
}

function endingOfError(error: unknown): Ending {
  if (error instanceof Crashed) return { kind: "crashed" };
  if (error instanceof RunError && error.code !== "INTERNAL") return { kind: "refused", error };
  return { kind: "bug", error };
}

/** True when a command would exit with 0. */
export function isSuccess(ending: Ending): boolean {
  return ending.kind === "ended" && ending.outcome.error === null;
}

/** The code that decides about the exit status; `ok` for none. */
export function codeOf(ending: Ending): string {
  switch (ending.kind) {
    case "ended":
      return ending.outcome.error?.code ?? "ok";
    case "refused":
      return ending.error.code;
    case "crashed":
      return "crashed";
    case "bug": {
      const errno = errnoOf(ending.error);
      return `bug: ${errno ?? String(ending.error)}${ending.error instanceof Error && errno === undefined ? ` ${ending.error.stack}` : ""}`;
    }
  }
}
