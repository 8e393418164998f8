// docs/seeds.md points at files that exist.
import { expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dir, "../..");

/** Paths in backticks that lead to nothing; a path that ends in dots stands for any file. */
function missingPaths(text: string): string[] {
  const named = [...text.matchAll(/`(?:\.\/)?((?:src|tests|docs|\.opencode)\/[^`\s]+)`/g)].map(([, name = ""]) => name);
  return named.filter((name) => !name.endsWith("...") && !fs.existsSync(path.join(ROOT, name)));
}

test("every path that the page about the seeds names is there", () => {
  const text = fs.readFileSync(path.join(ROOT, "docs/seeds.md"), "utf8");
  expect(text.match(/`(src|tests|\.opencode)\//g)?.length ?? 0).toBeGreaterThan(100);
  expect(missingPaths(text)).toEqual([]);
  expect(missingPaths("see `src/run/fold.ts` and `src/run/gone.ts`")).toEqual(["src/run/gone.ts"]);
});
