// `doctor`: looks at the set-up of this machine, part by part, and says what stands in the way. Changes nothing.
import { dirname } from "node:path";
import { shellQuote } from "../kernel/shell.ts";
import type { FolderFacts, SetUp } from "../ports/set-up.ts";
import type { HttpServerSettings, McpServerSettings } from "../run/provider-settings.ts";
import { missingVariables, variablesOf, withVariables, type Environment } from "../run/server-variables.ts";

export interface Check {
  name: string;
  /** A warning can be lived with; a problem keeps something from working. */
  status: "ok" | "warning" | "problem";
  detail: string;
  next?: string;
}

export interface CheckedPlaces {
  /** Null when nothing says where runs are kept. */
  runsRoot: string | null;
  /** Null keeps the index in memory. */
  indexFolder: string | null;
  lease: { lease_seconds: number; heartbeat_seconds: number };
  /** The command that is told of halts. */
  onHalt: readonly string[] | null;
  /** Search engines, each with where its key or its address comes from, and what keeps it from being asked. */
  engines: readonly { id: string; from: string; wrong: string | null }[];
  mcpServers: readonly McpServerSettings[];
  /** Where MCP servers find the variables that they name. */
  environment: Environment;
  /** Null when none is wanted; `wrong` says why it cannot be opened. */
  telemetry: { sink: string; wrong: string | null } | null;
  /** The start of every printed command. */
  cliInvocation: string;
  /** True when `deep-research` on the PATH starts this very program. */
  isOnPath: boolean;
}

const LITTLE_SPACE_BYTES = 200 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

/** `unreadable` says why the text of documents cannot be taken out, or null. */
export function checkSetUp(setUp: SetUp, places: CheckedPlaces, unreadable: string | null): Check[] {
  const { runsRoot, indexFolder, onHalt, cliInvocation } = places;
  return [
    bunCheck(setUp),
    programCheck(setUp, places.isOnPath),
    runsRoot === null ? NO_RUNS_ROOT : runsRootCheck(runsRoot, setUp.folder(runsRoot), cliInvocation),
    indexFolder === null ? INDEX_IN_MEMORY : indexCheck(indexFolder, setUp.folder(indexFolder), cliInvocation),
    documentsCheck(unreadable),
    leaseCheck(places.lease),
    ...(onHalt === null ? [] : [onHaltCheck(setUp, onHalt)]),
    ...(places.telemetry === null ? [] : [telemetryCheck(setUp, places.telemetry)]),
    ...places.engines.map(engineCheck),
    ...places.mcpServers.map((server) => mcpServerCheck(setUp, server, places.environment)),
  ];
}

function bunCheck({ bun }: SetUp): Check {
  const { version, pinned, is } = bun;
  if (is === "pinned") return { name: "bun", status: "ok", detail: `${version}, the one this is tested with` };
  const status = is === "newer" ? "warning" : "problem";
  return { name: "bun", status, detail: `${version}; tested with ${pinned}`, next: `install Bun ${pinned}` };
}

/** What cron and systemd have by themselves, and what most systems add. */
const SHORT_PATH = ["/usr/local/bin", "/usr/bin", "/bin"];

function programCheck(setUp: SetUp, isOnPath: boolean): Check {
  const name = "path";
  const [found, bun] = [setUp.program("deep-research"), setUp.program("bun")];
  if (isOnPath && found !== null) {
    const folders = [found, ...(bun === null ? [] : [bun])].map((program) => dirname(program));
    const line = `PATH=${[...new Set([...folders, ...SHORT_PATH])].join(":")}`;
    return { name, status: "ok", detail: `${found} starts this program; the line for cron: ${line}` };
  }
  if (bun === null && setUp.home !== null) {
    const detail = "deep-research is started by bun, which is not on the PATH";
    return { name, status: "warning", detail, next: `npm install -g bun@${setUp.bun.pinned}` };
  }
  const detail = found === null ? "deep-research is not on the PATH" : `${found} starts another program than this one`;
  const next =
    setUp.home === null ? "put the folder of this program on the PATH" : `npm install -g ${shellQuote(setUp.home)}`;
  return { name, status: "warning", detail, next };
}

const NO_RUNS_ROOT: Check = {
  name: "runs_root",
  status: "problem",
  detail: "nothing says where runs are kept: HOME is not set",
  next: "set HOME, or runs_root in a configuration file, or give --runs-root DIR",
};

function runsRootCheck(path: string, folder: FolderFacts, cliInvocation: string): Check {
  const elsewhere = "choose another folder: --runs-root DIR, or runs_root in a configuration file";
  if (folder.network !== null) {
    const detail = `${path} lies on ${folder.network}, where appends are not atomic: no run is made there`;
    return { name: "runs_root", status: "problem", detail, next: elsewhere };
  }
  const room = `${cliInvocation} prune --older-than 30d --dry-run --runs-root ${shellQuote(path)}`;
  return folderCheck("runs_root", path, folder, { elsewhere, room });
}

const INDEX_IN_MEMORY: Check = {
  name: "cache_dir",
  status: "warning",
  detail: "nothing says where the index is kept: it is made anew in memory for each run",
  next: "set HOME, or cache_dir in a configuration file",
};

function indexCheck(path: string, folder: FolderFacts, cliInvocation: string): Check {
  const elsewhere = "choose another folder: cache_dir in a configuration file";
  const checked = folderCheck("cache_dir", path, folder, { elsewhere, room: `${cliInvocation} cache clear` });
  if (folder.network !== null)
    return {
      name: "cache_dir",
      status: "warning",
      detail: `${path} lies on a network file system (${folder.network}): the index is made anew in memory for each run`,
      next: elsewhere,
    };
  // Runs work without it, only slower.
  return checked.status === "problem" ? { ...checked, status: "warning" } : checked;
}

function folderCheck(
  name: string,
  path: string,
  folder: FolderFacts,
  { elsewhere, room }: { elsewhere: string; room: string },
): Check {
  const { nearest, exists, isFolder, isWritable, freeBytes } = folder;
  if (!isFolder) return { name, status: "problem", detail: `${nearest} is not a folder`, next: elsewhere };
  if (!isWritable)
    return {
      name,
      status: "problem",
      detail: `this user cannot write in ${nearest}`,
      next: `allow it, or ${elsewhere}`,
    };
  const free = freeBytes === null ? "" : `, ${Math.floor(freeBytes / MEBIBYTE)} MiB free`;
  const detail = `${path}${exists ? "" : ", which is made when it is needed"}${free}`;
  return freeBytes !== null && freeBytes < LITTLE_SPACE_BYTES
    ? { name, status: "warning", detail, next: `make room: ${room}` }
    : { name, status: "ok", detail };
}

function documentsCheck(unreadable: string | null): Check {
  const name = "documents";
  if (unreadable === null)
    return { name, status: "ok", detail: "HTML, PDF, Word and EPUB can be read, in a process of their own" };
  const detail = `the child process that reads HTML, PDF, Word and EPUB does not work: ${unreadable}`;
  return {
    name,
    status: "problem",
    detail,
    next: "install deep-research anew; Markdown and plain text are read without",
  };
}

function leaseCheck({ lease_seconds, heartbeat_seconds }: CheckedPlaces["lease"]): Check {
  return {
    name: "lease",
    status: "ok",
    detail: `of ${lease_seconds} s, refreshed every ${heartbeat_seconds} s; new runs keep it`,
  };
}

function onHaltCheck(setUp: SetUp, [program = ""]: readonly string[]): Check {
  const found = setUp.program(program);
  if (found !== null) return { name: "on_halt", status: "ok", detail: `starts ${found}` };
  const detail = `there is no program ${program} that could be started`;
  return { name: "on_halt", status: "problem", detail, next: "name an executable file, or one on the PATH" };
}

const FILE_SINK = "file:";

function telemetryCheck(setUp: SetUp, { sink, wrong }: { sink: string; wrong: string | null }): Check {
  const name = "telemetry";
  if (wrong !== null)
    return {
      name,
      status: "problem",
      detail: wrong,
      next: "correct it: no command that works on a run goes on with it",
    };
  if (!sink.startsWith(FILE_SINK)) return { name, status: "ok", detail: `goes to ${sink}` };
  const path = sink.slice(FILE_SINK.length);
  const { exists, isFolder, isWritable } = setUp.folder(dirname(path));
  if (exists && isFolder && isWritable) return { name, status: "ok", detail: `goes to the end of ${path}` };
  const detail = `${path} cannot be written: runs go on without telemetry`;
  return { name, status: "warning", detail, next: "make its folder, or name another file" };
}

function engineCheck({ id, from, wrong }: CheckedPlaces["engines"][number]): Check {
  const name = "search_engine";
  if (wrong === null) return { name, status: "ok", detail: `${id} (${from})` };
  const next = "correct what is named there, or leave the engine out of providers.web.engines";
  return { name, status: "problem", detail: `${id} (${from}): ${wrong}`, next };
}

// --- MCP servers --------------------------------------------------------------------------------------------------

/** It is not started and not asked: that is for the run that needs it. */
function mcpServerCheck(setUp: SetUp, server: McpServerSettings, environment: Environment): Check {
  const name = "mcp_server";
  const missing = missingVariables(server, environment);
  if (missing.length > 0) {
    const detail = `${server.name} needs ${missing.join(", ")}, not set or with characters that no key has`;
    return { name, status: "problem", detail, next: `set ${missing.join(", ")} in the environment` };
  }
  const variables = variablesOf(server);
  const keys = variables.length === 0 ? "" : ` (with ${variables.join(", ")})`;
  if (server.kind === "http") {
    if (isWebAddress(withVariables(server, environment)))
      return { name, status: "ok", detail: `${server.name} at ${hostAsWritten(server)}${keys}` };
    const detail = `${server.name}: its url is no http or https URL, or has a user name in it`;
    return { name, status: "problem", detail, next: "correct it" };
  }
  const found = setUp.program(server.command);
  if (found !== null) return { name, status: "ok", detail: `${server.name} starts ${found}${keys}` };
  const detail = `${server.name}: there is no program ${server.command} that could be started`;
  return { name, status: "problem", detail, next: "name an executable file, or one on the PATH" };
}

function isWebAddress(server: McpServerSettings): boolean {
  const url = server.kind === "http" ? URL.parse(server.url) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** Variables stay as they are named: what they hold is not shown. */
function hostAsWritten({ url }: HttpServerSettings): string {
  return /^(?:https?:\/\/)?[^/?#]*/i.exec(url)?.[0] ?? "";
}
