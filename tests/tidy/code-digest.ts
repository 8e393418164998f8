// The digest of what the live driver is made of: prompts, tools and code.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { digestOfJson } from "../../src/kernel/digest.ts";

const project = join(import.meta.dir, "../..");
const folder = join(project, "src/drivers/live");
const name = "code-digest.ts";
const LENGTH = 12;

export const codeDigestFile = join(folder, name);

/** What the file has to hold. */
export function codeDigestText(): string {
  const files = readdirSync(folder)
    .filter((file) => file !== name)
    .sort();
  const texts = files.map((file) => [file, readFileSync(join(folder, file), "utf8")]);
  const digest = digestOfJson(texts).slice("sha256:".length, "sha256:".length + LENGTH);
  return `// Made by \`bun run docs\`: the digest of the code, the prompts and the tools beside it.\nexport const CODE_DIGEST = "${digest}";\n`;
}
