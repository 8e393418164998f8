// The queue that hands runs to workers, by pg-boss. A job is a hint and the journal is the truth: a job too many finds nothing to do,
// and a run without a job is found by the workers' own look for what is due.
import { SQL } from "bun";
import { fromBunSql, PgBoss, type Db } from "pg-boss";
import { z } from "../../kernel/zod.ts";
import { placeOf } from "./run-row.ts";
import type { StoreAddress } from "./store-address.ts";

const QUEUE = "run";
const LOST = "run-lost";
/** The least that pg-boss allows. A worker that died is found by its lease before. */
const JOB_HEARTBEAT_S = 10;
/** Each second costs an idle worker 47 transactions a second. */
const SUPERVISE_S = 5;
const RETRIES = { retryLimit: 3, retryDelay: 5, retryBackoff: true };

const jobSchema = z.object({ run: z.string() });

/** The queue lies in a schema of its own, beside that of the runs. */
export function queueSchema({ schema }: Pick<StoreAddress, "schema">): string {
  return `${schema}_queue`;
}

export interface RunQueue {
  ask(runRoot: string): Promise<void>;
  take(
    jobs: number,
    work: (runRoot: string, signal: AbortSignal) => Promise<void>,
    lost: (runRoot: string, why: string) => Promise<void>,
    stop: AbortSignal,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Makes the tables of the queue, or brings them up to date; by their owner. */
export async function migrateQueue(address: StoreAddress): Promise<void> {
  const { boss, close } = bossAt(address, { migrate: true, createSchema: true, supervise: false });
  try {
    await boss.start();
    // Without a limit a dead worker's job would hold up others for a quarter of an hour.
    const settings = {
      ...RETRIES,
      expireInSeconds: 86_400,
      heartbeatSeconds: JOB_HEARTBEAT_S,
      deleteAfterSeconds: 3_600,
    };
    for (const name of [LOST, QUEUE])
      if ((await boss.getQueue(name)) === null)
        await boss.createQueue(name, {
          ...settings,
          // One job waits for a run. `exclusive` would drop a wish that comes while one is worked on, `stately` would block others.
          policy: "short",
          notify: true,
          ...(name === QUEUE ? { deadLetter: LOST } : {}),
        });
  } finally {
    await close();
  }
}

export async function openRunQueue(address: StoreAddress): Promise<RunQueue> {
  const { boss, close } = bossAt(address, { migrate: false, createSchema: false, supervise: true });
  // What the queue meets while the server is away passes: the next look finds what is due.
  boss.on("error", () => undefined);
  await boss.start();
  return {
    async ask(runRoot) {
      await boss.send(QUEUE, { run: runRoot }, { singletonKey: runRoot, group: { id: placeOf(runRoot).root } });
    },
    async take(jobs, work, lost, stop) {
      const options = {
        pollingIntervalSeconds: 1,
        notifyPollingIntervalSeconds: 2,
        // Else one run begins a second.
        burstWhenReadyExceeds: 1,
        heartbeatRefreshSeconds: 3,
      };
      await boss.work(QUEUE, { ...options, localConcurrency: jobs }, async ([job]) => {
        if (job !== undefined) await work(jobSchema.parse(job.data).run, job.signal);
      });
      await boss.work(LOST, options, async ([job]) => {
        if (job === undefined) return;
        await lost(jobSchema.parse(job.data).run, "its work failed again and again");
      });
      if (!stop.aborted)
        await new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve(), { once: true }));
      await boss.offWork(QUEUE, { wait: true });
    },
    close,
  };
}

interface BossOptions {
  migrate: boolean;
  createSchema: boolean;
  supervise: boolean;
}

function bossAt(address: StoreAddress, options: BossOptions): { boss: PgBoss; close: () => Promise<void> } {
  const pool = new QueuePool(address);
  const boss = new PgBoss({
    db: pool,
    schema: queueSchema(address),
    ...options,
    useListenNotify: options.supervise,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
    queueCacheIntervalSeconds: SUPERVISE_S,
    reindex: false,
    monitorVacuum: false,
    registerInstance: false,
    openTelemetry: { enabled: false },
  });
  return {
    boss,
    async close() {
      await boss.stop({ graceful: true, timeout: 15_000 }).catch(() => undefined);
      await pool.close();
    },
  };
}

/** A statement of the queue takes milliseconds. A connection that has not answered by then may never answer. */
const DEADLINE_MS = 10_000;

/** The connections of the queue, which are given up when one does not answer: pg-boss tries again by itself. */
class QueuePool implements Db {
  readonly #address: StoreAddress;
  #sql: SQL | null = null;
  #ear: SQL | null = null;

  constructor(address: StoreAddress) {
    this.#address = address;
  }

  async executeSql(text: string, values?: unknown[]): ReturnType<Db["executeSql"]> {
    const sql = (this.#sql ??= this.#open(3));
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      if (this.#sql === sql) this.#sql = null;
      sql.close({ timeout: 0 }).catch(() => undefined);
      late.reject(new Error("the queue did not answer in time"));
    }, DEADLINE_MS);
    try {
      return await Promise.race([fromBunSql(sql).executeSql(text, values), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A connection of its own: what it misses, the queue finds by looking. */
  async listen(...args: Parameters<NonNullable<Db["listen"]>>): ReturnType<NonNullable<Db["listen"]>> {
    const ear = fromBunSql((this.#ear ??= this.#open(1)));
    if (ear.listen === undefined) throw new Error("this version of Bun cannot listen");
    return await ear.listen(...args);
  }

  #open(max: number): SQL {
    const connection = { application_name: "deep-research-queue", client_min_messages: "warning" };
    return new SQL({ ...this.#address.options, max, idleTimeout: 60, connectionTimeout: 5, connection });
  }

  async close(): Promise<void> {
    for (const sql of [this.#sql, this.#ear]) await sql?.close({ timeout: 1 }).catch(() => undefined);
  }
}
