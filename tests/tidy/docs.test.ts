// The documents: generated pages are fresh, links lead somewhere, the README's commands exist.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { COMMAND_NAMES } from "../../src/cli/command-table.ts";
import { codeDigestFile, codeDigestText } from "./code-digest.ts";
import { cliPage, jsonPage } from "./generated-pages.ts";

const ROOT = path.resolve(import.meta.dir, "../..");
const read = (relative: string): string => fs.readFileSync(path.join(ROOT, relative), "utf8");

function pages(): string[] {
  const docs = fs.readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  return ["README.md", "CHANGELOG.md", ...docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];
}

/** Relative links of a page that lead to nothing. */
function deadLinks(page: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target]) => target ?? "");
  return targets
    .filter((target) => !fs.existsSync(path.join(ROOT, path.dirname(page), target)))
    .map((target) => `${page}: ${target}`);
}

describe("documents", () => {
  test("the command reference and the schemas are what the code says", async () => {
    expect(read("docs/cli.md") === (await cliPage()), "docs/cli.md is old: bun run docs").toBe(true);
    expect(read("docs/json.md") === jsonPage(), "docs/json.md is old: bun run docs").toBe(true);
  });

  test("the live driver's version is that of its code: another one is drift", () => {
    expect(fs.readFileSync(codeDigestFile, "utf8") === codeDigestText(), "the code digest is old: bun run docs").toBe(
      true,
    );
  });

  test("every relative link leads to a file", () => {
    expect(pages().flatMap((page) => deadLinks(page, read(page)))).toEqual([]);
    expect(deadLinks("README.md", "[gone](docs/gone.md)")).toEqual(["README.md: docs/gone.md"]);
  });

  test("every command that the README shows exists", () => {
    const shown = [
      ...read("README.md").matchAll(
        /^(?:.*\* )?deep-research ([a-z]+(?: (?:list|show|generate|select|export|diff))?)/gm,
      ),
    ].map(([, name]) => name ?? "");
    expect(shown.length).toBeGreaterThan(4);
    expect(
      shown.filter((name) => !COMMAND_NAMES.includes(name) && !COMMAND_NAMES.includes(name.split(" ")[0] ?? "")),
    ).toEqual([]);
  });

  test("each dependency is pinned exactly and has its line in the decisions", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
      string,
      Record<string, string>
    >;
    const decisions = fs
      .readdirSync(path.join(ROOT, "docs/decisions"))
      .map((name) => read(`docs/decisions/${name}`))
      .join("\n");
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(decisions.includes(name), `${name} has no line in docs/decisions`).toBe(true);
    }
  });

  test("the bun that runs this is the one that is pinned", () => {
    expect((JSON.parse(read("package.json")) as { packageManager: string }).packageManager).toBe(`bun@${Bun.version}`);
  });
});
