// The program as tests start it in processes of its own: the built one where it was built from this source, as the launcher does.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const BUILT = join(ROOT, "dist/deep-research");
/** The entry file. Bun takes longer to start it than most commands work. */
export const SOURCE = join(ROOT, "src/main.ts");

function changedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isBuilt(): boolean {
  const builtMs = changedMs(BUILT);
  const parts = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  return ["package.json", "src", ...parts.map((name) => `src/${name}`)].every(
    (name) => changedMs(join(ROOT, name)) <= builtMs,
  );
}

/** The first words of its command line. `bun run test` builds it first; a file that is tested alone does with the source. */
export const PROGRAM: readonly [string, ...string[]] = isBuilt() ? [BUILT] : [process.execPath, SOURCE];
