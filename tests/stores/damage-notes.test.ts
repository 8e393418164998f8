// Notes of damage are told as long as the damage is as it was found, whatever else goes on in the run.
import { beforeEach, afterEach, expect, test } from "bun:test";
import fs from "node:fs";
import { damageNotesIn } from "../../src/stores/reading/damage-notes.ts";
import { temporaryFolder } from "../operations/made-run.ts";

const SOURCE = { path: "sources/a.txt", expected: `sha256:${"a".repeat(64)}`, found: "absent" };
const RESULT = { path: "wave-1/b.json", expected: `sha256:${"b".repeat(64)}`, found: "altered" };
const FOLD = { path: "manifest.json", expected: "a state that the journal folds to", found: "another" };
const LOG = { path: "journal.jsonl", expected: "a record that counts", found: "none" };

let folder: ReturnType<typeof temporaryFolder>;
let runRoot: string;
beforeEach(() => {
  folder = temporaryFolder();
  runRoot = `${folder.path}/runs/dr_1`;
  makeRun();
});
afterEach(() => folder[Symbol.dispose]());

function makeRun(): void {
  fs.mkdirSync(`${runRoot}/wave-1`, { recursive: true });
  for (const name of ["journal.jsonl", "manifest.json", "wave-1/b.json"]) fs.writeFileSync(`${runRoot}/${name}`, name);
}

/** What both readings tell. */
function told(): string[] {
  const notes = damageNotesIn(`${folder.path}/notes`);
  const paths = notes.of(runRoot).map(({ path }) => path);
  const below = notes.below(`${folder.path}/runs`)("dr_1");
  expect(below.map(({ path }) => path)).toEqual(paths);
  return paths;
}

function note(...problems: (typeof SOURCE)[]): void {
  damageNotesIn(`${folder.path}/notes`).note(runRoot, problems);
}

test("files that records name, when work goes on; the journal and what is folded from it only as long as nothing is written", () => {
  note(SOURCE, RESULT, FOLD, LOG);
  expect(told()).toEqual([SOURCE.path, RESULT.path, FOLD.path, LOG.path]);
  fs.appendFileSync(`${runRoot}/journal.jsonl`, "one more");
  expect(told()).toEqual([SOURCE.path, RESULT.path]);
});

test("each file until it changes or is back", () => {
  note(SOURCE, RESULT, FOLD);
  fs.writeFileSync(`${runRoot}/wave-1/b.json`, "as it was");
  expect(told()).toEqual([SOURCE.path, FOLD.path]);
  fs.mkdirSync(`${runRoot}/sources`);
  fs.writeFileSync(`${runRoot}/${SOURCE.path}`, "back");
  fs.rmSync(`${runRoot}/manifest.json`);
  expect(told()).toEqual([]);
});

test("a note adds to what still stands", () => {
  note(SOURCE, LOG);
  fs.appendFileSync(`${runRoot}/journal.jsonl`, "one more");
  note(RESULT);
  expect(told()).toEqual([RESULT.path, SOURCE.path]);
});

test("nothing of it to another run in the same place", () => {
  note(SOURCE);
  fs.renameSync(runRoot, `${folder.path}/aside`);
  makeRun();
  expect(told()).toEqual([]);
});
