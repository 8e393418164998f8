// The options of the commands that set up OpenCode, and the folder that they mean.
import { shownLine } from "../../kernel/shown-text.ts";
import { isAbsolute, join } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import type { FileFate, InstallOptions, InstallResult } from "../../operations/setup/install-files.ts";
import { count } from "../../surface/words.ts";
import { OPENCODE_FILES } from "../../operations/setup/opencode-files.ts";
import type { CommandContext } from "../command.ts";
import type { Environment } from "../../run/settings/server-variables.ts";
import { columns } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { flag } from "../../kernel/field.ts";

export const PLACE = {
  global: flag("OpenCode's own configuration folder, for every project, instead of .opencode in the working folder"),
  dry_run: flag("say what would be done, and do nothing"),
};

/**
 * Where the files go. The author of the working folder may have put links into it; the user's own configuration folder may
 * lie behind a link. Errors: `INVALID_ARGS` where nothing says where OpenCode is configured.
 */
export function placeOfHost(
  { host, absolute }: Pick<CommandContext, "host" | "absolute">,
  isGlobal: boolean,
): Pick<InstallOptions, "folder" | "within" | "shipped"> {
  const folder = isGlobal ? globalFolder(host.environment) : absolute(".opencode");
  return { folder, within: isGlobal ? folder : absolute("."), shipped: OPENCODE_FILES };
}

function globalFolder({ OPENCODE_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg, HOME: home }: Environment): string {
  if (own && isAbsolute(own)) return own;
  if (xdg && isAbsolute(xdg)) return join(xdg, "opencode");
  if (home && isAbsolute(home)) return join(home, ".config", "opencode");
  throw new RunError("INVALID_ARGS.variable", {
    reason: "nothing says where OpenCode is configured: HOME is not set",
    variable: "HOME",
  });
}

const WOULD: Record<FileFate, string> = {
  written: "would be written",
  updated: "would be updated",
  unchanged: "unchanged",
  removed: "would be removed",
  kept: "left as it is: it was changed",
  linked: "left as it is: a link leads there",
};

export function placedText({ folder, dry_run, files }: InstallResult, style: Style): string {
  const rows = files.map(({ path, did }) => [path, isLeft(did) || dry_run ? WOULD[did] : did]);
  return `${style.bold(shownLine(folder))}\n${files.length === 0 ? "  nothing of deep-research is there\n" : columns(rows, "  ")}`;
}

function isLeft(did: FileFate): boolean {
  return did === "kept" || did === "linked";
}

/** Null when nothing was left as it is. */
export function keptNote({ files }: InstallResult): string | null {
  const kept = files.filter(({ did }) => isLeft(did)).length;
  return kept === 0
    ? null
    : `${count(kept, "file")} left as found; move ${kept === 1 ? "it" : "them"} away to have this version's`;
}
