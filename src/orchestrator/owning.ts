// The ways into the ownership of a run: take its lease, do some work under it, and give the lease back.
import { RunError } from "../kernel/errors.ts";
import { given } from "../kernel/given.ts";
import { timestamp } from "../ports/clock.ts";
import type { Held, Lease } from "../ports/lease.ts";
import type { Ports } from "../ports/ports.ts";
import type { Acquisition, LaterContent, RunLook, RunWriter } from "../ports/run-log.ts";
import type { FirstDrafts } from "../run/log/record.ts";
import { Claim, Ownership, type ClaimOptions } from "./ownership.ts";
import { loadPerformer } from "./performer.ts";

export interface OwningOptions extends ClaimOptions {
  /** The work performs steps, so their driver is loaded, and its models are checked. */
  performs?: boolean | undefined;
}

/**
 * Takes the lease, works, and gives the lease back. `run`: a run root, or a run that was just read. Errors:
 * `LOCK_HELD`; with `performs` those of `loadPerformer`.
 */
export async function owning<T>(
  ports: Ports,
  run: string | RunLook,
  options: OwningOptions,
  act: (ownership: Ownership) => Promise<T>,
): Promise<T> {
  const seen = typeof run === "string" ? await ports.store.look(run) : run;
  const { runRoot, manifest, requests, state } = seen;
  // This comes before the lease is taken, so that what is refused here writes nothing.
  const performer = options.performs === true ? await loadPerformer(ports, runRoot, manifest) : null;
  const claim = new Claim(ports, runRoot, manifest, { isQuiet: state === "idle", ...options });
  const acquired = await ports.store.acquire(runRoot, { ...claim.options, seen });
  return await hold(new Ownership(ports, writerOf(acquired, runRoot), claim, performer, requests), options, act);
}

/** What a run is made with: its first records, and the files that they name. */
export interface FirstCommit {
  drafts: FirstDrafts;
  contents: readonly LaterContent[];
}

/** Makes a run and owns it from its first record on; null when a run is already there. */
export async function owningNew<T>(
  ports: Ports,
  runRoot: string,
  { drafts, contents }: FirstCommit,
  options: OwningOptions,
  act: (ownership: Ownership) => Promise<T>,
): Promise<{ done: T } | null> {
  const claim = new Claim(ports, runRoot, drafts[0].data, options);
  const acquired = await ports.store.createOwned(runRoot, drafts, claim.options, contents);
  if (acquired.kind === "exists") return null;
  const writer = writerOf(acquired, runRoot);
  const ownership = new Ownership(ports, writer, claim, null, []);
  return { done: await hold(ownership, options, act) };
}

async function hold<T>(
  ownership: Ownership,
  { performs = false }: OwningOptions,
  act: (ownership: Ownership) => Promise<T>,
): Promise<T> {
  try {
    if (performs) await ownership.loadPerformer();
    await ownership.writer.repairFolds();
    return await act(ownership);
  } finally {
    await ownership.release();
  }
}

function writerOf(acquired: Acquisition, runRoot: string): RunWriter {
  if (acquired.kind === "held") throw lockHeld(runRoot, acquired);
  return acquired.writer;
}

export function lockHeld(runRoot: string, { by }: Held): RunError {
  const isReport = by.purpose === "report";
  return new RunError("LOCK_HELD", {
    reason: isReport ? "a report of this run is being written" : "another process owns this run",
    ...(isReport ? { is_reporting: true } : {}),
    run_root: runRoot,
    ...ownerFacts(by),
    owner_id: by.owner_id,
    expires_at: timestamp(by.expires_at_ms),
  });
}

/** An owner by its process, or by its id where the store knows no processes. */
export function ownerFacts({ owner_id, description: { pid, hostname } = {} }: Lease): object {
  return pid === undefined ? { owner_id } : given({ pid, hostname });
}
