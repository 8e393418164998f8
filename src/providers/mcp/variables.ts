// Puts the values of variables where the settings of a server name them: so that keys stay in the environment.
import { RunError } from "../../kernel/errors.ts";
import type { McpServerSettings } from "../../run/provider-settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Errors: `INVALID_ARGS` that names the variable, never its value. */
export function withVariables(settings: McpServerSettings, environment: Environment): McpServerSettings {
  if (settings.kind === "http")
    return settings.headers === undefined
      ? settings
      : { ...settings, headers: filled(settings, settings.headers, environment) };
  return settings.env === undefined ? settings : { ...settings, env: filled(settings, settings.env, environment) };
}

function filled(
  { name: server, kind }: McpServerSettings,
  values: Readonly<Record<string, string>>,
  environment: Environment,
): Record<string, string> {
  const fill = (text: string): string =>
    text.replace(/\$\{(\w+)\}/g, (_all, variable: string) => {
      const value = environment[variable]?.trim();
      const isUsable = value !== undefined && value !== "" && (kind === "stdio" || /^[\x20-\x7e]*$/.test(value));
      if (!isUsable)
        throw new RunError("INVALID_ARGS", {
          reason: "an MCP server needs a variable that is not set, or that holds characters no key has",
          server,
          variable,
        });
      return value;
    });
  return Object.fromEntries(Object.entries(values).map(([key, text]) => [key, fill(text)]));
}
