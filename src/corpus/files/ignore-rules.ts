// Leaves entries below a corpus root out: hidden ones, folders of build output, and names in .gitignore.
import ignore, { type Ignore } from "ignore";
import type { SkipReason } from "../formats/skipped.ts";

/** Only folders below the root are judged. The root itself may have such a name. */
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
  /** The folder of the .gitignore, relative to the root: "", or with a slash at the end. */
  folder: string;
  rules: Ignore;
}

/** The rules for one folder: those of the folders above it, then its own. */
export class IgnoreRules {
  private readonly files: readonly RuleFile[];

  constructor(files: readonly RuleFile[] = []) {
    this.files = files;
  }

  /** These rules, and `text` as the .gitignore of `folder`. */
  with(folder: string, text: string): IgnoreRules {
    return new IgnoreRules([...this.files, { folder, rules: ignore({ allowRelativePaths: true }).add(text) }]);
  }

  /** The reason to leave an entry out, or null. `path` is relative to the root. */
  judge(path: string, name: string, isFolder: boolean): SkipReason | null {
    if (name.startsWith(".")) return "hidden";
    if (isFolder && IGNORED_FOLDERS.has(name.toLowerCase())) return "ignored_by_default";
    let isIgnored = false;
    // The rules of deeper folders come later. They may take back what a folder above ignored.
    for (const { folder, rules } of this.files) {
      const verdict = rules.test(path.slice(folder.length) + (isFolder ? "/" : ""));
      if (verdict.ignored) isIgnored = true;
      else if (verdict.unignored) isIgnored = false;
    }
    return isIgnored ? "ignored_by_rule" : null;
  }
}
