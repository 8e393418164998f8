// How the sweeps over whole runs choose their cases, and the guards that their controls take out.
import { errnoOf } from "../../src/kernel/errors.ts";
import type { FileHandle, Files } from "../../src/ports/files.ts";

/** `DEEP_RESEARCH_SWEEP=full` tries every case; without it a sample has to do. */
export const isFull = process.env["DEEP_RESEARCH_SWEEP"] === "full";
export const SWEEP_TIMEOUT_MS = isFull ? 4 * 3_600_000 : 30_000;

/** All cases in a full sweep, else about `count` of them, spread evenly; `offset` moves the sample. */
export function sample<T>(cases: readonly T[], count: number, offset = 0): T[] {
  if (isFull || cases.length <= count) return [...cases];
  const stride = cases.length / count;
  return Array.from({ length: count }, (_, index) => cases[Math.floor(index * stride + offset) % cases.length] as T);
}

/** Tries every case; what is violated comes back, named by its case, the first few only. A control is no figure. */
export async function sweep<T>(
  name: string,
  cases: readonly T[],
  violationsOf: (one: T, index: number) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  let violations = 0;
  for (const [index, one] of cases.entries()) {
    const violated = await violationsOf(one, index);
    if (violated.length === 0) continue;
    violations++;
    if (found.length < 10) found.push(`${JSON.stringify(one)}: ${violated.slice(0, 3).join("; ")}`);
  }
  if (isFull && name !== "control") console.log(`sweep ${name}: ${cases.length} cases, ${violations} violations`);
  return found;
}

export function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

// --- guards taken out ---------------------------------------------------------------------------------------------

/** A disk that says it has synced files and folders, and has not. */
export function withoutSync(files: Files): Files {
  const open: Files["open"] = async (path, mode) => changed(await files.open(path, mode), { sync: () => undefined });
  return changed(files, { open, syncFolder: () => undefined });
}

/** A full disk that nobody is told about. */
export function withoutErrors(files: Files): Files {
  const open: Files["open"] = async (path, mode) => {
    const handle = await files.open(path, mode);
    return changed(handle, {
      write: (bytes) => quietly(() => handle.write(bytes), bytes.byteLength),
      sync: () => quietly(() => handle.sync(), undefined),
    });
  };
  return changed(files, { open });
}

/** A replacement in place of a rename: the old file is gone before the new one is whole. */
export function withoutAtomicRename(files: Files): Files {
  const rename: Files["rename"] = async (from, to) => {
    const source = await files.open(from, "read");
    const bytes = await source.readAt(0, (await source.facts()).size);
    await source.close();
    if ((await files.facts(to)) !== null) await files.remove(to);
    const target = await files.open(to, "create");
    await target.write(bytes);
    await target.sync();
    await target.close();
    await files.remove(from);
  };
  return changed(files, { rename });
}

/** A link that takes the name of a content file from whoever has it; claims of the lease stay as they are. */
export function withoutExclusiveLink(files: Files): Files {
  return changed(files, {
    link: (from, to) => (to.includes("/.lock.") ? files.link(from, to) : files.rename(from, to)),
  });
}

async function quietly<T>(call: () => T | Promise<T>, instead: T): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return instead;
  }
}

/** The same object with some methods replaced; the others keep their own `this`. */
export function changed<T extends Files | FileHandle>(original: T, replaced: Partial<T>): T {
  return new Proxy(original, {
    get(target, name) {
      const own = replaced[name as keyof T];
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
