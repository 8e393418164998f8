// The states in which an operator finds a run, whole and damaged.
import fs from "node:fs";
import { triageRun } from "../../src/operations/look/triage-run.ts";
import { flipAt, flipInJournal } from "../operations/damaged-run.ts";
import { testPorts, tickStarted, TO_RUNNING, withWriter } from "../operations/made-run.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { dies, INIT, isLate, losesCall } from "./halted-places.ts";
import { FEW, LivePlace } from "./live-place.ts";

export interface OperatorState {
  name: string;
  /** What triage says first. */
  condition: string;
  make: (place: LivePlace) => Promise<unknown>;
  /** What only a person can do, done before the first command. */
  fix?: (place: LivePlace) => unknown;
  /** While it is looked at for the first time. */
  whyNotWritable?: string;
}

const start = (place: LivePlace, question = QUESTION, ...flags: string[]) =>
  place.run(["start", question, "--corpus", "docs", ...FEW, ...flags]);

async function begins(place: LivePlace, until: string): Promise<void> {
  await place.run(INIT);
  await place.run(["run", place.runRoot, "--until", until]);
}

async function pauses(place: LivePlace, until = "wave1"): Promise<void> {
  await begins(place, until);
  await place.run(["pause", place.runRoot]);
}

async function findsNothing(place: LivePlace): Promise<void> {
  await start(place, "Zorgmoons colourwise?");
}

function flipSource(runRoot: string): void {
  const text = fs.readdirSync(`${runRoot}/sources`).find((name) => name.endsWith(".txt")) ?? "";
  flipAt(`${runRoot}/sources/${text}`, 3);
}

/** Long enough to be looked at. */
const LEASE_SECONDS = 20;

/** An owner that does not answer and whose lease still holds. */
async function freezes(place: LivePlace): Promise<void> {
  await place.run(INIT, { environment: { DEEP_RESEARCH_HEARTBEAT_SECONDS: "0.01" } });
  const ports = testPorts();
  const acquired = await ports.store.acquire(place.runRoot, { lease_seconds: LEASE_SECONDS });
  if (acquired.kind !== "acquired") throw new Error("the lease is held");
  await acquired.writer.commit([TO_RUNNING, tickStarted(ports)]);
  await acquired.writer.foldNow();
  while ((await triageRun(ports, place.runRoot)).result.findings[0].condition !== "silent") await Bun.sleep(10);
}

export const OPERATOR_STATES: readonly OperatorState[] = [
  { name: "idle", condition: "not_started", make: (place) => place.run(INIT) },
  { name: "killed", condition: "interrupted", make: (place) => dies(place) },
  { name: "killed, and to hold", condition: "interrupted", make: (place) => dies(place, "--on-interrupt", "hold") },
  {
    name: "killed, and the disk is full",
    condition: "cannot_write",
    make: (place) => dies(place),
    whyNotWritable: "ENOSPC",
  },
  {
    name: "its corpus is away",
    condition: "corpus_missing",
    async make(place) {
      await place.run(INIT);
      fs.renameSync(`${place.path}/docs`, `${place.path}/away`);
    },
    fix: (place) => fs.renameSync(`${place.path}/away`, `${place.path}/docs`),
  },
  { name: "between two ticks", condition: "between_ticks", make: (place) => begins(place, "wave1") },
  {
    name: "its owner does not answer",
    condition: "silent",
    make: freezes,
    fix: async (place) => {
      const { store } = testPorts();
      while ((await store.look(place.runRoot)).lease.held !== null) await Bun.sleep(100);
    },
  },
  { name: "paused", condition: "paused", make: (place) => pauses(place) },
  { name: "out of budget", condition: "halted", make: (place) => place.start(["--max-calls", "2"]) },
  {
    name: "no evidence",
    condition: "halted",
    make: findsNothing,
    fix: (place) => fs.writeFileSync(`${place.path}/docs/zorg.md`, "# Zorgmoons\n\nZorgmoons are green, colourwise.\n"),
  },
  {
    name: "drift",
    condition: "halted",
    async make(place) {
      await place.run([...INIT, "--on-drift", "refuse"]);
      fs.writeFileSync(`${place.path}/docs/more.md`, "# More\n\nOptions are parsed from the left to the right.\n");
      await place.run(["run", place.runRoot]);
    },
  },
  { name: "too late", condition: "failed", make: isLate },
  {
    name: "too late, and forked into a run that nobody began",
    condition: "failed",
    async make(place) {
      await isLate(place);
      await place.run(["fork", place.runRoot, "--stage-timeout", "600"]);
    },
  },
  { name: "a call that was cut off", condition: "halted", make: losesCall },
  { name: "a plan to approve", condition: "halted", make: (place) => start(place, QUESTION, "--approve-plan") },
  { name: "completed", condition: "completed", make: (place) => start(place) },
  {
    name: "completed with what is near",
    condition: "completed",
    make: (place) => start(place, "How are options parsed by the machines of Zorg under water?"),
  },
  {
    name: "aborted before anything was found",
    condition: "aborted",
    async make(place) {
      await dies(place);
      await place.run(["abort", place.runRoot, "--yes"]);
    },
  },
  {
    name: "aborted with what was found",
    condition: "aborted",
    async make(place) {
      await begins(place, "synthesis");
      await place.run(["abort", place.runRoot, "--yes"]);
    },
  },
  {
    name: "paused, its journal damaged in the middle",
    condition: "damaged",
    async make(place) {
      await pauses(place);
      flipInJournal(place.runRoot, "step.completed");
    },
  },
  {
    name: "killed, its journal damaged in the middle",
    condition: "damaged",
    async make(place) {
      await begins(place, "wave1");
      const ports = testPorts();
      const { boot_id } = ports.processes.self();
      await withWriter(ports, place.runRoot, async (writer) => {
        const data = { tick: 2, tool_version: "0.0.0", uptime_ms: ports.clock.uptimeMs(), boot_id };
        await writer.commit([{ kind: "tick.started", data }]);
      });
      flipInJournal(place.runRoot, "step.completed");
    },
  },
  {
    name: "completed, its journal damaged in the middle",
    condition: "damaged",
    async make(place) {
      await start(place);
      flipInJournal(place.runRoot, "source.stored");
    },
  },
  {
    name: "completed, a source damaged",
    condition: "damaged",
    async make(place) {
      await start(place);
      flipSource(place.runRoot);
      await place.run(["verify", place.runRoot]);
    },
  },
  {
    name: "paused, a source damaged",
    condition: "damaged",
    async make(place) {
      await pauses(place, "synthesis");
      flipSource(place.runRoot);
      await place.run(["verify", place.runRoot]);
    },
  },
  {
    name: "aborted, a source damaged",
    condition: "damaged",
    async make(place) {
      await pauses(place, "synthesis");
      flipSource(place.runRoot);
      await place.run(["verify", place.runRoot]);
      await place.run(["abort", place.runRoot, "--yes"]);
    },
  },
  {
    name: "paused, a source damaged and repaired",
    condition: "damaged",
    async make(place) {
      await pauses(place, "synthesis");
      flipSource(place.runRoot);
      await place.run(["repair", place.runRoot, "--yes"]);
    },
  },
  {
    name: "paused, its first record damaged",
    condition: "damaged",
    async make(place) {
      await pauses(place);
      flipInJournal(place.runRoot, "run.created");
    },
  },
];

const KEPT = ["runs", "docs", "away"];

/** Where there is nothing, nothing is left. */
function copy(from: string, to: string): void {
  fs.rmSync(to, { recursive: true, force: true });
  if (fs.existsSync(from)) fs.cpSync(from, to, { recursive: true });
}

/** A run that stands so, as often as wanted. */
export class Stood implements AsyncDisposable {
  readonly place: LivePlace;
  readonly #state: OperatorState;

  private constructor(state: OperatorState, place: LivePlace) {
    this.#state = state;
    this.place = place;
  }

  static async of(state: OperatorState): Promise<Stood> {
    const place = await LivePlace.open();
    await state.make(place);
    for (const folder of KEPT) copy(`${place.path}/${folder}`, `${place.path}/kept/${folder}`);
    return new Stood(state, place);
  }

  get whileLookedAt(): { whyNotWritable?: string } {
    const { whyNotWritable } = this.#state;
    return whyNotWritable === undefined ? {} : { whyNotWritable };
  }

  /** As it stood, and a person has done what only a person can do. */
  async again(): Promise<void> {
    const { path } = this.place;
    for (const folder of KEPT) copy(`${path}/kept/${folder}`, `${path}/${folder}`);
    await this.#state.fix?.(this.place);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.place[Symbol.asyncDispose]();
  }
}
