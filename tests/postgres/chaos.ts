// Many workers, many faults, one truth: runs that a fleet works on while its processes, its server and its network fail at random.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRun } from "../../src/operations/change/start-run.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { DEFAULT_SENSITIVITY } from "../../src/run/settings/fields.ts";
import { openDatabase, type Database } from "../../src/stores/postgres/database.ts";
import { PostgresServer } from "../../src/stores/postgres/postgres-server.ts";
import { postgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { storeAddress } from "../../src/stores/postgres/store-address.ts";
import { realClock } from "../../src/system/clock.ts";
import { realFiles } from "../../src/system/files.ts";
import { realProcesses } from "../../src/system/processes.ts";
import { realRandom } from "../../src/system/random.ts";
import { portsFor } from "../../src/wiring.ts";
import { PROGRAM } from "../program.ts";
import { CutLink, type LinkState } from "./cut-link.ts";
import type { PrivateServer } from "./private-server.ts";

const REPOSITORY = join(import.meta.dir, "../..");
const CHECKER = join(REPOSITORY, "docs/check-run.py");
const CORPUS = join(REPOSITORY, "tests/fixtures/corpus");
const RUNS_ROOT = "/chaos";
const QUESTIONS = ["How does a lease expire?", "What does the journal hold?", "When is a heartbeat late?"];
/** A frozen worker wakes after its leases have run out. */
const FROZEN_MS = 14_000;

export interface ChaosOptions {
  runs: number;
  workers: number;
  faults: number;
  seed: number;
  /** Between two faults, at most. */
  pauseMs?: number;
  limitMs: number;
}

export interface ChaosReport {
  completed: number;
  faults: Record<string, number>;
  records: number;
  takeovers: number;
  seconds: number;
  /** What must not be: each names its run. */
  wrong: string[];
}

/** Processes on one host look like those on others where that is allowed, so that only the server's clock ends their leases. */
const CAN_UNSHARE = spawnSync("unshare", ["-u", "true"]).status === 0;

export async function chaos(server: PrivateServer, options: ChaosOptions): Promise<ChaosReport> {
  const random = randomOf(options.seed);
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "dr-chaos-"));
  const address = storeAddress(server.url, `chaos_${options.seed}`);
  const database = openDatabase({ address, clock: realClock });
  const machine = {
    files: realFiles,
    clock: realClock,
    processes: realProcesses,
    random: realRandom,
    database,
    address,
  };
  await new PostgresServer(machine).migrate(null);
  let network: LinkState = "up";
  const link = await CutLink.to(server.port, () => network);
  const fleet = new Workers(server.urlOf("owner", "postgres", link.port), address.schema, folder);
  const begunMs = Date.now();
  const counts: Record<string, number> = {};
  const later: ReturnType<typeof setTimeout>[] = [];
  try {
    await makeRuns(server.url, address.schema, options.runs, folder);
    for (let at = 0; at < options.workers; at++) fleet.start();
    const cut = (state: LinkState, ms: number): void => {
      network = state;
      later.push(setTimeout(() => (network = "up"), ms));
    };
    const faults: [string, () => Promise<unknown> | void][] = [
      ["kill -9", () => fleet.replace(random, "SIGKILL")],
      ["frozen past its lease", () => fleet.freeze(random, FROZEN_MS)],
      ["killed backends", () => killBackends(database)],
      ["immediate restart", () => restart(server)],
      ["network cut", () => cut("down", 3_000)],
      ["network silent", () => cut("silent", 13_000)],
    ];
    let left = options.faults;
    while ((await unfinished(database)) > 0 && Date.now() - begunMs < options.limitMs) {
      await Bun.sleep(500 + random() * (options.pauseMs ?? 2_500));
      if (left === 0 || network !== "up") continue;
      const [name, fault] = faults[(options.faults - left) % faults.length] ?? ["", () => {}];
      left--;
      counts[name] = (counts[name] ?? 0) + 1;
      await fault();
    }
    const seconds = Math.round((Date.now() - begunMs) / 1000);
    // Those that were frozen wake up, and try to write.
    if ((counts["frozen past its lease"] ?? 0) > 0) await Bun.sleep(FROZEN_MS + 2_000);
    fleet.kill();
    return { ...(await judged(machine, folder)), faults: counts, seconds };
  } finally {
    for (const timer of later) clearTimeout(timer);
    fleet.kill();
    link[Symbol.dispose]();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Workers {
  readonly #url: string;
  readonly #schema: string;
  readonly #folder: string;
  readonly #all: ChildProcess[] = [];
  #live: ChildProcess[] = [];

  constructor(url: string, schema: string, folder: string) {
    this.#url = url;
    this.#schema = schema;
    this.#folder = folder;
  }

  start(): void {
    const words = [...PROGRAM, "worker", "--jobs", "2", "--quiet"];
    const host = `worker-${this.#all.length + 1}`;
    const [program = "", ...argv] = CAN_UNSHARE
      ? ["unshare", "-u", "sh", "-c", `hostname ${host}; exec "$@"`, "sh", ...words]
      : words;
    const worker = spawn(program, argv, {
      env: {
        ...process.env,
        HOME: this.#folder,
        DEEP_RESEARCH_STORE: this.#url,
        DEEP_RESEARCH_STORE_SCHEMA: this.#schema,
        DEEP_RESEARCH_CACHE_DIR: join(this.#folder, "cache"),
      },
      stdio: "ignore",
    });
    this.#all.push(worker);
    this.#live.push(worker);
  }

  #pick(random: () => number): ChildProcess | undefined {
    return this.#live.splice(Math.floor(random() * this.#live.length), 1)[0];
  }

  replace(random: () => number, signal: NodeJS.Signals): void {
    this.#pick(random)?.kill(signal);
    this.start();
  }

  freeze(random: () => number, ms: number): void {
    const worker = this.#pick(random);
    worker?.kill("SIGSTOP");
    this.start();
    setTimeout(() => worker?.kill("SIGCONT"), ms);
  }

  kill(): void {
    for (const worker of this.#all) worker.kill("SIGKILL");
    this.#live = [];
  }
}

async function makeRuns(url: string, schema: string, count: number, folder: string): Promise<void> {
  const ports = await portsFor({
    store: { url, schema },
    indexFolder: join(folder, "cache/index"),
    cliInvocation: "deep-research",
    environment: {},
  });
  for (let at = 0; at < count; at++)
    await startRun(
      ports,
      {
        runsRoot: RUNS_ROOT,
        runId: `dr_chaos-${at}`,
        question: QUESTIONS[at % QUESTIONS.length] ?? "",
        driver: "local",
        sensitivity: DEFAULT_SENSITIVITY,
        corpora: [CORPUS],
        providers: [],
        limits: {},
        policies: {},
        detach: true,
      },
      {},
    );
}

async function unfinished(database: Database): Promise<number> {
  try {
    const [row] = await database.rows<{ n: number }>(
      "select count(*)::int as n from {dr}.run where wakes_ms is not null",
    );
    return row?.n ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

async function killBackends(database: Database): Promise<void> {
  await database.rows(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'deep-research%' and pid <> pg_backend_pid() and random() < 0.6",
  );
}

function restart(server: PrivateServer): void {
  server.halt("immediate");
  server.begin();
}

// --- what is true afterwards ------------------------------------------------------------------------------------------

async function judged(
  machine: ConstructorParameters<typeof PostgresServer>[0],
  folder: string,
): Promise<Pick<ChaosReport, "completed" | "records" | "takeovers" | "wrong">> {
  const store = postgresStore(machine);
  const server = new PostgresServer(machine);
  const sum = { completed: 0, records: 0, takeovers: 0 };
  const wrong: string[] = [];
  for (const name of (await store.names(RUNS_ROOT)) ?? []) {
    const { records, problems, manifest } = await store.inspect(`${RUNS_ROOT}/${name}`);
    sum.records += records.length;
    sum.takeovers += records.filter(
      (record) => record.kind === "lease.taken" && record.data.took_over !== undefined,
    ).length;
    if (manifest?.execution_state === "completed") sum.completed++;
    else wrong.push(`${name}: ${manifest?.execution_state}`);
    wrong.push(...problems.map((problem) => `${name}: ${JSON.stringify(problem)}`), ...faultsIn(name, records));
    await server.exportRun(`${RUNS_ROOT}/${name}`, join(folder, "exported", name));
  }
  return { ...sum, wrong: [...wrong, ...refusedByChecker(join(folder, "exported"))] };
}

/** Python takes its time to begin, so one process checks all. */
const EACH = `
import os, runpy, sys
checker, root = sys.argv[1:]
for name in sorted(os.listdir(root)):
    sys.argv = [checker, os.path.join(root, name)]
    try:
        runpy.run_path(checker)
    except BaseException as end:
        print("verdict", name, isinstance(end, SystemExit) and not end.code)
`;

/** The exported runs that the checker does not pass. */
function refusedByChecker(exported: string): string[] {
  if (Bun.which("python3") === null) return [];
  const { stdout } = spawnSync("python3", ["-c", EACH, CHECKER, exported], { encoding: "utf8", maxBuffer: 1 << 28 });
  const verdicts = [...stdout.matchAll(/^verdict (\S+) (True|False)$/gm)];
  const passed = new Set(verdicts.flatMap(([, name = "", verdict]) => (verdict === "True" ? [name] : [])));
  return readdirSync(exported).flatMap((name) => (passed.has(name) ? [] : [`${name}: check-run.py refuses it`]));
}

function faultsIn(name: string, records: readonly AnyRecord[]): string[] {
  const wrong: string[] = [];
  const completions = records.filter((record) => record.kind === "state.changed" && record.data.to === "completed");
  if (completions.length !== 1) wrong.push(`${name}: completed ${completions.length} times`);
  const steps = records.flatMap((record) => (record.kind === "step.completed" ? record.data.key : []));
  if (new Set(steps).size < steps.length) wrong.push(`${name}: a step was completed twice`);
  if (records.some((record, at) => record.epoch < (records[at - 1]?.epoch ?? 0)))
    wrong.push(`${name}: an epoch went back`);
  if (records.some((record) => record.kind === "halt.raised")) wrong.push(`${name}: halted`);
  return wrong;
}

/** mulberry32, so that a seed gives the same choices again. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
