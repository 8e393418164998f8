// The files that a finished stage leaves behind: its steps, and for some stages their results in one place.
import { z } from "../kernel/schema.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { digestOfBytes } from "../kernel/digest.ts";
import type { ContentRef } from "./common.ts";
import { stageFile } from "./layout.ts";
import { citationsSchema, summarySchema } from "./research.ts";
import { stageSchema, type Stage } from "./stage.ts";
import { stepsSchema, type Steps } from "./step.ts";

export const stageFileSchema = z.object({
  schema_version: z.literal("stage.v1"),
  stage: stageSchema,
  steps: stepsSchema,
});

export interface FoldFile {
  path: string;
  text: string;
}

/** Folds that need the results of the steps, not only their digests. */
const WITH_RESULTS: readonly Stage[] = ["perspectives", "pivot", "citations", "summaries"];

/** The folds of a stage that is left, in a fixed order. `readResult` is asked for finished steps only. */
export async function foldsOnLeaving(
  stage: Stage,
  steps: Steps,
  readResult: (key: string) => Promise<unknown>,
): Promise<FoldFile[]> {
  const own = Object.fromEntries(Object.entries(steps).filter(([, step]) => step.stage === stage));
  const folds: FoldFile[] = [
    { path: stageFile(stage), text: `${canonicalJson({ schema_version: "stage.v1", stage, steps: own })}\n` },
  ];
  if (!WITH_RESULTS.includes(stage)) return folds;
  const results: unknown[] = [];
  for (const key of Object.keys(own).sort()) {
    if (own[key]?.state === "completed") results.push(await readResult(key));
  }
  const product = productOf(stage, results);
  return product === null ? folds : [...folds, product];
}

function productOf(stage: Stage, results: unknown[]): FoldFile | null {
  switch (stage) {
    case "perspectives":
    case "pivot":
      return results[0] === undefined ? null : { path: `${stage}.json`, text: `${canonicalJson(results[0])}\n` };
    case "citations": {
      const lines = results
        .flatMap((result) => citationsSchema.parse(result).citations)
        .map((citation) => `${canonicalJson(citation)}\n`);
      return { path: "citations/citations.jsonl", text: lines.join("") };
    }
    case "summaries": {
      const summaries = results.map((result) => summarySchema.parse(result));
      return {
        path: "summaries/summary-pack.json",
        text: `${canonicalJson({ schema_version: "summary-pack.v1", summaries })}\n`,
      };
    }
    default:
      return null;
  }
}

export function foldRef({ path, text }: FoldFile): ContentRef {
  return { path, sha256: digestOfBytes(text), bytes: Buffer.byteLength(text) };
}
