// `remove`, `prune`, `cache clear`, `list` and `triage --all` on the command line: what they ask, say and refuse.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import {
  makeCompletedRun,
  makeRun,
  noEvidenceHalt,
  temporaryFolder,
  testPorts,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { cli, type FakeHostOptions } from "./fake-host.ts";

const ports = testPorts();
const TERMINAL: FakeHostOptions["terminals"] = ["stdin", "stdout", "stderr"];

describe("remove", () => {
  test("asks on a terminal, needs --yes elsewhere, and never takes the newest run", async () => {
    using folder = temporaryFolder();
    await makeRun(ports, folder.path, "dr_1");
    const remove = async (argv: string[], options?: FakeHostOptions): Promise<number> =>
      (await cli(["remove", "--runs-root", folder.path, ...argv], options)).code;
    expect(await remove([], { answer: "y", terminals: TERMINAL })).toBe(2);
    expect(await remove(["dr_1"], { answer: "y" })).toBe(2);
    expect(await remove(["dr_1"], { answer: "n", terminals: TERMINAL })).toBe(0);
    expect(await remove(["dr_1", "dr_2", "--yes"])).toBe(10);
    expect(fs.readdirSync(folder.path)).toEqual(["dr_1"]);
    expect(await remove(["dr_1"], { answer: "y", terminals: TERMINAL })).toBe(0);
    expect(fs.readdirSync(folder.path)).toEqual([]);
  });

  test("with --yes a prefix of an id is refused, since the same line could later mean another run", async () => {
    using folder = temporaryFolder();
    for (const id of ["nightly", "nightly-2"]) await makeRun(ports, folder.path, id);
    const remove = async (...argv: string[]): Promise<number> =>
      (await cli(["remove", "nightly", "--yes", "--runs-root", folder.path, ...argv])).code;
    expect(await remove()).toBe(0);
    expect(await remove()).toBe(2);
    expect(fs.readdirSync(folder.path)).toEqual(["nightly-2"]);
    expect((await cli(["remove", "nigh", "--runs-root", folder.path], { answer: "y", terminals: TERMINAL })).code).toBe(
      0,
    );
  });

  test("several at once, by id and by path, with what was freed", async () => {
    using folder = temporaryFolder();
    using elsewhere = temporaryFolder();
    await makeRun(ports, folder.path, "dr_1");
    const root = await makeRun(ports, elsewhere.path, "dr_2");
    const { code, stdout } = await cli(["remove", "dr_1", root, "--yes", "--json", "--runs-root", folder.path]);
    expect(code).toBe(0);
    expect(envelopeIn(stdout).result).toMatchObject({
      removed: [{ run_id: "dr_1" }, { run_id: "dr_2", run_root: root }],
    });
    expect([...fs.readdirSync(folder.path), ...fs.readdirSync(elsewhere.path)]).toEqual([]);
  });

  test("a run that somebody works on: exit 11, and all stay", async () => {
    using folder = temporaryFolder();
    await makeRun(ports, folder.path, "dr_1");
    const root = await makeRun(ports, folder.path, "dr_2");
    await withWriter(ports, root, async () => {
      expect((await cli(["remove", "dr_1", "dr_2", "--yes", "--runs-root", folder.path])).code).toBe(11);
    });
    expect(fs.readdirSync(folder.path)).toEqual(["dr_1", "dr_2"]);
  });
});

describe("prune", () => {
  test("--dry-run names and changes nothing; --yes does it; ages are read", async () => {
    using folder = temporaryFolder();
    await makeCompletedRun(ports, folder.path, "dr_1");
    const prune = (...argv: string[]) => cli(["prune", "--runs-root", folder.path, ...argv]);
    expect((await prune()).code).toBe(2);
    for (const wrong of ["30", "d", "1y", "-1d", "1.5d"]) expect((await prune("--older-than", wrong)).code).toBe(2);
    for (const old of ["45m", "12h", "30d", "8w"])
      expect((await prune("--older-than", old)).stdout).toBe("nothing to prune\n");
    const foreseen = await prune("--keep", "0", "--dry-run");
    expect(foreseen.stdout).toContain("dr_1");
    expect(foreseen.stdout).toContain("nothing was changed");
    expect((await prune("--keep", "0")).code).toBe(2);
    expect(fs.readdirSync(folder.path)).toEqual(["dr_1"]);
    expect((await prune("--keep", "0", "--yes")).stdout).toContain("1 run removed");
    expect(fs.readdirSync(folder.path)).toEqual([]);
  });
});

test("cache clear says what it freed", async () => {
  const { code, stdout } = await cli(["cache", "clear"]);
  expect([code, stdout]).toEqual([0, "no folder is set for the cache: indexes are kept in memory\n"]);
});

describe("list", () => {
  test("where nothing is yet it says so; with --size what each takes; with --limit the newest", async () => {
    using folder = temporaryFolder();
    const list = async (...argv: string[]) => (await cli(["list", "--runs-root", folder.path, ...argv])).stdout;
    expect((await cli(["list", "--runs-root", `${folder.path}/none`])).stdout).toContain("no runs yet");
    expect(await list()).toBe(`no runs in ${folder.path}\n`);
    const roots = [await makeRun(ports, folder.path, "dr_1")];
    roots.push(await makeRun(ports, folder.path, "dr_2"));
    fs.symlinkSync("/", `${roots[0]}/everything`);
    const bytes = await Promise.all(roots.map((root) => ports.runs.bytesOf(root)));
    const result = envelopeIn(await list("--size", "--json")).result as { runs: unknown[]; total_bytes: number };
    expect(result.runs).toMatchObject([{ bytes: bytes[1] }, { bytes: bytes[0] }]);
    expect(result.total_bytes).toBe((bytes[0] ?? 0) + (bytes[1] ?? 0));
    expect(await list("--limit", "1")).toContain("the newest 1 of 2 runs");
    expect(await list("--limit", "1")).not.toContain("dr_1 ");
  });
});

describe("triage --all", () => {
  test("the worst run first, a block and a command for each, healthy runs only counted", async () => {
    using folder = temporaryFolder();
    const made = async (
      id: string,
      ...drafts: Parameters<Parameters<Parameters<typeof withWriter>[2]>[0]["commit"]>[0]
    ) => {
      const root = await makeRun(ports, folder.path, id);
      if (drafts.length > 0) await withWriter(ports, root, async (writer) => void (await writer.commit(drafts)));
      return root;
    };
    await made("dr_well", TO_RUNNING);
    await made("dr_paused", TO_RUNNING, TO_PAUSED);
    await made("dr_halted", TO_RUNNING, noEvidenceHalt(`${folder.path}/dr_halted`, "dr_halted"));
    fs.writeFileSync(`${await made("dr_damaged")}/journal.jsonl`, "garbage\n");
    const { code, stdout } = await cli(["triage", "--all", "--runs-root", folder.path]);
    expect(code).toBe(0);
    const blocks = stdout.trimEnd().split("\n\n");
    expect(blocks.map((block) => block.split(" ", 1)[0])).toEqual(["dr_damaged", "dr_halted", "dr_paused", "3"]);
    expect(blocks[1]).toContain("stopped: no evidence found, in citations");
    expect(blocks[1]).toContain("nothing was found");
    expect(blocks[1]).toContain(`  deep-research resume ${folder.path}/dr_halted`);
    for (const block of blocks.slice(0, 3)) expect(block.split("\n").length).toBeLessThanOrEqual(4);
    expect(blocks[3]).toContain("3 runs need attention, of 4 runs");
    expect(stdout).not.toContain("dr_well");
    const { runs, counts } = envelopeIn((await cli(["triage", "--all", "--json", "--runs-root", folder.path])).stdout)
      .result as { runs: { findings: unknown[] }[]; counts: unknown };
    expect(runs).toHaveLength(3);
    expect(counts).toMatchObject({ looked_at: 4, need_somebody: 3 });
  });

  test("where all runs are well, it says that no run needs attention", async () => {
    using folder = temporaryFolder();
    await makeCompletedRun(ports, folder.path, "dr_1");
    expect((await cli(["triage", "--all", "--runs-root", folder.path])).stdout).toBe(
      "no run needs attention; 1 run: 1 completed\n",
    );
  });
});
