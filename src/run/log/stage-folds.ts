// The files that a finished stage leaves behind: its steps, and for some stages their results in one file.
import { z } from "../../kernel/zod.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { digestOfBytes } from "../../kernel/digest.ts";
import { blockedUrls, type BlockedUrl } from "../report/blocked-urls.ts";
import type { ContentRef } from "../common.ts";
import { BLOCKED_URLS_FILE, stageFile } from "./layout.ts";
import type { AnyRecord } from "./record.ts";
import { citationsSchema, summarySchema } from "../report/research.ts";
import { stageSchema, type Stage } from "../stage.ts";
import { stepsSchema, type Steps } from "./step.ts";

export const stageFileSchema = z.object({
  schema_version: z.literal("stage.v1"),
  stage: stageSchema,
  steps: stepsSchema,
});

export type StageFile = z.infer<typeof stageFileSchema>;

export interface FoldFile {
  path: string;
  text: string;
}

/** The stages whose folds hold the results of steps, and not only their digests. */
const WITH_RESULTS: readonly Stage[] = ["perspectives", "pivot", "citations", "summaries"];

interface FoldReader {
  /** Called for finished steps only. */
  readResult(key: string): Promise<unknown>;
  /** What could not be reached so far. Called at the end of the citations stage. */
  readBlocked(): Promise<readonly BlockedUrl[]>;
}

/** The folds of a stage that is left, in a fixed order. */
export async function foldsOnLeaving(stage: Stage, steps: Steps, reader: FoldReader): Promise<FoldFile[]> {
  const own = Object.fromEntries(Object.entries(steps).filter(([, step]) => step.stage === stage));
  const folds: FoldFile[] = [
    { path: stageFile(stage), text: `${canonicalJson({ schema_version: "stage.v1", stage, steps: own })}\n` },
  ];
  if (!WITH_RESULTS.includes(stage)) return folds;
  const results: unknown[] = [];
  for (const key of Object.keys(own).sort()) {
    if (own[key]?.state === "completed") results.push(await reader.readResult(key));
  }
  const product = productOf(stage, results);
  if (product !== null) folds.push(product);
  const blocked = stage === "citations" ? await reader.readBlocked() : [];
  if (blocked.length > 0) folds.push(blockedFold(blocked));
  return folds;
}

/** The list of what could not be reached. It is written anew with every entry, and once more with its stage. */
export function blockedFold(blocked: readonly BlockedUrl[]): FoldFile {
  return { path: BLOCKED_URLS_FILE, text: `${canonicalJson(blockedUrls(blocked))}\n` };
}

/** The entry of a record, without the fold that it names; none for records of other kinds. */
export function blockedIn(record: AnyRecord): BlockedUrl[] {
  if (record.kind !== "url.blocked") return [];
  const { fold: _fold, ...entry } = record.data;
  return [entry];
}

/** The results of a stage in one file; null where the stage has no such file or no result. */
export function productOf(stage: Stage, results: unknown[]): FoldFile | null {
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
