// Makes a folder with files for one test, and removes it afterwards.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openCorpus, type Corpus } from "../../src/corpus/corpus.ts";
import type { IndexProgress } from "../../src/ports/provider.ts";

export const NO_ABORT: AbortSignal = new AbortController().signal;

export class TemporaryFolder implements Disposable {
  readonly path: string;

  constructor(files: Record<string, string | Uint8Array> = {}) {
    this.path = fs.mkdtempSync(path.join(os.tmpdir(), "deep-research-test-"));
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  at(name: string): string {
    return path.join(this.path, name);
  }

  write(name: string, content: string | Uint8Array): void {
    fs.mkdirSync(path.dirname(this.at(name)), { recursive: true });
    fs.writeFileSync(this.at(name), content);
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.path, { recursive: true, force: true });
  }
}

export function openAt(folder: string, cacheFolder: string | null = null, name = "docs"): Promise<Corpus> {
  return openCorpus({ name, path: folder, cacheFolder, signal: NO_ABORT });
}

/** Opens the corpus. Returns the files that were read for it, each once, in their order. */
export async function readsOf(place: string, cacheFolder: string | null): Promise<string[]> {
  const reads = new Set<string>();
  const onProgress = (event: IndexProgress): void => void (event.kind === "reading" && reads.add(event.path));
  (await openCorpus({ name: "docs", path: place, cacheFolder, signal: NO_ABORT, onProgress })).close();
  return [...reads];
}

/** The reasons of skipped entries by path. */
export function reasonsOf(corpus: Corpus): Record<string, string> {
  return Object.fromEntries(corpus.skipped.map(({ path: skipped, reason }) => [skipped, reason]));
}
