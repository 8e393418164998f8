// Chooses the cases of a sweep, counts them, and says what it found.
import { chanceFor, repeatedBy } from "./chance.ts";
import type { SimulatedRandom } from "./random.ts";
import type { SweepRow } from "./sweep-rows.ts";

/** `TEST_SWEEP=full` tries every case; without it a sample is drawn. */
export const isFull = process.env["TEST_SWEEP"] === "full";
export const SWEEP_TIMEOUT_MS = isFull ? 4 * 3_600_000 : 600_000;

/** `TEST_SHARD=2/8`: of a full sweep this process takes the second of eight equal shares. */
const [shard = 1, shards = 1] = (process.env["TEST_SHARD"] ?? "").split("/").flatMap((n) => Number(n) || []);

const SHOWN = 10;

export class Sweep {
  readonly chance: SimulatedRandom;
  readonly #row: SweepRow | null;
  cases = 0;
  /** Cases that violate something. */
  #violated = 0;
  /** What they violate, named by the case. */
  readonly found: string[] = [];
  #begun = performance.now();

  /** A row of the full sweep, or a part of one that draws for itself. `null` is a control: it tries the same every time. */
  constructor(row: SweepRow | null, part = "") {
    this.#row = row;
    this.chance = chanceFor(`${row} ${part}`);
  }

  /** The cases of this sweep: in a full one all, or this process's share of them; else about `count`, drawn evenly. */
  drawn<T>(cases: readonly T[], count: number): T[] {
    if (this.#row === null) return evenly(cases, count);
    return isFull ? cases.filter((_, index) => index % shards === shard - 1) : this.drawnWithin(cases, count);
  }

  /** Second faults of one case: as `drawn`, but never shared between processes. */
  drawnWithin<T>(cases: readonly T[], count: number): T[] {
    if (this.#row === null) return evenly(cases, count);
    if (isFull || cases.length <= count) return [...cases];
    const stride = cases.length / count;
    return Array.from(
      { length: count },
      (_, index) => cases[Math.floor((index + this.chance.below(1000) / 1000) * stride)] as T,
    );
  }

  note(where: string, problems: readonly string[]): void {
    this.cases++;
    if (problems.length === 0) return;
    this.#violated++;
    this.found.push(...problems.slice(0, 3).map((problem) => `${where}: ${problem}`));
  }

  /** The first violations, and how to see them again. A full sweep prints its figures. */
  end(): string[] {
    const seconds = ((performance.now() - this.#begun) / 1000).toFixed(1);
    if (isFull && this.#row !== null)
      console.log(`sweep ${this.#row}: ${this.cases} cases, ${this.#violated} violations, ${seconds} s`);
    return this.found.length === 0 ? [] : [...this.found.slice(0, SHOWN), repeatedBy()];
  }
}

/** A row of the full sweep. Each case gets a number that is drawn for it, to choose by what else varies. */
export async function sweep<T>(
  row: SweepRow,
  cases: readonly T[],
  count: number,
  violationsOf: (one: T, drawn: number) => Promise<string[]>,
): Promise<string[]> {
  const all = new Sweep(row);
  for (const one of all.drawn(cases, count)) {
    const drawn = all.chance.next();
    const where = `${JSON.stringify(one)} with ${drawn}`;
    try {
      all.note(where, await violationsOf(one, drawn));
    } catch (error) {
      all.note(where, [error instanceof Error ? (error.stack ?? error.message) : String(error)]);
    }
  }
  return all.end();
}

/** What a control finds, whose cases are always the same. */
export async function control<T>(
  cases: readonly T[],
  violationsOf: (one: T, index: number) => Promise<string[]>,
): Promise<string> {
  const found: string[] = [];
  for (const [index, one] of cases.entries()) found.push(...(await violationsOf(one, index)));
  return found.join("\n");
}

/** About `count` of the cases, spread evenly and always the same: a control has to fail every time. */
export function evenly<T>(cases: readonly T[], count: number, offset = 0): T[] {
  if (cases.length <= count) return [...cases];
  const stride = cases.length / count;
  return Array.from({ length: count }, (_, index) => cases[Math.floor(index * stride + offset) % cases.length] as T);
}

export function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
