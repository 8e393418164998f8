// The seed of this test run. Every crash point, delay and mixture that a test draws comes from it.
import { SimulatedRandom } from "./random.ts";

const NAME = "TEST_SEED";

function givenOrNew(): number {
  const given = process.env[NAME];
  if (given === undefined || given === "") return Math.floor(Math.random() * 1_000_000);
  if (!/^\d{1,9}$/.test(given)) throw new Error(`${NAME} is a whole number of at most 9 digits, not ${given}`);
  return Number(given);
}

const seed = givenOrNew();
console.log(`drawn from ${NAME}=${seed}`);

/** The command that draws the same again, for the messages of failed tests. */
export function repeatedBy(): string {
  const file = Bun.main.startsWith(process.cwd()) ? `.${Bun.main.slice(process.cwd().length)}` : Bun.main;
  return `again with: ${NAME}=${seed} bun test --timeout 60000 ${file}`;
}

/** Chance of its own for each name, so that a test draws the same whatever ran before it. */
export function chanceFor(name: string): SimulatedRandom {
  return new SimulatedRandom(Bun.hash.crc32(`${seed} ${name}`));
}
