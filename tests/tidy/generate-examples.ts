// Writes the reports of docs/examples by really asking the tool. By hand: `bun run examples`.
import fs from "node:fs";
import path from "node:path";
import { EXAMPLES, EXAMPLES_FOLDER, reportsOf } from "./examples.ts";

for (const example of EXAMPLES) {
  for (const [name, content] of await reportsOf(example)) {
    fs.writeFileSync(path.join(EXAMPLES_FOLDER, example.folder, name), content);
  }
}
