// docs/providers.md and the schemas of the settings say the same.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "bun:test";
import { strictlyParsed } from "../../src/cli/configuration/groups.ts";
import { DEFAULT_MCP_LIMITS } from "../../src/providers/mcp/limits.ts";
import { KEY_VARIABLES } from "../../src/providers/web/engines/engines.ts";
import { DEFAULT_PORTS } from "../../src/providers/web/reach.ts";
import { DEFAULT_WEB_LIMITS } from "../../src/providers/web/web-settings.ts";
import { UNREACHED_REASONS } from "../../src/run/report/blocked-urls.ts";
import {
  mcpServerSchema,
  providersConfigurationSchema,
  webConfigurationSchema,
} from "../../src/run/settings/provider-settings.ts";

const PAGE = fs.readFileSync(path.resolve(import.meta.dir, "../../docs/providers.md"), "utf8");

interface Row {
  key: string;
  fallback: string;
  example: unknown;
}

/** The rows of the first table behind these words. */
function tableBehind(words: string): Row[] {
  const at = PAGE.indexOf(words);
  expect(at, words).toBeGreaterThan(0);
  const [, ...rows] = /(?:^\|.*\n)+/m.exec(PAGE.slice(at))?.[0].trim().split("\n").slice(1) ?? [];
  return rows.map((row) => {
    const [key = "", , fallback = "", example = ""] = row.split(/ *\| */).slice(1, -1);
    return { key: unquoted(key), fallback, example: JSON.parse(unquoted(example)) as unknown };
  });
}

function unquoted(cell: string): string {
  return cell.replace(/^`(.*)`$/, "$1");
}

function keysOf(rows: readonly Row[]): string[] {
  return rows.map(({ key }) => key).toSorted();
}

const WEB = tableBehind("Keys of `providers.web`");
const EVERY = tableBehind("Keys of every server");
const STDIO = tableBehind("Further keys of a server over `stdio`");
const HTTP = tableBehind("Further keys of a server over `http`");

test("each key of the web provider is on the page, with a valid example", () => {
  expect(keysOf(WEB)).toEqual(Object.keys(webConfigurationSchema.shape).toSorted());
  const web = Object.fromEntries(WEB.map(({ key, example }) => [key, example]));
  expect(strictlyParsed(providersConfigurationSchema, { web })).toEqual({ web });
  expect(WEB.find(({ key }) => key === "ports")?.fallback).toBe(DEFAULT_PORTS.join(", "));
});

test("each key of an MCP server is on the page, with a valid example", () => {
  for (const [kind, own] of [
    ["stdio", STDIO],
    ["http", HTTP],
  ] as const) {
    const schema = mcpServerSchema.options.find(({ shape }) => shape.kind.safeParse(kind).success);
    expect(keysOf([...EVERY, ...own])).toEqual(Object.keys(schema?.shape ?? {}).toSorted());
    const server = Object.fromEntries([...EVERY, ...own].map(({ key, example }) => [key, example]));
    const servers = [{ ...server, kind }];
    expect(strictlyParsed(providersConfigurationSchema, { mcp: { servers } })).toEqual({ mcp: { servers } } as never);
    for (const { key, fallback } of [...EVERY, ...own]) {
      const rest = Object.fromEntries(Object.entries({ ...server, kind }).filter(([name]) => name !== key));
      expect(`${key} ${mcpServerSchema.safeParse(rest).success}`).toBe(`${key} ${fallback !== "needed"}`);
    }
  }
});

test("examples of servers, engines, limits and reasons are those of the code", () => {
  const examples = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => JSON.parse(text) as unknown);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) expect(strictlyParsed(mcpServerSchema, example)).toEqual(example as never);
  for (const variable of Object.values(KEY_VARIABLES)) expect(PAGE).toContain(`\`${variable}\``);
  for (const reason of UNREACHED_REASONS) expect(PAGE).toContain(`\`${reason}\``);
  const { maxPageBytes, pageMs, idleMs, searchMs } = DEFAULT_WEB_LIMITS;
  expect(PAGE).toContain(`A page is at most ${maxPageBytes / 1024 / 1024} MB`);
  expect(PAGE).toContain(
    `A page has ${pageMs / 1000} s in all, and ${idleMs / 1000} s without a byte. A search has ${searchMs / 1000} s`,
  );
  const { startMs, callMs, maxBytesPerCall, documentsPerSearch } = DEFAULT_MCP_LIMITS;
  expect(PAGE).toContain(`A server has ${startMs / 1000} s to start and ${callMs / 1000} s for a request.`);
  expect(PAGE).toContain(`One request returns at most ${maxBytesPerCall / 1024 / 1024} MB`);
  expect(PAGE).toContain(`${documentsPerSearch} documents at most`);
});
