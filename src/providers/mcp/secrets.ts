// Lists the secrets that a server was given, in the forms in which its messages may repeat them.
import { formsOf } from "../../kernel/secret-forms.ts";
import { valueOf, variablesOf, withVariables, type Environment } from "../../run/settings/server-variables.ts";
import type { McpServerSettings } from "../../run/settings/provider-settings.ts";

/** Shorter words are in many texts. */
const MIN_LENGTH = 8;

/**
 * The values of headers, of the query and of variables: whole, and word by word, since in "Bearer KEY" only the second word is
 * secret.
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

/** Many servers take their key in the query of their URL. */
function valuesInQuery(text: string): string[] {
  const url = URL.parse(text);
  return url === null ? [] : [...url.searchParams.values()];
}
