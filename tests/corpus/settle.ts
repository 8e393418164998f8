// Marks the files of an index as old enough, so that they are not read again and tests need not wait.
import { Database } from "bun:sqlite";
import fs from "node:fs";
import path from "node:path";
import { sealOfFile, type IndexedFile } from "../../src/corpus/indexed-files.ts";

export function databaseIn(cacheFolder: string): string {
  const name = fs.readdirSync(cacheFolder).find((entry) => entry.endsWith(".sqlite")) ?? "";
  return path.join(cacheFolder, name);
}

export function settle(folder: string, cacheFolder: string): void {
  const database = new Database(databaseIn(cacheFolder));
  for (const file of database.query("SELECT * FROM files").all() as IndexedFile[]) {
    const facts = fs.lstatSync(path.join(folder, file.path), { bigint: true });
    const stamp = `${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}:${facts.dev}:${facts.ino}`;
    const seal = sealOfFile({ ...file, stamp });
    database.query("UPDATE files SET stamp = ?, seal = ? WHERE id = ?").run(stamp, seal, file.id);
  }
  database.close();
}
