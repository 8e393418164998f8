// The documents: generated pages are fresh, links lead somewhere, the commands that pages show exist.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { COMMAND_NAMES, findCommand } from "../../src/cli/command-table.ts";
import { helpOfCommand } from "../../src/cli/help/command-help.ts";
import { MAX_WIDTH } from "../../src/cli/terminal/layout.ts";
import { CODE_DIGESTS, codeDigest, codeDigestsText } from "./code-digest.ts";
import { cliPage, schemaFiles } from "./generated-pages.ts";

// On a machine that may be busy.
setDefaultTimeout(600_000);

const ROOT = path.resolve(import.meta.dir, "../..");
const read = (relative: string): string => fs.readFileSync(path.join(ROOT, relative), "utf8");

function pages(): string[] {
  const docs = fs.readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  return [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    ...docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
  ];
}

/** Relative links of a page that lead to no file, or to no heading of a page. */
function deadLinks(page: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  return links.flatMap(([, target = "", heading]) => {
    const file = target === "" ? page : path.join(path.dirname(page), target);
    if (!fs.existsSync(path.join(ROOT, file))) return [`${page}: ${target}`];
    const isThere = heading === undefined || headingsOf(file === page ? text : read(file)).includes(heading);
    return isThere ? [] : [`${page}: ${target}#${heading}`];
  });
}

/** The headings of a page as links name them. */
function headingsOf(text: string): string[] {
  const titles = text.replaceAll(/^```[^]*?^```/gm, "").matchAll(/^#+ (.*)$/gm);
  return [...titles].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The command lines in the blocks of a page, with what is continued on the next line. */
function commandLinesOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|text|cron|ini)\n([^]*?)^```/gm)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.replaceAll("\\\n", " ").split("\n"));
  return lines.flatMap((line) => line.split("&&")).flatMap((part) => /\bdeep-research [a-z].*/.exec(part) ?? []);
}

/** What of a command line the program does not know: its command, or options of it. */
async function unknownIn(line: string): Promise<string[]> {
  const words = (line.split(/[|#>]/)[0] ?? "").trim().split(/\s+/).slice(1);
  const [first] = words;
  if (first === undefined) return [];
  const name = [words.slice(0, 2).join(" "), first].find((one) => COMMAND_NAMES.includes(one));
  const entry = name === undefined ? undefined : findCommand(name);
  if (name === undefined || entry === undefined) return first === "help" ? [] : [first];
  const help = helpOfCommand(name, (await entry.load()).command, MAX_WIDTH);
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.replace(/=.*/, ""));
  return options.filter((option) => !new RegExp(`${option}\\b`).test(help)).map((option) => `${name} ${option}`);
}

describe("documents", () => {
  test("the command reference and the schemas are what the code says", async () => {
    expect(read("docs/cli.md") === (await cliPage()), "docs/cli.md is old: bun run docs").toBe(true);
    const schemas = await schemaFiles();
    expect(fs.readdirSync(path.join(ROOT, "docs/schemas")).toSorted()).toEqual(Object.keys(schemas).toSorted());
    for (const [name, text] of Object.entries(schemas))
      expect(read(`docs/schemas/${name}`) === text, `docs/schemas/${name} is old: bun run docs`).toBe(true);
  });

  test("a driver's version is that of its code: another one is drift", async () => {
    expect(read(CODE_DIGESTS) === (await codeDigestsText()), `${CODE_DIGESTS} is old: bun run docs`).toBe(true);
  });

  test("a driver's digest is that of all it is made of, wherever that lies, and of nothing else", async () => {
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), "driver-"));
    try {
      fs.cpSync(path.join(ROOT, "src"), path.join(copy, "src"), { recursive: true });
      const digests = () => Promise.all([codeDigest("live", copy), codeDigest("local", copy)]);
      const change = (file: string, edit: (text: string) => string): void => {
        const at = path.join(copy, "src", file);
        fs.writeFileSync(at, edit(fs.readFileSync(at, "utf8")));
      };
      const [live, local] = [await codeDigest("live"), await codeDigest("local")];
      expect(await digests()).toEqual([live, local]);

      change("drivers/planning/planner.ts", (text) => text.replaceAll("\n\n", "\n\n// A remark.\n\n"));
      change("drivers/code-digests.ts", (text) => text.replaceAll('"', '"1'));
      change("run/log/journal.ts", (text) => `${text}export const MORE = 1;\n`);
      expect(await digests()).toEqual([live, local]);

      change("drivers/planning/plan.txt", (text) => text.replace("One part", "A part"));
      const other = await codeDigest("live", copy);
      expect(other === live).toBe(false);
      expect(await codeDigest("local", copy)).toBe(local);

      const act = (text: string): string => `${text}Object.assign(globalThis, { acted: true });\n`;
      change("run/report/claim-numbers.ts", act);
      expect([live, other]).not.toContain(await codeDigest("live", copy));
      expect(await codeDigest("local", copy)).toBe(local);
      change("drivers/local/plan.ts", act);
      expect((await codeDigest("local", copy)) === local).toBe(false);
    } finally {
      fs.rmSync(copy, { recursive: true });
    }
  });

  test("every relative link leads to a file and its heading", () => {
    expect(pages().flatMap((page) => deadLinks(page, read(page)))).toEqual([]);
    expect(deadLinks("README.md", "[gone](docs/gone.md)")).toEqual(["README.md: docs/gone.md"]);
    expect(deadLinks("README.md", "# Here\n[a](#here) [b](#gone) [c](LICENSE)")).toEqual(["README.md: #gone"]);
  });

  test("every command that a page shows exists, with its options", async () => {
    const shown = pages().flatMap((page) => commandLinesOf(read(page)));
    expect(shown.length).toBeGreaterThan(100);
    expect((await Promise.all(shown.map(unknownIn))).flat()).toEqual([]);
    const wrong = ["deep-research statsu RUN", "deep-research status RUN --jobs 2 | head", "deep-research"];
    expect((await Promise.all(wrong.map(unknownIn))).flat()).toEqual(["statsu", "status --jobs"]);
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
