// A small run over a store in the simulated world, what of it was acknowledged, and whether that is still there.
import { digestOfJson } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";
import type { Files } from "../../src/ports/files.ts";
import type { RunWriter } from "../../src/ports/run-log.ts";
import type { ContentRef } from "../../src/run/common.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { fileStore, type FileStore } from "../../src/stores/file-store.ts";
import {
  contentOf,
  foldedText,
  leaveStage,
  noted,
  pauseRequest,
  PLAN,
  planned,
  runCreated,
  sourceNamed,
  withoutPlaces,
  stateChanged,
  stepCompleted,
  stepStarted,
  tickEnded,
  tickStarted,
} from "../conformance/sample-run.ts";
import { Crashed } from "./disk.ts";
import { changesDisk } from "./faults.ts";
import type { Actor, SimulatedWorld } from "./world.ts";

export const RUN = "/runs/dr_sample";
export const LEASE_S = 60;

/** A guard taken out of the files of a process: the control of a sweep. */
export type Guard = (files: Files) => Files;
export const intact: Guard = (files) => files;

export function storeOf({ files, clock, random, processes }: Actor, guard: Guard = intact): FileStore {
  return fileStore({ files: guard(files), clock, random, processes });
}

/** What the processes were told: nothing of it may ever be gone. */
export class Acknowledged {
  isCreated = false;
  readonly records = new Map<number, string>();
  readonly contents: ContentRef[] = [];

  note(records: readonly AnyRecord[]): void {
    for (const { seq, digest } of records) this.records.set(seq, digest);
  }

  copy(): Acknowledged {
    const copy = new Acknowledged();
    copy.isCreated = this.isCreated;
    for (const [seq, digest] of this.records) copy.records.set(seq, digest);
    copy.contents.push(...this.contents);
    return copy;
  }

  /** The first act of an owner is durable when it has its writer. */
  noteOwner(writer: RunWriter): void {
    const { seq, digest } = writer.manifest.journal;
    this.records.set(seq, digest);
  }
}

export async function mustAcquire(store: FileStore): Promise<RunWriter> {
  const acquired = await store.acquire(RUN, { lease_seconds: LEASE_S });
  if (acquired.kind === "held") throw new RunError("LOCK_HELD", { by: acquired.by.owner_id });
  return acquired.writer;
}

const LARGE = { text: "a long result. ".repeat(400) };

/** Two ticks of one process: everything that a store can be asked for, in the order in which a run asks for it. */
export async function workload(
  store: FileStore,
  told: Acknowledged,
  order: "content first" | "record first" = "content first",
): Promise<void> {
  const source = sourceNamed("The first source.");
  const created = await store.create(RUN, [runCreated(), source.draft], [source]);
  if (created.kind === "created") told.isCreated = true;

  const writer = await mustAcquire(store);
  told.noteOwner(writer);
  told.note(await writer.commit([stateChanged("idle", "running"), tickStarted(1)]));
  told.note(await writer.commit([planned("init", "init.small", "init.large"), stepStarted("init", "init.small")]));
  told.note(await writer.commit([stepCompleted("init", "init.small", { small: true })]));

  const large = contentOf(LARGE);
  const ref: ContentRef = { path: large.path, sha256: digestOfJson(LARGE), bytes: large.bytes.byteLength };
  const finish = () => writer.commit([stepCompleted("init", "init.large", LARGE, ref)]);
  if (order === "record first") told.note(await finish());
  await writer.storeContent(large.path, large.bytes);
  if (order === "content first") told.note(await finish());
  told.contents.push(ref);

  const sideBySide = ["a", "b", "c"].map(async (note) => told.note(await writer.commit([noted(note)])));
  await Promise.all(sideBySide);
  await writer.foldNow();
  await leaveStage(writer, "init", "perspectives");
  told.noteOwner(writer);
  await writer.refresh();
  await store.request(RUN, pauseRequest());
  for (const request of await writer.requests()) {
    const { request_id, reason, requested_at } = request;
    told.note(await writer.commit([{ kind: "request.pause", data: { request_id, reason, requested_at } }]));
    await writer.dropRequest(request_id);
  }
  told.note(await writer.commit([tickEnded(1)]));
  await writer.release();

  const next = await mustAcquire(store);
  told.noteOwner(next);
  told.note(await next.commit([tickStarted(2), stepStarted("perspectives", "perspectives.plan")]));
  told.note(await next.commit([stepCompleted("perspectives", "perspectives.plan", PLAN)]));
  await leaveStage(next, "perspectives", "wave1");
  told.noteOwner(next);
  told.note(await next.commit([noted("not folded")]));
  await next.release();
}

/** What the next process does, whatever the one before left: begins the run if need be, takes it over, goes on. */
export async function recover(store: FileStore, told: Acknowledged): Promise<void> {
  const source = sourceNamed("The first source.");
  const created = await store.create(RUN, [runCreated(), source.draft], [source]);
  if (created.kind === "created") told.isCreated = true;
  const writer = await mustAcquire(store);
  told.noteOwner(writer);
  await writer.foldNow();
  const later = sourceNamed("A later source.");
  const ref = await writer.storeContent(later.path, later.bytes);
  told.note(await writer.commit([later.draft]));
  told.contents.push(ref);
  told.note(await writer.commit([noted("recovered")]));
  await writer.foldNow();
  await writer.release();
}

/** What is wrong with the run as a new process sees it: nothing, when the guarantees hold. */
export async function violations(
  world: SimulatedWorld,
  told: Acknowledged,
  expected?: readonly string[],
): Promise<string[]> {
  const store = storeOf(world.spawn("looker"));
  const found: string[] = [];
  try {
    const { manifest } = await store.look(RUN);
    const records = await store.records(RUN);
    const digests = records.map(({ digest }) => digest as string);
    for (const [seq, digest] of told.records) {
      if (digests[seq - 1] !== digest) found.push(`acknowledged record ${seq} is gone`);
    }
    if (withoutPlaces(manifest) !== foldedText(records)) found.push("the state is not the fold of the records");
    if (expected !== undefined && digests.some((digest, index) => digest !== expected[index]))
      found.push("neither the old nor the new state");
    for (const ref of told.contents) await store.readContent(RUN, ref);
    for (const stage of ["init", "perspectives"] as const) {
      for (const [key, { result }] of Object.entries(await store.readSteps({ runRoot: RUN, manifest }, stage))) {
        if (result !== undefined && digestOfJson(await store.readResult(RUN, result)) !== result.digest)
          found.push(`the result of ${key} is another`);
      }
    }
    const { problems } = await store.inspect(RUN);
    for (const { path, expected: wanted, found: there } of problems)
      found.push(`${path}: expected ${wanted}, found ${there}`);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    if (error.code !== "NOT_FOUND" || told.isCreated) found.push(`${error.message} ${JSON.stringify(error.facts)}`);
  }
  return found;
}

/** How a process ended: `done`, `crashed`, the code of its typed error, or `untyped` with what was thrown instead. */
export async function endOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof Crashed) return "crashed";
    if (error instanceof RunError) return error.code;
    return `untyped: ${error instanceof Error ? error.stack : String(error)}`;
  }
}

// --- rehearsal ----------------------------------------------------------------------------------------------------

/** The numbers of the effects of a process that change the disk: a second crash anywhere else leaves what one there does. */
export function changesOf({ disk }: SimulatedWorld, process: string): number[] {
  return disk.trace.filter((entry) => entry.process === process && changesDisk(entry)).map(({ number }) => number);
}

/** The effects of the whole workload, and the digests of the records that it leaves. */
export async function rehearse(
  makeWorld: () => SimulatedWorld,
  guard: Guard = intact,
): Promise<{ effects: number; digests: string[] }> {
  const world = makeWorld();
  const actor = world.spawn("writer");
  const store = storeOf(actor, guard);
  await workload(store, new Acknowledged());
  const effects = actor.files.effects;
  const digests = (await store.records(RUN)).map(({ digest }) => digest as string);
  return { effects, digests };
}
