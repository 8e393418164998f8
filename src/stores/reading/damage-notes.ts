// The notes of damage as small files in the cache, one for each run.
import type { FileProblem } from "../../kernel/errors.ts";
import fs from "node:fs";
import path from "node:path";
import { digestOfBytes, hexOf } from "../../kernel/digest.ts";
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { z } from "../../kernel/zod.ts";
import type { DamageNotes } from "../../ports/damage-notes.ts";
import { digestSchema } from "../../run/common.ts";
import { JOURNAL_FILE } from "../../run/log/layout.ts";

const MAX_NOTE_BYTES = 256 * 1024;
const MAX_PROBLEMS = 100;

const noteSchema = z.object({
  schema_version: z.literal("damage-note.v1"),
  /** Without links. */
  run_root: z.string(),
  /** Another run in the place of one that was removed has nothing of its damage. */
  made: z.string(),
  /** Journal and damaged files as they were found, by their path in the run. */
  states: z.record(z.string(), z.string()),
  problems: z.array(z.object({ path: z.string(), expected: z.string(), found: z.string() })),
});
type Note = ReturnType<typeof noteSchema.parse>;

/** Errors of the file system are passed over: a note that is lost costs one more reading. */
export function damageNotesIn(folder: string): DamageNotes {
  const fileOf = (real: string): string => path.join(folder, `${hexOf(digestOfBytes(real))}.json`);
  const standing = (real: string): FileProblem[] => standingNote(fileOf(real))?.problems ?? [];
  return {
    note: (runRoot, problems) =>
      unlessThrown(() => {
        const real = fs.realpathSync(runRoot);
        const known = standing(real).filter((one) => !problems.some((other) => other.path === one.path));
        const all = [...problems, ...known].slice(0, MAX_PROBLEMS);
        const paths = new Set([JOURNAL_FILE, ...all.map((one) => one.path)]);
        const states = Object.fromEntries([...paths].map((file) => [file, stateOf(path.join(real, file))]));
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        removeLeftOver(folder);
        write(fileOf(real), {
          schema_version: "damage-note.v1",
          run_root: real,
          made: madeAt(real),
          states,
          problems: all,
        });
      }, undefined),
    forget: (runRoot) => unlessThrown(() => fs.rmSync(fileOf(fs.realpathSync(runRoot)), { force: true }), undefined),
    of: (runRoot) => unlessThrown(() => (fs.existsSync(folder) ? standing(fs.realpathSync(runRoot)) : []), []),
    below(runsRoot) {
      const names = new Set(unlessThrown(() => fs.readdirSync(folder), []));
      const real = names.size === 0 ? null : unlessThrown(() => fs.realpathSync(runsRoot), null);
      if (real === null) return () => [];
      return (name) => (names.has(path.basename(fileOf(`${real}/${name}`))) ? standing(`${real}/${name}`) : []);
    },
  };
}

/** Null where there is none, or where what it names has changed since. */
function standingNote(file: string): Note | null {
  return unlessThrown(() => {
    if (!(fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false)) return null;
    if (fs.statSync(file).size > MAX_NOTE_BYTES) return null;
    const note = noteSchema.parse(JSON.parse(fs.readFileSync(file, "utf8")));
    const isAsFound = (name: string): boolean => stateOf(path.join(note.run_root, name)) === note.states[name];
    if (madeAt(note.run_root) !== note.made) return null;
    const isLogAsFound = isAsFound(JOURNAL_FILE);
    const problems = note.problems.filter((one) => (isLogAsFound || isPinned(one)) && isAsFound(one.path));
    return problems.length === 0 ? null : { ...note, problems };
  }, null);
}

/** Content that a record names stays damaged, whatever is written behind that record. */
function isPinned({ expected }: FileProblem): boolean {
  return digestSchema.safeParse(expected).success;
}

/** Work on a run changes its folder, and leaves it the same one. */
function madeAt(folder: string): string {
  const { ino, birthtimeNs } = fs.lstatSync(folder, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}

/** Size and times, so that also a file put back with its old time counts as changed. */
function stateOf(file: string): string {
  const facts = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? "absent" : `${facts.ino} ${facts.size} ${facts.mtimeNs} ${facts.ctimeNs}`;
}

function write(file: string, note: Note): void {
  const temporary = `${file}.${crypto.randomUUID()}.tmp`;
  fs.writeFileSync(temporary, JSON.stringify(note), { mode: 0o600, flag: "wx" });
  fs.renameSync(temporary, file);
}

/** Notes of runs that are gone or have changed. */
function removeLeftOver(folder: string): void {
  for (const name of fs.readdirSync(folder))
    if (standingNote(path.join(folder, name)) === null) fs.rmSync(path.join(folder, name), { force: true });
}
