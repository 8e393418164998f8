// Parses each page of a folder to a DOM and does nothing with it: run as a process of its own.
import fs from "node:fs";
import path from "node:path";
import { parseHTML } from "linkedom";

const [folder = ""] = process.argv.slice(2);
for (const page of new Bun.Glob("**/*.html").scanSync({ cwd: folder }))
  parseHTML(fs.readFileSync(path.join(folder, page), "utf8"));
