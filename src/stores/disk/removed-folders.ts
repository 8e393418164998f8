// The hidden folders in which run roots are removed: no command finds what is moved there, and a sweep finishes it.
import { newOwnerId, RUN_ID_PATTERN } from "../../kernel/ids.ts";
import type { Files } from "../../ports/files.ts";
import type { Random } from "../../ports/random.ts";
import { folderOf, nameOf, unlessErrno } from "./durable-write.ts";

/** The name is hidden, and no run id begins like it, so nothing takes the folder for a run. */
export const REMOVED_NAME = /^\.removed-[A-Za-z0-9][A-Za-z0-9._-]{0,119}-own_[a-z2-9]{12}$/;

export function removedName(runRoot: string, random: Random): string {
  return `${folderOf(runRoot)}/.removed-${shownName(runRoot)}-${newOwnerId(random.bytes(12))}`;
}

function shownName(runRoot: string): string {
  const name = nameOf(runRoot);
  return RUN_ID_PATTERN.test(name) ? name : "run";
}

/** Several processes may sweep at once, so what is gone already is no error. Returns the bytes that were freed. */
export async function removeTree(files: Files, folder: string): Promise<number> {
  let bytes = 0;
  for (const name of (await unlessErrno(["ENOENT"], () => files.list(folder))) ?? []) {
    const path = `${folder}/${name}`;
    const facts = await files.facts(path);
    if (facts?.kind === "folder") bytes += await removeTree(files, path);
    else if (facts !== null) {
      await unlessErrno(["ENOENT"], () => files.remove(path));
      if (facts.kind === "file" && facts.links === 1) bytes += facts.size;
    }
  }
  await unlessErrno(["ENOENT"], () => files.removeFolder(folder));
  return bytes;
}
