// The rooms of src/: a file imports its own room or a lower floor, nothing imports in a circle, and the page shows it.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { allImports, circlesIn, innerImports, picture, ROOT, sourceFiles, violationsOf } from "./rooms.ts";

/** How the log lies on a disk: nothing above the stores may rest on it. */
const FILE_WORDS =
  /journal\.jsonl|manifest\.json|\.lock\b|\.head\b|\b(JOURNAL|MANIFEST|HEAD|LOCK)_FILE\b|\bQUARANTINE_FOLDER\b|\bREQUESTS_FOLDER\b|\bf(data)?sync|[rR]eadFile\b|\bscanJournal\b|\.offset\b|\bquarantine\//;

const LOOKS_INTO_FACTS = /\b(facts|details|why)(\?\.)?\[["']/;

const OPENS_WITH_QUESTION = /^\/\/ (What|Whether|Of|How|Which|Who|Where|Why|When|That)\b/i;

/** They name the file in which a person finds what is told, or find a run by the path of its manifest. */
const NAMES_A_FILE = [
  "operations/care/repair-cost.ts",
  "operations/care/repair-run.ts",
  "operations/change/settle-call.ts",
  "operations/look/inspect-run.ts",
  "operations/look/locate-run.ts",
  "operations/look/repair-steps.ts",
  "operations/report/read-report.ts",
  "orchestrator/halts.ts",
  "stages/verification.ts",
];

function codeIn(file: string): string {
  return withoutComments(fs.readFileSync(path.join(ROOT, "src", file), "utf8"));
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
}

function firstLineOf(file: string): string {
  const [first = "", second = ""] = fs.readFileSync(file, "utf8").split("\n");
  return first.startsWith("#!") ? second : first;
}

describe("floors", () => {
  test("every import goes to the same room or a lower floor", () => {
    const imports = allImports();
    expect(imports.length).toBeGreaterThan(100);
    expect(violationsOf(imports)).toEqual([]);
  });

  test("control: an upward import, an adapter and an unknown room are found", () => {
    expect(violationsOf([{ from: "run/log/fold.ts", to: "stages/stages.ts" }])).toHaveLength(1);
    expect(violationsOf([{ from: "operations/look/status.ts", to: "stores/file-store.ts" }])).toHaveLength(1);
    expect(violationsOf([{ from: "kernel/digest.ts", to: "attic/box.ts" }])).toHaveLength(1);
    expect(violationsOf([{ from: "operations/look/status.ts", to: "run/log/manifest.ts" }])).toHaveLength(0);
  });

  test("no files import each other in a circle, not even types", () => {
    expect(circlesIn(allImports())).toEqual([]);
  });

  test("the folders inside a room rest on each other in one direction", () => {
    const inner = innerImports(allImports());
    expect(inner.length).toBeGreaterThan(100);
    expect(circlesIn(inner)).toEqual([]);
  });

  test("code of a server and its queue is loaded where one is named, and never with the rest", () => {
    const intoServer = allImports().filter(
      ({ from, to }) => to.startsWith("stores/postgres/") && !from.startsWith("stores/postgres/"),
    );
    expect(intoServer.map(({ from, isLater }) => [from, isLater])).toEqual([
      ["wiring.ts", true],
      ["wiring.ts", true],
    ]);
    const intoQueue = allImports().filter(({ to }) => to === "stores/postgres/run-queue.ts");
    expect(intoQueue.filter(({ isLater }) => isLater !== true).map(({ from }) => from)).toEqual([
      "stores/postgres/fleet.ts",
    ]);
    const queues = sourceFiles(path.join(ROOT, "src")).filter((file) =>
      fs.readFileSync(file, "utf8").includes('"pg-boss"'),
    );
    expect(queues.map((file) => path.relative(ROOT, file))).toEqual(["src/stores/postgres/run-queue.ts"]);
  });

  test("control: two folders of a room that import each other are found, and so is a folder with the files beside it", () => {
    const wrong = [
      { from: "run/log/fold.ts", to: "run/report/source.ts" },
      { from: "run/report/report.ts", to: "run/log/record.ts" },
      { from: "stores/file-store.ts", to: "stores/disk/machine.ts" },
      { from: "stores/disk/machine.ts", to: "stores/late-store.ts" },
      { from: "run/log/fold.ts", to: "run/log/step.ts" },
      { from: "stores/disk/machine.ts", to: "run/common.ts" },
    ];
    expect(circlesIn(innerImports(wrong))).toEqual([
      ["run/log", "run/report"],
      ["stores", "stores/disk"],
    ]);
  });

  test("control: a circle over three files is found, and the file that leads into it is none of it", () => {
    const imports = [
      { from: "run/a.ts", to: "run/b.ts" },
      { from: "run/b.ts", to: "run/c.ts" },
      { from: "run/c.ts", to: "run/b.ts" },
      { from: "run/c.ts", to: "run/d.ts" },
    ];
    expect(circlesIn(imports)).toEqual([["run/b.ts", "run/c.ts"]]);
  });

  test("the picture of the rooms in docs/architecture.md is the one that the imports give", () => {
    const page = fs.readFileSync(path.join(ROOT, "docs/architecture.md"), "utf8");
    expect(page).toContain(picture(allImports()));
  });

  test("control: one more arrow is another picture, and a way over another room is not drawn", () => {
    const imports = [
      { from: "cli/a.ts", to: "operations/b.ts" },
      { from: "operations/b.ts", to: "run/c.ts" },
    ];
    expect(picture([...imports, { from: "cli/a.ts", to: "run/c.ts" }])).toBe(picture(imports));
    expect(picture([...imports, { from: "cli/a.ts", to: "kernel/d.ts" }])).not.toBe(picture(imports));
  });

  test("outside the adapters nothing reaches for the clock, chance, the disk, the network or the environment", () => {
    const forbidden =
      /\bDate\.now\(|new Date\(\)|Math\.random\(|\bsetTimeout\(|\bsetInterval\(|(?:await|return|=)\s+fetch\(|"node:fs|process\.env|"node:child_process"/;
    const pure = [
      "kernel",
      "run",
      "ports",
      "pages",
      "stages",
      "conversations",
      "orchestrator",
      "operations",
      "surface",
      "mcp",
      "console",
    ];
    const found = sourceFiles(path.join(ROOT, "src"))
      .filter((file) => pure.includes(path.relative(path.join(ROOT, "src"), file).split("/")[0] ?? ""))
      // A browser runs the page.
      .filter((file) => !file.includes("/console/page/"))
      .filter((file) => forbidden.test(withoutComments(fs.readFileSync(file, "utf8"))));
    expect(found.map((file) => path.relative(ROOT, file))).toEqual([]);
    expect(forbidden.test("const now = Date.now();")).toBe(true);
  });

  test("above the stores only those name a file of the log who show it to a person or are given its path", () => {
    const found = sourceFiles(path.join(ROOT, "src"))
      .map((file) => path.relative(path.join(ROOT, "src"), file))
      .filter((file) => /^(stages|orchestrator|operations)\//.test(file))
      .filter((file) => FILE_WORDS.test(codeIn(file)));
    expect(found.toSorted()).toEqual(NAMES_A_FILE);
  });

  test("a lease is judged in the stores alone: elsewhere its record is only published, and what describes an owner shown", () => {
    const importers = allImports().filter(({ to }) => to === "run/log/lock-record.ts");
    const others = importers.map(({ from }) => from).filter((from) => !from.startsWith("stores/"));
    expect([importers.length > others.length, others]).toEqual([true, ["surface/schemas.ts"]]);
    const describing = sourceFiles(path.join(ROOT, "src"))
      .map((file) => path.relative(path.join(ROOT, "src"), file))
      .filter((file) => /^(stages|orchestrator|operations|surface|mcp|console|cli)\//.test(file))
      .filter((file) => /\b(held|stale|owner_id)\b.*\bdescription\b/.test(codeIn(file)));
    expect(describing.toSorted()).toEqual([
      "operations/look/inspect-run.ts",
      "operations/look/status.ts",
      "orchestrator/owning.ts",
    ]);
  });

  test("the port of the log has no word of files, in its comments either", () => {
    expect(FILE_WORDS.exec(fs.readFileSync(path.join(ROOT, "src/ports/run-log.ts"), "utf8"))).toBeNull();
  });

  test("control: a file of the log is found by its name and by the name of its constant, a comment is not", () => {
    const words = [
      `"journal.jsonl"`,
      "JOURNAL_FILE",
      "`/runs/dr_1/.lock`",
      "await fsync(handle)",
      "readFile(path)",
      "placed.offset",
    ];
    expect(words.filter((word) => !FILE_WORDS.test(word))).toEqual([]);
    expect(withoutComments("// journal.jsonl\n/** .lock */\nconst isBlocked = true;")).not.toMatch(FILE_WORDS);
  });

  test("nothing looks for a name in the facts of an error, of a halt or of a finding: their types say what is there", () => {
    const found = sourceFiles(path.join(ROOT, "src"))
      .map((file) => path.relative(path.join(ROOT, "src"), file))
      .filter((file) => LOOKS_INTO_FACTS.test(codeIn(file)));
    // The page reads what came over the wire.
    expect(found).toEqual(["console/page/requests.ts"]);
  });

  test("control: a look into the facts by a name is found, one by a member is not", () => {
    for (const code of ['error.facts["errno"]', 'details?.["steps"]', 'why["kind"]', "facts['path']"])
      expect(LOOKS_INTO_FACTS.test(code)).toBe(true);
    expect(LOOKS_INTO_FACTS.test("error.facts.errno; byName[key]; details.steps")).toBe(false);
  });

  test("every file says its one job in its first line", () => {
    const silent = sourceFiles(path.join(ROOT, "src")).filter((file) => !firstLineOf(file).startsWith("// "));
    expect(silent.map((file) => path.relative(ROOT, file))).toEqual([]);
  });

  test("no file opens with a question: its first line names the thing, or says what the file does", () => {
    const files = ["src", "tests"].flatMap((folder) => sourceFiles(path.join(ROOT, folder)));
    const asking = files.filter((file) => OPENS_WITH_QUESTION.test(firstLineOf(file)));
    expect(asking.map((file) => path.relative(ROOT, file))).toEqual([]);
  });

  test("control: a question at the beginning is found, one that comes later is not", () => {
    expect("// What a store takes as content.").toMatch(OPENS_WITH_QUESTION);
    expect("// Whether a lease holds.").toMatch(OPENS_WITH_QUESTION);
    expect("// Judges whether a lease holds.").not.toMatch(OPENS_WITH_QUESTION);
    expect("// Offers of a provider.").not.toMatch(OPENS_WITH_QUESTION);
  });
});
