// Writes docs/cli.md from the help of every command, docs/json.md from the schemas, and the digests of the drivers' code.
// By hand: `bun run docs`.
import fs from "node:fs";
import path from "node:path";
import { CODE_DIGESTS, codeDigestsText } from "./code-digest.ts";
import { cliPage, jsonPage } from "./generated-pages.ts";

const DOCS = path.resolve(import.meta.dir, "../../docs");
fs.writeFileSync(path.join(DOCS, "cli.md"), await cliPage());
fs.writeFileSync(path.join(DOCS, "json.md"), jsonPage());
fs.writeFileSync(path.join(DOCS, "..", CODE_DIGESTS), await codeDigestsText());
