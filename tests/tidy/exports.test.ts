// Exports of src are imported by another file of src, by a test or by the plugin; a name that only its own file uses is not exported.
import { expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { ROOT, sourceFiles } from "./rooms.ts";

/** The texts of files, by their paths. */
type Texts = ReadonlyMap<string, string>;

const EXPORTED = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class) (\w+)/gm;
const IMPORTED = /\b(?:import|export)\s+(?:type\s+)?([^;"']*?)\s*\bfrom\s*"(\.[^"]+)"/g;
const IMPORTED_LATER = /\bimport\(\s*"(\.[^"]+)"\s*,?\s*\)/g;

const wordsOf = (text: string): string[] => text.match(/\w+|\*/g) ?? [];

/** By path of a file: the names that others import of it; `*` for all. Who imports a file later is taken to use every word it has. */
function importedNames(texts: Texts): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  const add = (from: string, to: string, words: readonly string[]): void => {
    const file = path.resolve(path.dirname(from), to);
    names.set(file, new Set([...(names.get(file) ?? []), ...words]));
  };
  for (const [file, text] of texts) {
    for (const [, list = "", to = ""] of text.matchAll(IMPORTED)) add(file, to, wordsOf(list));
    for (const [, to = ""] of text.matchAll(IMPORTED_LATER)) add(file, to, text.match(/\w+/g) ?? []);
  }
  return names;
}

function unusedExports(texts: Texts, isJudged: (file: string) => boolean): string[] {
  const imported = importedNames(texts);
  return [...texts]
    .filter(([file]) => isJudged(file))
    .flatMap(([file, text]) => {
      const used = imported.get(file) ?? new Set();
      const exported = [...text.matchAll(EXPORTED)].map(([, name = ""]) => name);
      return exported.filter((name) => !used.has(name) && !used.has("*")).map((name) => `${file}: ${name}`);
    });
}

test("every exported function, constant and class of src is imported somewhere", () => {
  const folders = ["src", "tests", ".opencode"].map((folder) => path.join(ROOT, folder));
  const files = folders.flatMap(sourceFiles).filter((file) => !file.includes("node_modules"));
  const texts = new Map(files.map((file) => [file, fs.readFileSync(file, "utf8")]));
  const found = unusedExports(texts, (file) => file.startsWith(path.join(ROOT, "src") + path.sep));
  expect(found.map((one) => path.relative(ROOT, one))).toEqual([]);
});

test("control: an export that only its own file uses is found, in whatever way others are imported", () => {
  const texts = new Map([
    [
      "/a.ts",
      "export const one = 1;\nexport async function two() {}\nexport class Three {}\nexport const alone = one;\nalone;",
    ],
    ["/b.ts", 'import { one, type Three } from "./a.ts";\nconst { two } = await import("./a.ts");'],
    ["/c.ts", "const alone = 1; // Another file has this name, too."],
    ["/d.ts", "export const all = 1;"],
    ["/e.ts", 'import * as d from "./d.ts";'],
  ]);
  expect(unusedExports(texts, () => true)).toEqual(["/a.ts: alone"]);
});
