// `capture`: writes the results of a completed run as a bundle, which the fixture driver replays to the same report.
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { digestOfBytes, type Digest } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { MAX_JSON_BYTES, parseStrictJson } from "../../kernel/strict-json.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { BUNDLE_FILE, sealedBundle, sourcesNamedBy, type Bundle } from "../../run/log/bundle.ts";
import { sourceFiles } from "../../run/log/layout.ts";
import { saidState } from "../../run/log/lifecycle.ts";
import type { AnyRecord } from "../../run/log/record.ts";
import { reportOfNowSchema } from "../../run/report/report.ts";
import type { Source } from "../../run/report/source.ts";
import { reasonOf } from "../../run/log/step.ts";
import { readReportBytes } from "./read-report.ts";
import type { Outcome } from "../outcome.ts";
import { writeOutput } from "./write-output.ts";

export interface CaptureResult {
  /** Absolute. */
  output: string;
  /** Of the bundle. */
  digest: Digest;
  /** Of the report.json that a replay publishes. */
  report_digest: Digest;
  steps: number;
  sources: number;
  /** False when the same bundle was there already. */
  written: boolean;
  /** How many of its sources were missing or altered in a bundle that was there already, and are whole again. */
  mended_sources: number;
}

/**
 * `output`: an absolute folder. Errors: `INVALID_STATE` for a run that is not completed, or that another version completed,
 * `ALREADY_EXISTS` where another bundle is, `WRITE_FAILED`; those of damaged content.
 */
export async function captureRun(ports: Ports, runRoot: string, output: string): Promise<Outcome<CaptureResult>> {
  const run = await ports.store.look(runRoot);
  const bundle = await bundleOf(ports, run);
  const wrote = await write(ports, run, output, bundle);
  const { digest, report_digest, steps, sources } = bundle;
  const result = { output, digest, report_digest, steps: Object.keys(steps).length, sources: sources.length, ...wrote };
  return { result, run, error: null };
}

async function bundleOf(ports: Ports, run: RunLook): Promise<Bundle> {
  const { runRoot, manifest } = run;
  const records = await ports.store.records(runRoot);
  const end = records.findIndex(({ kind, data }) => kind === "state.changed" && data.to === "completed");
  const published = records[end];
  const version = published?.kind === "state.changed" ? published.data.report : undefined;
  if (version === undefined)
    throw new RunError("INVALID_STATE", {
      reason: "only a completed run can be captured",
      state: saidState(run.state, manifest.halt),
      run_root: runRoot,
    });
  const { json } = await readReportBytes(ports, runRoot, version);
  const { data: report } = reportOfNowSchema.safeParse(parseStrictJson(json));
  if (report?.made.scope === undefined)
    throw new RunError("INVALID_STATE", {
      reason:
        "an earlier version of this program completed the run, and a replay would publish another report: fork the run, finish the fork, and capture that",
      state: run.state,
      run_root: runRoot,
    });
  // Records behind the end, such as another version of the report, hold no result of a step.
  const before = records.slice(0, end);
  const { steps, left_out } = await resultsIn(ports, runRoot, before);
  const named = sourcesNamedBy(Object.values(steps));
  const sources = new Map<string, Source>();
  for (const { kind, data } of before)
    if (kind === "source.stored" && named.has(data.source.source_digest))
      sources.set(data.source.source_digest, data.source);
  return sealedBundle({
    schema_version: "bundle.v2",
    question: manifest.query.text,
    scope: report.made.scope,
    providers: manifest.settings.providers,
    // In a replay this report is the first version.
    report_digest: digestOfBytes(`${canonicalJson({ ...report, version_index: 1 })}\n`),
    steps,
    ...(Object.keys(left_out).length === 0 ? {} : { left_out }),
    sources: [...sources.values()],
  });
}

/** The last result of each step, and the reason for each step that was left out. */
async function resultsIn({ store, clock }: Ports, runRoot: string, records: readonly AnyRecord[]) {
  const finished = new Map<string, Extract<AnyRecord, { kind: "step.completed" | "step.adopted" }>["data"]>();
  const failed = new Map<string, string>();
  for (const { kind, data } of records) {
    if (kind === "step.completed" || kind === "step.adopted") {
      finished.set(data.key, data);
      failed.delete(data.key);
    } else if (kind === "step.failed" && data.error.left_out === true) {
      failed.set(data.key, reasonOf(data.error));
      finished.delete(data.key);
    }
  }
  const steps: Bundle["steps"] = {};
  for (const [key, { result_digest: digest, content, value }] of finished) {
    await clock.turn();
    steps[key] = content === undefined ? value : await store.readResult(runRoot, { digest, content });
  }
  return { steps, left_out: Object.fromEntries(failed) };
}

// --- the folder ---------------------------------------------------------------------------------------------------

/** The bundle file comes last, since a folder without it is no bundle. */
async function write(
  ports: Ports,
  { runRoot }: RunLook,
  output: string,
  bundle: Bundle,
): Promise<Pick<CaptureResult, "written" | "mended_sources">> {
  const bytes = new TextEncoder().encode(`${canonicalJson(bundle)}\n`);
  if (bytes.byteLength > MAX_JSON_BYTES)
    throw new RunError("INPUT_TOO_LARGE", {
      reason: "the results are too large for a bundle",
      bytes: bytes.byteLength,
      max_bytes: MAX_JSON_BYTES,
    });
  const there = await ports.inputs.read(`${output}/${BUNDLE_FILE}`, MAX_JSON_BYTES);
  const wasThere = there.kind === "read" && Buffer.compare(there.bytes, bytes) === 0;
  if (there.kind !== "absent" && !wasThere) throw anotherThere(output);
  /** Written also where it is the same: what another process left may not be on the disk yet. */
  const put = async (path: string, content: Uint8Array, replace: boolean): Promise<void> => {
    if (await ports.outputs.isLinked(`${output}/${path}`, output)) throw linkedWithin(output, path);
    const options = { replace, keepOut: runRoot, makesFolders: true, isPrivate: true };
    const outcome = await writeOutput(ports, `${output}/${path}`, content, options);
    if (outcome === "exists") throw anotherThere(output);
  };
  let repaired = 0;
  for (const { source_digest, text_digest } of bundle.sources) {
    const { bytes: original, text } = sourceFiles(source_digest);
    let isWhole = true;
    for (const ref of [
      { path: original, sha256: source_digest },
      { path: text, sha256: text_digest },
    ]) {
      const content = await ports.store.readContent(runRoot, ref);
      const found = await ports.inputs.read(`${output}/${ref.path}`, content.byteLength);
      isWhole &&= found.kind === "read" && Buffer.compare(found.bytes, content) === 0;
      // The name is a digest: a file of this name is the same, or damaged.
      await put(ref.path, content, true);
    }
    if (!isWhole) repaired++;
  }
  if (!wasThere) await put(BUNDLE_FILE, bytes, false);
  return { written: !wasThere, mended_sources: wasThere ? repaired : 0 };
}

function linkedWithin(output: string, path: string): RunError {
  const reason = "a link in the folder leads out of it: capture to another folder";
  return new RunError("INVALID_ARGS", { reason, option: "--output", found: `${output}/${path}` });
}

function anotherThere(output: string): RunError {
  const reason = "another bundle is there already";
  return new RunError("ALREADY_EXISTS.bundle", { reason, bundle: output, option: "--output" });
}
