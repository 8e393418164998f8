// The search engines that are set up, asked one after the other until one answers.
import { RunError } from "../../../kernel/errors.ts";
import { plainUrl, ProviderFailure } from "../../../ports/provider-failure.ts";
import type { SearchEngineId } from "../../../run/provider-settings.ts";
import { mostHopeful } from "../../most-hopeful.ts";
import { brave } from "./brave.ts";
import type { EngineTools, SearchEngine, SearchHit } from "./engine.ts";
import { exa } from "./exa.ts";
import { searxng } from "./searxng.ts";
import { tavily } from "./tavily.ts";

export interface EngineSettings {
  /** Which to ask, in this order; without it every one that is set up. */
  order?: readonly SearchEngineId[] | undefined;
  searxngUrl?: string | undefined;
  /** Other places of the same interfaces: gateways, and the servers of tests. */
  urls?: Partial<Record<SearchEngineId, string>>;
}

/** Keys come from here alone, and go nowhere but into the request. */
export type KeyEnvironment = Readonly<Record<string, string | undefined>>;

export const KEY_VARIABLES = { brave: "BRAVE_API_KEY", tavily: "TAVILY_API_KEY", exa: "EXA_API_KEY" } as const;

const ALL: readonly SearchEngineId[] = ["searxng", "brave", "tavily", "exa"];

/** Those that are asked for and set up. */
export function enginesOf(settings: EngineSettings, environment: KeyEnvironment, tools: EngineTools): SearchEngine[] {
  return (settings.order ?? ALL).flatMap((id) => {
    const engine = engineOf(id, settings, environment, tools);
    return engine === null ? [] : [engine];
  });
}

/** Which they are, for people; without their keys. */
export function setUpEngines(
  { order, searxngUrl }: EngineSettings,
  environment: KeyEnvironment,
): { id: SearchEngineId; from: string }[] {
  const found: { id: SearchEngineId; from: string }[] = [];
  for (const id of order ?? ALL) {
    if (id === "searxng") {
      if (searxngUrl !== undefined) found.push({ id, from: placeOf(searxngUrl) });
    } else if ((environment[KEY_VARIABLES[id]]?.trim() ?? "") !== "") {
      found.push({ id, from: `key from ${KEY_VARIABLES[id]}` });
    }
  }
  return found;
}

/** Without what may be a key. */
function placeOf(address: string): string {
  const url = URL.parse(plainUrl(address));
  return url === null ? "an address that cannot be read" : `${url.origin}${url.pathname}`;
}

function engineOf(
  id: SearchEngineId,
  { searxngUrl, urls = {} }: EngineSettings,
  environment: KeyEnvironment,
  tools: EngineTools,
): SearchEngine | null {
  if (id === "searxng") return searxngUrl === undefined ? null : searxng(searxngUrl, tools);
  const key = environment[KEY_VARIABLES[id]]?.trim() ?? "";
  if (key === "") return null;
  // What refuses a bad header says what stood in it.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new RunError("INVALID_ARGS", {
      reason: "the key holds characters that no key has",
      variable: KEY_VARIABLES[id],
    });
  return { brave, tavily, exa }[id](key, tools, urls[id]);
}

/** The hits of the first engine that answers. When none does: its failure that passes, or else the first. */
export async function searchEngines(
  engines: readonly SearchEngine[],
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ hits: SearchHit[]; failures: ProviderFailure[] }> {
  const failures: ProviderFailure[] = [];
  for (const engine of engines) {
    try {
      return { hits: await engine.search(query, limit, signal), failures };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFailure)) throw error;
      failures.push(error);
    }
  }
  throw mostHopeful(failures);
}
