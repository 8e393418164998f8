// docs/seeds.md and CONTRIBUTING.md point at files that exist, and at names that stand in them.
import { expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";

// On a machine that may be busy.
setDefaultTimeout(600_000);

const ROOT = path.resolve(import.meta.dir, "../..");
const text = fs.readFileSync(path.join(ROOT, "docs/seeds.md"), "utf8");

/** Paths in backticks that lead to nothing; NAME stands for any file. */
function missingPaths(page: string): string[] {
  const named = [...page.matchAll(/`(?:\.\/)?((?:src|tests|docs|\.opencode)\/[^`\s]+)`/g)].map(([, name = ""]) => name);
  return named.filter((name) => !name.includes("NAME") && !fs.existsSync(path.join(ROOT, name)));
}

/** Of "`one`, `two` in `path`" and "`path` (`one`)" the names that the file does not hold. */
function missingNames(page: string): string[] {
  const before = [...page.matchAll(/((?:`[\w.[\]]+`(?:, | and )?)+) (?:in|of) `(src\/[^`\s]+)`/g)];
  const behind = [...page.matchAll(/`(src\/[^`\s]+)` \(((?:`\w+`(?:, )?)+)\)/g)].map(([all, file, names]) => [
    all,
    names,
    file,
  ]);
  return [...before, ...behind].flatMap(([, names = "", file = ""]) => {
    const source = fs.existsSync(path.join(ROOT, file)) ? fs.readFileSync(path.join(ROOT, file), "utf8") : "";
    const words = [...names.matchAll(/`(\w+)[^`]*`/g)].map(([, word = ""]) => word);
    return words.filter((word) => !source.includes(word)).map((word) => `${word} in ${file}`);
  });
}

test("every path that the page about the seeds names is there", () => {
  expect(text.match(/`(src|tests|\.opencode)\//g)?.length ?? 0).toBeGreaterThan(40);
  expect(missingPaths(text)).toEqual([]);
  expect(missingPaths("see `src/run/log/fold.ts` and `src/run/gone.ts`")).toEqual(["src/run/gone.ts"]);
});

test("the page for newcomers names every room, and paths that are there", () => {
  const page = fs.readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
  expect(missingPaths(page)).toEqual([]);
  const rooms = fs.readdirSync(path.join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const named = [...page.matchAll(/\*\*(\w+)\*\*/g)].map(([, name]) => name);
  expect(rooms.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
});

test("every name that it says is in a file is there", () => {
  expect(missingNames(text)).toEqual([]);
  expect(missingNames("`foldAll`, `foldNone` in `src/run/log/fold.ts`")).toEqual(["foldNone in src/run/log/fold.ts"]);
  expect(missingNames("`src/run/log/fold.ts` (`foldNone`)")).toEqual(["foldNone in src/run/log/fold.ts"]);
});
