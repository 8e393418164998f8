// The only file that names real adapters: it builds the ports that everything above reaches the world through.
import packageJson from "../package.json" with { type: "json" };
import { unreachable } from "./kernel/assert.ts";
import { RunError } from "./kernel/errors.ts";
import { given } from "./kernel/given.ts";
import type { Clock } from "./ports/clock.ts";
import { NO_DAMAGE_NOTES } from "./ports/damage-notes.ts";
import { NO_RANK_GATES } from "./ports/rank-gates.ts";
import type { StoredDocuments } from "./ports/documents.ts";
import type { Outputs } from "./ports/outputs.ts";
import type { OpenCorpora } from "./ports/provider.ts";
import type { Ports } from "./ports/ports.ts";
import { NO_FOLDERS } from "./ports/run-folders.ts";
import type { TelemetrySink } from "./ports/telemetry.ts";
import { BUILT_IN_PRICES } from "./run/money/built-in-prices.ts";
import type { Prices } from "./run/money/prices.ts";
import type { ProvidersConfiguration } from "./run/settings/provider-settings.ts";
import type { Model } from "./run/model/model.ts";
import { isStoredDocuments } from "./run/settings/stored-documents.ts";
import { damageNotesIn } from "./stores/reading/damage-notes.ts";
import { lateStore } from "./stores/late-store.ts";
import type { LeaseFiles } from "./stores/lease/lease-files.ts";
import { LentLeases } from "./stores/lease/lent-leases.ts";
import { notedStore } from "./stores/noted-store.ts";
import { corpusAt } from "./system/corpus-at.ts";
import { realClock } from "./system/clock.ts";
import { realFiles } from "./system/files.ts";
import { networkFileSystemOf, unlessOnNetwork } from "./system/network-file-system.ts";
import { realProcesses } from "./system/processes.ts";
import { whyNotWritable } from "./system/room.ts";
import { realRandom } from "./system/random.ts";
import { rankGatesIn } from "./system/rank-gates.ts";
import { readSmallFile } from "./system/small-file.ts";
import type { SinkOptions } from "./system/telemetry/sinks.ts";

/** A store that is a server. */
export interface StoreConfig {
  url: string;
  schema?: string;
}

/** What the user's environment, own file and flags say; nothing of it is in a run. */
export interface PortsConfig {
  /** Absent for runs in folders. */
  store?: StoreConfig;
  /** The folder of the shared index; null keeps indexes in memory. */
  indexFolder: string | null;
  /** Where damage is noted that was met in runs; absent or null notes none. */
  damageFolder?: string | null;
  /** Where it is noted how models did in the check of rankers; absent or null notes nothing. */
  rankersFolder?: string | null;
  /** The endpoint that ranks. */
  reranker?: Model;
  /** The start of every printed command, quoted for sh. */
  cliInvocation: string;
  /** Holds the keys of models, search engines and MCP servers. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** How search engines and MCP servers are reached. */
  providers?: ProvidersConfiguration;
  allowedHosts?: readonly string[];
  /** Goes before the built-in table. */
  prices?: Prices;
}

/** What the stores reach the machine through. */
const MACHINE = {
  files: realFiles,
  clock: realClock,
  random: realRandom,
  processes: realProcesses,
  networkFileSystemOf,
};

async function leasesOfFiles(): Promise<LeaseFiles> {
  return (await import("./stores/lease/lease-files.ts")).leaseFiles(MACHINE);
}

async function outputsOfFiles(): Promise<Outputs> {
  return (await import("./system/outputs.ts")).realOutputs;
}

/** One for the process: every store works under a lease that a caller in this process holds. */
const lent = new LentLeases();

type StorePorts = Pick<Ports, "store" | "runs" | "folders" | "damage" | "fleet" | "documents" | "usualLease"> &
  Partial<Pick<Ports, "whyNotWritable">>;

function storeInFolders({ damageFolder = null }: PortsConfig): StorePorts {
  const damage = damageFolder === null ? NO_DAMAGE_NOTES : damageNotesIn(damageFolder);
  const store = notedStore(lateStore(MACHINE, lent), damage);
  return { store, runs: store, folders: store, damage };
}

/** Code of the server is loaded only where one is named. */
async function storeOnServer({ url, schema }: StoreConfig, indexFolder: string | null): Promise<StorePorts> {
  const { openPostgresStore } = await import("./stores/postgres/open-store.ts");
  const documentsFolder = indexFolder === null ? null : `${indexFolder}/documents`;
  const store = openPostgresStore({ url, ...given({ schema }), documentsFolder, ...MACHINE });
  const { fleet, documents } = store;
  return {
    store,
    runs: store,
    folders: NO_FOLDERS,
    damage: NO_DAMAGE_NOTES,
    usualLease: SHARED_LEASE,
    fleet,
    documents,
    // A runs root in a store is a name.
    whyNotWritable: () => null,
  };
}

/** Where the store is a server, other machines wait for a lease to run out: it is short, and refreshed often. */
const SHARED_LEASE = { lease_seconds: 8, heartbeat_seconds: 2 };

export function portsFor(config: PortsConfig): Ports | Promise<Ports> {
  return config.store === undefined
    ? makePorts(config)
    : storeOnServer(config.store, config.indexFolder).then((store) => portsOver(store, config));
}

/** Over runs in folders. */
export function makePorts(config: PortsConfig): Ports {
  return portsOver(storeInFolders(config), config);
}

/** What is heavy and rarely needed is loaded when it is asked for. */
function portsOver(store: StorePorts, config: PortsConfig): Ports {
  const {
    indexFolder,
    rankersFolder = null,
    reranker,
    cliInvocation,
    environment = process.env,
    providers = {},
    allowedHosts = [],
    prices,
  } = config;
  return {
    whyNotWritable,
    ...store,
    async storeServer(url) {
      const named = url === undefined ? config.store : { ...config.store, url };
      if (named === undefined)
        throw new RunError("INVALID_ARGS.store", { reason: "no store is named", option: "--store" });
      const { openStoreServer } = await import("./stores/postgres/open-store.ts");
      return openStoreServer({ ...named, ...MACHINE });
    },
    clock: realClock,
    random: realRandom,
    processes: realProcesses,
    outputs: {
      write: async (...asked) => await (await outputsOfFiles()).write(...asked),
      remove: async (path) => await (await outputsOfFiles()).remove(path),
      removeEmptyFolder: async (path) => await (await outputsOfFiles()).removeEmptyFolder(path),
      isLinked: async (...asked) => await (await outputsOfFiles()).isLinked(...asked),
    },
    async openCorpora(corpora, options) {
      const { openEvidence } = await import("./providers/open-evidence.ts");
      const setUp = {
        cacheFolder: unlessOnNetwork(indexFolder),
        clock: realClock,
        environment,
        providers,
        allowedHosts,
      };
      return await overStoredDocuments(store.documents, openEvidence(setUp))(corpora, options);
    },
    async readAttached(document, signal) {
      return await (await import("./providers/attached.ts")).readAttached(document, signal);
    },
    async readAttachedPage(url, sensitivity, signal) {
      const { readAttachedPage } = await import("./providers/web/attached-page.ts");
      const { ports: allowedPorts, contact } = providers.web ?? {};
      const settings = { sensitivity, allowedHosts, ports: allowedPorts, contact };
      return await readAttachedPage(url, settings, { clock: realClock }, signal);
    },
    // What lies in the store is there for everybody.
    corpusAt: (path) => (isStoredDocuments(path) ? "there" : corpusAt(path)),
    indexCache: {
      async clear() {
        return (await import("./corpus/index/index-cache.ts")).indexCache(indexFolder).clear();
      },
    },
    inputs: { read: readSmallFile },
    async loadDriver(id, bundle) {
      if (id === "local") return (await import("./drivers/local.ts")).localDriver;
      if (id === "live") return (await import("./drivers/live.ts")).liveDriver;
      if (id === "task") return (await import("./drivers/task.ts")).taskDriver;
      if (id !== "fixture") return unreachable(id, "a driver that nothing loads");
      if (bundle === undefined)
        throw new RunError("INVALID_ARGS", { reason: "a replay needs a bundle", driver: id, option: "--bundle" });
      return (await import("./drivers/fixture.ts")).fixtureDriver(bundle);
    },
    async loadModels() {
      const { openModels } = await import("./models/models.ts");
      const { listedIn } = await import("./providers/web/reach.ts");
      return openModels({ environment, clock: realClock, isListed: listedIn(allowedHosts) });
    },
    rankGates: rankersFolder === null ? NO_RANK_GATES : rankGatesIn(rankersFolder),
    ...given({ reranker }),
    prices: prices === undefined ? [BUILT_IN_PRICES] : [BUILT_IN_PRICES, prices],
    toolVersion: packageJson.version,
    cliInvocation,
  };
}

/** Opens corpora of the store as folders of this machine, and names them as they are named. */
function overStoredDocuments(documents: StoredDocuments | undefined, open: OpenCorpora): OpenCorpora {
  return async (corpora, options) => {
    if (!corpora.some(({ path }) => isStoredDocuments(path))) return await open(corpora, options);
    if (documents === undefined)
      throw new RunError("INVALID_ARGS.store", { reason: "documents:NAME lies in a store, and none is named" });
    const placed = await Promise.all(
      corpora.map(async ({ name, path }) =>
        isStoredDocuments(path) ? { name, ...(await documents.unpack(path)) } : { name, path, folder: path },
      ),
    );
    const opened = await open(
      placed.map(({ name, folder }) => ({ name, path: folder })),
      options,
    );
    const reports = opened.reports.map((report, at) => ({
      ...report,
      corpus: { ...report.corpus, path: placed[at]?.path ?? report.corpus.path },
    }));
    return { ...opened, reports };
  };
}

/** Leases of any folder, with or without a run in it; the clock of heartbeats; and the leases that are lent. */
export function makeLeases(): { leases: LeaseFiles; clock: Clock; lent: LentLeases } {
  return {
    lent,
    leases: {
      claim: async (...asked) => await (await leasesOfFiles()).claim(...asked),
      judge: async (...asked) => await (await leasesOfFiles()).judge(...asked),
    },
    clock: realClock,
  };
}

/** The search engines that are set up, each with where its key or its address comes from and what is wrong with it. */
export async function searchEnginesSetUp({
  providers = {},
  environment = process.env,
}: Pick<PortsConfig, "providers" | "environment">): Promise<{ id: string; from: string; wrong: string | null }[]> {
  const { setUpEngines } = await import("./providers/web/engines/engines.ts");
  const { engines: order, searxng_url: searxngUrl } = providers.web ?? {};
  return setUpEngines({ order, searxngUrl }, environment);
}

/** What is wrong with an entry of `allowed_hosts`, or null. */
export async function badAllowedHost({
  allowedHosts = [],
}: Pick<PortsConfig, "allowedHosts">): Promise<RunError | null> {
  const { listedIn } = await import("./providers/web/reach.ts");
  try {
    listedIn(allowedHosts);
    return null;
  } catch (error) {
    if (error instanceof RunError) return error;
    throw error;
  }
}

/** The sink of telemetry that the environment names, or null. Errors: `INVALID_ARGS`. */
export async function openTelemetry({
  allowedHosts,
  ...options
}: Omit<SinkOptions, "isListed"> & { allowedHosts: readonly string[] }): Promise<TelemetrySink | null> {
  const { listedIn } = await import("./providers/web/reach.ts");
  const { openTelemetry: open } = await import("./system/telemetry/sinks.ts");
  return await open({ ...options, isListed: listedIn(allowedHosts) });
}

/** Takes text out of documents for the process that started this one, until that ends. */
export async function serveExtraction(): Promise<number> {
  await (await import("./corpus/extract/child.ts")).runExtractChild();
  return 0;
}

/** Whether the text of documents can be taken out here: null, or what went wrong. */
export async function checkExtraction(): Promise<string | null> {
  return await (await import("./corpus/extract/self-check.ts")).checkExtraction();
}
