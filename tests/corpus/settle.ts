// Marks the files of an index as old enough, so that they are not read again and tests need not wait.
import { Database } from "bun:sqlite";
import fs from "node:fs";
import path from "node:path";
import { sealOfFile, type IndexedFile } from "../../src/corpus/index/indexed-files.ts";

function databasesIn(cacheFolder: string): string[] {
  const names = fs.readdirSync(cacheFolder).filter((entry) => entry.endsWith(".sqlite"));
  return names.map((name) => path.join(cacheFolder, name));
}

export function databaseIn(cacheFolder: string): string {
  return databasesIn(cacheFolder)[0] ?? cacheFolder;
}

export function settle(folder: string, cacheFolder: string): void {
  for (const file of databasesIn(cacheFolder)) settleOne(folder, new Database(file));
}

function settleOne(folder: string, database: Database): void {
  for (const file of database.query("SELECT * FROM files").all() as IndexedFile[]) {
    const facts = fs.lstatSync(path.join(folder, file.path), { bigint: true });
    const stamp = `${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}:${facts.dev}:${facts.ino}`;
    const seal = sealOfFile({ ...file, stamp });
    database.query("UPDATE files SET stamp = ?, seal = ? WHERE id = ?").run(stamp, seal, file.id);
  }
  database.close();
}
