// Holds the table of rooms and the imports together: a file imports its own room or a lower floor, adapters only by wiring.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dir, "../..");

/** The floor of each room; `adapter` rooms are imported only by the wiring and by what their list allows. */
const ROOMS: Record<string, number | "adapter"> = {
  kernel: 0,
  run: 1,
  ports: 2,
  pages: 2,
  stages: 3,
  orchestrator: 4,
  operations: 5,
  cli: 6,
  drivers: "adapter",
  providers: "adapter",
  corpus: "adapter",
  models: "adapter",
  stores: "adapter",
  system: "adapter",
};

/** Adapters rest on the ports and below; these may also use the corpus room. */
const MAY_USE_CORPUS = new Set(["providers", "drivers"]);
const ADAPTER_FLOOR = 2;

/** The entry file and the wiring stand outside the rooms. */
const OUTSIDE = new Set(["main.ts", "wiring.ts"]);

interface Import {
  from: string;
  to: string;
}

function sourceFiles(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    return entry.isDirectory()
      ? sourceFiles(full)
      : entry.name.endsWith(".ts") || entry.name.endsWith(".tsx")
        ? [full]
        : [];
  });
}

function importsOf(file: string): Import[] {
  const text = fs.readFileSync(file, "utf8");
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)];
  return found.map(([, target]) => ({
    from: path.relative(path.join(ROOT, "src"), file),
    to: path.relative(path.join(ROOT, "src"), path.resolve(path.dirname(file), target ?? "")),
  }));
}

export function violationsOf(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to }) => {
    if (OUTSIDE.has(from) || to.startsWith("..")) return [];
    const [room = "", target = ""] = [from.split("/")[0], to.split("/")[0]];
    if (room === target) return [];
    const [floor, targetFloor] = [ROOMS[room], ROOMS[target]];
    if (floor === undefined || targetFloor === undefined) {
      return room === "cli" && to === "wiring.ts" ? [] : [`${from} -> ${to}: a room that the table does not know`];
    }
    if (targetFloor === "adapter") {
      return target === "corpus" && MAY_USE_CORPUS.has(room)
        ? []
        : [`${from} -> ${to}: adapters are imported by the wiring only`];
    }
    const own = floor === "adapter" ? ADAPTER_FLOOR : floor;
    return targetFloor <= own && (floor === "adapter" || targetFloor < own)
      ? []
      : [`${from} -> ${to}: not a lower floor`];
  });
}

describe("floors", () => {
  test("every import goes to the same room or a lower floor", () => {
    const imports = sourceFiles(path.join(ROOT, "src")).flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(100);
    expect(violationsOf(imports)).toEqual([]);
  });

  test("control: an upward import, an adapter and an unknown room are found", () => {
    expect(violationsOf([{ from: "run/fold.ts", to: "stages/stages.ts" }])).toHaveLength(1);
    expect(violationsOf([{ from: "operations/status.ts", to: "stores/file-store.ts" }])).toHaveLength(1);
    expect(violationsOf([{ from: "kernel/digest.ts", to: "attic/box.ts" }])).toHaveLength(1);
    expect(violationsOf([{ from: "operations/status.ts", to: "run/manifest.ts" }])).toHaveLength(0);
  });

  test("outside the adapters nothing reaches for the clock, chance, the disk, the network or the environment", () => {
    const forbidden =
      /\bDate\.now\(|new Date\(\)|Math\.random\(|\bsetTimeout\(|\bsetInterval\(|(?:await|return|=)\s+fetch\(|"node:fs|process\.env|"node:child_process"/;
    const pure = ["kernel", "run", "ports", "pages", "stages", "orchestrator", "operations"];
    const found = sourceFiles(path.join(ROOT, "src"))
      .filter((file) => pure.includes(path.relative(path.join(ROOT, "src"), file).split("/")[0] ?? ""))
      .filter((file) => forbidden.test(fs.readFileSync(file, "utf8").replace(/^\s*(\/\/|\*).*$/gm, "")));
    expect(found.map((file) => path.relative(ROOT, file))).toEqual([]);
    expect(forbidden.test("const now = Date.now();")).toBe(true);
  });

  test("every file says its one job in its first line", () => {
    const silent = sourceFiles(path.join(ROOT, "src")).filter((file) => {
      const [first = "", second = ""] = fs.readFileSync(file, "utf8").split("\n");
      return !(first.startsWith("#!") ? second : first).startsWith("// ");
    });
    expect(silent.map((file) => path.relative(ROOT, file))).toEqual([]);
  });
});
