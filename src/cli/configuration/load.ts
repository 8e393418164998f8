// Finds the configuration files, and reads them: the nearest of the workspace or the one that --config names, and the user's own.
import { dirname, join, relative, resolve } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import type { Host } from "../host.ts";
import { Configuration, standardFolder, WORKSPACE_FILE } from "./configuration.ts";
import type { FoundFile } from "./file.ts";

const MAX_FILE_BYTES = 1024 * 1024;

export interface ConfigurationFlags {
  config?: string | undefined;
  trust_workspace?: boolean;
}

/** Errors: the first problem of the files. */
export async function loadConfiguration(host: Host, flags: ConfigurationFlags): Promise<Configuration> {
  const { configuration, problems } = await readConfiguration(host, flags);
  const [first] = problems;
  if (first !== undefined) throw first;
  return configuration;
}

/** The settings in the files, and everything that is wrong with these. */
export async function readConfiguration(
  host: Host,
  flags: ConfigurationFlags,
): Promise<{ configuration: Configuration; problems: RunError[] }> {
  const problems: RunError[] = [];
  const attempt = (find: () => FoundFile | null): FoundFile[] => {
    try {
      return [find() ?? []].flat();
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      problems.push(error);
      return [];
    }
  };
  const files = [
    ...attempt(() => (flags.config === undefined ? workspaceFile(host, flags) : givenFile(host, flags.config))),
    ...attempt(() => userFile(host)),
  ];
  if (files.length === 0) return { configuration: new Configuration(host), problems };
  const { layersOf } = await import("./file.ts");
  const read = layersOf(host, files);
  return { configuration: new Configuration(host, read.layers), problems: [...problems, ...read.problems] };
}

/** The nearest in the working folder or above. */
function workspaceFile(host: Host, { trust_workspace: isTrusted = false }: ConfigurationFlags): FoundFile | null {
  for (let folder = host.workingFolder; ; folder = dirname(folder)) {
    const path = join(folder, WORKSPACE_FILE);
    const found = read(host, path);
    if (found !== null) {
      if (!isTrusted && dirname(found.realPath) !== host.realPath(folder))
        throw refused("INVALID_ARGS.workspace_may_not", path, "it is a link that leads out of its folder", {
          trust: true,
        });
      return { kind: "workspace", path, name: relative(host.workingFolder, path), bytes: found.bytes, isTrusted };
    }
    if (folder === dirname(folder)) return null;
  }
}

function userFile(host: Host): FoundFile | null {
  const path = userFilePath(host);
  const found = path === null ? null : read(host, path);
  return path === null || found === null
    ? null
    : { kind: "user", path, name: path, bytes: found.bytes, isTrusted: true };
}

/** Null when nothing says where the user's files are. */
export function userFilePath(host: Pick<Host, "environment">): string | null {
  const folder = standardFolder(host, "config");
  return folder === null ? null : join(folder, "config.json");
}

function givenFile(host: Host, named: string): FoundFile {
  const path = resolve(host.workingFolder, named);
  const found = read(host, path);
  if (found === null) throw refused("INVALID_ARGS.no_config_file", path, "it is not there", { option: "--config" });
  return { kind: "given", path, name: named, bytes: found.bytes, isTrusted: true };
}

function read(host: Host, path: string): { bytes: Uint8Array; realPath: string } | null {
  const found = host.readSmallFile(path, MAX_FILE_BYTES);
  if (found.kind === "refused") throw refused("INVALID_ARGS.in_file", path, found.why);
  return found.kind === "absent" ? null : found;
}

function refused(
  fault: "INVALID_ARGS.in_file" | "INVALID_ARGS.no_config_file" | "INVALID_ARGS.workspace_may_not",
  file: string,
  why: string,
  facts: { option?: string; trust?: true } = {},
): RunError {
  return new RunError(fault, { reason: `the configuration file cannot be used: ${why}`, file, ...facts });
}
