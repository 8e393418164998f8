// Report versions of a run: exported, selected, compared; over the real file store.
import fs from "node:fs";
import { describe, expect, spyOn, test } from "bun:test";
import { reportDiffText } from "../../src/cli/commands/report-diff.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { diffReports } from "../../src/operations/report/diff-reports.ts";
import { type ExportFormat, exportReport } from "../../src/operations/report/export-report.ts";
import { listReports, showReport } from "../../src/operations/report/read-report.ts";
import { selectReport } from "../../src/operations/report/select-report.ts";
import { statusOf } from "../../src/operations/look/status.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { TIMELINE_WORDS } from "../../src/surface/timeline-words.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { draftOf, makeCompletedRun, makeRun, storeSource, temporaryFolder, testPorts, withWriter } from "./made-run.ts";
import { publish, runOfTwo, sourcesOf } from "./run-of-two.ts";

async function errorOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "no error";
  } catch (error) {
    return error instanceof RunError ? error.code : String(error);
  }
}

describe("export", () => {
  const toFile = (ports: Ports, root: string, path: string, replace = false, format: ExportFormat = "md") =>
    exportReport(ports, root, { format, output: { path, replace } });

  test("md and json are the published bytes, html is made of them", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    const [first] = (await listReports(ports, root)).result.report_versions;
    for (const [format, digest] of [
      ["md", first?.report_md_digest],
      ["json", first?.digest],
    ] as const) {
      const path = `${folder.path}/out.${format}`;
      const { result } = await exportReport(ports, root, { format, versionIndex: 1, output: { path, replace: false } });
      expect(result).toMatchObject({ version_index: 1, format, output: path, digest: digest as never });
      expect(digestOfBytes(fs.readFileSync(path))).toBe(digest as never);
    }
    const { result, content } = await toFile(ports, root, `${folder.path}/out.html`, false, "html");
    expect(result.version_index).toBe(2);
    expect(fs.readFileSync(`${folder.path}/out.html`)).toEqual(Buffer.from(content));
    expect(new TextDecoder().decode(content)).toContain("An operand never begins with a dash.");
  });

  test("html shows the timeline when it is asked for: the same whatever comes later, and another for another version", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    const exported = async (versionIndex: number, timeline?: typeof TIMELINE_WORDS): Promise<string> => {
      const options = { format: "html", versionIndex, ...(timeline === undefined ? {} : { timeline }) } as const;
      return new TextDecoder().decode((await exportReport(ports, root, options)).content);
    };
    const [plain, first, second] = [
      await exported(1),
      await exported(1, TIMELINE_WORDS),
      await exported(2, TIMELINE_WORDS),
    ];
    expect(plain).not.toContain("How the run went");
    expect(first).toContain("1 report<");
    expect(second).toContain("2 reports<");
    const [source] = await sourcesOf(ports, root);
    if (source === undefined) throw new Error("the run has no source");
    await withWriter(ports, root, async (writer) => await publish(writer, draftOf(source)));
    expect([await exported(1), await exported(1, TIMELINE_WORDS)]).toEqual([plain, first]);
  });

  test("html shows quotes in their paragraphs, as far as their sources are there", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await makeRun(ports, folder.path, "dr_cards");
    await withWriter(ports, root, async (writer) => {
      const source = await storeSource(writer, "A dash ends it. Then files follow.\nAll of them.\n", "docs/dash.md");
      const draft = draftOf(source);
      const quotes = [{ source_digest: source.source_digest, start: 16, end: 34, text: "Then files follow." }];
      const [claim] = Object.values(draft.statements);
      if (claim === undefined) throw new Error("the draft has no claim");
      await publish(writer, { ...draft, statements: { c1: { ...claim, basis: "cited", quotes } as never } }, true);
    });
    const shown = async (): Promise<string> =>
      new TextDecoder().decode((await exportReport(ports, root, { format: "html", allowDamaged: true })).content);
    const inParagraph = `<p class="lines">A dash ends it. <mark>Then files follow.</mark>\nAll of them.</p>`;
    expect(await shown()).toContain(inParagraph);
    const text = fs.readdirSync(`${root}/sources`).find((name) => name.endsWith(".txt")) ?? "";
    fs.rmSync(`${root}/sources/${text}`);
    expect(await shown()).toContain(`<p class="lines">Then files follow.</p>`);
  });

  test("a bibliography names the day that a page was fetched", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await makeRun(ports, folder.path, "dr_pages");
    let day = "";
    await withWriter(ports, root, async (writer) => {
      const source = await storeSource(writer, "A dash ends the options of a line.\n", "https://a.example/dash");
      day = source.retrieved_at.slice(0, 10);
      await publish(writer, draftOf(source), true);
    });
    // The made source lies at an address without saying what was fetched from it.
    const shown = async (format: ExportFormat): Promise<string> =>
      new TextDecoder().decode((await exportReport(ports, root, { format, allowDamaged: true })).content);
    expect(await shown("bibtex")).toContain(`  url = {https://a.example/dash},\n  urldate = {${day}},\n`);
    const items = JSON.parse(await shown("csl-json")) as unknown[];
    expect(items).toMatchObject([{ accessed: { "date-parts": [day.split("-").map(Number)] } }]);
  });

  test("status tells the versions as report list does", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    const { report_versions, current_report_version_index } = (await statusOf(ports, root)).result;
    expect({ report_versions, current_report_version_index }).toEqual((await listReports(ports, root)).result);
  });

  test("never replaces a file unasked, and leaves nothing half-made", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    const place = `${folder.path}/report.md`;
    fs.writeFileSync(place, "mine");
    expect(await errorOf(toFile(ports, root, place))).toBe("ALREADY_EXISTS");
    expect(fs.readFileSync(place, "utf8")).toBe("mine");
    await toFile(ports, root, place, true);
    expect(fs.readFileSync(place, "utf8")).toStartWith("# ");
    fs.symlinkSync("nothing", `${folder.path}/link.md`);
    expect(await errorOf(toFile(ports, root, `${folder.path}/link.md`))).toBe("ALREADY_EXISTS");
    expect(await errorOf(toFile(ports, root, `${folder.path}/gone/report.md`, true))).toBe("WRITE_FAILED");
    fs.mkdirSync(`${folder.path}/sub`);
    expect(await errorOf(toFile(ports, root, `${folder.path}/sub`, true))).toBe("INVALID_ARGS");
    expect(fs.readdirSync(folder.path).sort()).toEqual(["dr_two", "link.md", "report.md", "sub"]);
  });

  /** Runs code in a process that may write 1 KB to a file: whether it says so, and what it leaves. */
  function withFullDisk(code: string): { error: string; left: string[] } {
    using folder = temporaryFolder();
    using scripts = temporaryFolder();
    fs.writeFileSync(`${scripts.path}/write.ts`, code);
    const limited = `ulimit -f 1; trap '' XFSZ; exec "${process.execPath}" "${scripts.path}/write.ts" "${folder.path}"`;
    const { stderr } = Bun.spawnSync(["bash", "-c", limited]);
    return { error: /WRITE_FAILED|EFBIG/.exec(stderr.toString())?.[0] ?? "none", left: fs.readdirSync(folder.path) };
  }

  test("that finds the disk full leaves nothing", () => {
    const outputs = JSON.stringify(`${import.meta.dir}/../../src/system/outputs.ts`);
    const code = `
      import { realOutputs } from ${outputs};
      realOutputs.write(process.argv[2] + "/report.md", new Uint8Array(8000), { replace: false, keepOut: "/proc" });
    `;
    expect(withFullDisk(code)).toEqual({ error: "WRITE_FAILED", left: [] });
  });

  test("control: a plain write leaves half a file", () => {
    const code = `require("node:fs").writeFileSync(process.argv[2] + "/report.md", new Uint8Array(8000));`;
    expect(withFullDisk(code)).toEqual({ error: "EFBIG", left: ["report.md"] });
  });

  test("is durable under its name when it is told, and removes what killed exports left", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    const [old, fresh, other] = ["a", "b"]
      .map((sign) => `.deep-research-${sign.repeat(8)}-0000-4000-8000-${"0".repeat(12)}.tmp`)
      .concat(".mine.tmp");
    for (const name of [old, fresh, other]) fs.writeFileSync(`${folder.path}/${name}`, "half");
    const long = Date.now() / 1000 - 3_700;
    for (const name of [old, other]) fs.utimesSync(`${folder.path}/${name}`, long, long);
    const synced: string[] = [];
    const fsync = fs.fsyncSync.bind(fs);
    using _spy = spyOn(fs, "fsyncSync").mockImplementation((descriptor) => {
      synced.push(fs.readlinkSync(`/proc/self/fd/${descriptor}`));
      fsync(descriptor);
    });
    await toFile(ports, root, `${folder.path}/out.md`);
    expect(synced).toEqual([expect.stringContaining(".deep-research-"), fs.realpathSync(folder.path)]);
    expect(fs.readdirSync(folder.path).sort()).toEqual([fresh, other, "dr_two", "out.md"].map(String).sort());
  });

  test("writes nothing into the run, also through a link", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    fs.symlinkSync(root, `${folder.path}/way-in`);
    for (const path of [`${root}/journal.jsonl`, `${root}/reports/1/report.html`, `${folder.path}/way-in/x.md`])
      expect(await errorOf(toFile(ports, root, path, true))).toBe("INVALID_ARGS");
    await verifyRun(ports, root);
  });

  test("of a version that was altered, or that is not there, exports nothing", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    const place = `${folder.path}/report.html`;
    expect(await errorOf(exportReport(ports, root, { format: "md", versionIndex: 3 }))).toBe("NOT_FOUND");
    const json = `${root}/reports/2/report.json`;
    fs.chmodSync(json, 0o600);
    fs.appendFileSync(json, " ");
    expect(await errorOf(toFile(ports, root, place, false, "html"))).toBe("INTEGRITY_ERROR");
    expect(fs.existsSync(place)).toBe(false);
  });
});

describe("select", () => {
  const kindsOf = async (ports: Ports, root: string): Promise<string[]> =>
    (await ports.store.records(root)).map(({ kind }) => kind);

  test("makes a version the current one, journaled, until the next one is made", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    expect((await showReport(ports, root)).result.version.version_index).toBe(2);
    const { result, run } = await selectReport(ports, root, 1);
    expect([result.already, run?.manifest.current_report_version_index]).toEqual([undefined, 1]);
    expect((await kindsOf(ports, root)).slice(-2)).toEqual(["lease.taken", "report.selected"]);
    expect((await showReport(ports, root)).result.version.version_index).toBe(1);
    expect((await exportReport(ports, root, { format: "md" })).result.version_index).toBe(1);
    await verifyRun(ports, root);
    await withWriter(ports, root, async (writer) => {
      const [source] = await sourcesOf(ports, root);
      if (source !== undefined) await publish(writer, draftOf(source));
    });
    expect((await showReport(ports, root)).result.version.version_index).toBe(3);
  });

  test("of the current one writes nothing", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    const before = await kindsOf(ports, root);
    expect((await selectReport(ports, root, 2)).result.already).toBe("already_selected");
    expect(await kindsOf(ports, root)).toEqual(before);
  });

  test("is refused for versions that are not there, and while another process owns the run", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    expect(await errorOf(selectReport(ports, root, 7))).toBe("NOT_FOUND");
    const idle = await makeRun(ports, folder.path, "dr_idle");
    expect(await errorOf(selectReport(ports, idle, 1))).toBe("NOT_FOUND");
    await withWriter(ports, root, async () => {
      expect(await errorOf(selectReport(testPorts(), root, 1))).toBe("LOCK_HELD");
    });
  });

  test("is refused for a version that was altered or lost, and the one that can be shown stays", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    const first = `${root}/reports/1/report.md`;
    fs.appendFileSync(first, " ");
    expect(await errorOf(selectReport(ports, root, 1))).toBe("INTEGRITY_ERROR");
    fs.rmSync(first);
    expect(await errorOf(selectReport(ports, root, 1))).toBe("MISSING_ARTIFACT");
    expect((await showReport(ports, root)).result.version.version_index).toBe(2);
  });
});

describe("diff", () => {
  test("tells claims, verdicts, sources and gaps that differ", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await runOfTwo(ports, folder.path);
    const { result } = await diffReports(ports, root, {});
    expect(result).toMatchObject({ from: 1, to: 2, equal: false, evidence_equal: false });
    expect(result.claims.added.map(({ text }) => text)).toEqual(["An operand never begins with a dash."]);
    expect(result.claims.removed).toEqual([]);
    expect(result.claims.judged_anew).toMatchObject([{ from: "supported", to: "contradicted" }]);
    expect(result.sources.added.map(({ origin }) => origin)).toEqual(["docs/operands.md"]);
    expect(result.gaps.removed.map(({ text }) => text)).toEqual(["who asks"]);
    expect(reportDiffText(result, PLAIN)).toContain(
      "statements\n  + An operand never begins with a dash.\n  ~ supported -> contradicted: Options begin with a dash.\n",
    );
    const back = (await diffReports(ports, root, { from: 2, to: 1 })).result;
    expect(back.claims.removed).toEqual(result.claims.added);
    expect(back.sources.removed).toEqual(result.sources.added);
    expect((await diffReports(ports, root, { from: 2, to: 2 })).result).toMatchObject({
      equal: true,
      evidence_equal: true,
    });
  });

  test("of a partial and a whole version with the same claims says which is partial, and what was not done", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await makeCompletedRun(ports, folder.path, "dr_partial");
    const [source] = await sourcesOf(ports, root);
    if (source === undefined) throw new Error("the run has no source");
    const draft = draftOf(source);
    await withWriter(ports, root, async (writer) => {
      const unfinished = ["research on costs", "a review"];
      await publish(writer, { ...draft, made: { notes: [], unfinished } }, true);
      await publish(writer, draft);
    });
    const { result } = await diffReports(ports, root, {});
    expect(result).toMatchObject({
      from: 2,
      to: 3,
      equal: false,
      evidence_equal: true,
      claims: { added: [], removed: [] },
    });
    expect(result.unfinished).toEqual({ from: ["research on costs", "a review"], to: null });
    expect(reportDiffText(result, PLAIN)).toBe(
      "report version 2 -> 3: the same evidence\nversion 2 is partial; not done by then: research on costs; a review\n",
    );
    expect((await diffReports(ports, root, { from: 1, to: 3 })).result).toMatchObject({ equal: true });
  });

  test("of pages that differ around the same claims says so", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await makeCompletedRun(ports, folder.path, "dr_around");
    const [source] = await sourcesOf(ports, root);
    if (source === undefined) throw new Error("the run has no source");
    const draft = draftOf(source);
    await withWriter(ports, root, async (writer) => {
      const framing = { statement_id: "s9", text: "One case is left.", basis: "framing" } as const;
      await publish(writer, draft);
      await publish(writer, { ...draft, title: "Dashes" });
      await publish(writer, {
        ...draft,
        blocks: [...draft.blocks, { kind: "paragraph", statements: ["s9"] }],
        statements: { ...draft.statements, s9: framing },
      });
    });
    const changed = (await diffReports(ports, root, { from: 2, to: 3 })).result;
    expect(changed).toMatchObject({ equal: false, evidence_equal: true, page_equal: false });
    expect(reportDiffText(changed, PLAIN)).toContain("the same evidence\nthe same claims; the title, headings,");
    expect((await diffReports(ports, root, { from: 2, to: 4 })).result).toMatchObject({ equal: false });
    expect((await diffReports(ports, root, { from: 1, to: 2 })).result).toMatchObject({ equal: true });
  });

  test("needs two versions, or says which are there", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await makeCompletedRun(ports, folder.path, "dr_one");
    expect(await errorOf(diffReports(ports, root, {}))).toBe("NOT_FOUND");
    expect(await errorOf(diffReports(ports, root, { from: 1, to: 2 }))).toBe("NOT_FOUND");
    expect(await errorOf(diffReports(ports, await makeRun(ports, folder.path, "dr_idle"), {}))).toBe("NOT_FOUND");
  });
});
