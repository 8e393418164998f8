// The checker docs/check-run.py agrees with `verify`: on what kills leave, and on what is damaged.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { startRun } from "../../src/operations/change/start-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { RUN_ROOT, RunWorld, startOptions } from "../simulation/run-world.ts";
import { codeOf, temporaryFolder, testPorts, type TemporaryFolder } from "./made-run.ts";

setDefaultTimeout(600_000);

const CHECKER = join(import.meta.dir, "../../docs/check-run.py");
const FIXTURE = join(import.meta.dir, "../fixtures/runs-0.1.0/local");
const KILLS = 20;
const LINE_FEED = 0x0a;

const python = Bun.which("python3");
if (python === null) console.log("skipped: python3 is not installed");
const ports = testPorts();
let folder: TemporaryFolder;

beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder[Symbol.dispose]());

/** Runs the checker over each run in one process; Python takes its time to begin. */
const EACH = `
import runpy, sys
checker, *roots = sys.argv[1:]
for root in roots:
    sys.argv = [checker, root]
    try:
        runpy.run_path(checker)
    except BaseException as end:
        print("verdict", root.rsplit("/", 1)[-1], isinstance(end, SystemExit) and not end.code)
`;

/** Names of the runs that pass, by the checker and by `verify`. */
async function passing(runRoots: readonly string[]): Promise<{ checker: string[]; verify: string[] }> {
  const { stdout, stderr } = Bun.spawnSync([python ?? "", "-c", EACH, CHECKER, ...runRoots]);
  const said = [...stdout.toString().matchAll(/^verdict (.*) (True|False)$/gm)];
  expect(said, stderr.toString()).toHaveLength(runRoots.length);
  const verify: string[] = [];
  for (const runRoot of runRoots)
    if ((await codeOf(verifyRun(ports, runRoot))) === "no error") verify.push(basename(runRoot));
  return { checker: said.flatMap(([, name = "", passes]) => (passes === "True" ? [name] : [])), verify };
}

/** A copy of the run on a real disk. */
function copyOf(name: string, files: ReadonlyMap<string, Uint8Array>): string {
  const runRoot = join(folder.path, name);
  for (const [path, bytes] of files) {
    fs.mkdirSync(dirname(join(runRoot, path)), { recursive: true });
    fs.writeFileSync(join(runRoot, path), bytes);
  }
  return runRoot;
}

function filesOf(root: string): Map<string, Uint8Array> {
  const names = fs.readdirSync(root, { recursive: true }) as string[];
  const files = names.filter((name) => fs.statSync(join(root, name)).isFile());
  return new Map(files.map((name) => [name, fs.readFileSync(join(root, name))]));
}

test.skipIf(python === null)("a run that was killed at any effect passes both", async () => {
  const effects = await effectsOf();
  const runRoots: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const at = 1 + Math.floor((kill * effects) / KILLS);
    for (const kind of ["crash-mid", "crash-after"] as const) {
      const world = new RunWorld();
      const process = world.process("killed");
      process.actor.files.plan({ kind, at });
      await codeOf(startRun(process.ports, startOptions(), {}));
      process.actor.kill();
      const inRun = [...world.world.disk.snapshot()].filter(([path]) => path.startsWith(`${RUN_ROOT}/`));
      const files = new Map(inRun.map(([path, bytes]) => [path.slice(RUN_ROOT.length + 1), bytes]));
      // A kill before the first record leaves no run.
      if (files.get("journal.jsonl")?.includes(LINE_FEED) === true) runRoots.push(copyOf(`${kind}-${at}`, files));
    }
  }
  expect(runRoots.length).toBeGreaterThan(KILLS);
  const names = runRoots.map((runRoot) => basename(runRoot));
  expect(await passing(runRoots)).toEqual({ checker: names, verify: names });
});

async function effectsOf(): Promise<number> {
  const process = new RunWorld().process("whole");
  await startRun(process.ports, startOptions(), {});
  return process.actor.files.effects;
}

const LEFT_BY_KILLS: Record<string, (files: Map<string, Uint8Array>) => void> = {
  "a torn .head": (files) => files.set(".head", torn(files.get(".head"))),
  "an empty .head": (files) => files.set(".head", new Uint8Array()),
  "no .head": (files) => files.delete(".head"),
  "no manifest": (files) => files.delete("manifest.json"),
  "no fold of a stage": (files) => files.delete("perspectives.json"),
  "no folder of folds": (files) => {
    for (const path of files.keys()) if (path.startsWith("stages/")) files.delete(path);
  },
  "half a line at the end": (files) =>
    files.set(
      "journal.jsonl",
      Buffer.concat([files.get("journal.jsonl") ?? new Uint8Array(), Buffer.from(' \n{"data"')]),
    ),
};

/** Another number with the check digits of the one before. */
function torn(head: Uint8Array | undefined): Uint8Array {
  const bytes = Buffer.from(head ?? new Uint8Array());
  bytes[14] = (bytes[14] ?? 0) ^ 1;
  return bytes;
}

test.skipIf(python === null)("what kills leave of notes and folds passes both", async () => {
  const names = Object.keys(LEFT_BY_KILLS);
  const runRoots = Object.entries(LEFT_BY_KILLS).map(([name, change]) => {
    const files = filesOf(FIXTURE);
    change(files);
    return copyOf(name, files);
  });
  expect(await passing(runRoots)).toEqual({ checker: names, verify: names });
});

test.skipIf(python === null)(
  "a file that is altered passes neither; one that is missing, only where it is derived",
  async () => {
    const whole = filesOf(FIXTURE);
    const derived = /^(manifest|perspectives|pivot)\.json$|^stages\/|^citations\/|^summaries\/summary-pack|^logs\//;
    const [altered, missing, passes]: [string[], string[], string[]] = [[], [], []];
    for (const [path, bytes] of whole) {
      if (path.startsWith(".")) continue;
      const name = path.replaceAll("/", "_");
      const flipped = Buffer.from(bytes);
      flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1;
      altered.push(copyOf(`altered-${name}`, new Map([...whole, [path, flipped]])));
      missing.push(copyOf(`missing-${name}`, new Map([...whole].filter(([other]) => other !== path))));
      if (derived.test(path)) passes.push(`missing-${name}`);
    }
    expect(await passing(altered)).toEqual({ checker: [], verify: [] });
    expect(await passing(missing)).toEqual({ checker: passes, verify: passes });
  },
);

test.skipIf(python === null)("a journal that was cut passes neither, by the note and by the manifest", async () => {
  const whole = filesOf(FIXTURE);
  const lines = Buffer.from(whole.get("journal.jsonl") ?? new Uint8Array())
    .toString()
    .trimEnd()
    .split("\n");
  const cut = new Map([...whole, ["journal.jsonl", Buffer.from(`${lines.slice(0, -2).join("\n")}\n`)]] as const);
  const runRoots = ["manifest.json", ".head"].map((gone) =>
    copyOf(`cut-without-${gone}`, new Map([...cut].filter(([path]) => path !== gone))),
  );
  expect(await passing(runRoots)).toEqual({ checker: [], verify: [] });
});
