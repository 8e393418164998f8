// Writes docs/cli.md from the help of every command, docs/schemas from the schemas, and the digests of the drivers' code.
// By hand: `bun run docs`.
import fs from "node:fs";
import path from "node:path";
import { CODE_DIGESTS, codeDigestsText } from "./code-digest.ts";
import { cliPage, schemaFiles } from "./generated-pages.ts";

const DOCS = path.resolve(import.meta.dir, "../../docs");
fs.writeFileSync(path.join(DOCS, "cli.md"), await cliPage());
fs.rmSync(path.join(DOCS, "schemas"), { recursive: true, force: true });
fs.mkdirSync(path.join(DOCS, "schemas"));
for (const [name, text] of Object.entries(schemaFiles())) fs.writeFileSync(path.join(DOCS, "schemas", name), text);
fs.writeFileSync(path.join(DOCS, "..", CODE_DIGESTS), await codeDigestsText());
