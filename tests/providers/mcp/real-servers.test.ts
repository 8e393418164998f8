// Searches servers that other people wrote. They are no part of the project, and are installed outside of it as printed.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { mcpServerSchema } from "../../../src/run/settings/provider-settings.ts";
import { TemporaryFolder } from "../../corpus/temporary-folder.ts";
import { NO_ABORT } from "../web/loopback.ts";
import { openMcp } from "./open-mcp.ts";

const FOLDER = process.env["DEEP_RESEARCH_MCP_SERVERS"] ?? path.join(os.tmpdir(), "deep-research-mcp-servers");

function scriptOf(name: string): string {
  return path.join(FOLDER, "node_modules/@modelcontextprotocol", name, "dist/index.js");
}

function isMissing(name: string): boolean {
  if (fs.existsSync(scriptOf(name))) return false;
  console.log(
    `skipped: ${name} is not installed; mkdir -p ${FOLDER} && cd ${FOLDER} && bun add @modelcontextprotocol/${name}`,
  );
  return true;
}

describe("real servers", () => {
  test.skipIf(isMissing("server-filesystem"))("server-filesystem: its files by its own tools", async () => {
    using folder = new TemporaryFolder({
      "leases.md": "# Leases\n\nA lease is a right that ends.\n",
      "deep/boats.md": "# Boats\n\nBoats float on water.\n",
    });
    const real = fs.realpathSync(folder.path);
    const server = mcpServerSchema.parse({
      name: "files",
      kind: "stdio",
      command: process.execPath,
      args: [scriptOf("server-filesystem"), real],
      search_tool: "search_files",
      search_arguments: { path: real, pattern: "**/*.md" },
      search_answer: "lines",
      fetch_tool: "read_text_file",
      fetch_argument: "path",
    });
    using mcp = openMcp([server]);
    const [passage, ...others] = await mcp.provider.search("lease", 5, NO_ABORT);
    expect(others).toEqual([]);
    expect(passage).toMatchObject({
      origin: `files:read_text_file(${path.join(real, "leases.md")})`,
      text: "A lease is a right that ends.",
    });
    if (passage === undefined) return;
    expect(await mcp.provider.fetch(passage, NO_ABORT)).toMatchObject({ kind: "document" });
    expect(await mcp.provider.open("files:read_text_file(/etc/passwd)", NO_ABORT).catch(String)).toContain(
      "server_failed",
    );
  });

  test.skipIf(isMissing("server-everything"))("server-everything: its resources", async () => {
    const server = mcpServerSchema.parse({
      name: "everything",
      kind: "stdio",
      command: process.execPath,
      args: [scriptOf("server-everything"), "stdio"],
    });
    using mcp = openMcp([server]);
    const passages = await mcp.provider.search("architecture of the server", 5, NO_ABORT);
    expect(passages.length).toBeGreaterThan(0);
    expect(passages[0]?.origin).toStartWith("everything:");
    expect(mcp.blocked).toEqual([]);
  });
});
