// What the ports are built with: the environment, and what only the user's own files say of endpoints and prices.
import type { Prices } from "../../run/prices.ts";
import type { ProvidersConfiguration } from "../../run/provider-settings.ts";
import type { PortsConfig } from "../../wiring.ts";
import type { Configuration } from "./configuration.ts";
import type { Environment } from "./environment.ts";
import type { Host } from "../host.ts";

export function portsConfig(
  host: Pick<Host, "environment" | "cliInvocation">,
  { indexFolder }: Pick<Environment, "indexFolder">,
  configuration: Configuration,
): PortsConfig {
  // Each was read by the schema of its kind (configuration-groups.ts).
  const valueOf = (key: string): unknown => configuration.inFiles(key)?.value;
  const web = valueOf("providers.web") as ProvidersConfiguration["web"];
  const mcp = valueOf("providers.mcp") as ProvidersConfiguration["mcp"];
  const prices = valueOf("prices") as Prices | undefined;
  const allowedHosts = valueOf("allowed_hosts") as string[] | undefined;
  return {
    indexFolder,
    cliInvocation: host.cliInvocation,
    environment: host.environment,
    providers: { ...(web === undefined ? {} : { web }), ...(mcp === undefined ? {} : { mcp }) },
    allowedHosts: allowedHosts ?? [],
    ...(prices === undefined ? {} : { prices }),
  };
}
