// Sets altered content aside: it can never be trusted or rebuilt; in quarantine it is missing, and says so.
import type { Files } from "../ports/files.ts";
import { QUARANTINE_FOLDER } from "../run/layout.ts";
import { checkContent } from "./content-files.ts";
import { ensureFolder } from "./durable-write.ts";
import { namedContent } from "../run/record.ts";
import { readRecords } from "./run-files.ts";

/** Returns where the files went. `requireOwner` throws when the right to write was lost. */
export async function setAsideAltered(
  files: Files,
  runRoot: string,
  { epoch, requireOwner }: { epoch: number; requireOwner: () => Promise<void> },
): Promise<string[]> {
  const moved: string[] = [];
  for (const ref of namedContent((await readRecords(files, runRoot)).map(({ record }) => record))) {
    if ((await checkContent(files, runRoot, ref)).kind !== "altered") continue;
    await requireOwner();
    await ensureFolder(files, runRoot, QUARANTINE_FOLDER);
    const target = `${QUARANTINE_FOLDER}/${epoch}-${moved.length}.${ref.path.replaceAll("/", ".")}`;
    await files.rename(`${runRoot}/${ref.path}`, `${runRoot}/${target}`);
    await files.syncFolder(`${runRoot}/${QUARANTINE_FOLDER}`);
    moved.push(target);
  }
  return moved;
}
