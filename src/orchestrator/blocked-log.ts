// Logs the pages and servers that a run could not reach, at once, in its journal and in a file for people.
import { readOnce } from "../kernel/read-once.ts";
import type { OwnedRun } from "../conversations/owned-run.ts";
import type { BlockedUrl } from "../run/report/blocked-urls.ts";
import { blockedFold, blockedIn, foldRef } from "../run/log/stage-folds.ts";

export class BlockedLog {
  readonly #run: Pick<OwnedRun, "view" | "writer">;
  /** The entries of the journal, and all that came since. */
  readonly #all = readOnce(async () => (await this.#run.view.records()).flatMap(blockedIn));

  constructor(run: Pick<OwnedRun, "view" | "writer">) {
    this.#run = run;
  }

  async note(blocked: readonly BlockedUrl[]): Promise<void> {
    const all = await this.#all();
    // Nothing is awaited from here to the commit, so lists are written in the order of their records.
    all.push(...blocked);
    const list = blockedFold(all);
    const last = blocked.length - 1;
    const drafts = blocked.map((entry, place) => ({
      kind: "url.blocked" as const,
      data: place === last ? { ...entry, fold: foldRef(list) } : entry,
    }));
    await this.#run.writer.commit(drafts, { folds: [list] });
  }
}
