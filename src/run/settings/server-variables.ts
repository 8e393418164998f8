// Fills in the variables of the environment that settings of MCP servers name as `${NAME}`, so that keys stay out of files.
import { memberOf } from "../../kernel/member.ts";
import { RunError } from "../../kernel/errors.ts";
import type { McpServerSettings } from "./provider-settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{(\w+)\}/g;

/** The variables in the values of `env`, or in `url` and `headers`, each once. */
export function variablesOf(server: McpServerSettings): string[] {
  const texts =
    server.kind === "http" ? [server.url, ...Object.values(server.headers ?? {})] : Object.values(server.env ?? {});
  return [...new Set(texts.flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name = ""]) => name)))];
}

/** The variables that are not set, or that hold characters which no header and no URL can hold. */
export function missingVariables(server: McpServerSettings, environment: Environment): string[] {
  return variablesOf(server).filter((name) => !isUsable(valueOf(name, environment), server.kind));
}

/** The settings with the values of their variables. Errors: `INVALID_ARGS` that names a variable, never its value. */
export function withVariables(server: McpServerSettings, environment: Environment): McpServerSettings {
  const [variable] = missingVariables(server, environment);
  if (variable !== undefined)
    throw new RunError("INVALID_ARGS.unset_variable", {
      reason: "an MCP server needs a variable that is not set, or that holds characters no key has",
      server: server.name,
      unset_variable: variable,
    });
  const fill = (text: string): string => text.replace(VARIABLE, (_all, name: string) => valueOf(name, environment));
  const fillAll = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  if (server.kind === "stdio") return server.env === undefined ? server : { ...server, env: fillAll(server.env) };
  const { headers } = server;
  return { ...server, url: fill(server.url), ...(headers === undefined ? {} : { headers: fillAll(headers) }) };
}

/** The value of a variable; empty when it is not set. */
export function valueOf(name: string, environment: Environment): string {
  return memberOf(environment, name)?.trim() ?? "";
}

function isUsable(value: string, kind: McpServerSettings["kind"]): boolean {
  return value !== "" && (kind === "stdio" || /^[\x20-\x7e]*$/.test(value));
}
