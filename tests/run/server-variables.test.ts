// Variables that the settings of MCP servers name: those that are not set are told, whatever they are called.
import { expect, test } from "bun:test";
import { secretsOf } from "../../src/providers/mcp/secrets.ts";
import type { McpServerSettings } from "../../src/run/settings/provider-settings.ts";
import { missingVariables, withVariables } from "../../src/run/settings/server-variables.ts";

function serverWith(token: string): McpServerSettings {
  return {
    kind: "http",
    name: "notes",
    url: "https://notes.example/mcp",
    headers: { authorization: `Bearer ${token}` },
  };
}

const ENVIRONMENT = { NOTES_TOKEN: " secret-of-notes ", EMPTY: " " };

test("a variable that is set is in its place and is a secret", () => {
  const server = serverWith("${NOTES_TOKEN}");
  expect(missingVariables(server, ENVIRONMENT)).toEqual([]);
  expect(withVariables(server, ENVIRONMENT)).toMatchObject({ headers: { authorization: "Bearer secret-of-notes" } });
  expect(secretsOf(server, ENVIRONMENT)).toContain("secret-of-notes");
});

test("a variable that is not set is named, also when every object inherits its name", () => {
  for (const name of ["OTHER", "EMPTY", "constructor", "__proto__", "toString"]) {
    expect(missingVariables(serverWith(`\${${name}}`), ENVIRONMENT)).toEqual([name]);
    expect(() => withVariables(serverWith(`\${${name}}`), ENVIRONMENT)).toThrow("a variable that is not set");
  }
});
