// The store of runs in PostgreSQL: the ports of a store in files, for processes on many machines.
import type { FileProblem } from "../../kernel/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Processes } from "../../ports/processes.ts";
import type { Random } from "../../ports/random.ts";
import type { RunLog, RunLook, LookOptions } from "../../ports/run-log.ts";
import { dueOf, type Removal, type RunEntry, type Runs } from "../../ports/runs.ts";
import { parseWith } from "../../run/common.ts";
import { deriveState } from "../../run/log/lifecycle.ts";
import { requestSchema } from "../../run/log/request.ts";
import { openRun, wantsWhole } from "../journal/run-reader.ts";
import { readRecords, readResult, readSteps } from "../journal/run-files.ts";
import { viewOf } from "../lease/lease-reading.ts";
import { inspectRun } from "../reading/inspection.ts";
import { seenDamage } from "../reading/seen-damage.ts";
import { Contents } from "./contents.ts";
import type { Database } from "./database.ts";
import { acquire, createOwned } from "./row-acquisition.ts";
import { readNamed } from "./row-content.ts";
import { make, type StoreHere } from "./row-creation.ts";
import { RowFolder } from "./row-folder.ts";
import { judgeRow } from "./row-lease.ts";
import { bytesOf, remove } from "./row-removal.ts";
import { dropRequest, requestsIn, writeRequest } from "./row-requests.ts";
import { RowTail } from "./row-tail.ts";
import { placeOf, readPlace, readRow, RUN_COLUMNS, runRowOf, type RunRow } from "./run-row.ts";

export type PostgresStore = RunLog & Runs;

export interface StoreMachine {
  database: Database;
  clock: Clock;
  processes: Processes;
  random: Random;
}

export function postgresStore(machine: StoreMachine): PostgresStore {
  const { database, clock, processes } = machine;
  const contents = new Contents(database);
  const here: StoreHere = { ...machine, contents };
  const folderOf = (row: RunRow, keeps = false): RowFolder =>
    new RowFolder({ statements: database, contents, row, keeps });

  async function lookOf(row: RunRow, options: LookOptions = {}): Promise<RunLook> {
    const { runRoot, now_ms } = row;
    const folder = folderOf(row);
    const lease = viewOf(judgeRow(processes, row));
    const names = folder.list(runRoot);
    const opened = await openRun(folder, runRoot, { names, ...options });
    const { manifest, problems, foldedRevision: shownRevision, isWhole } = opened;
    problems.push(...(await seenDamage(folder, runRoot, manifest, names)));
    const whole =
      isWhole || !wantsWhole(options, manifest) ? null : await inspectRun(folder, runRoot, { withContent: false });
    const isSeen = ({ path }: FileProblem): boolean => problems.some((problem) => problem.path === path);
    problems.push(...(whole?.problems ?? []).filter((problem) => !isSeen(problem)));
    const state = deriveState(manifest, lease);
    const requests = requestsIn(row.waiting);
    const look = { runRoot, now_ms, manifest, lease, state, shownRevision, requests, problems };
    return whole?.isLost === true ? { ...look, isLost: true } : look;
  }

  async function entryOf(row: RunRow, options?: LookOptions): Promise<RunEntry> {
    try {
      return { runRoot: row.runRoot, look: await lookOf(row, options), error: null };
    } catch (error) {
      // A run that cannot be read must not hide the others, so it is listed with its error.
      return { runRoot: row.runRoot, look: null, error };
    }
  }

  /** `which`: a further condition on `r`. */
  async function* entries(runsRoot: string, which: string, options?: LookOptions): AsyncGenerator<RunEntry> {
    for (let after = ""; ;) {
      const rows = await database.rows(
        `select ${RUN_COLUMNS} from {dr}.run r where r.root = $1 and r.name collate "C" > $2 and ${which}
          order by r.name collate "C" limit ${RUNS_AT_ONCE}`,
        [runsRoot, after],
      );
      for (const row of rows) {
        const run = runRowOf(row);
        after = placeOf(run.runRoot).name;
        yield await entryOf(run, options);
      }
      if (rows.length < RUNS_AT_ONCE) return;
      await clock.turn();
    }
  }

  return {
    async create(runRoot, drafts, files) {
      const made = await make(here, runRoot, { drafts, contents: files, lease: null });
      return { kind: made === null ? "exists" : "created" };
    },
    createOwned: (runRoot, drafts, options, files = []) => createOwned(here, runRoot, drafts, options, files),
    look: async (runRoot, options) => await lookOf(await readRow(database, runRoot), options),
    acquire: (runRoot, options = {}) => acquire(here, runRoot, options),
    async records(runRoot, folded) {
      const row = await readRow(database, runRoot);
      return (await readRecords(folderOf(row), runRoot, folded)).map(({ record }) => record);
    },
    follow: (runRoot, afterSeq) => new RowTail(database, clock, runRoot, afterSeq),
    readContent: (runRoot, ref) => readNamed(database, contents, runRoot, ref),
    async readResult(runRoot, ref) {
      return await readResult(folderOf(await readRow(database, runRoot), true), runRoot, ref);
    },
    async readSteps({ runRoot, manifest }, stage) {
      return await readSteps(folderOf(await readRow(database, runRoot), true), runRoot, manifest, stage);
    },
    async request(runRoot, request, parts = []) {
      // A request that its owner cannot read would be acknowledged and never heeded.
      parseWith(requestSchema, request, { request_id: request.request_id });
      await writeRequest(database, contents, await readPlace(database, runRoot), request, parts);
    },
    async withdraw(runRoot, requestId) {
      await dropRequest(database, (await readPlace(database, runRoot)).id, requestId);
    },
    async inspect(runRoot, options) {
      return await inspectRun(folderOf(await readRow(database, runRoot)), runRoot, options);
    },

    // --- the runs -------------------------------------------------------------------------------------------------

    async names(runsRoot) {
      const rows = await database.rows<{ name: string }>(
        'select name from {dr}.run where root = $1 order by name collate "C"',
        [runsRoot],
      );
      return rows.length === 0 ? null : rows.map(({ name }) => name);
    },
    list: (runsRoot, options) => entries(runsRoot, "true", options),
    due: (runsRoot, limit) => dueOf(entries(runsRoot, MAY_BE_DUE), limit),
    placeOf: (runRoot, path) => `store:${runRoot}/${path}`,
    bytesOf: async (runRoot) => await bytesOf(database, (await readPlace(database, runRoot)).id),
    remove: async (runRoot, { expectedRevision } = {}): Promise<Removal> =>
      await remove(here, runRoot, expectedRevision),
  };
}

const RUNS_AT_ONCE = 100;

/** Looks decide; this leaves out those that surely are not. */
const MAY_BE_DUE = `r.wakes_ms is not null and
  (r.wakes_ms <= {dr}.now_ms() or exists (select 1 from {dr}.request q where q.run = r.id))`;
