// The fleet over PostgreSQL: its workers, the runs that are due by one statement, and what is lacking. The queue hands runs out.
import { z } from "../../kernel/zod.ts";
import type { Random } from "../../ports/random.ts";
import type { Fleet, Lack, Member, SeenWorker, WorkerFacts } from "../../ports/fleet.ts";
import type { Database } from "./database.ts";
import type { RunQueue } from "./run-queue.ts";
import { noRun, placeOf } from "./run-row.ts";

/** A worker says that it is there with every search for what is due. */
const SEEN_MS = 30_000;
/** After so long a worker looks again whether it still lacks what it did. */
const LACKS_MS = 30_000;
const DUE_AT_ONCE = 200;

const factsSchema = z.object({
  hostname: z.string(),
  pid: z.int(),
  tool_version: z.string(),
  jobs: z.int(),
  keys: z.record(z.string(), z.string()),
});

interface FleetParts {
  database: Database;
  random: Random;
  /** Loads the queue. */
  openQueue: () => Promise<RunQueue>;
}

export function postgresFleet(parts: FleetParts): Fleet {
  const { database, random } = parts;
  return {
    async wake() {
      await database.rows("select pg_notify($1, $2)", [database.schema, WAKE]);
    },
    async join(facts) {
      const id = `${facts.hostname}-${facts.pid}-${random.bytes(4).toHex()}`;
      const queue = await parts.openQueue();
      const member = new PostgresMember(database, queue, id, facts);
      await member.due();
      return member;
    },
    async workers() {
      const rows = await database.rows<{ id: string; facts: string; seen_ms: number }>(
        "select id, facts, seen_ms from {dr}.worker where seen_ms > {dr}.now_ms() - $1 order by id",
        [SEEN_MS],
      );
      return rows.flatMap(({ id, facts, seen_ms }): SeenWorker[] => {
        const said = factsSchema.safeParse(JSON.parse(facts));
        return said.success ? [{ id, seen_ms, ...said.data }] : [];
      });
    },
    async lacking(runsRoot) {
      const rows = await database.rows<{ name: string; worker: string; what: string; since_ms: number }>(
        `select r.name, l.worker, l.what, l.since_ms from {dr}.run r join {dr}.lack l on l.run = r.id
          where r.root = $1 and r.wakes_ms is not null and l.until_ms > {dr}.now_ms()
            and (l.worker = '*' or l.worker in (select id from {dr}.worker where seen_ms > {dr}.now_ms() - $2))
          order by l.worker`,
        [runsRoot, SEEN_MS],
      );
      const found = new Map<string, Lack[]>();
      for (const { name, worker, what, since_ms } of rows) {
        const lacks = found.get(`${runsRoot}/${name}`) ?? [];
        lacks.push({ worker: worker === ALL ? null : worker, what, since_ms });
        found.set(`${runsRoot}/${name}`, lacks);
      }
      return found;
    },
  };
}

const WAKE = "wake";
const ALL = "*";

class PostgresMember implements Member {
  readonly #database: Database;
  readonly #queue: RunQueue;
  readonly #id: string;
  readonly #facts: WorkerFacts;

  constructor(database: Database, queue: RunQueue, id: string, facts: WorkerFacts) {
    this.#database = database;
    this.#queue = queue;
    this.#id = id;
    this.#facts = facts;
  }

  onWake(wake: () => void): void {
    void this.#database.hear((payload) => {
      if (payload === WAKE) wake();
    });
  }

  async due(): Promise<string[]> {
    const rows = await this.#database.rows<{ root: string; name: string }>(
      `with here as (
         insert into {dr}.worker as w (id, facts, seen_ms) values ($1, $2, {dr}.now_ms())
         on conflict (id) do update set seen_ms = excluded.seen_ms where w.seen_ms < excluded.seen_ms - $4),
       gone as (delete from {dr}.worker where seen_ms < {dr}.now_ms() - 100 * $4)
       select r.root, r.name from {dr}.run r
        where r.wakes_ms is not null and (r.held_until_ms is null or r.held_until_ms <= {dr}.now_ms())
          and (r.wakes_ms <= {dr}.now_ms() or exists (select 1 from {dr}.request q where q.run = r.id))
          and not exists (select 1 from {dr}.lack l where l.run = r.id and l.worker in ($1, '${ALL}') and l.until_ms > {dr}.now_ms())
        order by r.wakes_ms, r.id limit $3`,
      [this.#id, JSON.stringify(this.#facts), DUE_AT_ONCE, SEEN_MS / 3],
    );
    return rows.map(({ root, name }) => `${root}/${name}`);
  }

  async lacks(runRoot: string, what: string, all = false): Promise<void> {
    const { root, name } = placeOf(runRoot);
    const { count } = await this.#database.rows(
      `insert into {dr}.lack as l (run, worker, what, since_ms, until_ms)
        select id, $3, $4, {dr}.now_ms(), case when $5 then 'infinity' else {dr}.now_ms() + $6 end
          from {dr}.run where root = $1 and name = $2
        on conflict (run, worker) do update set what = excluded.what, until_ms = excluded.until_ms`,
      [root, name, all ? ALL : this.#id, what, all, LACKS_MS],
    );
    if (count === 0) throw noRun(runRoot);
  }

  ask(runRoot: string): Promise<void> {
    return this.#queue.ask(runRoot);
  }

  take(...args: Parameters<Member["take"]>): Promise<void> {
    return this.#queue.take(...args);
  }

  async leave(): Promise<void> {
    await this.#queue.close();
    await this.#database.rows("delete from {dr}.worker where id = $1", [this.#id]);
    await this.#database.rows("select pg_notify($1, $2)", [this.#database.schema, WAKE]);
  }
}
