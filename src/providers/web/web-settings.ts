// Defines the settings of the web provider, and its limits in size and time.
import type { BlockedUrl } from "../../run/report/blocked-urls.ts";
import type { EngineAnswer } from "../../run/report/engine-answer.ts";
import type { Sensitivity } from "../../run/settings/settings.ts";
import type { EngineSettings } from "./engines/engines.ts";
import type { PolitenessOptions } from "./host-turns.ts";

export interface WebSettings {
  sensitivity: Sensitivity;
  /** Names, `*.name`, addresses and ranges; see `Reach`. */
  allowedHosts: readonly string[];
  ports?: readonly number[] | undefined;
  engines: EngineSettings;
  /** URLs of pages that every search reads. */
  seeds: readonly string[];
  /** A mail or web address, which the User-Agent sends to sites. */
  contact?: string | undefined;
  limits?: Partial<WebLimits>;
  politeness?: Partial<PolitenessOptions>;
  /** Answers of engines to an earlier process of the run. */
  answered?: readonly EngineAnswer[] | undefined;
  /** Pages that an earlier process of the run could not reach. */
  unreached?: readonly BlockedUrl[] | undefined;
}

export interface WebLimits {
  /** Bytes of one page, after decompression. */
  maxPageBytes: number;
  pageMs: number;
  idleMs: number;
  /** Time for one search with its pages. The pages that came by then are searched. */
  searchMs: number;
  /** Pages that one search reads besides the seeds. */
  pagesPerSearch: number;
  /** Queries to engines in all. Later searches read the pages that engines named by then. */
  mostQueries: number;
  cacheBytes: number;
}

export const DEFAULT_WEB_LIMITS: WebLimits = {
  maxPageBytes: 20 * 1024 * 1024,
  pageMs: 60_000,
  idleMs: 20_000,
  searchMs: 120_000,
  pagesPerSearch: 8,
  mostQueries: Infinity,
  cacheBytes: 128 * 1024 * 1024,
};
