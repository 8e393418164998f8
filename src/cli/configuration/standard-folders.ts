// The folders of this tool as the XDG base directories have them.
import { isAbsolute, join } from "node:path";
import type { Host } from "../host.ts";

const STANDARD_FOLDERS = {
  data: ["XDG_DATA_HOME", ".local", "share"],
  cache: ["XDG_CACHE_HOME", ".cache"],
  config: ["XDG_CONFIG_HOME", ".config"],
} as const;

/** This tool's own folder of a kind; null when nothing says where. */
export function standardFolder(
  { environment }: Pick<Host, "environment">,
  kind: keyof typeof STANDARD_FOLDERS,
): string | null {
  const [variable, ...fallback] = STANDARD_FOLDERS[kind];
  const [xdg, home] = [environment[variable], environment["HOME"]];
  if (xdg && isAbsolute(xdg)) return join(xdg, "deep-research");
  return home && isAbsolute(home) ? join(home, ...fallback, "deep-research") : null;
}
