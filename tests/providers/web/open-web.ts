// Opens the web provider over sites on this machine.
import type { BlockedUrl } from "../../../src/run/report/blocked-urls.ts";
import { openWebProvider, type WebProvider, type WebTools } from "../../../src/providers/web/web-provider.ts";
import type { WebSettings } from "../../../src/providers/web/web-settings.ts";
import { SimulatedClock } from "../../simulation/clock.ts";
import { plainExtract, Site, toLoopback } from "./loopback.ts";

export interface OpenWeb extends Disposable {
  provider: WebProvider;
  clock: SimulatedClock;
  /** All failures so far. */
  readonly blocked: BlockedUrl[];
}

/** A clock that moves on by itself, so that pauses cost no time. */
export function openWeb(
  sites: readonly Site[],
  settings: Partial<WebSettings> = {},
  tools: Partial<WebTools> = {},
): OpenWeb {
  const clock = new SimulatedClock({ autoAdvance: true });
  const blocked: BlockedUrl[] = [];
  const provider = openWebProvider(
    {
      sensitivity: "normal",
      allowedHosts: ["127.0.0.1"],
      ports: sites.map(({ port }) => port),
      engines: {},
      seeds: settings.engines === undefined ? ["http://unused.test/"] : [],
      ...settings,
    },
    {
      clock,
      environment: {},
      extract: plainExtract,
      resolve: toLoopback,
      ...tools,
    },
  );
  return {
    provider,
    clock,
    get blocked() {
      blocked.push(...provider.takeBlocked());
      return blocked;
    },
    [Symbol.dispose]: () => provider.close(),
  };
}

/** A SearXNG that finds these pages for any query. */
export function searxngOver(urls: () => readonly string[]): Site {
  return new Site(() => Response.json({ results: urls().map((url) => ({ url, title: `called ${url}` })) }));
}
