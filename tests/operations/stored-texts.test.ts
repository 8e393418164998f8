// A run whose stored source has another text than its document gives today: quotes stand in what is stored.
import { expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import { initRun } from "../../src/operations/make/init-run.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { showReport } from "../../src/operations/report/read-report.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { openFolder } from "../drivers/local/local-run.ts";
import { NO_ABORT } from "../corpus/temporary-folder.ts";
import { storeSource, temporaryFolder, testPorts, tickStarted, TO_RUNNING, withWriter } from "./made-run.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

const QUESTION = "How are command line options parsed?";
const PAGE = `<!doctype html><title>Options</title><article><h1>Options</h1>
<p>Options that are not known are errors, and the program names the nearest known option.</p>
<p>Command line options are parsed from left to right, and each one begins with a dash.</p>
<p>Everything behind two dashes is an operand, even if it begins with a dash.</p></article>`;
const KNOWN = "Command line options are parsed from left to right, and each one begins with a dash.";
const LOST = "Options that are not known are errors, and the program names the nearest known option.";

async function textOfToday(corpus: string): Promise<string> {
  const provider = await openFolder(corpus);
  const [passage] = await provider.search(QUESTION, 1, NO_ABORT);
  if (passage === undefined) throw new Error("nothing was found");
  const outcome = await provider.fetch(passage, NO_ABORT);
  provider.close();
  if (outcome.kind !== "document") throw new Error("the document is gone");
  return new TextDecoder().decode(outcome.document.text);
}

test.each<[string, (text: string) => string]>([
  ["longer, as navigation was kept", (text) => `Home, Docs and About: where to go from here.\n\n${text}`],
  ["shorter, as a paragraph was lost", (text) => text.replace(`${LOST}\n\n`, "")],
])("a run that was interrupted completes and verifies where the stored text is %s", async (_, earlier) => {
  using folder = temporaryFolder();
  const corpus = `${folder.path}/docs`;
  fs.mkdirSync(corpus);
  fs.writeFileSync(`${corpus}/options.html`, PAGE);
  const today = await textOfToday(corpus);
  const text = earlier(today);
  expect(text).not.toBe(today);

  const ports = testPorts();
  const options = {
    runsRoot: `${folder.path}/runs`,
    question: QUESTION,
    driver: "local",
    mode: "standard",
    sensitivity: "normal",
    corpora: [corpus],
    providers: [],
    limits: {},
    policies: {},
  } as const;
  const { result } = await initRun(ports, { ...options, corpora: [corpus], providers: [] }, {});
  await withWriter(ports, result.run_root, async (writer) => {
    await writer.commit([TO_RUNNING, tickStarted(ports)]);
    await storeSource(writer, text, "docs/options.html", {
      bytes: new TextEncoder().encode(PAGE),
      textFrom: { text_from: "extracted" },
    });
  });

  const { error, run } = await resumeRun(ports, result.run_root, {}, {});
  expect([error, run?.manifest.execution_state]).toEqual([null, "completed"]);
  expect(run?.manifest.counters.sources).toBe(1);
  expect((await verifyRun(ports, result.run_root)).result.reports).toBe(1);
  const { report_md } = (await showReport(ports, result.run_root)).result;
  expect(report_md).toContain(KNOWN);
});
