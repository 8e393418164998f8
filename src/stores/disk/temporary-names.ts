// The names of temporary files of writers without an epoch. Each says who writes it and since when, so that it can be swept.
import { digestOfBytes, hexOf } from "../../kernel/digest.ts";
import { errnoOf } from "../../kernel/errors.ts";
import type { ProcessIdentity } from "../../ports/processes.ts";
import { MAX_LEASE_S } from "../../run/lease.ts";
import { TEMPORARY_PREFIX } from "../../run/log/layout.ts";
import { removeQuietly } from "./durable-write.ts";
import type { Machine } from "./machine.ts";

type Writer = Pick<Machine, "clock" | "processes" | "random">;

/** Kind, time in milliseconds, pid, where that pid counts, start of the process, chance, and any word. */
const NAME =
  /^\.tmp-(?:claim|create|request)-(\d{1,15})-(\d{1,10})-([0-9a-f]{8})-([0-9a-f]{8})-[0-9a-f]{12}(?:-[a-z]+)?$/;

export function temporaryName({ clock, processes, random }: Writer, kind: "claim" | "create" | "request"): string {
  const self = processes.self();
  const now = Math.max(0, Math.floor(clock.nowMs()));
  const chance = Buffer.from(random.bytes(6)).toString("hex");
  return `${TEMPORARY_PREFIX}${kind}-${now}-${self.pid}-${placeOf(self)}-${marked(self.process_started)}-${chance}`;
}

/**
 * Removes the files of processes that were killed while they wrote. Where it is not known whether the process is gone, the file
 * is removed once it is older than the longest lease. `names` are the names in the folder.
 */
export async function sweepAbandoned(machine: Machine, folder: string, names: readonly string[]): Promise<void> {
  const { files } = machine;
  try {
    for (const name of names) {
      const path = `${folder}/${name}`;
      if (isAbandoned(machine, name) && (await files.facts(path))?.kind === "file") await removeQuietly(files, path);
    }
  } catch (error) {
    // A file that stays costs only space, and the next owner tries again.
    if (errnoOf(error) === undefined) throw error;
  }
}

function isAbandoned({ clock, processes }: Writer, name: string): boolean {
  const [found, since, pid, place, started] = NAME.exec(name) ?? [];
  if (found === undefined) return false;
  const facts = place === placeOf(processes.self()) ? processes.facts(Number(pid)) : { kind: "unknown" as const };
  if (facts.kind === "gone") return true;
  if (facts.kind === "alive" && facts.started !== undefined) return marked(facts.started) !== started;
  // Nothing is known of the process. A wrong clock may have dated the file into the future, so age counts in both directions.
  return Math.abs(clock.nowMs() - Number(since)) > MAX_LEASE_S * 1000;
}

/** Where a pid means something: this boot of this host, in this pid namespace. */
function placeOf({ hostname, boot_id, pid_namespace }: ProcessIdentity): string {
  return marked(JSON.stringify([hostname, boot_id, pid_namespace]));
}

function marked(text: string): string {
  return hexOf(digestOfBytes(text)).slice(0, 8);
}
