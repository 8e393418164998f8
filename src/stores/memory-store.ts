// Runs in memory, by the same pure rules as the file store: for tests and simulation, where nothing has to survive.
import { assert } from "../kernel/assert.ts";
import { digestOfBytes } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import { newOwnerId } from "../kernel/ids.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import { timestamp, type Clock } from "../ports/clock.ts";
import type { Processes } from "../ports/processes.ts";
import type { Random } from "../ports/random.ts";
import type { AcquireOptions, CommitOptions, RunStore, RunWriter } from "../ports/run-store.ts";
import { parseWith, relativePathSchema, type ContentRef } from "../run/common.ts";
import { checkDrafts } from "../run/drafts.ts";
import { foldAll, foldRecord } from "../run/fold.ts";
import { frameRecord, MAX_RECORD_BYTES, readRecordLine, sealRecord } from "../run/journal.ts";
import type { PlacedRecord, RecordDraft } from "../run/record.ts";
import { stageFile } from "../run/layout.ts";
import { remainingOf, type LeaseJudgement, type LeaseRecord } from "../run/lease.ts";
import { deriveState } from "../run/lifecycle.ts";
import type { Manifest } from "../run/manifest.ts";
import { requestSchema, type Request } from "../run/request.ts";
import { stageFileSchema } from "../run/stage-folds.ts";
import type { Stage } from "../run/stage.ts";
import type { ResultRef, Steps } from "../run/step.ts";
import { judgeRecord, tookOverFrom, viewOf, viewpoint } from "./lease-view.ts";

export interface MemoryStoreDependencies {
  clock: Clock;
  random: Random;
  processes: Processes;
}

interface MemoryRun {
  records: PlacedRecord[];
  /** Content and folds, by their path below the run root. */
  files: Map<string, Uint8Array>;
  requests: Map<string, Request>;
  /** The claim with the highest epoch. */
  claim: LeaseRecord | null;
}

/** What several processes share: each builds its own store over the same memory. Keyed by run root. */
export type Memory = Map<string, MemoryRun>;

const DEFAULT_LEASE_S = 120;

export function memoryStore(dependencies: MemoryStoreDependencies, memory: Memory = new Map()): RunStore {
  const runAt = (runRoot: string): MemoryRun => {
    const run = memory.get(runRoot);
    if (run === undefined) throw new RunError("NOT_FOUND", { reason: "no run is here", run_root: runRoot });
    return run;
  };
  const store: RunStore = {
    names: async (runsRoot) => namesUnder(memory, runsRoot),
    async *list(runsRoot) {
      for (const name of namesUnder(memory, runsRoot) ?? []) {
        const runRoot = `${runsRoot}/${name}`;
        yield { runRoot, look: await store.look(runRoot), error: null };
      }
    },
    async create(runRoot, drafts, contents) {
      if (memory.has(runRoot)) return { kind: "exists" };
      const run: MemoryRun = { records: [], files: new Map(), requests: new Map(), claim: null };
      for (const { path, bytes } of contents) storeContent(run, path, bytes);
      appendTo(run, drafts, 0, timestamp(dependencies.clock.nowMs()));
      memory.set(runRoot, run);
      return { kind: "created" };
    },
    async look(runRoot) {
      const run = runAt(runRoot);
      const lease = structuredClone(viewOf(judgeRecord(dependencies, run.claim, viewpoint(dependencies))));
      const manifest = manifestOf(run);
      const state = deriveState({
        recorded: manifest.execution_state,
        tickIsOpen: manifest.tick.is_open,
        leaseIsHeld: lease.held !== null,
      });
      return { runRoot, manifest, lease, state, requests: waiting(run) };
    },
    async acquire(runRoot, options = {}) {
      const run = runAt(runRoot);
      const judgement = judgeRecord(dependencies, run.claim, viewpoint(dependencies));
      if (judgement.kind === "held" && options.force !== true) {
        return { kind: "held", by: judgement.record, expires_at_ms: judgement.expires_at_ms };
      }
      const writer = new MemoryWriter(dependencies, runRoot, run, options, judgement);
      await writer.begin();
      return { kind: "acquired", writer };
    },
    records: async (runRoot) => [...runAt(runRoot).records],
    follow(runRoot, afterSeq) {
      let seq = afterSeq;
      return {
        async next() {
          const records = runAt(runRoot).records.filter(({ record }) => record.seq > seq);
          seq = records.at(-1)?.record.seq ?? seq;
          return records;
        },
      };
    },
    readContent: async (runRoot, ref) => readContent(runAt(runRoot), ref),
    readResult: async (runRoot, ref) => readResult(runAt(runRoot), ref),
    readSteps: async ({ runRoot, manifest }, stage) => readSteps(runAt(runRoot), manifest, stage),
    async settle(runRoot) {
      runAt(runRoot);
    },
    async withdraw(runRoot, requestId) {
      runAt(runRoot).requests.delete(requestId);
    },
    async request(runRoot, request) {
      const { requests } = runAt(runRoot);
      parseWith(requestSchema, request, { request_id: request.request_id });
      if (!requests.has(request.request_id)) requests.set(request.request_id, request);
    },
    async inspect(runRoot) {
      const run = runAt(runRoot);
      const manifest = manifestOf(run);
      const head = { seq: manifest.revision, epoch: manifest.epoch, digest: manifest.journal.digest };
      const scan = {
        records: [...run.records],
        head,
        end: endOf(run),
        debris: [],
        lost: [],
        damage: null,
        newer: null,
      };
      return { scan, manifest, problems: [], behind: [], notes: [] };
    },
    bytesOf: async (runRoot) => bytesOf(runAt(runRoot)),
    async remove(runRoot, { expectedRevision } = {}) {
      const run = runAt(runRoot);
      const judgement = judgeRecord(dependencies, run.claim, viewpoint(dependencies));
      if (judgement.kind === "held") {
        return { kind: "held", by: judgement.record, expires_at_ms: judgement.expires_at_ms };
      }
      const { revision } = manifestOf(run);
      if (expectedRevision !== undefined && expectedRevision !== revision)
        throw new RunError("REVISION_MISMATCH", { expected_revision: expectedRevision, revision, run_root: runRoot });
      memory.delete(runRoot);
      return { kind: "removed", bytes_freed: bytesOf(run) };
    },
    sweepRemoved: async () => 0,
  };
  return store;
}

class MemoryWriter implements RunWriter {
  readonly runRoot: string;
  readonly manifest: Manifest;
  readonly tookOver: string | undefined;
  readonly #dependencies: MemoryStoreDependencies;
  readonly #run: MemoryRun;
  readonly #options: AcquireOptions;
  #claim: LeaseRecord;
  #death: RunError | null = null;

  constructor(
    dependencies: MemoryStoreDependencies,
    runRoot: string,
    run: MemoryRun,
    options: AcquireOptions,
    before: LeaseJudgement,
  ) {
    this.#dependencies = dependencies;
    this.runRoot = runRoot;
    this.#run = run;
    this.#options = options;
    this.manifest = manifestOf(run);
    this.tookOver = tookOverFrom(before);
    this.#claim = this.#newClaim();
  }

  get epoch(): number {
    return this.#claim.epoch;
  }

  get ownerId(): string {
    return this.#claim.owner_id;
  }

  async begin(reason = this.#options.reason): Promise<void> {
    const { owner_id, pid, hostname } = this.#claim;
    const data = { owner_id, pid, hostname: hostname ?? "", ...(reason === undefined ? {} : { reason }) };
    await this.commit([
      { kind: "lease.taken", data: this.tookOver === undefined ? data : { ...data, took_over: this.tookOver } },
    ]);
  }

  async commit(drafts: readonly RecordDraft[], options: CommitOptions = {}): Promise<PlacedRecord[]> {
    this.#requireAlive();
    const { expectedRevision } = options;
    if (expectedRevision !== undefined && expectedRevision !== this.manifest.revision) {
      throw new RunError("REVISION_MISMATCH", {
        expected_revision: expectedRevision,
        revision: this.manifest.revision,
      });
    }
    checkDrafts(this.manifest, drafts);
    const placed = appendTo(this.#run, drafts, this.epoch, timestamp(this.#dependencies.clock.nowMs()));
    for (const { path, text } of options.folds ?? []) this.#run.files.set(path, new TextEncoder().encode(text));
    for (const record of placed) {
      foldRecord(this.manifest, structuredClone(record));
      this.#options.onCommit?.(record);
    }
    return placed;
  }

  async storeContent(path: string, bytes: Uint8Array): Promise<ContentRef> {
    this.#requireAlive();
    return storeContent(this.#run, path, bytes);
  }

  readContent = async (ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array> => readContent(this.#run, ref);
  readResult = async (ref: ResultRef): Promise<unknown> => readResult(this.#run, ref);
  readSteps = async (stage: Stage): Promise<Steps> => readSteps(this.#run, this.manifest, stage);
  requests = async (): Promise<Request[]> => waiting(this.#run);
  isSuperseded = async (): Promise<boolean> => (this.#run.claim?.epoch ?? 0) > this.epoch;

  async foldNow(): Promise<void> {
    this.#requireAlive();
  }

  async mendFolds(): Promise<string[]> {
    this.#requireAlive();
    return [];
  }

  async dropRequest(requestId: string): Promise<void> {
    this.#run.requests.delete(requestId);
  }

  async refresh(): ReturnType<RunWriter["refresh"]> {
    if (await this.isSuperseded())
      return {
        kind: "lost",
        code: "LOCK_NOT_OWNED",
        reason: "another process claimed a higher epoch",
        superseded: true,
      };
    if (this.#death !== null)
      return { kind: "lost", code: "LOCK_NOT_HELD", reason: "the lease was given up", superseded: false };
    const here = viewpoint(this.#dependencies);
    if (remainingOf(this.#claim, here) > 0) {
      Object.assign(this.#claim, { refreshed_at: timestamp(here.now_ms), refreshed_uptime_ms: here.uptime_ms });
      return { kind: "refreshed", reclaimed: false };
    }
    this.#claim = this.#newClaim();
    await this.begin("claimed again after it expired");
    return { kind: "refreshed", reclaimed: true };
  }

  async repair(): ReturnType<RunWriter["repair"]> {
    this.#requireAlive();
    return { quarantined: [], dropped_records: 0, rebuilt: [] };
  }

  async release(): Promise<void> {
    if (this.#death === null) this.#claim.released_at = timestamp(this.#dependencies.clock.nowMs());
    this.#death ??= new RunError("LOCK_NOT_HELD", { reason: "the lease was released", run_root: this.runRoot });
  }

  #newClaim(): LeaseRecord {
    const { processes, random } = this.#dependencies;
    const here = viewpoint(this.#dependencies);
    const claim: LeaseRecord = {
      schema_version: "lock.v1",
      ...processes.self(),
      created_at: timestamp(here.now_ms),
      lease_seconds: this.#options.lease_seconds ?? DEFAULT_LEASE_S,
      refreshed_at: timestamp(here.now_ms),
      refreshed_uptime_ms: here.uptime_ms ?? 0,
      owner_id: newOwnerId(random.bytes(12)),
      epoch: 1 + Math.max(this.#run.claim?.epoch ?? 0, this.manifest.epoch),
    };
    this.#run.claim = claim;
    return claim;
  }

  #requireAlive(): void {
    const theirs = this.#run.claim?.epoch ?? 0;
    if (theirs > this.epoch) {
      this.#death ??= new RunError("LOCK_LOST", {
        reason: "another process took over",
        epoch: this.epoch,
        their_epoch: theirs,
      });
    }
    if (this.#death !== null) throw this.#death;
  }
}

// --- what a run holds ---------------------------------------------------------------------------------------------

/** Places records as in a file; what is kept went through JSON, as everything on a disk does. */
function appendTo(run: MemoryRun, drafts: readonly RecordDraft[], epoch: number, ts: string): PlacedRecord[] {
  const placed: PlacedRecord[] = [];
  let end = endOf(run);
  let last = run.records.at(-1)?.record;
  for (const draft of drafts) {
    const { line } = sealRecord(draft, { seq: (last?.seq ?? 0) + 1, ts, epoch, prev: last?.digest ?? null });
    const bytes = Buffer.byteLength(line);
    if (bytes > MAX_RECORD_BYTES)
      throw new RunError("INPUT_TOO_LARGE", { reason: "the record is too large", kind: draft.kind, bytes });
    const reading = readRecordLine(line);
    assert(reading.kind === "record", "a sealed record reads back");
    const start = end;
    end += Buffer.byteLength(frameRecord(line));
    placed.push({ record: reading.record, offset: start + (end - start - bytes - 1), end });
    last = reading.record;
  }
  run.records.push(...placed);
  return placed;
}

function namesUnder(memory: Memory, runsRoot: string): string[] | null {
  const names = [...memory.keys()].flatMap((root) =>
    root.slice(0, root.lastIndexOf("/")) === runsRoot ? [root.slice(runsRoot.length + 1)] : [],
  );
  return names.length === 0 ? null : names.sort();
}

function bytesOf(run: MemoryRun): number {
  return [...run.files.values()].reduce((sum, { byteLength }) => sum + byteLength, endOf(run));
}

function endOf(run: MemoryRun): number {
  return run.records.at(-1)?.end ?? 0;
}

function manifestOf(run: MemoryRun): Manifest {
  const manifest = foldAll(structuredClone(run.records));
  assert(manifest !== null, "a run in memory has its first record");
  return manifest;
}

function waiting(run: MemoryRun): Request[] {
  return [...run.requests.values()].sort((a, b) => (a.request_id < b.request_id ? -1 : 1));
}

function storeContent(run: MemoryRun, path: string, bytes: Uint8Array): ContentRef {
  if (!relativePathSchema.safeParse(path).success)
    throw new RunError("PATH_TRAVERSAL", { reason: "a path that leaves the run root", path });
  run.files.set(path, bytes.slice());
  return { path, sha256: digestOfBytes(bytes), bytes: bytes.byteLength };
}

function readContent(run: MemoryRun, ref: Pick<ContentRef, "path" | "sha256">): Uint8Array {
  const bytes = run.files.get(ref.path);
  const found = bytes === undefined ? "nothing" : digestOfBytes(bytes);
  if (bytes !== undefined && found === ref.sha256) return bytes.slice();
  throw new RunError(bytes === undefined ? "MISSING_ARTIFACT" : "INTEGRITY_ERROR", {
    files: [{ path: ref.path, expected: ref.sha256, found }],
  });
}

function readResult(run: MemoryRun, ref: ResultRef): unknown {
  if (ref.content !== undefined) return parseStrictJson(readContent(run, ref.content));
  const record = run.records.find(({ offset }) => offset === ref.offset)?.record;
  if (
    (record?.kind === "step.completed" || record?.kind === "step.adopted") &&
    record.data.result_digest === ref.digest
  ) {
    return structuredClone(record.data.value);
  }
  throw new RunError("INTEGRITY_ERROR", { reason: "the record of a result does not hold it", expected: ref.digest });
}

function readSteps(run: MemoryRun, manifest: Manifest, stage: Stage): Steps {
  if (manifest.stage.current === stage) return manifest.steps;
  const ref = manifest.stage.history.flatMap(({ folds }) => folds).find(({ path }) => path === stageFile(stage));
  return ref === undefined
    ? {}
    : parseWith(stageFileSchema, parseStrictJson(readContent(run, ref)), { path: ref.path }).steps;
}
