// The way to a store that can be cut, before any log: what a server is that does not answer, for tests.
import { RunError } from "../../src/kernel/errors.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { STORE_PATIENCE_MS, type RunLog, type RunWriter } from "../../src/ports/run-log.ts";

/** `answers lost`: what is asked is done, and nobody hears of it. */
type Cut = "down" | "answers lost";

export class Link {
  readonly clock: Clock;
  #cut: Cut = "down";
  #untilMs = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get state(): Cut | "up" {
    return this.clock.uptimeMs() < this.#untilMs ? this.#cut : "up";
  }

  cut(forMs: number, cut: Cut = "down"): void {
    this.#cut = cut;
    this.#untilMs = this.clock.uptimeMs() + forMs;
  }
}

export interface LinkOptions {
  /** How long a call waits; none for an adapter without patience, as a control. */
  patienceMs?: number;
  /** What a call ends with; a control lets the error of the driver through. */
  awayError?: () => Error;
}

const ASK_AGAIN_MS = 100;
const ASKS_ONCE = new Set<keyof RunWriter>(["refresh", "release"]);
/** After one of these the writer does not know what is stored. */
const WRITES = new Set<keyof RunWriter>(["commit", "storeContent", "foldNow", "repairFolds"]);

/** A store behind a link. Its calls keep the promises of the port about a store that is away. */
export function behindLink<Log extends RunLog>(
  store: Log,
  link: Link,
  { patienceMs = STORE_PATIENCE_MS, awayError = unavailable }: LinkOptions = {},
): Log {
  const { clock } = link;
  const reach = async <T>(work: () => Promise<T>, waits = true): Promise<T> => {
    const untilMs = clock.uptimeMs() + (waits ? patienceMs : 0);
    const waitUntilUp = async (): Promise<void> => {
      while (link.state !== "up") {
        if (clock.uptimeMs() >= untilMs) throw awayError();
        await clock.sleep(ASK_AGAIN_MS);
      }
    };
    const asked = link.state === "answers lost" ? await work() : null;
    await waitUntilUp();
    return asked ?? (await work());
  };

  const writerBehind = (writer: RunWriter): RunWriter => {
    let death: unknown = null;
    const call = async (name: keyof RunWriter, work: () => Promise<unknown>): Promise<unknown> => {
      if (death !== null && WRITES.has(name)) throw death;
      try {
        return await reach(work, !ASKS_ONCE.has(name));
      } catch (error) {
        if (name === "release" && isAway(error)) return;
        if (WRITES.has(name) && isAway(error)) death = error;
        throw error;
      }
    };
    return calling(writer, (name, work) => call(name, work));
  };

  return calling(store, async (_name, work) => {
    const answer = await reach(work);
    const { writer } = (answer ?? {}) as { writer?: RunWriter };
    return writer === undefined ? answer : { ...(answer as object), writer: writerBehind(writer) };
  });
}

/** The same object, each of whose methods that return a promise goes through `call`. */
function calling<T extends object>(
  target: T,
  call: (name: keyof T, work: () => Promise<unknown>) => Promise<unknown>,
): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object);
      if (typeof value !== "function") return value;
      return (...asked: unknown[]) => {
        const work = (): Promise<unknown> => value.apply(object, asked);
        if (name === "follow")
          return calling(work() as unknown as object, (_name, next) => call(name as keyof T, next));
        return name === "list" ? work() : call(name as keyof T, work);
      };
    },
  });
}

function unavailable(): RunError {
  return new RunError("UNAVAILABLE", { reason: "the server does not answer" });
}

function isAway(error: unknown): boolean {
  return error instanceof RunError && error.code === "UNAVAILABLE";
}
