// Stored runs of every version and driver, as folders.
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { EARLIER, unpack } from "../fixtures/earlier-runs/earlier-runs.ts";

const OF_0_1_0 = join(import.meta.dir, "../fixtures/runs-0.1.0");

/** By name: puts its runs below a folder, and says where each is. */
export function runsOfEveryVersion(): Record<string, (folder: string) => Promise<string[]>> {
  const earlier = EARLIER.map((commit) => {
    const put = async (folder: string): Promise<string[]> => {
      await unpack(commit, join(folder, commit));
      return runsBelow(join(folder, commit));
    };
    return [`runs of ${commit}`, put] as const;
  });
  const of010 = async (folder: string): Promise<string[]> => {
    cpSync(OF_0_1_0, join(folder, "0.1.0"), { recursive: true });
    return runsBelow(join(folder, "0.1.0"));
  };
  return Object.fromEntries([...earlier, ["runs of 0.1.0", of010]]);
}

function runsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => existsSync(join(folder, path, "journal.jsonl")))
    .map((path) => join(folder, path))
    .toSorted();
}
