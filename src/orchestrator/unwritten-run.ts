// Works on a run that another process owns, without a trace: sources stay in memory, and the work ends at the first other write.
import { digestOfBytes } from "../kernel/digest.ts";
import { Interrupted } from "../ports/interruption.ts";
import type { Ports } from "../ports/ports.ts";
import type { BroughtDocument } from "../ports/provider.ts";
import type { RunLook, RunWriter } from "../ports/run-log.ts";
import type { ContentRef } from "../run/common.ts";
import type { AnyRecord, RecordDraft } from "../run/record.ts";
import type { Stage } from "../run/stage.ts";
import type { ResultRef, Steps } from "../run/step.ts";
import type { Brought } from "./answers.ts";
import { refuseDrifted, takeHandIn } from "./hand-in.ts";
import { rehearsing } from "./owning.ts";

/**
 * Judges an answer by the code by which the owner of the run will. False when only the owner can judge it, for example because
 * a model has to be asked first. Errors: `AGENT_RESULT_INVALID` and others of `takeHandIn`; `SETTINGS_DRIFT`.
 */
export async function isFitApart(
  ports: Ports,
  run: RunLook,
  brought: Brought,
  sources: readonly BroughtDocument[],
): Promise<boolean> {
  const writer = new UnwrittenRun(ports, run);
  await rehearsing(ports, run, writer, async (ownership) => {
    refuseDrifted(run.manifest, run.runRoot, ownership.performer.driver);
    await takeHandIn(ownership, brought, sources);
  });
  return writer.isAnswered;
}

class UnwrittenRun implements RunWriter {
  readonly epoch = 0;
  readonly ownerId = "";
  readonly untoldTakeover = undefined;
  readonly runRoot: string;
  readonly manifest: RunLook["manifest"];
  /** True once the answer would have been written. */
  isAnswered = false;
  readonly #store: Ports["store"];
  readonly #run: RunLook;
  readonly #stored = new Map<string, Uint8Array>();

  constructor({ store }: Pick<Ports, "store">, run: RunLook) {
    this.#store = store;
    this.#run = run;
    this.runRoot = run.runRoot;
    this.manifest = run.manifest;
  }

  async commit(drafts: readonly RecordDraft[]): Promise<AnyRecord[]> {
    if (drafts.every(({ kind }) => kind === "source.stored")) return [];
    this.isAnswered = drafts.some(({ kind }) => kind === "step.answered");
    throw new Interrupted({ kind: "terminate" });
  }

  async storeContent(path: string, bytes: Uint8Array): Promise<ContentRef> {
    this.#stored.set(path, bytes);
    return { path, sha256: digestOfBytes(bytes), bytes: bytes.byteLength };
  }

  async readContent(ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array> {
    return this.#stored.get(ref.path) ?? (await this.#store.readContent(this.runRoot, ref));
  }

  records = async (): Promise<AnyRecord[]> => await this.#store.records(this.runRoot, this.manifest.journal);
  readResult = async (ref: ResultRef): Promise<unknown> => await this.#store.readResult(this.runRoot, ref);
  readSteps = async (stage: Stage): Promise<Steps> => await this.#store.readSteps(this.#run, stage);

  // Only the owner does these.
  foldNow = async (): Promise<void> => undefined;
  mendFolds = async (): Promise<string[]> => [];
  requests = async (): Promise<[]> => [];
  requestPart = async (): Promise<null> => null;
  dropRequest = async (): Promise<void> => undefined;
  refresh = async () => ({ kind: "refreshed" as const, reclaimed: false });
  findLoss = async (): Promise<null> => null;
  isSuperseded = async (): Promise<boolean> => false;
  release = async (): Promise<void> => undefined;
}
