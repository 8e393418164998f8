// verify: every file that a report rests on, damaged in turn, is found and named; nothing is written.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { RunError, type FileProblem } from "../../src/kernel/errors.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { Claim, Draft } from "../../src/run/report/report.ts";
import { claimsOf } from "../../src/run/report/statements.ts";
import type { TextFrom } from "../../src/run/report/source.ts";
import {
  makeCompletedRun,
  makeRun,
  SOURCE_TEXT,
  storeSource,
  temporaryFolder,
  testPorts,
  withWriter,
} from "./made-run.ts";

const ports = testPorts();
const ID = "dr_1";

async function verdict(runRoot: string): Promise<{ code: string; files: FileProblem[] }> {
  try {
    await verifyRun(ports, runRoot);
    return { code: "verified", files: [] };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { code: error.code, files: (error.facts["files"] ?? []) as FileProblem[] };
  }
}

function filesUnder(root: string): string[] {
  return (readdirSync(root, { recursive: true }) as string[])
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();
}

function snapshot(root: string): string {
  return filesUnder(root)
    .map((path) => `${path} ${digestOfBytes(readFileSync(join(root, path)))} ${statSync(join(root, path)).mtimeMs}`)
    .join("\n");
}

test("a sound run verifies, with counts, and no byte changes", async () => {
  using folder = temporaryFolder();
  const root = await makeCompletedRun(ports, folder.path, ID);
  const before = snapshot(root);
  const { result, run } = await verifyRun(ports, root);
  expect(result).toMatchObject({ step_results: 1, sources: 1, reports: 1, claims: 1, quotes: 1, files: 5, notes: [] });
  expect(result.journal_records).toBe(run?.manifest.revision ?? 0);
  expect(snapshot(root)).toBe(before);
});

describe("every file of the report's evidence", () => {
  const damages: Record<string, (path: string) => void> = {
    flipped(path) {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    },
    cut: (path) => truncateSync(path, statSync(path).size - 1),
    emptied: (path) => truncateSync(path, 0),
    lengthened: (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from("x")])),
    removed: (path) => rmSync(path),
  };
  for (const [name, damage] of Object.entries(damages)) {
    test(`${name}: found, named, nothing else changed`, async () => {
      using folder = temporaryFolder();
      let index = 0;
      for (const file of filesUnder(await makeCompletedRun(ports, folder.path, ID)).filter((path) =>
        /^(sources|reports)\//.test(path),
      )) {
        const root = await makeCompletedRun(ports, folder.path, `dr_${name}_${index++}`);
        damage(join(root, file));
        const before = snapshot(root);
        const { code, files } = await verdict(root);
        expect([file, code]).toEqual([file, name === "removed" ? "MISSING_ARTIFACT" : "INTEGRITY_ERROR"]);
        expect(files.map(({ path }) => path)).toEqual([file]);
        expect(files[0]?.expected).not.toBe(files[0]?.found);
        expect(snapshot(root)).toBe(before);
      }
      expect(index).toBe(5);
    });
  }
});

describe("a report whose digests fit and whose contents do not", () => {
  const claimed = (draft: Draft, change: Partial<Claim>): Draft => ({
    ...draft,
    statements: Object.fromEntries(claimsOf(draft).map((one) => [one.statement_id, { ...one, ...change } as Claim])),
  });
  const quoted = (draft: Draft, change: object): Draft =>
    claimed(draft, {
      quotes: (claimsOf(draft)[0]?.quotes ?? []).map((quote) => Object.assign({}, quote, change)),
    });
  const unknown = digestOfBytes("unknown");

  const lies: Record<string, (draft: Draft) => Draft> = {
    "another question": (draft) => ({ ...draft, question: "Another?" }),
    "a quote that is not verbatim": (draft) =>
      quoted(draft, { text: SOURCE_TEXT.split("\n")[0]?.replace("dash", "DASH") }),
    "a quote at another place": (draft) => quoted(draft, { start: 1, end: 27 }),
    "a quote behind the end": (draft) => quoted(draft, { start: 1_000_000, end: 1_000_026 }),
    "a quote of an unknown source": (draft) => quoted(draft, { source_digest: unknown }),
    "a supported claim without a quote": (draft) => claimed(draft, { quotes: [] }),
    "a source list without the source": (draft) => ({ ...draft, sources: [] }),
    "a source listed twice": (draft) => ({
      ...draft,
      sources: [...draft.sources, ...draft.sources.map((source) => ({ ...source, number: 2 }))],
    }),
    "a source under another title": (draft) => ({
      ...draft,
      sources: draft.sources.map((source) => ({ ...source, title: "Another" })),
    }),
    "a source under another origin": (draft) => ({
      ...draft,
      sources: draft.sources.map((source) => ({ ...source, origin: "elsewhere.md" })),
    }),
    "a source numbered wrongly": (draft) => ({
      ...draft,
      sources: draft.sources.map((source) => ({ ...source, number: 7 })),
    }),
    "a source nobody stored": (draft) => ({
      ...draft,
      sources: [...draft.sources, { number: 2, source_digest: unknown, title: "x", origin: "x" }],
    }),
  };
  for (const [name, lie] of Object.entries(lies)) {
    test(name, async () => {
      using folder = temporaryFolder();
      const { code, files } = await verdict(await makeCompletedRun(ports, folder.path, ID, lie));
      expect(code).toBe("INTEGRITY_ERROR");
      expect(new Set(files.map(({ path }) => path))).toEqual(new Set(["reports/1/report.json"]));
    });
  }

  test("control: the same without a lie verifies", async () => {
    using folder = temporaryFolder();
    expect(await verdict(await makeCompletedRun(ports, folder.path, ID, (draft) => quoted(draft, {})))).toEqual({
      code: "verified",
      files: [],
    });
  });
});

describe("a text whose digest fits", () => {
  const latin = Buffer.from("Caf\xe9", "latin1");
  const cases: [textFrom: TextFrom, text: string, code: string][] = [
    [{ text_from: "bytes" }, "Cafe", "INTEGRITY_ERROR"],
    [{ text_from: "decoded", charset: "windows-1252" }, "Cafe", "INTEGRITY_ERROR"],
    [{ text_from: "decoded", charset: "windows-1252" }, "Café", "verified"],
    [{ text_from: "decoded", charset: "of-a-later-version" }, "Cafe", "verified"],
    [{ text_from: "extracted" }, "Cafe", "verified"],
  ];
  for (const [textFrom, text, code] of cases) {
    test(`${JSON.stringify(textFrom)}, ${text}: ${code}`, async () => {
      using folder = temporaryFolder();
      const root = await makeRun(ports, folder.path, ID);
      await withWriter(ports, root, async (writer) => {
        await storeSource(writer, text, "docs/cafe.txt", { textFrom, bytes: latin });
      });
      expect((await verdict(root)).code).toBe(code);
    });
  }
});

test("a damaged journal is named, with the place", async () => {
  using folder = temporaryFolder();
  const root = await makeCompletedRun(ports, folder.path, ID);
  const bytes = readFileSync(join(root, "journal.jsonl"));
  bytes[bytes.length - 40] = (bytes[bytes.length - 40] ?? 0) ^ 1;
  writeFileSync(join(root, "journal.jsonl"), bytes);
  const { code, files } = await verdict(root);
  expect(code).toBe("INTEGRITY_ERROR");
  expect(files.some(({ path, found }) => path === "journal.jsonl" && /at byte \d+/.test(found))).toBe(true);
});

test("a copy elsewhere verifies like the original", async () => {
  using folder = temporaryFolder();
  const root = await makeCompletedRun(ports, folder.path, ID);
  const copy = `${folder.path}/elsewhere`;
  Bun.spawnSync(["cp", "-r", root, copy]);
  expect((await verifyRun(ports, copy)).result).toEqual((await verifyRun(ports, root)).result);
});

test("what is no run is not found", async () => {
  using folder = temporaryFolder();
  expect((await verdict(folder.path)).code).toBe("NOT_FOUND");
});

test("what was looked at is said: nothing yet, evidence without a report, a report", async () => {
  using folder = temporaryFolder();
  const idle = await makeRun(ports, folder.path, "dr_idle");
  expect((await verifyRun(ports, idle)).result.looked_at).toBe("nothing");
  await withWriter(ports, idle, async (writer) => void (await storeSource(writer, SOURCE_TEXT, "docs/a.md")));
  expect((await verifyRun(ports, idle)).result.looked_at).toBe("evidence");
  const completed = await makeCompletedRun(ports, folder.path, ID);
  expect((await verifyRun(ports, completed)).result.looked_at).toBe("report");
});
