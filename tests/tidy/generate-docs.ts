// Writes docs/cli.md from the help of every command, docs/json.md from the schemas, and the digest of the live driver's code.
// By hand: `bun run docs`.
import fs from "node:fs";
import path from "node:path";
import { codeDigestFile, codeDigestText } from "./code-digest.ts";
import { cliPage, jsonPage } from "./generated-pages.ts";

const DOCS = path.resolve(import.meta.dir, "../../docs");
fs.writeFileSync(path.join(DOCS, "cli.md"), await cliPage());
fs.writeFileSync(path.join(DOCS, "json.md"), jsonPage());
fs.writeFileSync(codeDigestFile, codeDigestText());
