// Settings of the web provider, and its limits in size and time.
import type { BlockedUrl } from "../../run/blocked-urls.ts";
import type { EngineAnswer } from "../../run/engine-answer.ts";
import type { Sensitivity } from "../../run/settings.ts";
import type { EngineSettings } from "./engines/engines.ts";
import type { PolitenessOptions } from "./host-turns.ts";

export interface WebSettings {
  sensitivity: Sensitivity;
  /** Names, `*.name`, addresses and ranges; see `Reach`. */
  allowedHosts: readonly string[];
  ports?: readonly number[] | undefined;
  engines: EngineSettings;
  /** Pages that are always among those searched. */
  seeds: readonly string[];
  /** An address of mail or web that sites find in our User-Agent. */
  contact?: string | undefined;
  limits?: Partial<WebLimits>;
  politeness?: Partial<PolitenessOptions>;
  /** What engines answered before. */
  answered?: readonly EngineAnswer[] | undefined;
  /** What could not be reached before. */
  unreached?: readonly BlockedUrl[] | undefined;
}

export interface WebLimits {
  /** For one page, after decompression. */
  maxPageBytes: number;
  pageMs: number;
  idleMs: number;
  /** For one search, its pages included. What has come by then is searched. */
  searchMs: number;
  /** Pages read for one search, beside the seeds. */
  pagesPerSearch: number;
  /** How often engines are asked in all; then the pages that they named so far are searched. */
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
