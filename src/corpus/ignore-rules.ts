// Rules for entries below a corpus root that are left out: hidden ones, build output, and names in .gitignore.
import ignore, { type Ignore } from "ignore";
import type { SkipReason } from "./skipped.ts";

/** Judged below the root only: the root itself may be called any of these. */
const IGNORED_FOLDERS: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "jspm_packages",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "__pycache__",
  "venv",
]);

interface RuleFile {
  /** The folder the rules stand in, relative to the root; "" or ending in a slash. */
  folder: string;
  rules: Ignore;
}

/** The rules in force in one folder: those of the folders above, then its own. */
export class IgnoreRules {
  private readonly files: readonly RuleFile[];

  constructor(files: readonly RuleFile[] = []) {
    this.files = files;
  }

  /** These rules and, below `folder`, those of its own .gitignore. */
  with(folder: string, text: string): IgnoreRules {
    return new IgnoreRules([...this.files, { folder, rules: ignore({ allowRelativePaths: true }).add(text) }]);
  }

  /** The reason to leave an entry out, or null. `path` is relative to the root. */
  judge(path: string, name: string, isFolder: boolean): SkipReason | null {
    if (name.startsWith(".")) return "hidden";
    if (isFolder && IGNORED_FOLDERS.has(name.toLowerCase())) return "ignored_by_default";
    let isIgnored = false;
    // Deeper rules come later and may take back what a folder above ignored.
    for (const { folder, rules } of this.files) {
      const verdict = rules.test(path.slice(folder.length) + (isFolder ? "/" : ""));
      if (verdict.ignored) isIgnored = true;
      else if (verdict.unignored) isIgnored = false;
    }
    return isIgnored ? "ignored_by_rule" : null;
  }
}
