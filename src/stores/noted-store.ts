// A store that notes the damage that its readings meet, and whose looks report what was noted before.
import { isDamage } from "../kernel/damage.ts";
import { type RunError, isFault, type FileProblem } from "../kernel/errors.ts";
import type { DamageNotes } from "../ports/damage-notes.ts";
import type { LookOptions, RunLook } from "../ports/run-log.ts";
import { dueOf, type RunEntry } from "../ports/runs.ts";
import { JOURNAL_FILE } from "../run/log/layout.ts";
import type { FileStore } from "./file-store.ts";

export function notedStore(store: FileStore, notes: DamageNotes): FileStore {
  const noting = async <T>(runRoot: string, reading: Promise<T>): Promise<T> => {
    try {
      return await reading;
    } catch (error) {
      if (isDamage(error)) notes.note(runRoot, filesOf(error));
      throw error;
    }
  };
  async function* list(runsRoot: string, options?: LookOptions): AsyncGenerator<RunEntry> {
    const noted = notes.below(runsRoot);
    for await (const entry of store.list(runsRoot, options)) {
      const { runRoot, look } = entry;
      if (options?.wholeLog !== undefined && look !== null && look.problems.length > 0)
        notes.note(runRoot, look.problems);
      yield look === null ? entry : { ...entry, look: withNoted(look, noted(runRoot.slice(runsRoot.length + 1))) };
    }
  }
  return {
    ...store,
    list,
    due: (runsRoot, limit) => dueOf(list(runsRoot), limit),
    async look(runRoot, options = {}) {
      const look = await noting(runRoot, store.look(runRoot, options));
      if (options.wholeLog !== undefined && look.problems.length > 0) notes.note(runRoot, look.problems);
      return withNoted(look, notes.of(runRoot));
    },
    acquire: (runRoot, options) => noting(runRoot, store.acquire(runRoot, options)),
    records: (runRoot, folded) => noting(runRoot, store.records(runRoot, folded)),
    readContent: (runRoot, ref) => noting(runRoot, store.readContent(runRoot, ref)),
    readResult: (runRoot, ref) => noting(runRoot, store.readResult(runRoot, ref)),
    readSteps: (look, stage) => noting(look.runRoot, store.readSteps(look, stage)),
    async inspect(runRoot, options) {
      const found = await noting(runRoot, store.inspect(runRoot, options));
      // A repair may have taken out the records that named a file.
      if (options?.withContent !== false) notes.forget(runRoot);
      if (found.problems.length > 0) notes.note(runRoot, found.problems);
      return found;
    },
    follow(runRoot, afterSeq) {
      const tail = store.follow(runRoot, afterSeq);
      return { next: () => noting(runRoot, tail.next()), wait: (...args) => tail.wait(...args) };
    },
  };
}

function withNoted(look: RunLook, noted: readonly FileProblem[]): RunLook {
  const news = noted.filter(({ path }) => !look.problems.some((problem) => problem.path === path));
  return news.length === 0 ? look : { ...look, problems: [...look.problems, ...news] };
}

/** The files that the error names; without any it is the journal. */
function filesOf(error: RunError<"INTEGRITY_ERROR" | "MISSING_ARTIFACT">): readonly FileProblem[] {
  // A second name of the journal is no damage.
  if (isFault(error, "INTEGRITY_ERROR.hard_linked")) return [];
  return error.facts.files ?? [{ path: JOURNAL_FILE, expected: "the records of the run", found: error.message }];
}
