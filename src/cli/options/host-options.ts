// The options of the commands that set up OpenCode, and the folder that they mean.
import { isAbsolute, join } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import type { FileFate, InstallResult } from "../../operations/install-files.ts";
import { count } from "../../surface/words.ts";
import type { CommandContext } from "../command.ts";
import { columns } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { flag } from "./options.ts";

export const PLACE = {
  global: flag("OpenCode's own configuration folder, for every project, instead of .opencode in the working folder"),
  dryRun: flag("tell what would be done, and do nothing"),
};

/** Absolute. Errors: `INVALID_ARGS` where nothing says where OpenCode is configured. */
export function hostFolder({ host, absolute }: Pick<CommandContext, "host" | "absolute">, isGlobal: boolean): string {
  if (!isGlobal) return absolute(".opencode");
  const { OPENCODE_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg, HOME: home } = host.environment;
  if (own && isAbsolute(own)) return own;
  if (xdg && isAbsolute(xdg)) return join(xdg, "opencode");
  if (home && isAbsolute(home)) return join(home, ".config", "opencode");
  throw new RunError("INVALID_ARGS", {
    reason: "nothing says where OpenCode is configured: HOME is not set",
    variable: "HOME",
  });
}

const WOULD: Record<FileFate, string> = {
  written: "would be written",
  updated: "would be updated",
  unchanged: "unchanged",
  removed: "would be removed",
  kept: "left as it is: somebody changed it",
};

export function placedText({ folder, dry_run, files }: InstallResult, style: Style): string {
  const rows = files.map(({ path, did }) => [path, did !== "kept" && !dry_run ? did : WOULD[did]]);
  return `${style.bold(folder)}\n${files.length === 0 ? "  nothing of deep-research is there\n" : columns(rows, "  ")}`;
}

/** Null when nothing was left as it is. */
export function keptNote({ files }: InstallResult): string | null {
  const kept = files.filter(({ did }) => did === "kept").length;
  return kept === 0
    ? null
    : `${count(kept, "file")} left as found; move ${kept === 1 ? "it" : "them"} away to have this version's`;
}
