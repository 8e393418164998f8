// The cases of the sweeps over whole runs, and the guards that their controls take out.
import { errnoOf } from "../../src/kernel/errors.ts";
import type { Files } from "../../src/ports/files.ts";
import type { Fault, TraceEntry } from "./disk.ts";
import { changed } from "./changed.ts";
import { changesDisk, faultOf } from "./faults.ts";
import { numbersTo } from "./sweep.ts";

// --- cases --------------------------------------------------------------------------------------------------------

type Trace = readonly Pick<TraceEntry, "effect">[];

export function isWrite({ effect }: Pick<TraceEntry, "effect">): boolean {
  return effect === "write" || effect === "writeAt";
}

/** Before and after every effect that changes the disk, and in the middle of every write. */
export function crashesOf(trace: Trace): Fault[] {
  return trace.flatMap((entry, index): Fault[] => {
    if (!changesDisk(entry)) return [];
    const at = index + 1;
    const around: Fault[] = [
      { kind: "crash-before", at },
      { kind: "crash-after", at },
    ];
    return isWrite(entry) ? [...around, { kind: "crash-mid", at }, { kind: "crash-mid", at, bytes: 1 }] : around;
  });
}

export interface PowerCut {
  at: number;
  /** `null` drops everything that was not synced. */
  seed: number | null;
}

/** Behind every effect that changes the disk. */
export function powerCutsOf(trace: Trace): PowerCut[] {
  const seeds = [null, 1, 2];
  const changes = numbersTo(trace.length).filter((at) => changesDisk(trace[at - 1] ?? { effect: "facts" }));
  return changes.flatMap((at) => seeds.map((seed) => ({ at, seed: seed === null ? null : at * 10 + seed })));
}

type Failure = Extract<Fault, { kind: "fail" }>;
const ERRNOS = ["ENOSPC", "EIO", "EMFILE", "EINTR", "EROFS"];

/** Every effect with every error that can strike it. */
export function failuresOf(trace: Trace): Failure[] {
  return trace.flatMap(({ effect }, index) => {
    const at = index + 1;
    const striking = ERRNOS.filter((errno) => faultOf([{ kind: "fail", at, errno }], at, effect) !== undefined);
    return striking.flatMap((errno): Failure[] => [
      { kind: "fail", at, errno },
      { kind: "fail", at, errno, forever: true },
    ]);
  });
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
