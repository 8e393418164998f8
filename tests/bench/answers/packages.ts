// Fetches the packages of a collection by the package managers of this machine, and keeps their documents.
import fs from "node:fs";
import path from "node:path";
import { benchFolder, PROJECT } from "../fixtures.ts";
import type { Collection, Package } from "./collection.ts";

/** Why the documents could not be had: no network, no package manager, or the version is gone. */
export class Unfetched extends Error {}

/** Fetched once; delete it to fetch again. */
const KEPT = path.join(PROJECT, ".demo", "bench-documents");

/** A package manager without a network goes on trying for minutes. */
const PATIENCE_MS = 120_000;

const FETCH: Readonly<Record<Package["from"], (of: Package) => string[]>> = {
  npm: ({ name, version }) => [
    "npm",
    "pack",
    "--silent",
    "--fetch-retries=0",
    version === undefined ? name : `${name}@${version}`,
  ],
  deb: ({ name, version }) => ["apt-get", "--quiet", "download", version === undefined ? name : `${name}=${version}`],
};
const UNPACK: Readonly<Record<Package["from"], (archive: string) => string[]>> = {
  npm: (archive) => ["tar", "-xzf", archive],
  deb: (archive) => ["dpkg-deb", "-x", archive, "."],
};

/** A folder with the documents of the collection, by package. Errors: `Unfetched`. */
export function documentsOf({ name, packages }: Pick<Collection, "name" | "packages">): string {
  const folder = path.join(KEPT, name, "documents");
  for (const wanted of packages) {
    const target = path.join(folder, wanted.name);
    // The version and what is kept stand in a note beside the folder, where no corpus sees it.
    const note = path.join(KEPT, name, `${wanted.name}.json`);
    const told = JSON.stringify(wanted);
    if (fs.existsSync(note) && fs.readFileSync(note, "utf8") === told) continue;
    fs.rmSync(target, { recursive: true, force: true });
    keepDocuments(wanted, target);
    fs.writeFileSync(note, told);
  }
  return folder;
}

function keepDocuments(wanted: Package, target: string): void {
  const room = benchFolder();
  try {
    run(FETCH[wanted.from](wanted), room);
    const [archive] = fs.readdirSync(room);
    if (archive === undefined) throw new Unfetched(`${wanted.name} was not there`);
    run(UNPACK[wanted.from](archive), room);
    const begin = wanted.keep.slice(0, wanted.keep.search(/[*{]/));
    const found = [...new Bun.Glob(wanted.keep).scanSync({ cwd: room })].sort();
    if (found.length === 0) throw new Unfetched(`${wanted.name} holds no ${wanted.keep}`);
    for (const file of found) {
      const kept = path.join(target, file.slice(begin.length));
      fs.mkdirSync(path.dirname(kept), { recursive: true });
      fs.copyFileSync(path.join(room, file), kept);
    }
  } finally {
    fs.rmSync(room, { recursive: true });
  }
}

function run(command: string[], cwd: string): void {
  try {
    const { exitCode, stderr } = Bun.spawnSync(command, {
      cwd,
      stdout: "ignore",
      stderr: "pipe",
      timeout: PATIENCE_MS,
    });
    const reason = stderr.toString().trim() || `no result after ${PATIENCE_MS / 1000} s`;
    if (exitCode !== 0) throw new Unfetched(`${command.join(" ")}: ${reason}`);
  } catch (error) {
    if (error instanceof Unfetched) throw error;
    throw new Unfetched(`${command.join(" ")}: ${String(error)}`);
  }
}
