// Takes out of text the secrets that a server was given, in the forms in which they may come back.
import { variablesOf, withVariables, type Environment } from "../../run/server-variables.ts";
import type { McpServerSettings } from "../../run/provider-settings.ts";

/** Shorter words stand in many a text. */
const MIN_LENGTH = 8;

/**
 * Everything that its settings hold beside the command and the place, and the variables that they name: whole, and word
 * by word, since "Bearer" is no secret and what follows it is. The longest first, so that none is masked in part.
 */
export function secretsOf(settings: McpServerSettings, environment: Environment): string[] {
  const filled = withVariables(settings, environment);
  const given =
    filled.kind === "http"
      ? [...Object.values(filled.headers ?? {}), ...valuesInQuery(filled.url)]
      : Object.values(filled.env ?? {});
  const variables = variablesOf(settings).map((name) => environment[name]?.trim() ?? "");
  return [...given, ...variables]
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .flatMap((word) => (word.length < MIN_LENGTH ? [] : formsOf(word)))
    .toSorted((left, right) => right.length - left.length);
}

/** Many servers take their key in the query. */
function valuesInQuery(text: string): string[] {
  const url = URL.parse(text);
  return url === null ? [] : [...url.searchParams.values()];
}

/** Base64 without what fills it up: more may follow it. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64];
}

/** The text with each of them taken out. */
export function masked(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, "[secret]"), text);
}
