// The connection to PostgreSQL through Bun's own client: each statement has a deadline, and a server that is away is waited for.
import { SQL } from "bun";
import { RunError } from "../../kernel/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { STORE_PATIENCE_MS } from "../../ports/run-log.ts";
import { isAway, isOfDriver, NoAnswer, typedServerError, type ServerName } from "./server-errors.ts";
import type { StoreAddress } from "./store-address.ts";

/** A statement that takes longer is given up, and tried again on another connection. */
const DEADLINE_MS = 5_000;
const CONNECT_S = 5;
/** How long nothing is tried after the store was away, at first and at most. */
const AGAIN_MS = { first: 20, most: 1_000 };
const MAX_CONNECTIONS = 4;

export type Rows<Row> = Row[] & { count: number };

/** Texts have `{dr}` where the schema stands. A value is never part of a text. */
export interface Statements {
  rows<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Rows<Row>>;
}

/**
 * Errors of all: `UNAVAILABLE` when the server stays away, `INVALID_ARGS.store_login` and `.store_role`, `SCHEMA_UNSUPPORTED`, `WRITE_FAILED`
 * for a full disk. What is run may be run again, as a whole: done twice, it has to be as if done once.
 */
export interface Database extends Statements {
  readonly schema: string;
  readonly server: ServerName;
  /** Several statements that hold together or not at all. */
  together<T>(work: (statements: Statements) => Promise<T>): Promise<T>;
  /** A single try, for what is tried again anyway. */
  readonly once: Statements;
  /** Calls back with what is announced on the channel of the schema, as long as its connection holds. Resolves once it listens, or cannot. */
  hear(onAnnounced: (payload: string) => void): Promise<{ stop(): void }>;
  integers(values: readonly number[]): unknown;
  longs(values: readonly number[]): unknown;
  texts(values: readonly (string | null)[]): unknown;
  close(): Promise<void>;
}

interface DatabaseOptions {
  address: StoreAddress;
  clock: Clock;
  connections?: number;
  patienceMs?: number;
}

export function openDatabase(options: DatabaseOptions): Database {
  return new BunDatabase(options);
}

class BunDatabase implements Database {
  readonly schema: string;
  readonly server: ServerName;
  readonly once: Statements = { rows: (text, values) => this.#typed(() => this.#rows(text, values)) };
  readonly #address: StoreAddress;
  readonly #clock: Clock;
  readonly #connections: number;
  readonly #patienceMs: number;
  readonly #texts = new Map<string, string>();
  #pool: SQL | null = null;
  #ear: SQL | null = null;
  #hearing: Promise<boolean> | null = null;
  readonly #hearers = new Set<(payload: string) => void>();

  constructor({ address, clock, connections = MAX_CONNECTIONS, patienceMs = STORE_PATIENCE_MS }: DatabaseOptions) {
    this.#address = address;
    this.#clock = clock;
    this.#connections = connections;
    this.#patienceMs = patienceMs;
    this.schema = address.schema;
    this.server = address.server;
  }

  // --- statements -------------------------------------------------------------------------------------------------

  async rows<Row>(text: string, values?: readonly unknown[]): Promise<Rows<Row>> {
    return await this.#patiently(() => this.#rows<Row>(text, values));
  }

  async together<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    return await this.#patiently(() =>
      this.#inTime((progressed) =>
        this.#sql.begin(async (transaction) => {
          progressed();
          const done = await work({
            rows: async (text, values = []) => {
              const rows = await transaction.unsafe(this.#named(text), [...values]);
              progressed();
              return rows;
            },
          });
          progressed();
          return done;
        }),
      ),
    );
  }

  async #rows<Row>(text: string, values: readonly unknown[] = []): Promise<Rows<Row>> {
    return await this.#inTime(() => this.#sql.unsafe<Rows<Row>>(this.#named(text), [...values]));
  }

  #named(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const named = text.replaceAll("{dr}", this.schema);
    this.#texts.set(text, named);
    return named;
  }

  // --- patience ---------------------------------------------------------------------------------------------------

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const untilMs = this.#clock.uptimeMs() + this.#patienceMs;
    for (let pauseMs = AGAIN_MS.first; ; pauseMs = Math.min(pauseMs * 2, AGAIN_MS.most)) {
      try {
        return await work();
      } catch (error) {
        if (!isAway(error) || this.#clock.uptimeMs() >= untilMs) throw this.#typedError(error);
      }
      await this.#clock.sleep(pauseMs);
    }
  }

  async #typed<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#typedError(error);
    }
  }

  #typedError(error: unknown): unknown {
    return !(error instanceof RunError) && isOfDriver(error) ? typedServerError(error, this.server) : error;
  }

  /** Rejects when nothing happens any more. A connection that has not answered may never answer, so all of them are given up with it. */
  async #inTime<T>(work: (progressed: () => void) => Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    let timer = new AbortController();
    const progressed = (): void => {
      timer.abort();
      timer = new AbortController();
      this.#clock.sleep(DEADLINE_MS, timer.signal).then(
        () => late.reject(new NoAnswer()),
        () => undefined,
      );
    };
    progressed();
    const answer = work(progressed);
    const pool = this.#pool;
    try {
      return await Promise.race([answer, late.promise]);
    } catch (error) {
      if (error instanceof NoAnswer && this.#pool === pool) this.#giveUp();
      throw error;
    } finally {
      timer.abort();
    }
  }

  // --- connections ------------------------------------------------------------------------------------------------

  get #sql(): SQL {
    return (this.#pool ??= this.#open(this.#connections));
  }

  #open(max: number): SQL {
    const { options } = this.#address;
    return new SQL({
      ...options,
      max,
      idleTimeout: 60,
      connectionTimeout: CONNECT_S,
      connection: {
        application_name: "deep-research",
        statement_timeout: DEADLINE_MS,
        idle_in_transaction_session_timeout: 4 * DEADLINE_MS,
        // A notice would be printed to stderr.
        client_min_messages: "warning",
      },
    });
  }

  #giveUp(): void {
    const given = this.#pool;
    this.#pool = null;
    given?.close({ timeout: 0 }).catch(() => undefined);
  }

  async hear(onAnnounced: (payload: string) => void): Promise<{ stop(): void }> {
    this.#hearers.add(onAnnounced);
    this.#hearing ??= this.#listen();
    if (!(await this.#hearing)) this.#hearing = null;
    return { stop: () => void this.#hearers.delete(onAnnounced) };
  }

  /** The client listens again by itself when its connection was cut. */
  async #listen(): Promise<boolean> {
    const ear = (this.#ear ??= this.#open(1));
    try {
      await this.#inTime(() =>
        ear.listen(this.schema, (payload) => {
          for (const hear of this.#hearers) hear(payload);
        }),
      );
      return true;
    } catch (error) {
      if (!isOfDriver(error)) throw error;
      return false;
    }
  }

  async close(): Promise<void> {
    const open = [this.#pool, this.#ear];
    this.#pool = null;
    this.#ear = null;
    this.#hearing = null;
    for (const sql of open) await sql?.close({ timeout: 1 }).catch(() => undefined);
  }

  integers = (values: readonly number[]): unknown => this.#sql.array([...values], "INT");
  longs = (values: readonly number[]): unknown => this.#sql.array([...values], "BIGINT");
  texts = (values: readonly (string | null)[]): unknown => this.#sql.array([...values], "TEXT");
}
