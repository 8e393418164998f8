// The names that stored files and programs use: read from the generated pages and schemas of a tree, so that two trees compare.
import fs from "node:fs";
import path from "node:path";

/** Names by kind, each list sorted. */
export type StoredNames = Record<string, string[]>;

/** `root`: of a checkout of any version. */
export function storedNames(root: string): StoredNames {
  const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8");
  const schemas = fs.readdirSync(path.join(root, "docs/schemas")).map((file) => path.basename(file, ".json"));
  const [keys, values] = [new Set<string>(), new Set<string>()];
  for (const name of schemas) collect(JSON.parse(read(`docs/schemas/${name}.json`)), keys, values);
  const commands = read("docs/cli.md");
  const routes = JSON.parse(read("docs/schemas/openapi.json")) as { paths: object };
  return Object.fromEntries(
    Object.entries({
      schemas,
      keys,
      values,
      commands: matches(commands, /^### (.+)$/gm),
      flags: matches(commands, /(?<![\w-])(--[a-z][a-z-]*[a-z])\b/g),
      codes: matches(commands, /`([A-Z][A-Z_]+)`/g),
      variables: matches(commands + read("docs/configuration.md"), /\b(DEEP_RESEARCH_[A-Z_]+[A-Z])\b/g),
      tools: matches(read("src/mcp/tools.ts"), /^\s+name: "([a-z_]+)",$/gm),
      prompts: matches(read("src/mcp/prompts.ts"), /^ {4}name: "([a-z_]+)",$/gm),
      routes: Object.keys(routes.paths),
    }).map(([kind, names]) => [kind, [...new Set(names)].toSorted()]),
  );
}

/** The names of `then` that `now` lacks. */
export function missingNames(then: StoredNames, now: StoredNames): string[] {
  return Object.entries(then).flatMap(([kind, names]) =>
    names.filter((name) => now[kind]?.includes(name) !== true).map((name) => `${kind}: ${name}`),
  );
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

/** The names of properties, and the strings that a schema allows one by one. */
function collect(schema: unknown, keys: Set<string>, values: Set<string>): void {
  if (Array.isArray(schema)) for (const one of schema) collect(one, keys, values);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  for (const [name, value] of Object.entries(schema)) {
    if (name === "properties" && typeof value === "object" && value !== null)
      for (const key of Object.keys(value)) keys.add(key);
    if (name === "const" || name === "enum")
      for (const one of [value].flat() as unknown[]) if (typeof one === "string") values.add(one);
    collect(value, keys, values);
  }
}

if (import.meta.main) console.log(JSON.stringify(storedNames(process.argv[2] ?? "."), null, 1));
