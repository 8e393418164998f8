// A run over documents that do not answer: its report shows what came near, claims nothing, and every command knows.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import { runText } from "../../src/cli/text/run-text.ts";
import { diffReports } from "../../src/operations/report/diff-reports.ts";
import { EXPORT_FORMATS, exportReport } from "../../src/operations/report/export-report.ts";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { listRuns } from "../../src/operations/look/list-runs.ts";
import { readReport } from "../../src/operations/report/read-report.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { statusOf } from "../../src/operations/look/status.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { reportHtml } from "../../src/pages/html-page.ts";
import { claimsOf } from "../../src/run/report/statements.ts";
import { draftFaults, reportFaults } from "../../src/run/report/draft-faults.ts";
import { TEMPLATES, templated } from "../../src/run/report/report-template.ts";
import { headlineOf } from "../../src/surface/state-words.ts";
import { standingOf } from "../../src/operations/look/standing.ts";
import { temporaryFolder, testPorts, type TemporaryFolder } from "./made-run.ts";

const KILN = "# Kiln\n\nThe kiln of the pottery is fired on 2,700 days with beech wood.\n";
const CHECKER = join(import.meta.dir, "../../docs/check-run.py");

async function started(folder: TemporaryFolder, question: string) {
  const ports = testPorts();
  const docs = join(folder.path, "docs");
  mkdirSync(docs, { recursive: true });
  writeFileSync(join(docs, "kiln.md"), KILN);
  const outcome = await startRun(
    ports,
    {
      runsRoot: join(folder.path, "runs"),
      question,
      driver: "local",
      mode: "standard",
      sensitivity: "normal",
      corpora: [docs],
      providers: [],
      limits: {},
      policies: {},
    },
    {},
  );
  if (outcome.run === null) throw new Error("no run");
  return { ports, outcome, run: outcome.run, report: await readReport(ports, outcome.run) };
}

const OFF = "Which insurance covers the glaze, the clay and the 3,100 bowls of the pottery?";

describe("a report that shows what came near", () => {
  test("completes the run, claims nothing, and its answer says so", async () => {
    using folder = temporaryFolder();
    const { ports, outcome, run, report } = await started(folder, OFF);
    expect(outcome.error).toBeNull();
    expect(outcome.result).toMatchObject({ stopped_by: "completed", answered: "nearest" });
    expect(claimsOf(report)).toEqual([]);
    expect([report.answered, report.schema_version]).toEqual(["nearest", "report.v3"]);
    expect(outcome.result.answer).toStartWith("Nothing here covers this; nearest, lacks: insurance, covers, glaze");
    expect(outcome.result.answer).toContain("2,700 days");
    expect(await runText(ports, outcome, PLAIN)).toContain(outcome.result.answer ?? "?");
    const { result: status } = await statusOf(ports, run.runRoot);
    expect(headlineOf({ ...status, ...standingOf(ports, run) }).words).toBe("completed, not answered");
    const { result: list } = await listRuns(ports, join(folder.path, "runs"));
    expect(list.runs).toMatchObject([{ answered: "nearest" }]);
  });

  test("verifies, also by the checker, exports in every form, and cannot say that it answers", async () => {
    using folder = temporaryFolder();
    const { ports, run, report } = await started(folder, OFF);
    expect((await verifyRun(ports, run.runRoot)).error).toBeNull();
    const checked = spawnSync("python3", [CHECKER, run.runRoot], { encoding: "utf8" });
    expect(`${checked.stdout}${checked.stderr}`).toContain("1 quotes");
    expect(checked.status).toBe(0);
    for (const format of EXPORT_FORMATS) {
      const { content } = await exportReport(ports, run.runRoot, { format });
      expect(content.byteLength).toBeGreaterThan(100);
      if (format === "bibtex" || format === "docx" || format === "csl-json") continue;
      expect([format, new TextDecoder().decode(content).includes("2,700 days")]).toEqual([format, true]);
    }
    expect(reportHtml(report, { texts: new Map() } as never)).toContain("lacks: ");
    // Controls: the same page with another word, and without its passage.
    expect(reportFaults(report)).toEqual([]);
    expect(reportFaults({ ...report, answered: "yes" })).toContain("the report has no claim");
    const bare = { ...report, blocks: report.blocks.filter(({ kind }) => kind !== "excerpt") };
    expect(reportFaults(bare)).toContain("the report shows nothing that came near");
    const altered = structuredClone(report);
    for (const one of Object.values(altered.statements)) if (one.basis === "nearest") one.text = "The kiln is insured.";
    expect(draftFaults(altered).map(({ text }) => text)).toEqual([
      expect.stringContaining("is no quote of its source"),
    ]);
  });

  test("is compared, and further versions say the same; a table of claims has nothing to show", async () => {
    using folder = temporaryFolder();
    const { ports, run, report } = await started(folder, OFF);
    await generateReport(ports, run.runRoot, {}, { template: { name: "brief", template: TEMPLATES.brief } });
    const { result } = await diffReports(ports, run.runRoot, {});
    expect(result).toMatchObject({ equal: true, answered: { from: "nearest", to: "nearest" } });
    expect(templated(report, TEMPLATES.brief).answered).toBe("nearest");
    const table = generateReport(ports, run.runRoot, {}, { template: { name: "table", template: TEMPLATES.table } });
    expect(await table.then(String, ({ code }: { code: string }) => code)).toBe("INVALID_STATE");
  });
});

test("control: a question that is answered in part keeps its claims, and its passage that came near is none", async () => {
  using folder = temporaryFolder();
  const { outcome, report } = await started(folder, `How is the kiln of the pottery fired? ${OFF}`);
  expect(outcome.result.answered).toBe("partly");
  expect(claimsOf(report).map(({ basis }) => basis)).toEqual(["quoted"]);
  expect(outcome.result.answer).toContain("beech wood");
});

test("control: where no passage holds a distinctive word there is no report", async () => {
  using folder = temporaryFolder();
  const docs = started(folder, "Who invented zeppelins?");
  const error = await docs.then(String, ({ code }: { code?: string }) => code);
  expect(error).toBe("NO_EVIDENCE");
});
