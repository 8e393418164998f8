// One simulated host: a disk, a clock, a process table and chance, and the processes that run on it.
import type { Clock } from "../../src/ports/clock.ts";
import { SimulatedClock, type SimulatedClockOptions } from "./clock.ts";
import { SimulatedDisk, keepUnsynced, type PowerCutChoices, type SimulatedProcess } from "./disk.ts";
import { ProcessTable, type ProcessTableOptions, type SimulatedProcesses } from "./processes.ts";
import { SimulatedRandom } from "./random.ts";

export { SimulatedClock, eventLoopTurn, type SimulatedClockOptions } from "./clock.ts";
export { ProcessTable, SimulatedProcesses } from "./processes.ts";
export { SimulatedRandom } from "./random.ts";

/** A process of the world with its ports; killing, freezing and thawing reach all of them. */
export interface Actor {
  name: string;
  pid: number;
  files: SimulatedProcess;
  clock: Clock;
  random: SimulatedRandom;
  processes: SimulatedProcesses;
  kill(): void;
  freeze(): void;
  thaw(): void;
}

export interface WorldOptions extends SimulatedClockOptions, ProcessTableOptions {
  seed?: number;
}

export class SimulatedWorld {
  readonly clock: SimulatedClock;
  disk = new SimulatedDisk();
  table: ProcessTable;
  #chance: SimulatedRandom;
  #actors: Actor[] = [];

  constructor(options: WorldOptions = {}) {
    this.clock = new SimulatedClock(options);
    this.table = new ProcessTable(options);
    this.#chance = new SimulatedRandom(options.seed ?? 1);
  }

  /** Starts a process; with a pid, one that takes the pid of a process that is gone. */
  spawn(name: string, pid?: number): Actor {
    const files = this.disk.process(name);
    const { table } = this;
    const processes = table.spawn(pid);
    const self = processes.self();
    files.life.onChange((state) => {
      if (state === "dead") table.kill(self.pid);
    });
    const actor: Actor = {
      name,
      pid: self.pid,
      files,
      clock: this.clock.forProcess(files.life),
      random: new SimulatedRandom(this.#chance.next()),
      processes,
      kill: () => files.kill(),
      freeze: () => files.freeze(),
      thaw: () => files.thaw(),
    };
    this.#actors.push(actor);
    return actor;
  }

  /** kill -9 for every process; the host goes on. */
  kill(): void {
    for (const actor of this.#actors) actor.kill();
    this.#actors = [];
  }

  /** The power goes and comes back: another boot, uptime from 0, on the disk what is durable and what the choices keep. */
  powerCut(choices: PowerCutChoices): void {
    this.kill();
    this.disk.powerCut(choices);
    this.table.reboot();
    this.clock.setUptime(0);
  }

  /** An orderly reboot: as a power cut, but what was written is on the disk. */
  reboot(): void {
    this.powerCut(keepUnsynced);
  }

  /** An equal world in which every process was killed: to try many ends of one beginning. */
  cloneKilled(): SimulatedWorld {
    const copy = new SimulatedWorld({
      nowMs: this.clock.nowMs(),
      uptimeMs: this.clock.uptimeMs(),
      autoAdvance: this.clock.autoAdvance,
    });
    copy.disk = this.disk.clone();
    copy.table = this.table.cloneWithoutProcesses();
    copy.#chance = this.#chance.clone();
    return copy;
  }
}
