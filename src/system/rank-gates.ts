// The results of checks of rankers as small files in the cache, one for each model and prompt.
import fs from "node:fs";
import path from "node:path";
import { hexOf, type Digest } from "../kernel/digest.ts";
import { unlessThrown } from "../kernel/unless-thrown.ts";
import { z } from "../kernel/zod.ts";
import type { RankGates } from "../ports/rank-gates.ts";
import { rankGateSchema } from "../run/settings/rank.ts";

const MAX_BYTES = 1_024;
const noteSchema = rankGateSchema.extend({ schema_version: z.literal("rank-gate.v1") });

/** Errors of the file system are passed over: what is lost costs one more check. */
export function rankGatesIn(folder: string): RankGates {
  const fileOf = (key: Digest): string => path.join(folder, `${hexOf(key)}.json`);
  return {
    of: (key) =>
      unlessThrown(() => {
        const file = fileOf(key);
        if (!(fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false)) return null;
        if (fs.statSync(file).size > MAX_BYTES) return null;
        const { first, verdicts } = noteSchema.parse(JSON.parse(fs.readFileSync(file, "utf8")));
        return { first, verdicts };
      }, null),
    note: (key, gate) =>
      unlessThrown(() => {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        const temporary = `${fileOf(key)}.${crypto.randomUUID()}.tmp`;
        fs.writeFileSync(temporary, JSON.stringify({ schema_version: "rank-gate.v1", ...gate }), {
          mode: 0o600,
          flag: "wx",
        });
        fs.renameSync(temporary, fileOf(key));
      }, undefined),
  };
}
