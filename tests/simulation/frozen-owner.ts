// An owner that is frozen past its lease while a rival finishes the run, and then goes on: what it must not do.
import { afterRecovery, goOn, LEASE, start, type Reference, type Way } from "./run-checks.ts";
import { codeOf, isSuccess, RUN_ROOT, type ProcessOptions, type RunWorld } from "./run-world.ts";

/** Exit 13. */
const LOST: ReadonlySet<string> = new Set(["LOCK_LOST", "LOCK_NOT_HELD", "LOCK_NOT_OWNED"]);

/** The owner stops before the effect `at`, past its lease; a rival goes on with the run in its way; then the owner wakes up. */
export async function frozenAt(
  world: RunWorld,
  reference: Reference,
  { at, way }: { at: number; way: Way },
  options?: ProcessOptions,
): Promise<string[]> {
  const owner = world.process("owner", options);
  const { files } = owner.actor;
  files.plan({ kind: "freeze", at });
  const ending = start(owner);
  await Promise.race([files.whenFrozen(), ending]);
  const kinds = world.outside.announced.map(({ kind }) => kind);
  // From idle to running, and from running to completed.
  const [hadBegun, hadEnded] = [
    kinds.includes("lease.taken"),
    kinds.filter((kind) => kind === "state.changed").length > 1,
  ];
  await world.world.clock.advance((LEASE.lease_seconds + 1) * 1000);
  const rival = await goOn(world, way);
  // A frozen process cannot know that a step was finished meanwhile: what it begins when it goes on counts for nothing.
  const performed = world.outside.performances.length;
  const violations = isSuccess(rival) ? [] : [`the rival ends with ${codeOf(rival)}`];
  const before = world.world.disk.snapshot();
  // Where the last record of the owner was already written, the rival finds the run ended and takes nothing over.
  const journal = world.world.disk.text(`${RUN_ROOT}/journal.jsonl`) ?? "";
  const owners = journal.split('"kind":"lease.taken"').length - 1;
  files.thaw();
  const late = await ending;
  world.outside.performances.length = performed;
  const code = codeOf(late);
  if (hadBegun && !hadEnded && owners > 1 && !LOST.has(code)) violations.push(`the late owner ends with ${code}`);
  if (late.kind === "bug") violations.push(code);
  return [...violations, ...overwritten(world, before), ...(await afterRecovery(world, reference, rival))];
}

/**
 * The lease and its copy are the owner's own; `.head` is a hint; the manifest and the list of blocked URLs are folds that may
 * fall behind, which `verify` judges.
 */
const MAY_MOVE = /\/(\.lock(\.\d+)?|\.head|manifest\.json|citations\/blocked-urls\.json|\.tmp-.*)$/;

/** What became of the files of a snapshot at the hand of a late owner; it may add files, and records that do not count. */
export function overwritten({ world }: RunWorld, before: ReadonlyMap<string, Uint8Array>): string[] {
  const changes: string[] = [];
  for (const [path, bytes] of before) {
    const now = world.disk.read(path);
    const isJournal = path === `${RUN_ROOT}/journal.jsonl`;
    const isSame = now !== null && Buffer.compare(isJournal ? now.subarray(0, bytes.length) : now, bytes) === 0;
    if (!isSame && !MAY_MOVE.test(path)) changes.push(`the late owner changed ${path}`);
  }
  return changes;
}
