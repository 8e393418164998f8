// Faults at a numbered effect of a process, and the errors that they throw.
import type { OpenMode } from "../../src/ports/files.ts";

export type EffectName =
  | `open-${OpenMode}`
  | "facts"
  | "list"
  | "listFolders"
  | "makeFolder"
  | "link"
  | "rename"
  | "remove"
  | "removeFolder"
  | "syncFolder"
  | "write"
  | "writeAt"
  | "readAt"
  | "sync"
  | "handleFacts"
  | "close";

const CHANGING: ReadonlySet<EffectName> = new Set([
  "open-create",
  "makeFolder",
  "link",
  "rename",
  "remove",
  "removeFolder",
  "write",
  "writeAt",
  "sync",
  "syncFolder",
]);

/**
 * False for an effect that only looks. A process that dies there leaves the same disk as one that died behind the effect
 * before it, or before the next one.
 */
export function changesDisk({ effect }: { effect: EffectName }): boolean {
  return CHANGING.has(effect);
}

/**
 * `at` is the number of the effect, from 1, counted per process.
 * - `crash-mid`: a write applies its first `bytes` (half of it when not given); any other effect is not applied.
 * - `fail`: once at `at`, or for ever from `at` on. It strikes the effects in `on`, or those where that errno can
 *   occur; `fired` of the process says whether it struck. Any failed `sync` loses the unsynced bytes.
 * - `short-write`: a write takes its first `bytes` (half of it when not given), always fewer than given.
 * - `freeze`: the effect waits, unapplied, and with it all that this process does, until `thaw` or `kill`.
 */
export type Fault =
  | { kind: "crash-before"; at: number }
  | { kind: "crash-mid"; at: number; bytes?: number }
  | { kind: "crash-after"; at: number }
  | { kind: "fail"; at: number; errno: string; forever?: boolean; on?: readonly EffectName[] }
  | { kind: "short-write"; at: number; bytes?: number }
  | { kind: "freeze"; at: number };

/** Thrown by the call at which a process died, and by every call after it. */
export class Crashed extends Error {
  override readonly name = "Crashed";
  readonly process: string;

  constructor(process: string, where: string) {
    super(`process ${process} is dead (${where})`);
    this.process = process;
  }
}

/** A failed system call, as the runtime would throw it. */
export function errnoError(code: string, syscall: string, path: string): Error & { code: string } {
  return Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path });
}

const FULL_DISK: readonly EffectName[] = [
  "open-create",
  "makeFolder",
  "link",
  "rename",
  "write",
  "writeAt",
  "sync",
  "syncFolder",
];

/** Where an errno can occur when a fault does not say it; all others strike anything but `close`. */
const EFFECTS_BY_ERRNO: Record<string, readonly EffectName[]> = {
  ENOSPC: FULL_DISK,
  EDQUOT: FULL_DISK,
  EROFS: ["open-append", "open-create", "open-update", "makeFolder", "link", "rename", "remove", "write", "writeAt"],
  EMFILE: ["open-append", "open-create", "open-read", "open-update", "list", "syncFolder"],
  ENFILE: ["open-append", "open-create", "open-read", "open-update", "list", "syncFolder"],
};

/** The first planned fault that strikes an effect. */
export function faultOf(faults: readonly Fault[], number: number, effect: EffectName): Fault | undefined {
  return faults.find((fault) => strikes(fault, number, effect));
}

function strikes(fault: Fault, number: number, effect: EffectName): boolean {
  if (fault.kind === "fail") {
    if (number < fault.at || (number > fault.at && fault.forever !== true)) return false;
    const effects = fault.on ?? EFFECTS_BY_ERRNO[fault.errno];
    return effects === undefined ? effect !== "close" : effects.includes(effect);
  }
  if (number !== fault.at) return false;
  return fault.kind !== "short-write" || effect === "write" || effect === "writeAt";
}
