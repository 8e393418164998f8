// The rooms of src/, the floor of each, and what the imports between them show: rules that are broken, circles, a picture.
import fs from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dir, "../..");

/** The floor of each room; `adapter` rooms are imported only by the wiring and by what their list allows. */
export const ROOMS: Record<string, number | "adapter"> = {
  kernel: 0,
  run: 1,
  ports: 2,
  pages: 2,
  stages: 3,
  conversations: 3,
  orchestrator: 4,
  operations: 5,
  surface: 6,
  mcp: 7,
  console: 7,
  cli: 8,
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

/** Paths from src/. */
interface Import {
  from: string;
  to: string;
  /** Loaded when it is asked for: `import("...")`. */
  isLater?: boolean;
}

export function sourceFiles(folder: string): string[] {
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
  const found = [...text.matchAll(/(?:from|import)\s*(\(?)\s*"(\.[^"]+)"/g)];
  return found.map(([, parenthesis, target]) => ({
    isLater: parenthesis === "(",
    from: path.relative(path.join(ROOT, "src"), file),
    to: path.relative(path.join(ROOT, "src"), path.resolve(path.dirname(file), target ?? "")),
  }));
}

export function allImports(): Import[] {
  return sourceFiles(path.join(ROOT, "src")).flatMap(importsOf);
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

/** Files that import each other, directly or over others. Types count, and so does what is loaded later. */
export function circlesIn(imports: readonly Import[]): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const reached = (from: string): Set<string> => {
    const found = new Set<string>();
    const waiting = [from];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
      for (const { to } of targets.get(file) ?? [])
        if (!found.has(to)) {
          found.add(to);
          waiting.push(to);
        }
    return found;
  };
  const inCircles = [...targets.keys()].filter((file) => reached(file).has(file));
  const circles = Map.groupBy(
    inCircles,
    (file) => [...reached(file)].filter((to) => reached(to).has(file)).toSorted()[0],
  );
  return [...circles.values()].map((circle) => circle.toSorted());
}

/** The rooms that have walls inside: their folders rest on each other in one direction only. */
const WALLED = new Set(["run", "operations", "stores", "corpus", "drivers"]);

/** The imports between the folders of one room. The files beside the folders count as a folder, too. */
export function innerImports(imports: readonly Import[]): Import[] {
  return imports
    .filter(({ from, to }) => from.split("/")[0] === to.split("/")[0] && WALLED.has(from.split("/")[0] ?? ""))
    .map(({ from, to }) => ({ from: path.dirname(from), to: path.dirname(to) }))
    .filter(({ from, to }) => from !== to);
}

/** The rooms and who imports whom, as a Mermaid chart. What is reached over another room is not drawn twice. */
export function picture(imports: readonly Import[]): string {
  const roomOf = (file: string): string => file.split("/")[0] ?? "";
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [room, target] = [roomOf(from), roomOf(to)];
    if (room === target || target === ".." || (room === "cli" && target === "wiring.ts")) continue;
    arrows.set(room, (arrows.get(room) ?? new Set()).add(target));
  }
  const reaches = (from: string, to: string): boolean =>
    [...(arrows.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const drawn = [...arrows].flatMap(([room, targets]) =>
    [...targets]
      .filter((target) => ![...targets].some((other) => other !== target && reaches(other, target)))
      .map((target) => `  ${room} --> ${target}`),
  );
  return ["```mermaid", "flowchart TD", ...drawn.toSorted(), "```"].join("\n");
}

/** The page with the picture as it is now. */
export function withPicture(page: string, imports: readonly Import[]): string {
  return page.replace(/```mermaid\n.*?```/s, picture(imports));
}
