// `doctor`: checks the set-up of this machine, part by part, and says what is wrong. It changes nothing.
import { dirname } from "node:path";
import { shellQuote } from "../../kernel/shell.ts";
import type { FolderFacts, SetUp } from "../../ports/set-up.ts";
import type { HttpServerSettings, McpServerSettings } from "../../run/settings/provider-settings.ts";
import { missingVariables, variablesOf, withVariables, type Environment } from "../../run/settings/server-variables.ts";

export interface Check {
  name: string;
  /** A problem keeps something from working; a warning does not. */
  status: "ok" | "warning" | "problem";
  detail: string;
  next?: string;
}

export function ok(name: string, detail: string): Check {
  return { name, status: "ok", detail };
}

export function warning(name: string, detail: string, next: string): Check {
  return { name, status: "warning", detail, next };
}

export function problem(name: string, detail: string, next: string): Check {
  return { name, status: "problem", detail, next };
}

export interface CheckedPlaces {
  /** Null when nothing says where runs are kept. */
  runsRoot: string | null;
  /** Null keeps the index in memory. */
  indexFolder: string | null;
  lease: { lease_seconds: number; heartbeat_seconds: number };
  /** The command that halts are reported to. */
  onHalt: readonly string[] | null;
  /** `from`: where its key or its address comes from. `wrong`: why it cannot be queried, or null. */
  engines: readonly { id: string; from: string; wrong: string | null }[];
  mcpServers: readonly McpServerSettings[];
  /** Holds the variables that MCP servers name. */
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
  const { onHalt, telemetry } = places;
  return [
    bunCheck(setUp),
    programCheck(setUp, places.isOnPath),
    runsRootCheck(places, setUp),
    indexCheck(places, setUp),
    documentsCheck(unreadable),
    leaseCheck(places.lease),
    ...(onHalt === null ? [] : [onHaltCheck(setUp, onHalt)]),
    ...(telemetry === null ? [] : [telemetryCheck(setUp, telemetry)]),
    ...places.engines.map(engineCheck),
    ...places.mcpServers.map((server) => mcpServerCheck(setUp, server, places.environment)),
  ];
}

function bunCheck({ bun }: SetUp): Check {
  const { version, pinned, is } = bun;
  if (is === "pinned") return ok("bun", `${version}, the one this is tested with`);
  return (is === "newer" ? warning : problem)("bun", `${version}; tested with ${pinned}`, `install Bun ${pinned}`);
}

/** Where cron and systemd look for programs by themselves, and one folder that most systems add. */
const SHORT_PATH = ["/usr/local/bin", "/usr/bin", "/bin"];

function programCheck(setUp: SetUp, isOnPath: boolean): Check {
  const [found, bun] = [setUp.program("deep-research"), setUp.program("bun")];
  if (isOnPath && found !== null) {
    const folders = [found, ...(bun === null ? [] : [bun])].map((program) => dirname(program));
    const line = `PATH=${[...new Set([...folders, ...SHORT_PATH])].join(":")}`;
    const how = setUp.home === null ? "as it was built" : "from its source, which `bun run build` makes faster";
    return ok("path", `${found} starts this program, ${how}; the line for cron: ${line}`);
  }
  if (bun === null && setUp.home !== null) {
    const detail = "deep-research is started by bun, which is not on the PATH";
    return warning("path", detail, `npm install -g bun@${setUp.bun.pinned}`);
  }
  return warning(
    "path",
    found === null ? "deep-research is not on the PATH" : `${found} starts another program than this one`,
    setUp.home === null ? "put the folder of this program on the PATH" : `npm install -g ${shellQuote(setUp.home)}`,
  );
}

function runsRootCheck({ runsRoot, cliInvocation }: CheckedPlaces, setUp: SetUp): Check {
  const name = "runs_root";
  if (runsRoot === null) {
    const detail = "nothing says where runs are kept: HOME is not set";
    return problem(name, detail, "set HOME, or runs_root in a configuration file, or give --runs-root DIR");
  }
  const folder = setUp.folder(runsRoot);
  const elsewhere = "choose another folder: --runs-root DIR, or runs_root in a configuration file";
  if (folder.network !== null) {
    const detail = `${runsRoot} lies on ${folder.network}, where appends are not atomic: no run is made there`;
    return problem(name, detail, elsewhere);
  }
  const room = `${cliInvocation} prune --older-than 30d --dry-run --runs-root ${shellQuote(runsRoot)}`;
  return folderCheck(name, runsRoot, folder, { elsewhere, room });
}

/** Runs work without an index, only slower. */
function indexCheck({ indexFolder, cliInvocation }: CheckedPlaces, setUp: SetUp): Check {
  const name = "cache_dir";
  if (indexFolder === null) {
    const detail = "nothing says where the index is kept: it is made anew in memory for each run";
    return warning(name, detail, "set HOME, or cache_dir in a configuration file");
  }
  const folder = setUp.folder(indexFolder);
  const elsewhere = "choose another folder: cache_dir in a configuration file";
  if (folder.network !== null) {
    const detail = `${indexFolder} lies on a network file system (${folder.network}): the index is made anew in memory for each run`;
    return warning(name, detail, elsewhere);
  }
  const checked = folderCheck(name, indexFolder, folder, { elsewhere, room: `${cliInvocation} cache clear` });
  return checked.status === "problem" ? { ...checked, status: "warning" } : checked;
}

function folderCheck(
  name: string,
  path: string,
  { nearest, exists, isFolder, isWritable, freeBytes }: FolderFacts,
  { elsewhere, room }: { elsewhere: string; room: string },
): Check {
  if (!isFolder) return problem(name, `${nearest} is not a folder`, elsewhere);
  if (!isWritable) return problem(name, `this user cannot write in ${nearest}`, `allow it, or ${elsewhere}`);
  const free = freeBytes === null ? "" : `, ${Math.floor(freeBytes / MEBIBYTE)} MiB free`;
  const detail = `${path}${exists ? "" : ", which is made when it is needed"}${free}`;
  return freeBytes !== null && freeBytes < LITTLE_SPACE_BYTES
    ? warning(name, detail, `make room: ${room}`)
    : ok(name, detail);
}

function documentsCheck(unreadable: string | null): Check {
  if (unreadable === null) return ok("documents", "HTML, PDF, Word and EPUB can be read, in a process of their own");
  const detail = `the child process that reads HTML, PDF, Word and EPUB does not work: ${unreadable}`;
  return problem("documents", detail, "install deep-research anew; Markdown and plain text can be read without it");
}

function leaseCheck({ lease_seconds, heartbeat_seconds }: CheckedPlaces["lease"]): Check {
  return ok("lease", `of ${lease_seconds} s, refreshed every ${heartbeat_seconds} s; new runs keep it`);
}

function onHaltCheck(setUp: SetUp, [program = ""]: readonly string[]): Check {
  const found = setUp.program(program);
  return found === null ? noProgram("on_halt", `there is no program ${program}`) : ok("on_halt", `starts ${found}`);
}

function noProgram(name: string, what: string): Check {
  return problem(name, `${what} that could be started`, "name an executable file, or one on the PATH");
}

const FILE_SINK = "file:";

function telemetryCheck(setUp: SetUp, { sink, wrong }: { sink: string; wrong: string | null }): Check {
  const name = "telemetry";
  if (wrong !== null) return problem(name, wrong, "correct it: until then no command works on a run");
  if (!sink.startsWith(FILE_SINK)) return ok(name, `goes to ${sink}`);
  const path = sink.slice(FILE_SINK.length);
  const { exists, isFolder, isWritable } = setUp.folder(dirname(path));
  if (exists && isFolder && isWritable) return ok(name, `goes to the end of ${path}`);
  const detail = `${path} cannot be written: runs continue without telemetry`;
  return warning(name, detail, "make its folder, or name another file");
}

function engineCheck({ id, from, wrong }: CheckedPlaces["engines"][number]): Check {
  const name = "search_engine";
  if (wrong === null) return ok(name, `${id} (${from})`);
  const next = "correct what is named there, or leave the engine out of providers.web.engines";
  return problem(name, `${id} (${from}): ${wrong}`, next);
}

/** The server is neither started nor called: only a run that needs it does that. */
function mcpServerCheck(setUp: SetUp, server: McpServerSettings, environment: Environment): Check {
  const name = "mcp_server";
  const missing = missingVariables(server, environment).join(", ");
  if (missing !== "") {
    const detail = `${server.name} needs ${missing}, not set or with characters that no key has`;
    return problem(name, detail, `set ${missing} in the environment`);
  }
  const variables = variablesOf(server);
  const keys = variables.length === 0 ? "" : ` (with ${variables.join(", ")})`;
  if (server.kind === "http") {
    if (isWebAddress(withVariables(server, environment)))
      return ok(name, `${server.name} at ${hostAsWritten(server)}${keys}`);
    return problem(name, `${server.name}: its url is no http or https URL, or has a user name in it`, "correct it");
  }
  const found = setUp.program(server.command);
  if (found !== null) return ok(name, `${server.name} starts ${found}${keys}`);
  return noProgram(name, `${server.name}: there is no program ${server.command}`);
}

function isWebAddress(server: McpServerSettings): boolean {
  const url = server.kind === "http" ? URL.parse(server.url) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** With the names of variables, since their values are not shown. */
function hostAsWritten({ url }: HttpServerSettings): string {
  return /^(?:https?:\/\/)?[^/?#]*/i.exec(url)?.[0] ?? "";
}
