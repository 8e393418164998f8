// Opens the MCP provider over servers of the tests.
import path from "node:path";
import type { BlockedUrl } from "../../../src/run/report/blocked-urls.ts";
import {
  openMcpProvider,
  type McpProvider,
  type McpSettings,
  type McpTools,
} from "../../../src/providers/mcp/mcp-provider.ts";
import { mcpServerSchema, type McpServerSettings } from "../../../src/run/settings/provider-settings.ts";
import { realClock } from "../../../src/system/clock.ts";
import { plainExtract, toLoopback } from "../web/loopback.ts";

export interface OpenMcp extends Disposable {
  provider: McpProvider;
  /** All failures so far. */
  readonly blocked: BlockedUrl[];
}

export function openMcp(
  servers: readonly McpServerSettings[],
  settings: Partial<McpSettings> = {},
  tools: Partial<McpTools> = {},
): OpenMcp {
  const blocked: BlockedUrl[] = [];
  const provider = openMcpProvider(
    { servers, sensitivity: "normal", allowedHosts: [], ...settings },
    {
      clock: realClock,
      environment: process.env,
      extract: plainExtract,
      resolve: toLoopback,
      ...tools,
    },
  );
  return {
    provider,
    get blocked() {
      blocked.push(...provider.takeBlocked());
      return blocked;
    },
    [Symbol.dispose]: () => provider.close(),
  };
}

/** The settings of the odd server in one of its modes. */
export function oddServer(mode: string, more: Record<string, unknown> = {}, ...words: string[]): McpServerSettings {
  const script = path.join(import.meta.dir, "odd-server.ts");
  return mcpServerSchema.parse({
    name: "odd",
    kind: "stdio",
    command: process.execPath,
    args: [script, mode, ...words],
    ...more,
  });
}
