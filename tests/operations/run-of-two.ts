// A completed run with two report versions that differ, for the tests about versions.
import type { Ports } from "../../src/ports/ports.ts";
import type { RunWriter } from "../../src/ports/run-log.ts";
import type { Draft } from "../../src/run/report/report.ts";
import { claimsOf } from "../../src/run/report/statements.ts";
import type { Source } from "../../src/run/report/source.ts";
import { publicationOf } from "../../src/stages/publication.ts";
import { listed } from "../stages/listed-claims.ts";
import { draftOf, makeCompletedRun, storeSource, withWriter } from "./made-run.ts";

const MORE_TEXT = "An operand never begins with a dash.\n";

/** A completed run with two versions: the second one has another source, and judges the first claim anew. */
export async function runOfTwo(ports: Ports, runsRoot: string, runId = "dr_two"): Promise<string> {
  const runRoot = await makeCompletedRun(ports, runsRoot, runId, (draft) => ({
    ...draft,
    gaps: [{ gap_id: "g1", text: "who asks", reason: "Nothing was found." }],
  }));
  await withWriter(ports, runRoot, async (writer) => {
    const [first] = await sourcesOf(ports, runRoot);
    if (first === undefined) throw new Error("the run has no source");
    const more = draftOf(await storeSource(writer, MORE_TEXT, "docs/operands.md"), MORE_TEXT);
    const before = draftOf(first);
    const contradicted = claimsOf(before).map((one) => ({
      ...one,
      verdict: "contradicted" as const,
      reason: "judged anew",
    }));
    const added = claimsOf(more).map((one) => ({ ...one, statement_id: "c2" }));
    await publish(writer, {
      ...before,
      ...listed([
        { title: "Findings", claims: contradicted },
        { title: "More", claims: added },
      ]),
      sources: [...before.sources, ...more.sources.map((source) => ({ ...source, number: 2 }))],
    });
  });
  return runRoot;
}

export async function publish(writer: RunWriter, draft: Draft, partial = false): Promise<void> {
  const { files, version } = publicationOf(draft, writer.manifest, { trigger: "manual", partial });
  const report_files = [];
  for (const { path, bytes } of files) report_files.push(await writer.storeContent(path, bytes));
  const report = { ...version, created_at: "2026-01-02T00:00:00.000Z" };
  await writer.commit([{ kind: "report.published", data: { report, count: version.version_index, report_files } }]);
}

export async function sourcesOf(ports: Ports, runRoot: string): Promise<Source[]> {
  const records = await ports.store.records(runRoot);
  return records.flatMap((record) => (record.kind === "source.stored" ? [record.data.source] : []));
}
