// Opens the search engines that are set up, and queries one after the other until one answers.
import { RunError } from "../../../kernel/errors.ts";
import { ProviderFailure } from "../../../ports/provider-failure.ts";
import type { SearchEngineId } from "../../../run/settings/provider-settings.ts";
import { mostHopeful } from "../../most-hopeful.ts";
import { brave } from "./brave.ts";
import { endpointOf, type EngineTools, type SearchEngine, type SearchHit } from "./engine.ts";
import { exa } from "./exa.ts";
import { searxng } from "./searxng.ts";
import { tavily } from "./tavily.ts";

export interface EngineSettings {
  /** The engines to query, in this order; by default all that are set up. */
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
    const value = valueOf(id, settings, environment);
    if (value === "") return [];
    const reason = wrongIn(id, value);
    if (reason !== null)
      throw id === "searxng"
        ? new RunError("INVALID_ARGS", { reason, key: SEARXNG_KEY })
        : new RunError("INVALID_ARGS.variable", { reason, variable: KEY_VARIABLES[id] });
    return id === "searxng" ? searxng(value, tools) : { brave, tavily, exa }[id](value, tools, settings.urls?.[id]);
  });
}

interface EngineSetUp {
  id: SearchEngineId;
  from: string;
  /** The reason why it cannot be queried; null when it can. */
  wrong: string | null;
}

/** Describes the engines for people, without keys. An engine that `order` names is listed even if it is not set up. */
export function setUpEngines(settings: EngineSettings, environment: KeyEnvironment): EngineSetUp[] {
  return (settings.order ?? ALL).flatMap((id): EngineSetUp[] => {
    const value = valueOf(id, settings, environment);
    if (value === "" && settings.order === undefined) return [];
    const wrong = wrongIn(id, value);
    if (id !== "searxng") return [{ id, from: `key from ${KEY_VARIABLES[id]}`, wrong }];
    return [{ id, from: wrong === null ? endpointOf(value) : SEARXNG_KEY, wrong }];
  });
}

const SEARXNG_KEY = "providers.web.searxng_url";

/** The key of an engine, or the address of SearXNG; "" when it is not set. */
function valueOf(id: SearchEngineId, { searxngUrl }: EngineSettings, environment: KeyEnvironment): string {
  return (id === "searxng" ? searxngUrl : environment[KEY_VARIABLES[id]])?.trim() ?? "";
}

/** The reason why the value cannot be right, else null. It never repeats the value, which may hold a key. */
function wrongIn(id: SearchEngineId, value: string): string | null {
  if (value === "") return "it is not set";
  if (id !== "searxng") return /^[\x21-\x7e]+$/.test(value) ? null : "the key holds characters that no key has";
  const url = URL.parse(value);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (isWeb && url.username === "" && url.password === "") return null;
  return "the address of SearXNG is no http or https URL, or has a user name in it";
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
