// Opens the providers that a run queries for evidence: folders, the web and MCP servers, in their order.
import { unreachable } from "../kernel/assert.ts";
import { RunError } from "../kernel/errors.ts";
import type { Clock } from "../ports/clock.ts";
import { type EvidenceWanted, noCorpus, type OpenCorpora, type Provider } from "../ports/provider.ts";
import { replaced } from "../kernel/replaced.ts";
import type { ProviderId } from "../run/common.ts";
import type { ProvidersConfiguration } from "../run/settings/provider-settings.ts";
import { wantedProviders } from "../run/log/provenance.ts";
import type { ExtractText } from "./documents.ts";
import { FallbackProvider } from "./fallback.ts";
import { openFilesystemCorpora } from "./filesystem.ts";

/** The set-up of the user, which no run can change. */
interface EvidenceSetUp {
  cacheFolder: string | null;
  clock: Clock;
  /** Holds the keys of search engines. */
  environment: Readonly<Record<string, string | undefined>>;
  providers: ProvidersConfiguration;
  allowedHosts: readonly string[];
}

/**
 * Folders that the run has but did not request are queried when all other providers failed. Errors: `INVALID_ARGS` for a provider
 * that is not set up, and for one that can reach nothing under the sensitivity.
 */
export function openEvidence(setUp: EvidenceSetUp): OpenCorpora {
  const openFolders = openFilesystemCorpora(setUp);
  return async (folders, { wanted, ...options }) => {
    const { ids, from } = wantedProviders(wanted?.providers ?? { run: [], workspace: [] });
    if (ids.includes("filesystem") && folders.length === 0) throw noCorpus();
    if (wanted === undefined || (ids.length === 1 && ids[0] === "filesystem"))
      return await openFolders(folders, options);
    const { openDocumentTexts } = await import("./text-of-document.ts");
    const texts = openDocumentTexts();
    const opened: Provider[] = [];
    try {
      const distant = new Map<ProviderId, Provider>();
      for (const id of ids) if (id !== "filesystem") distant.set(id, await openNamed(id, setUp, wanted, texts.extract));
      opened.push(...distant.values());
      const { provider: ofFolders, reports } = folders.length === 0 ? NO_FOLDERS : await openFolders(folders, options);
      if (ofFolders !== null) opened.push(ofFolders);
      const inOrder = ids.flatMap((id) => distant.get(id) ?? ofFolders ?? []);
      const providers = ofFolders === null || inOrder.includes(ofFolders) ? inOrder : [...inOrder, ofFolders];
      const fallback = new FallbackProvider({ providers, requested: ids[0], resolvedFrom: from });
      const close = (): void => {
        fallback.close();
        texts.close();
      };
      return { provider: replaced(fallback, { close }), reports };
    } catch (error) {
      for (const provider of opened) provider.close();
      texts.close();
      throw error;
    }
  };
}

const NO_FOLDERS = { provider: null, reports: [] };

/** Opens a provider, and names it in the error of any of its parts. */
async function openNamed(
  id: Exclude<ProviderId, "filesystem">,
  ...rest: [setUp: EvidenceSetUp, wanted: EvidenceWanted, extract: ExtractText]
): Promise<Provider> {
  try {
    return await openDistant(id, ...rest);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    throw error.with({ provider: id });
  }
}

async function openDistant(
  id: Exclude<ProviderId, "filesystem">,
  { clock, environment, providers, allowedHosts }: EvidenceSetUp,
  { sensitivity, mostQueries, answered, unreached }: EvidenceWanted,
  extract: ExtractText,
): Promise<Provider> {
  const tools = { clock, environment, extract };
  const isOpen = sensitivity === "normal" || allowedHosts.length > 0;
  switch (id) {
    case "mcp": {
      const servers = providers.mcp?.servers ?? [];
      const ofStdio = servers.filter((server) => server.kind === "stdio");
      const isOffline = ofStdio.some((server) => server.is_offline === true);
      if (servers.length > 0 && !isOpen && !isOffline)
        throw nothingToReach(
          id,
          sensitivity,
          ofStdio.map(({ name }) => name),
        );
      const { openMcpProvider } = await import("./mcp/mcp-provider.ts");
      return openMcpProvider({ servers, sensitivity, allowedHosts }, tools);
    }
    case "web": {
      if (!isOpen) throw nothingToReach(id, sensitivity, []);
      const { openWebProvider } = await import("./web/web-provider.ts");
      const { engines: order, searxng_url: searxngUrl, seeds = [], contact, ports } = providers.web ?? {};
      const engines = { order, searxngUrl };
      const limits = mostQueries === undefined ? {} : { mostQueries };
      const before = { answered, unreached };
      return openWebProvider({ sensitivity, allowedHosts, ports, engines, seeds, contact, limits, ...before }, tools);
    }
    default:
      return unreachable(id, "a provider that nothing opens");
  }
}

/** `stdioServers` would be started if their settings said that they stay offline. */
function nothingToReach(
  provider: ProviderId,
  sensitivity: EvidenceWanted["sensitivity"],
  stdioServers: readonly string[],
): RunError {
  return new RunError("INVALID_ARGS.out_of_reach", {
    reason: `a run with sensitivity ${sensitivity} reaches nothing by the ${provider} provider: allowed_hosts is empty`,
    provider,
    option: "--sensitivity",
    ...(stdioServers.length === 0 ? {} : { stdio_servers: stdioServers }),
  });
}
