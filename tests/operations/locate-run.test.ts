// Naming a run: by path, id, prefix or not at all; and every way in which a name does not fit.
import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { findRun, type Preference } from "../../src/operations/look/locate-run.ts";
import type { RunSelector } from "../../src/operations/options.ts";
import {
  makeCompletedRun,
  makeRun,
  noEvidenceHalt,
  temporaryFolder,
  testPorts,
  tickStarted,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "./made-run.ts";

const ports = testPorts();

async function locate(
  runsRoot: string,
  selector: Omit<RunSelector, "runsRoot">,
  prefer: Preference = "newest",
): Promise<string> {
  try {
    return (await findRun(ports, { runsRoot, ...selector }, prefer)).runRoot;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("by id", () => {
  test("whole, by a unique prefix", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_a1");
    await makeRun(ports, folder.path, "dr_b1");
    for (const selector of [{ ref: "dr_a1" }, { ref: "dr_a" }]) expect(await locate(folder.path, selector)).toBe(root);
  });

  test("a whole id wins over longer ones that begin like it", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_a");
    await makeRun(ports, folder.path, "dr_a1");
    expect(await locate(folder.path, { ref: "dr_a" })).toBe(root);
  });

  test("a prefix of several, and what is no id, are refused", async () => {
    using folder = temporaryFolder();
    await makeRun(ports, folder.path, "dr_a1");
    await makeRun(ports, folder.path, "dr_a2");
    for (const ref of ["dr_a", "..", "a b", ".", "", "x".repeat(121)])
      expect([ref, await locate(folder.path, { ref })]).toEqual([ref, "INVALID_ARGS"]);
  });

  test("a prefix of several says of how many, and names them", async () => {
    using folder = temporaryFolder();
    for (const id of ["dr_a1", "dr_a2", "dr_b"]) await makeRun(ports, folder.path, id);
    const error: unknown = await findRun(ports, { runsRoot: folder.path, ref: "dr_a" }, "newest").catch(
      (cause: unknown) => cause,
    );
    const facts = { reason: '"dr_a" matches 2 runs; type more of the id', run_ids: ["dr_a1", "dr_a2"] };
    expect(error).toMatchObject({ code: "INVALID_ARGS", facts });
  });

  test("what is no run id is told what one may hold", async () => {
    const error: unknown = await findRun(ports, { runsRoot: "/nowhere", ref: ".x!" }, "newest").catch(
      (cause: unknown) => cause,
    );
    expect(error).toMatchObject({ facts: { reason: expect.stringContaining("letters, digits, dots") } });
  });

  test("an unknown id comes with the nearest", async () => {
    using folder = temporaryFolder();
    await makeRun(ports, folder.path, "dr_20260101000000_abcdef");
    const error: unknown = await findRun(
      ports,
      { runsRoot: folder.path, ref: "dr_20260101000000_abcdeg" },
      "newest",
    ).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "NOT_FOUND", facts: { nearest: ["dr_20260101000000_abcdef"] } });
    // A copy of a run says nothing new.
    cpSync(join(folder.path, "dr_20260101000000_abcdef"), join(folder.path, "copy"), { recursive: true });
    const again: unknown = await findRun(
      ports,
      { runsRoot: folder.path, ref: "dr_20260101000000_abcdeg" },
      "newest",
    ).catch((cause: unknown) => cause);
    expect(again).toMatchObject({ facts: { nearest: ["dr_20260101000000_abcdef"] } });
  });

  test("a run in the folder of its own name is found by names alone, also beside a copy of it", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_a1");
    for (const name of ["copy", "dr_b1"]) cpSync(root, `${folder.path}/${name}`, { recursive: true });
    let looks = 0;
    const store = { ...ports.store, look: (path: string) => (looks++, ports.store.look(path)) };
    expect((await findRun({ ...ports, store }, { runsRoot: folder.path, ref: "dr_a1" }, "newest")).runRoot).toBe(root);
    expect(looks).toBe(1);
    // What lies under the name goes by another id.
    expect(await locate(folder.path, { ref: "dr_b1" })).toBe("NOT_FOUND");
  });

  test("a run in a renamed folder is found by its id", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_a1");
    renameSync(root, `${folder.path}/moved`);
    for (const ref of ["dr_a1", "dr_a"]) expect(await locate(folder.path, { ref })).toBe(`${folder.path}/moved`);
    expect(await locate(folder.path, { ref: "moved" })).toBe("NOT_FOUND");
  });

  test("a link to a run is none: neither found by its name, nor listed", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, `${folder.path}/elsewhere`, "dr_a1");
    mkdirSync(`${folder.path}/runs`);
    symlinkSync(root, `${folder.path}/runs/dr_a1`);
    expect(await locate(`${folder.path}/runs`, { ref: "dr_a1" })).toBe("NOT_FOUND");
    expect(await locate(`${folder.path}/runs`, {})).toBe("NOT_FOUND");
  });

  test("two renamed roots of one id are refused by id, both named, and fine by path", async () => {
    using folder = temporaryFolder();
    const root = `${folder.path}/original`;
    renameSync(await makeRun(ports, folder.path, "dr_a1"), root);
    const copy = `${folder.path}/copy`;
    cpSync(root, copy, { recursive: true });
    const error: unknown = await findRun(ports, { runsRoot: folder.path, ref: "dr_a1" }, "newest").catch(
      (cause: unknown) => cause,
    );
    expect(error).toMatchObject({ code: "INVALID_ARGS", facts: { run_roots: [copy, root] } });
    expect(await locate(folder.path, { ref: copy })).toBe(copy);
    expect(await locate(folder.path, { ref: root })).toBe(root);
  });

  test("a run that cannot be read is found by the name of its folder", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_a1");
    await Bun.write(`${root}/journal.jsonl`, "garbage\n");
    expect(await locate(folder.path, { ref: "dr_a1" })).toBe(root);
    expect(await locate(folder.path, {})).toBe(root);
  });
});

describe("by path", () => {
  test("a run root, its manifest, with a slash at the end", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_a1");
    for (const selector of [{ ref: root }, { ref: `${root}/` }, { ref: `${root}/manifest.json` }]) {
      expect(await locate("/nowhere", selector)).toBe(root);
    }
  });

  test("a path without a run is not found, whatever it is", async () => {
    using folder = temporaryFolder();
    await makeRun(ports, folder.path, "dr_a1");
    await Bun.write(`${folder.path}/file`, "x");
    for (const path of [folder.path, `${folder.path}/none`, `${folder.path}/file`])
      expect([path, await locate(folder.path, { ref: path })]).toEqual([path, "NOT_FOUND"]);
    expect(await locate(folder.path, { ref: "relative/path" })).toBe("INVALID_ARGS");
  });
});

describe("without a name", () => {
  test("the newest by creation, not by name", async () => {
    using folder = temporaryFolder();
    await makeRun(ports, folder.path, "zz_old");
    await Bun.sleep(5);
    const root = await makeRun(ports, folder.path, "aa_new");
    expect(await locate(folder.path, {})).toBe(root);
  });

  test("nothing there yet", async () => {
    using folder = temporaryFolder();
    expect(await locate(folder.path, {})).toBe("NOT_FOUND");
    expect(await locate(`${folder.path}/none`, {})).toBe("NOT_FOUND");
  });

  test("for resume: the newest that is interrupted, paused or halted", async () => {
    using folder = temporaryFolder();
    const paused = await makeRun(ports, folder.path, "dr_1");
    await withWriter(ports, paused, async (writer) => void (await writer.commit([TO_RUNNING, TO_PAUSED])));
    await Bun.sleep(5);
    await makeCompletedRun(ports, folder.path, "dr_2");
    expect(await locate(folder.path, {}, "resumable")).toBe(paused);
    await Bun.sleep(5);
    const halted = await makeRun(ports, folder.path, "dr_3");
    await withWriter(
      ports,
      halted,
      async (writer) => void (await writer.commit([TO_RUNNING, noEvidenceHalt(halted, "dr_3")])),
    );
    expect(await locate(folder.path, {}, "resumable")).toBe(halted);
    await Bun.sleep(5);
    const interrupted = await makeRun(ports, folder.path, "dr_4");
    await withWriter(
      ports,
      interrupted,
      async (writer) => void (await writer.commit([TO_RUNNING, tickStarted(ports)])),
    );
    expect(await locate(folder.path, {}, "resumable")).toBe(interrupted);
  });

  test("for resume: nothing to resume is said so", async () => {
    using folder = temporaryFolder();
    await makeCompletedRun(ports, folder.path, "dr_1");
    expect(await locate(folder.path, {}, "resumable")).toBe("NOT_FOUND");
  });
});
