// Opens the conversations of steps under one ownership: one log, one ledger and one throttle serve all.
import { digestOfJson, type Digest } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import type { Conversation, ConversationOptions } from "../ports/driver.ts";
import { Interrupted } from "../ports/interruption.ts";
import type { Manifest } from "../run/log/manifest.ts";
import type { Stage } from "../run/stage.ts";
import type { Lesson } from "../run/log/step.ts";
import { CallThrottle } from "./call-throttle.ts";
import { StepConversation } from "./conversation.ts";
import { ConversationLog, type ReadContent } from "./conversation-log.ts";
import { KnownServers } from "./known-servers.ts";
import { Ledger, settleLostCalls } from "./ledger.ts";
import { ModelCaller } from "./model-caller.ts";
import type { OwnedRun } from "./owned-run.ts";

/** One attempt at a step. */
export interface StepPlace {
  key: string;
  stage: Stage;
  inputs_digest: Digest;
  /** Why the attempt before failed, when conversations begin anew. */
  lesson?: Lesson;
  /** Why the attempt before failed, when its conversations continue. It is sent once, and not stored. */
  note?: Lesson;
}

/** The place of a report that is made outside of the stages. Each version has conversations of its own. */
export function reportPlace({ report_versions, stage, revision }: Readonly<Manifest>): StepPlace {
  const key = `report:${report_versions.length + 1}`;
  return { key, stage: stage.current, inputs_digest: digestOfJson({ key, revision }) };
}

/** How often a call that waits for room in a budget checks again. */
const CHECK_MS = 50;

export class OpenConversations {
  readonly ledger: Ledger;
  readonly #run: OwnedRun;
  readonly #throttle: CallThrottle;
  #opening: Promise<ModelCaller> | null = null;
  #caller: ModelCaller | null = null;
  #log = new ConversationLog([]);

  constructor(run: OwnedRun) {
    const { writer, ports } = run;
    this.#run = run;
    const workedMs = (): number => (writer.manifest.usage.worked_ms ?? 0) + run.tickMs();
    this.ledger = new Ledger(writer, workedMs, async () => {
      if (run.interruption !== null) throw new Interrupted(run.interruption);
      await ports.clock.sleep(CHECK_MS, run.signal);
    });
    this.#throttle = new CallThrottle(ports.clock, ports.random, () => run.interruption);
  }

  async converse(
    { key, stage, inputs_digest, note: lesson }: StepPlace,
    options: ConversationOptions,
    signal: AbortSignal,
  ): Promise<Conversation> {
    this.#opening ??= this.#open();
    const caller = await this.#opening;
    const place = { key, inputs_digest, conversation: options.name };
    const readContent: ReadContent = (ref) => this.#run.writer.readContent(ref);
    const stored = await this.#log.open(place, readContent);
    const note = lesson?.conversation === options.name ? lesson.text : null;
    return new StepConversation({ run: this.#run, caller, stage, place, stored, note, signal }, options);
  }

  /** To be called when the step is done, or when its next attempt begins anew. */
  forget(key: string): void {
    this.#log.forget(key);
    this.#caller?.forget(key);
  }

  /** True when the step has made a call that may not be made twice. */
  hasActed(key: string): boolean {
    return this.#log.hasActed(key);
  }

  async #open(): Promise<ModelCaller> {
    const { writer, ports, view } = this.#run;
    const { models, rank } = writer.manifest.settings;
    if (models === undefined && rank === undefined)
      throw new RunError("INVALID_ARGS", { reason: "the run has no model", option: "--model" });
    // The owner of these calls is gone.
    await settleLostCalls(this.#run);
    const read = await view.records();
    this.#log = new ConversationLog(read);
    this.#caller = new ModelCaller({
      run: this.#run,
      models: await ports.loadModels(),
      ledger: this.ledger,
      throttle: this.#throttle,
      servers: new KnownServers(read),
      prices: ports.prices,
    });
    return this.#caller;
  }
}
