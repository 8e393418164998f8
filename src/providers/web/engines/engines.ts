// Opens the search engines that are set up, and asks one after the other until one answers.
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
  /** The engines to ask, in this order; by default all that are set up. */
  order?: readonly SearchEngineId[] | undefined;
  searxngUrl?: string | undefined;
  /** Other URLs for engines: gateways, and the servers of tests. */
  urls?: Partial<Record<SearchEngineId, string>>;
}

/** Keys come only from here, and go only into requests. */
export type KeyEnvironment = Readonly<Record<string, string | undefined>>;

export const KEY_VARIABLES = { brave: "BRAVE_API_KEY", tavily: "TAVILY_API_KEY", exa: "EXA_API_KEY" } as const;

const ALL: readonly SearchEngineId[] = ["searxng", "brave", "tavily", "exa"];

/** The wanted engines that are set up. Errors: `INVALID_ARGS` for a key or an address that cannot be right. */
export function enginesOf(settings: EngineSettings, environment: KeyEnvironment, tools: EngineTools): SearchEngine[] {
  return (settings.order ?? ALL).flatMap((id) => {
    const engine = openEngine(id, settings, environment, tools);
    return engine === null ? [] : [engine];
  });
}

interface EngineSetUp {
  id: SearchEngineId;
  from: string;
  /** The reason why it cannot be asked; null when it can. */
  wrong: string | null;
}

/** Describes the engines for people, without keys. An engine that `order` names is listed even if it is not set up. */
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
  // The error for a bad header would repeat the key.
  if (!KEY.test(key)) throw new RunError("INVALID_ARGS", { reason: WRONG_KEY, variable: KEY_VARIABLES[id] });
  return { brave, tavily, exa }[id](key, tools, urls[id]);
}

const KEY = /^[\x21-\x7e]+$/;
const WRONG_KEY = "the key holds characters that no key has";
/** The message does not repeat the address, which may hold a key. */
const WRONG_ADDRESS = "the address of SearXNG is no http or https URL, or has a user name in it";

function webAddress(text: string): string | null {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  return isWeb && url.username === "" && url.password === "" ? text : null;
}

/** Gives the hits of the first engine that answers, and the failures before it. Throws the most hopeful failure if none does. */
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
