// The least that a look over all runs can do: reads the lease note and the manifest of each, and parses them.
// Usage: bun plain-manifests.ts RUNS_ROOT
import fs from "node:fs";
import path from "node:path";
import { LOCK_FILE, MANIFEST_FILE } from "../../src/run/log/layout.ts";

const [runsRoot = ""] = process.argv.slice(2);
let running = 0;
for (const name of fs.readdirSync(runsRoot)) {
  const folder = path.join(runsRoot, name);
  if (fs.existsSync(path.join(folder, LOCK_FILE))) JSON.parse(fs.readFileSync(path.join(folder, LOCK_FILE), "utf8"));
  const manifest: unknown = JSON.parse(fs.readFileSync(path.join(folder, MANIFEST_FILE), "utf8"));
  if (JSON.stringify(manifest).includes('"running"')) running++;
}
console.log(running);
