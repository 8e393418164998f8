// D4, D5: links, FIFOs and folders in the place of the run's own files, on a real disk; and who may read what is written.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { RunError } from "../../src/kernel/errors.ts";
import type { Files } from "../../src/ports/files.ts";
import type { RunWriter } from "../../src/ports/run-log.ts";
import type { FileStore } from "../../src/stores/file-store.ts";
import { fileStore } from "../../src/stores/file-store.ts";
import { realFiles } from "../../src/system/files.ts";
import { leaveStage, noted, pauseRequest, runCreated, sourceNamed, stateChanged } from "../conformance/sample-run.ts";
import { changed } from "../simulation/changed.ts";
import { Acknowledged, workload } from "../simulation/store-workload.ts";
import { SimulatedWorld } from "../simulation/world.ts";

let folder: string;
let outside: string;
let runRoot: string;
let world: SimulatedWorld;
let store: FileStore;

beforeEach(async () => {
  folder = fs.mkdtempSync(`${tmpdir()}/dr-hostile-`);
  outside = `${folder}/outside`;
  runRoot = `${folder}/runs/dr_sample`;
  fs.mkdirSync(outside);
  fs.writeFileSync(`${outside}/precious`, "precious");
  world = new SimulatedWorld({ autoAdvance: true });
  store = storeWith(realFiles);
  const source = sourceNamed("A source.");
  await store.create(runRoot, [runCreated(), source.draft], [source]);
});

afterEach(() => {
  // Whatever stood in the run root, nothing beside it was touched.
  expect(fs.readFileSync(`${outside}/precious`, "utf8")).toBe("precious");
  fs.rmSync(folder, { recursive: true });
});

function storeWith(files: Files): FileStore {
  const { clock, random, processes } = world.spawn("process");
  return fileStore({ files, clock, random, processes });
}

async function acquire(): Promise<RunWriter> {
  const acquired = await store.acquire(runRoot);
  if (acquired.kind === "held") throw new Error("held");
  return acquired.writer;
}

/** The code of the typed error, or "done"; anything else, a hang too, fails the test. */
async function codeOf(work: () => Promise<unknown>): Promise<string> {
  const slow = Bun.sleep(60_000).then(() => "it hangs");
  const outcome = work().then(
    () => "done",
    (error: unknown) => (error instanceof RunError ? error.code : `untyped: ${String(error)}`),
  );
  return await Promise.race([outcome, slow]);
}

/** Takes what is at the path away and puts something odd there. */
type Oddity =
  | "symlink to a file"
  | "symlink to a folder"
  | "symlink to nothing"
  | "symlink to itself"
  | "symlink to a device"
  | "FIFO"
  | "folder";
const ODDITIES: Oddity[] = [
  "symlink to a file",
  "symlink to a folder",
  "symlink to nothing",
  "symlink to itself",
  "symlink to a device",
  "FIFO",
  "folder",
];

function put(oddity: Oddity, name: string): void {
  const path = `${runRoot}/${name}`;
  fs.rmSync(path, { recursive: true, force: true });
  switch (oddity) {
    case "symlink to a file":
      return fs.symlinkSync(`${outside}/precious`, path);
    case "symlink to a folder":
      return fs.symlinkSync(outside, path);
    case "symlink to nothing":
      return fs.symlinkSync(`${outside}/nothing`, path);
    case "symlink to itself":
      return fs.symlinkSync(path, path);
    case "symlink to a device":
      return fs.symlinkSync("/dev/zero", path);
    case "FIFO":
      expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
      return;
    case "folder":
      return fs.mkdirSync(path);
  }
}

/** Everything a store can do with a run; each ends, and none with an untyped error. */
async function everything(): Promise<string[]> {
  const codes = [
    await codeOf(() => store.look(runRoot)),
    await codeOf(() => store.inspect(runRoot)),
    await codeOf(() => store.records(runRoot)),
    await codeOf(() => Array.fromAsync(store.list(`${folder}/runs`))),
    await codeOf(() => store.follow(runRoot, 0).next()),
    await codeOf(() => store.bytesOf(runRoot)),
    await codeOf(() => store.request(runRoot, pauseRequest())),
    await codeOf(() => store.create(runRoot, [runCreated()], [])),
    await codeOf(async () => {
      const writer = await acquire();
      try {
        await writer.commit([stateChanged("idle", "running")]);
        await leaveStage(writer, "init", "perspectives");
        const { path, bytes } = sourceNamed("Another source.");
        await writer.storeContent(path, bytes);
        for (const { request_id } of await writer.requests()) await writer.dropRequest(request_id);
        await writer.foldNow();
        await writer.refresh();
      } finally {
        await writer.release();
      }
    }),
    await codeOf(async () => {
      const acquired = await store.acquireForRepair(runRoot);
      if (acquired.kind === "held") return;
      try {
        await acquired.repair();
      } finally {
        await acquired.writer.release();
      }
    }),
    await codeOf(() => store.remove(runRoot)),
  ];
  expect(fs.readdirSync(outside)).toEqual(["precious"]);
  return codes.filter((code) => code.startsWith("untyped") || code === "it hangs");
}

describe("in the place of", () => {
  const names = [
    "journal.jsonl",
    "manifest.json",
    ".head",
    ".lock",
    ".lock.1",
    ".lock.7",
    "sources",
    "stages",
    "requests",
    "quarantine",
    ".tmp-1-1",
    ".tmp-1-journal",
  ];
  for (const name of names) {
    for (const oddity of ODDITIES) {
      test(`${name} a ${oddity}: typed errors, no hang, nothing outside is touched`, async () => {
        put(oddity, name);
        expect(await everything()).toEqual([]);
      });
    }
  }
});

describe("what each of them costs", () => {
  test("a manifest that is no file is rebuilt from the journal", async () => {
    put("symlink to a file", "manifest.json");
    expect((await store.look(runRoot)).manifest.run_id).toBe("dr_sample");
    expect((await store.inspect(runRoot)).problems).toMatchObject([
      { path: "manifest.json", found: "not a regular file" },
    ]);
    const writer = await acquire();
    await writer.foldNow();
    await writer.release();
    expect(fs.lstatSync(`${runRoot}/manifest.json`).isFile()).toBe(true);
    expect((await store.inspect(runRoot)).problems).toEqual([]);
  });

  test("`.head` and `.lock` that are links are made anew, and what they led to stays", async () => {
    for (const name of [".head", ".lock"]) put("symlink to a file", name);
    const writer = await acquire();
    await writer.release();
    for (const name of [".head", ".lock"]) expect(fs.lstatSync(`${runRoot}/${name}`).isFile()).toBe(true);
    expect((await store.look(runRoot)).manifest.epoch).toBe(1);
  });

  test("a journal that is no file is INTEGRITY_ERROR", async () => {
    const valid = fs.readFileSync(`${runRoot}/journal.jsonl`);
    fs.writeFileSync(`${outside}/journal.jsonl`, valid);
    fs.rmSync(`${runRoot}/journal.jsonl`);
    fs.symlinkSync(`${outside}/journal.jsonl`, `${runRoot}/journal.jsonl`);
    expect(await codeOf(() => store.look(runRoot))).toBe("INTEGRITY_ERROR");
    expect(await codeOf(acquire)).toBe("INTEGRITY_ERROR");
    expect(fs.readFileSync(`${outside}/journal.jsonl`)).toEqual(valid);
  });

  test("content behind a link is not the run's, even with the right bytes", async () => {
    const { path, bytes, draft } = sourceNamed("A source.");
    const sha256 = draft.kind === "source.stored" ? draft.data.source.source_digest : undefined;
    fs.renameSync(`${runRoot}/sources`, `${folder}/elsewhere`);
    fs.symlinkSync(`${folder}/elsewhere`, `${runRoot}/sources`);
    expect(await codeOf(() => store.readContent(runRoot, { path, sha256: sha256 ?? "sha256:" }))).toBe(
      "INTEGRITY_ERROR",
    );
    fs.rmSync(`${runRoot}/sources`);
    fs.mkdirSync(`${runRoot}/sources`);
    fs.symlinkSync(`${folder}/elsewhere/${path.slice("sources/".length)}`, `${runRoot}/${path}`);
    expect(await codeOf(() => store.readContent(runRoot, { path, sha256: sha256 ?? "sha256:" }))).toBe(
      "INTEGRITY_ERROR",
    );
    const writer = await acquire();
    await writer.storeContent(path, bytes);
    expect(fs.lstatSync(`${runRoot}/${path}`).isFile()).toBe(true);
    await writer.release();
  });

  test("requests behind a link are nobody's: neither read nor removed", async () => {
    fs.mkdirSync(`${folder}/elsewhere`);
    fs.writeFileSync(`${folder}/elsewhere/req-1.json`, JSON.stringify(pauseRequest()));
    fs.symlinkSync(`${folder}/elsewhere`, `${runRoot}/requests`);
    expect((await store.look(runRoot)).requests).toEqual([]);
    const writer = await acquire();
    expect(await writer.requests()).toEqual([]);
    await writer.dropRequest("req-1");
    await writer.release();
    expect(fs.readdirSync(`${folder}/elsewhere`)).toEqual(["req-1.json"]);
  });

  test("a request id that leads elsewhere removes nothing", async () => {
    const writer = await acquire();
    fs.writeFileSync(`${folder}/runs/other.json`, "{}");
    fs.mkdirSync(`${runRoot}/requests`);
    await codeOf(() => writer.dropRequest("../../other"));
    await writer.release();
    expect(fs.existsSync(`${folder}/runs/other.json`)).toBe(true);
  });
});

describe("a second name", () => {
  test("of the journal outside the run: read, but never written", async () => {
    fs.linkSync(`${runRoot}/journal.jsonl`, `${outside}/twin`);
    const before = fs.readFileSync(`${outside}/twin`);
    expect(await codeOf(() => store.look(runRoot))).toBe("done");
    expect(await codeOf(acquire)).toBe("INTEGRITY_ERROR");
    expect(fs.readFileSync(`${outside}/twin`)).toEqual(before);
    fs.rmSync(`${outside}/twin`);
    await (await acquire()).release();
  });

  test("that this program's own crash left is taken away", async () => {
    fs.linkSync(`${runRoot}/journal.jsonl`, `${runRoot}/.tmp-create-0123-journal`);
    await (await acquire()).release();
    expect(fs.readdirSync(runRoot).filter((name) => name.startsWith(".tmp-"))).toEqual([]);
  });

  test("of `.head`: the run takes another file, the stranger's keeps its bytes", async () => {
    fs.linkSync(`${outside}/precious`, `${runRoot}/.head`);
    const writer = await acquire();
    await writer.commit([noted("x")]);
    await writer.release();
    expect(fs.statSync(`${runRoot}/.head`).nlink).toBe(1);
  });

  test("of `.lock`: a claim is a file of its own", async () => {
    fs.linkSync(`${outside}/precious`, `${runRoot}/.lock`);
    const writer = await acquire();
    await writer.refresh();
    await writer.release();
  });
});

describe("odd run roots", () => {
  test("are listed with their reason, or not at all", async () => {
    fs.symlinkSync(`${folder}/runs/loop`, `${folder}/runs/loop`);
    fs.writeFileSync(`${folder}/runs/file`, "");
    fs.mkdirSync(`${folder}/runs/empty`);
    Bun.spawnSync(["mkfifo", `${folder}/runs/fifo`]);
    const entries = await Array.fromAsync(store.list(`${folder}/runs`));
    expect(entries.filter(({ look }) => look !== null).map((entry) => entry.runRoot)).toEqual([runRoot]);
    for (const { error, look } of entries) if (look === null) expect(error).toBeInstanceOf(RunError);
  });

  test("a file or a FIFO where the run root should be is refused", async () => {
    fs.writeFileSync(`${folder}/runs/file`, "");
    Bun.spawnSync(["mkfifo", `${folder}/runs/fifo`]);
    expect(await codeOf(() => store.create(`${folder}/runs/file`, [runCreated()], []))).toBe("ALREADY_EXISTS");
    expect(["ALREADY_EXISTS", "WRITE_FAILED"]).toContain(
      await codeOf(() => store.create(`${folder}/runs/fifo`, [runCreated()], [])),
    );
    expect(await codeOf(() => store.create(`${folder}/runs/file/below`, [runCreated()], []))).toBe("WRITE_FAILED");
  });
});

test("control: with files that follow links, content is written outside", async () => {
  const following = changed(realFiles, {
    facts: (path) => {
      const stat = fs.statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return null;
      return {
        kind: stat.isDirectory() ? "folder" : stat.isFile() ? "file" : "other",
        size: stat.size,
        identity: `${stat.dev}:${stat.ino}`,
        links: stat.nlink,
      };
    },
  });
  put("symlink to a folder", "sources");
  const { path, bytes } = sourceNamed("Another source.");
  const acquired = await storeWith(following).acquire(runRoot);
  if (acquired.kind === "held") throw new Error("held");
  await acquired.writer.storeContent(path, bytes).catch(() => undefined);
  await acquired.writer.release();
  expect(fs.readdirSync(outside).length).toBeGreaterThan(1);
});

describe("modes (D5)", () => {
  function modesBelow(path: string): string[] {
    const modes: string[] = [];
    for (const entry of fs.readdirSync(path, { withFileTypes: true })) {
      const child = `${path}/${entry.name}`;
      modes.push(`${entry.isDirectory() ? "folder" : "file"} ${(fs.lstatSync(child).mode & 0o777).toString(8)}`);
      if (entry.isDirectory()) modes.push(...modesBelow(child));
    }
    return modes;
  }

  /** The modes of everything that a run leaves under this umask. */
  async function modesUnder(mask: number, files: Files): Promise<string[]> {
    const before = process.umask(mask);
    try {
      await workload(rooted(storeWith(files), `${folder}/new/runs/dr_sample`), new Acknowledged());
      return [...new Set(modesBelow(`${folder}/new`))].sort();
    } finally {
      process.umask(before);
    }
  }

  test.each([0o000, 0o022, 0o077])("files are 0600 and folders 0700, under umask %p", async (mask) => {
    expect(await modesUnder(mask, realFiles)).toEqual(["file 600", "folder 700"]);
  });

  test("control: folders that leave their mode to the umask are seen", async () => {
    const careless = changed(realFiles, { makeFolder: (path) => fs.mkdirSync(path) });
    expect(await modesUnder(0o022, careless)).toContain("folder 755");
  });

  /** The workload names its run itself: here it lies elsewhere. */
  function rooted(own: FileStore, root: string): FileStore {
    return {
      names: (runsRoot) => own.names(runsRoot),
      list: (runsRoot) => own.list(runsRoot),
      due: (runsRoot) => own.due(runsRoot),
      placeOf: (_root, path) => own.placeOf(root, path),
      create: (_root, drafts, files) => own.create(root, drafts, files),
      createOwned: (_root, ...asked) => own.createOwned(root, ...asked),
      look: () => own.look(root),
      acquire: (_root, options) => own.acquire(root, options),
      acquireForRepair: () => own.acquireForRepair(root),
      records: () => own.records(root),
      readContent: (_root, ref) => own.readContent(root, ref),
      readResult: (_root, ref) => own.readResult(root, ref),
      readSteps: (look, stage) => own.readSteps({ ...look, runRoot: root }, stage),
      request: (_root, request) => own.request(root, request),
      makeDurable: () => own.makeDurable(root),
      withdraw: (_root, requestId) => own.withdraw(root, requestId),
      inspect: () => own.inspect(root),
      follow: (_root, afterSeq) => own.follow(root, afterSeq),
      bytesOf: () => own.bytesOf(root),
      remove: (_root, options) => own.remove(root, options),
      unbegunAt: () => Promise.resolve(null),
      sweepRemoved: (runsRoot) => own.sweepRemoved(runsRoot),
    };
  }
});
