// Writes docs/cli.md from the help of every command, docs/schemas from the schemas, the digests of the drivers' code, and
// the picture of the rooms in docs/architecture.md. By hand: `bun run docs`.
import fs from "node:fs";
import path from "node:path";
import { CODE_DIGESTS, codeDigestsText } from "./code-digest.ts";
import { cliPage, schemaFiles } from "./generated-pages.ts";
import { allImports, withPicture } from "./rooms.ts";

const DOCS = path.resolve(import.meta.dir, "../../docs");
fs.writeFileSync(path.join(DOCS, "cli.md"), await cliPage());
fs.rmSync(path.join(DOCS, "schemas"), { recursive: true, force: true });
fs.mkdirSync(path.join(DOCS, "schemas"));
for (const [name, text] of Object.entries(await schemaFiles()))
  fs.writeFileSync(path.join(DOCS, "schemas", name), text);
fs.writeFileSync(path.join(DOCS, "..", CODE_DIGESTS), await codeDigestsText());
const ARCHITECTURE = path.join(DOCS, "architecture.md");
fs.writeFileSync(ARCHITECTURE, withPicture(fs.readFileSync(ARCHITECTURE, "utf8"), allImports()));
