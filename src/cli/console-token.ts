// The token of `serve`: kept from one start to the next, so that open pages outlive a restart.
import { dirname, join } from "node:path";
import { digestOfBytes, hexOf } from "../kernel/digest.ts";
import { describeCause, RunError } from "../kernel/errors.ts";
import type { CommandContext } from "./command.ts";
import { standardFolder } from "./configuration/configuration.ts";

const TOKEN_BYTES = 32;

export interface ConsoleToken {
  token: string;
  /** Null for a token that ends with the server. */
  file: string | null;
  /** Why it is not kept. */
  why: string | null;
}

interface Options {
  /** A server that only shows has a token of its own. */
  isReadOnly: boolean;
  isNew: boolean;
}

/** Errors: `INVALID_ARGS` where the kept token is not this user's alone. */
export async function consoleToken(context: CommandContext, { isReadOnly, isNew }: Options): Promise<ConsoleToken> {
  const { host, ports, runsRoot } = context;
  const fresh = Buffer.from(ports.random.bytes(TOKEN_BYTES)).toString("base64url");
  const unkept = (why: string): ConsoleToken => ({ token: fresh, file: null, why });
  const state = standardFolder(host, "state");
  if (state === null) return unkept("HOME is not set");
  const folder = host.realPath(join(state, "console"));
  const around = sharedFolders(context).find((shared) => `${folder}/`.startsWith(`${shared}/`));
  if (around !== undefined) return unkept(`${folder} is inside ${around}`);
  // Hidden, so that no corpus ever takes it up.
  const mode = isReadOnly ? "-read-only" : "";
  const name = `.${hexOf(digestOfBytes(host.realPath(runsRoot()))).slice(0, 32)}${mode}`;
  try {
    return { token: await host.keptToken({ folder, name, fresh, isNew }), file: join(folder, name), why: null };
  } catch (error) {
    if (error instanceof RunError) throw error;
    return unkept(describeCause(error));
  }
}

/** Folders that others may be shown: the runs root, the workspace, and the corpora that are configured. */
function sharedFolders({ host, runsRoot, configuration, absolute }: CommandContext): string[] {
  const workspaces = configuration.layers.flatMap(({ origin }) =>
    origin.kind === "workspace" ? [dirname(absolute(origin.path))] : [],
  );
  const corpora = configuration.layers.flatMap(({ values }) => (values.get("corpus") ?? []) as string[]);
  return [runsRoot(), ...workspaces, ...corpora.map(absolute)].map((path) => host.realPath(path).replace(/\/$/, ""));
}
