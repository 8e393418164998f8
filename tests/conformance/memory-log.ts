// Logs of runs in memory, by the same pure rules as those in files: for tests, where nothing has to survive.
import { RunError } from "../../src/kernel/errors.ts";
import { timestamp } from "../../src/ports/clock.ts";
import type { LaterContent, NewContent, RunLog } from "../../src/ports/run-log.ts";
import { parseWith } from "../../src/run/common.ts";
import { checkFirstDrafts } from "../../src/run/log/drafts.ts";
import { deriveState } from "../../src/run/log/lifecycle.ts";
import type { RecordDraft } from "../../src/run/log/record.ts";
import { requestSchema } from "../../src/run/log/request.ts";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { MAX_REQUEST_BYTES } from "../../src/stores/lease/request-files.ts";
import { viewOf } from "./memory-lease.ts";
import {
  appendTo,
  dropRequest,
  manifestOf,
  onAdded,
  readContent,
  readResult,
  readSteps,
  storeContent,
  waiting,
  type MemoryRun,
} from "./memory-run.ts";
import { MemoryWriter, type MemoryLogDependencies } from "./memory-writer.ts";

/** What several processes share: each builds its own store over the same memory. Keyed by run root. */
export type Memory = Map<string, MemoryRun>;

export function memoryLog(dependencies: MemoryLogDependencies, memory: Memory = new Map()): RunLog {
  const runAt = (runRoot: string): MemoryRun => {
    const run = memory.get(runRoot);
    if (run === undefined) throw new RunError("NOT_FOUND", { reason: "no run is here", run_root: runRoot });
    return run;
  };
  /** Null where a run is already there. */
  const make = (runRoot: string, drafts: readonly RecordDraft[], contents: readonly NewContent[]): MemoryRun | null => {
    checkFirstDrafts(drafts);
    if (memory.has(runRoot)) return null;
    const run: MemoryRun = { records: [], files: new Map(), requests: new Map(), claim: null };
    for (const { path, bytes } of contents) storeContent(run, path, bytes, dependencies.without);
    appendTo(run, drafts, 0, timestamp(dependencies.clock.nowMs()));
    memory.set(runRoot, run);
    return run;
  };
  return {
    async create(runRoot, drafts, contents) {
      return { kind: make(runRoot, drafts, await storedFrom(contents)) === null ? "exists" : "created" };
    },
    async createOwned(runRoot, drafts, options, contents = []) {
      const run = make(runRoot, drafts, await storedFrom(contents));
      if (run === null) return { kind: "exists" };
      const writer = new MemoryWriter(dependencies, runRoot, run, options, viewOf(null, dependencies.clock));
      for (const record of run.records) options.onCommit?.(record);
      await writer.commit([]);
      return { kind: "acquired", writer };
    },
    async look(runRoot) {
      const run = runAt(runRoot);
      const lease = viewOf(run.claim, dependencies.clock);
      const manifest = manifestOf(run);
      const state = deriveState(manifest, lease);
      return {
        runRoot,
        now_ms: dependencies.clock.nowMs(),
        manifest,
        lease,
        state,
        shownRevision: manifest.revision,
        requests: waiting(run),
        problems: [],
      };
    },
    async acquire(runRoot, options = {}) {
      const run = runAt(runRoot);
      const before = viewOf(run.claim, dependencies.clock);
      if (before.held !== null && options.force !== true && dependencies.without !== "held")
        return { kind: "held", by: before.held };
      const writer = new MemoryWriter(dependencies, runRoot, run, options, before);
      if (options.isQuiet !== true) await writer.commit([]);
      return { kind: "acquired", writer };
    },
    records: async (runRoot) => [...runAt(runRoot).records],
    follow(runRoot, afterSeq) {
      let seq = afterSeq;
      let seen = -1;
      return {
        async next() {
          seen = runAt(runRoot).records.length;
          const records = runAt(runRoot).records.filter((record) => record.seq > seq);
          seq = records.at(-1)?.seq ?? seq;
          return records;
        },
        async wait(atMostMs, signal) {
          signal?.throwIfAborted();
          const run = memory.get(runRoot);
          const length = run?.records.length ?? 0;
          if (run !== undefined && length === seen) {
            const over = new AbortController();
            const ends = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
            const added = Promise.withResolvers<void>();
            const stop = onAdded(run, added.resolve);
            try {
              await Promise.race([added.promise, dependencies.clock.sleep(atMostMs, ends)]);
            } finally {
              stop();
              over.abort();
            }
          }
          seen = run?.records.length ?? 0;
        },
      };
    },
    readContent: async (runRoot, ref) => readContent(runAt(runRoot), ref),
    readResult: async (runRoot, ref) => readResult(runAt(runRoot), ref),
    readSteps: async ({ runRoot, manifest }, stage) => readSteps(runAt(runRoot), manifest, stage),
    async withdraw(runRoot, requestId) {
      dropRequest(runAt(runRoot), requestId);
    },
    async request(runRoot, request, parts = []) {
      const { requests, files } = runAt(runRoot);
      parseWith(requestSchema, request, { request_id: request.request_id });
      const there = requests.get(request.request_id);
      if (dependencies.without !== "sizes" && canonicalJson(request).length > MAX_REQUEST_BYTES)
        throw new RunError("INPUT_TOO_LARGE", { reason: "the request is too large" });
      if (
        dependencies.without !== "request names" &&
        there !== undefined &&
        canonicalJson(there) !== canonicalJson(request)
      )
        throw new RunError("WRITE_FAILED", { reason: "another request has this name" });
      for (const [part, bytes] of parts.entries()) files.set(`requests/${request.request_id}.${part}`, bytes);
      if (!requests.has(request.request_id)) requests.set(request.request_id, request);
    },
    async inspect(runRoot) {
      const run = runAt(runRoot);
      const manifest = manifestOf(run);
      return {
        records: [...run.records],
        isDamaged: false,
        isLost: false,
        manifest,
        problems: [],
        behind: [],
        notes: [],
      };
    },
  };
}

async function storedFrom(contents: readonly (NewContent | LaterContent)[]): Promise<NewContent[]> {
  const stored: NewContent[] = [];
  for (const content of contents)
    stored.push("read" in content ? { path: content.path, bytes: await content.read() } : content);
  return stored;
}
