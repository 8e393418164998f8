// Prints the lines of each room of src/ and the words of docs/ without its example reports, so that growth is seen when it happens.
import fs from "node:fs";
import path from "node:path";
import { ROOT, sourceFiles } from "./rooms.ts";

const SRC = path.join(ROOT, "src");
const DOCS = path.join(ROOT, "docs");

const lines = new Map<string, number>();
for (const file of sourceFiles(SRC)) {
  const [room = ""] = path.relative(SRC, file).split("/");
  lines.set(room, (lines.get(room) ?? 0) + fs.readFileSync(file, "utf8").split("\n").length - 1);
}
const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
const pages = fs
  .readdirSync(DOCS, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md") && !name.startsWith("examples/"));
const words = pages.flatMap((name) => fs.readFileSync(path.join(DOCS, name), "utf8").split(/\s+/).filter(Boolean));

for (const [room, count] of [...lines].toSorted(([, one], [, other]) => other - one))
  console.log(`${room.padEnd(14)}${String(count).padStart(7)} lines`);
console.log(`${"src".padEnd(14)}${String(total).padStart(7)} lines`);
console.log(`${"docs".padEnd(14)}${String(words.length).padStart(7)} words`);
