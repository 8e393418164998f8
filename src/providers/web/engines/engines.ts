// The search engines that are set up, asked one after the other until one answers.
import { RunError } from "../../../kernel/errors.ts";
import { ProviderFailure } from "../../../ports/provider-failure.ts";
import type { SearchEngineId } from "../../../run/provider-settings.ts";
import { mostHopeful } from "../../most-hopeful.ts";
import { brave } from "./brave.ts";
import { endpointOf, type EngineTools, type SearchEngine, type SearchHit } from "./engine.ts";
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
    const engine = openEngine(id, settings, environment, tools);
    return engine === null ? [] : [engine];
  });
}

export interface EngineSetUp {
  id: SearchEngineId;
  from: string;
  /** What keeps it from being asked. */
  wrong: string | null;
}

/** Which they are, for people; without their keys. One that is asked for by name is told of also when it is not set up. */
export function setUpEngines({ order, searxngUrl }: EngineSettings, environment: KeyEnvironment): EngineSetUp[] {
  return (order ?? ALL).flatMap((id): EngineSetUp[] => {
    const value = id === "searxng" ? searxngUrl : environment[KEY_VARIABLES[id]]?.trim();
    const from = id === "searxng" ? "providers.web.searxng_url" : `key from ${KEY_VARIABLES[id]}`;
    if (value === undefined || value === "") return order === undefined ? [] : [{ id, from, wrong: "it is not set" }];
    if (id !== "searxng") return [{ id, from, wrong: KEY.test(value) ? null : WRONG_KEY }];
    const url = webAddress(value);
    return [url === null ? { id, from, wrong: WRONG_ADDRESS } : { id, from: endpointOf(url), wrong: null }];
  });
}

function openEngine(
  id: SearchEngineId,
  { searxngUrl, urls = {} }: EngineSettings,
  environment: KeyEnvironment,
  tools: EngineTools,
): SearchEngine | null {
  if (id === "searxng") {
    if (searxngUrl === undefined) return null;
    const url = webAddress(searxngUrl);
    if (url === null) throw new RunError("INVALID_ARGS", { reason: WRONG_ADDRESS, key: "providers.web.searxng_url" });
    return searxng(url, tools);
  }
  const key = environment[KEY_VARIABLES[id]]?.trim() ?? "";
  if (key === "") return null;
  // What refuses a bad header says what stood in it.
  if (!KEY.test(key)) throw new RunError("INVALID_ARGS", { reason: WRONG_KEY, variable: KEY_VARIABLES[id] });
  return { brave, tavily, exa }[id](key, tools, urls[id]);
}

const KEY = /^[\x21-\x7e]+$/;
const WRONG_KEY = "the key holds characters that no key has";
/** What stands there is not said: it may hold a key. */
const WRONG_ADDRESS = "the address of SearXNG is no http or https URL, or has a user name in it";

function webAddress(text: string): string | null {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  return isWeb && url.username === "" && url.password === "" ? text : null;
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
