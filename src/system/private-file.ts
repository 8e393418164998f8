// A file that only this user may read, in a folder of its own, for as long as this process needs it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PrivateFile } from "../ports/private-file.ts";

export function privateFile(name: string, text: string): PrivateFile {
  // The folder gets mode 0700, and a name that cannot be guessed.
  const folder = mkdtempSync(path.join(tmpdir(), "deep-research-"));
  const remove = (): void => {
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  const file = path.join(folder, name);
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    remove();
    throw error;
  }
  return { path: file, remove };
}
