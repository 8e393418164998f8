// All ports through which the floors above reach the world. They are built once, in wiring.ts or by a test.
import type { Bundle } from "../run/log/bundle.ts";
import type { Model } from "../run/model/model.ts";
import type { Prices } from "../run/money/prices.ts";
import type { DriverId } from "../run/settings/settings.ts";
import type { Clock } from "./clock.ts";
import type { DamageNotes } from "./damage-notes.ts";
import type { Driver } from "./driver.ts";
import type { IndexCache } from "./index-cache.ts";
import type { Models } from "./model.ts";
import type { Outputs } from "./outputs.ts";
import type { Processes } from "./processes.ts";
import type { StoredDocuments } from "./documents.ts";
import type { Fleet } from "./fleet.ts";
import type { Inputs } from "./inputs.ts";
import type { OpenCorpora, ReadAttached, ReadAttachedPage } from "./provider.ts";
import type { Random } from "./random.ts";
import type { RankGates } from "./rank-gates.ts";
import type { RunFolders } from "./run-folders.ts";
import type { RunLog } from "./run-log.ts";
import type { Runs } from "./runs.ts";
import type { StoreServer } from "./store-server.ts";

export interface Ports {
  clock: Clock;
  random: Random;
  processes: Processes;
  store: RunLog;
  runs: Runs;
  folders: RunFolders;
  /** The server of the store, or of the one at `url`. Errors: `INVALID_ARGS.store` where none is named. */
  storeServer(url?: string): Promise<StoreServer>;
  /** Of a run where nothing is said of its lease; absent for the one that is built in. */
  usualLease?: { lease_seconds: number; heartbeat_seconds: number };
  /** Absent where runs lie in folders: one machine has no fleet. */
  fleet?: Fleet;
  /** Absent where runs lie in folders. */
  documents?: StoredDocuments;
  damage: DamageNotes;
  outputs: Outputs;
  inputs: Inputs;
  openCorpora: OpenCorpora;
  readAttached: ReadAttached;
  readAttachedPage: ReadAttachedPage;
  /** What lies at the path of a corpus, through links. An unmounted disk leaves nothing, or an empty folder. */
  corpusAt(path: string): "there" | "empty" | "absent";
  /** Why nothing can be written in a folder now: the errno of it; null where nothing is known against it. */
  whyNotWritable(folder: string): string | null;
  indexCache: IndexCache;
  /** Errors: `INVALID_ARGS` for a driver that this version does not have, or for a replay without a bundle. */
  loadDriver(id: DriverId, bundle?: Bundle): Promise<Driver>;
  /** Loads the code that reaches language models. */
  loadModels(): Promise<Models>;
  /** Later tables go before earlier ones. */
  prices: readonly Prices[];
  rankGates: RankGates;
  /** The endpoint that ranks, as the user set it up. */
  reranker?: Model;
  toolVersion: string;
  /** The start of every printed command: executable and entry file of this installation, absolute, quoted for sh. */
  cliInvocation: string;
}
