// The secrets that a server was given, in the forms in which they may come back.
import { formsOf } from "../../kernel/secret-forms.ts";
import { valueOf, variablesOf, withVariables, type Environment } from "../../run/server-variables.ts";
import type { McpServerSettings } from "../../run/provider-settings.ts";

/** Shorter words stand in many a text. */
const MIN_LENGTH = 8;

/**
 * Everything that its settings hold beside the command and the place, and the variables that they name: whole, and word
 * by word, since "Bearer" is no secret and what follows it is.
 */
export function secretsOf(settings: McpServerSettings, environment: Environment): string[] {
  const filled = withVariables(settings, environment);
  const given =
    filled.kind === "http"
      ? [...Object.values(filled.headers ?? {}), ...valuesInQuery(filled.url)]
      : Object.values(filled.env ?? {});
  const variables = variablesOf(settings).map((name) => valueOf(name, environment));
  const words = [...given, ...variables].flatMap((value) => [value, ...value.split(/\s+/)]);
  return formsOf(words.filter((word) => word.length >= MIN_LENGTH));
}

/** Many servers take their key in the query. */
function valuesInQuery(text: string): string[] {
  const url = URL.parse(text);
  return url === null ? [] : [...url.searchParams.values()];
}
