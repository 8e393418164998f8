// The only file that names real adapters: it builds the ports that everything above reaches the world through.
import packageJson from "../package.json" with { type: "json" };
import { RunError } from "./kernel/errors.ts";
import type { Clock } from "./ports/clock.ts";
import type { LeaseStore } from "./ports/lease-store.ts";
import type { Ports } from "./ports/ports.ts";
import { fileStore } from "./stores/file-store.ts";
import { leaseFiles } from "./stores/lease-files.ts";
import { realClock } from "./system/clock.ts";
import { realFiles } from "./system/files.ts";
import { networkFileSystemOf } from "./system/network-file-system.ts";
import { realProcesses } from "./system/processes.ts";
import { realRandom } from "./system/random.ts";

export interface PortsConfig {
  /** The folder of the shared index; null keeps indexes in memory. */
  indexFolder: string | null;
  /** The start of every printed command, quoted for sh. */
  cliInvocation: string;
}

/** What is heavy and rarely needed is loaded when it is asked for. */
export function makePorts({ indexFolder, cliInvocation }: PortsConfig): Ports {
  return {
    clock: realClock,
    random: realRandom,
    processes: realProcesses,
    store: fileStore({
      files: realFiles,
      clock: realClock,
      random: realRandom,
      processes: realProcesses,
      networkFileSystemOf,
    }),
    outputs: {
      async write(path, bytes, options) {
        return (await import("./system/outputs.ts")).realOutputs.write(path, bytes, options);
      },
    },
    async openCorpora(corpora, options) {
      const { openFilesystemCorpora } = await import("./providers/filesystem.ts");
      return openFilesystemCorpora({ cacheFolder: indexFolder })(corpora, options);
    },
    indexCache: {
      async clear() {
        return (await import("./corpus/index-cache.ts")).indexCache(indexFolder).clear();
      },
    },
    async loadDriver(id) {
      if (id === "local") return (await import("./drivers/local.ts")).localDriver;
      throw new RunError("INVALID_ARGS", {
        reason: `there is no driver ${id} in this version`,
        driver: id,
        not_in_this_version: `the ${id} driver`,
      });
    },
    toolVersion: packageJson.version,
    cliInvocation,
  };
}

/** Leases of any folder, with or without a run in it, and the clock that heartbeats go by. */
export function makeLeases(): { leases: LeaseStore; clock: Clock } {
  return {
    leases: leaseFiles({ files: realFiles, clock: realClock, random: realRandom, processes: realProcesses }),
    clock: realClock,
  };
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
