// Performs verbs that work or read documents, each in a process of its own, so that none holds up the surface.
import { RunError } from "../kernel/errors.ts";
import { z } from "../kernel/zod.ts";
import type { OwnProcess } from "../ports/programs.ts";
import { REQUEST_ON_STDIN, type VerbRequest } from "./verb-request.ts";
import type { Envelope } from "./envelope.ts";
import type { Said } from "./verb-use.ts";

/** Starts this very program, which reads `input`; what it prints comes line by line. */
export interface StartOwnProcess {
  (argv: readonly string[], input: string, onLine: (line: string) => void): Promise<OwnProcess>;
}

/** What holds for every verb that a surface calls. */
export type Manner = Pick<VerbRequest, "common" | "steps">;

/** Only this much of an answer is checked, since a newer version of the program may say more. */
const answerSchema = z.object({ schema_version: z.literal("dr.cli.v1"), ok: z.boolean() });

/** A line of `--jsonl`: a journal record that became durable; without `seq` something that a model says. */
export type ProgressEvent = Pick<z.infer<typeof eventSchema>, "event" | "seq" | "data">;
const eventSchema = z.looseObject({
  schema_version: z.literal("dr.event.v1"),
  event: z.string(),
  seq: z.number().optional(),
  data: z.unknown(),
});

/** Work that continues by itself. */
export interface Work {
  /** Resolves with the first record; never where there is none. */
  readonly begun: Promise<void>;
  /** Errors: `WORKER_KILLED`; `INTERNAL` for a process that ended by itself and answered nothing. */
  readonly ended: Promise<Envelope>;
  readonly hasBegun: () => boolean;
}

/** Where verbs are performed that a surface does not perform itself. */
export interface Workers {
  /** The answer of a verb. The signal ends it. Errors: as `Work.ended`. */
  ask(verb: string, said: Said, signal?: AbortSignal): Promise<Envelope>;
  /** Begins a verb that works, and passes its events on as they come. */
  begin(verb: string, said: Said, onEvent: (event: ProgressEvent) => void): Work;
}

/** At the same time; the others wait for their turn. */
const MAX_ACTIVE = 4;

export class OwnWorkers implements Workers {
  readonly #start: StartOwnProcess;
  readonly #manner: Manner;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(start: StartOwnProcess, manner: Manner) {
    this.#start = start;
    this.#manner = manner;
  }

  async ask(verb: string, said: Said, signal?: AbortSignal): Promise<Envelope> {
    while (this.#active === MAX_ACTIVE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#active++;
    try {
      signal?.throwIfAborted();
      return await this.#answer({ ...this.#manner, verb, said, has_events: false }, () => {}, signal);
    } finally {
      this.#active--;
      this.#waiting.shift()?.();
    }
  }

  begin(verb: string, said: Said, onEvent: (event: ProgressEvent) => void): Work {
    const first = Promise.withResolvers<void>();
    let hasBegun = false;
    const ended = this.#answer({ ...this.#manner, verb, said, has_events: true }, (line) => {
      const event = eventSchema.safeParse(parsed(line));
      if (!event.success) return;
      if (event.data.seq !== undefined) {
        hasBegun = true;
        first.resolve();
      }
      onEvent(event.data);
    });
    return { begun: first.promise, ended, hasBegun: () => hasBegun };
  }

  /** The last line that the process prints. */
  async #answer(request: VerbRequest, onLine: (line: string) => void, signal?: AbortSignal): Promise<Envelope> {
    let last = "";
    const keep = (line: string): void => {
      last = line;
      onLine(line);
    };
    // The verb is for lists of processes.
    const child = await this.#start([REQUEST_ON_STDIN, request.verb], asJson(request), keep);
    const kill = (): void => child.kill();
    signal?.addEventListener("abort", kill, { once: true });
    try {
      if (signal?.aborted === true) kill();
      const status = await child.ended;
      signal?.throwIfAborted();
      const answer = parsed(last);
      if (answerSchema.safeParse(answer).success) return answer as Envelope;
      if (status === null || status > 128) throw new RunError("WORKER_KILLED", { status });
      throw new RunError("INTERNAL", { reason: "a process of the program ended without an answer", status });
    } finally {
      signal?.removeEventListener("abort", kill);
    }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

/** A text that a model ended inside a character is sent with U+FFFD in its place, as it would be stored. */
function asJson(request: VerbRequest): string {
  return JSON.stringify(request, (_name, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));
}
