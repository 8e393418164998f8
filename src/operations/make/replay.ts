// A run that replays a bundle: which settings it takes from the bundle, and which options it refuses.
import { digestOfJson } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Bundle } from "../../run/log/bundle.ts";
import type { Settings } from "../../run/settings/settings.ts";
import { readBundle, type ReadBundle } from "../bundle-folder.ts";
import type { InitOptions } from "../options.ts";

/** Null for a run that replays nothing. Errors: `INVALID_ARGS` for options that no replay has; those of `readBundle`. */
export async function replayFor(ports: Ports, options: InitOptions, signal?: AbortSignal): Promise<ReadBundle | null> {
  const { driver, bundle } = options;
  if (driver !== "fixture" && bundle === undefined) return null;
  if (driver !== "fixture")
    throw new RunError("INVALID_ARGS", { reason: "--bundle needs --driver fixture", driver, option: "--bundle" });
  if (bundle === undefined)
    throw new RunError("INVALID_ARGS", { reason: "a replay needs a bundle", driver, option: "--bundle" });
  const read = typeof bundle === "string" ? await readBundle(ports, bundle, signal) : bundle;
  refuseOthers(read.bundle, options);
  return read;
}

/** Errors: `INVALID_ARGS` for options with which the replay would not come to the recorded report. */
function refuseOthers({ question, scope, providers: recorded }: Bundle, options: InitOptions): void {
  const { corpora, providers, limits } = options;
  if (corpora.length > 0)
    throw new RunError("INVALID_ARGS", { reason: "a replay has the documents of its bundle", option: "--corpus" });
  if (providers.length > 0 && digestOfJson(providers) !== digestOfJson(recorded.run))
    throw new RunError("INVALID_ARGS", { reason: "a replay has the documents of its bundle", option: "--provider" });
  const recordedLimits = new Map(Object.entries(scope.limits));
  const parts: [string, boolean][] = [
    ["question", options.question !== undefined && options.question !== question],
    ["mode", options.mode !== undefined && options.mode !== scope.mode],
    ...Object.entries(limits).map(([name, limit]): [string, boolean] => [
      name,
      limit !== undefined && limit !== recordedLimits.get(name),
    ]),
  ];
  const differs_in = parts.flatMap(([name, differs]) => (differs ? [name] : []));
  if (differs_in.length === 0) return;
  throw new RunError("INVALID_ARGS", {
    reason: `the bundle was recorded with another ${differs_in.join(", ")}: leave that out`,
    option: "--bundle",
    differs_in,
  });
}

/** The settings of a replay that its bundle decides. */
export function settingsOfReplay({ bundle, content }: ReadBundle): Pick<Settings, "bundle" | "providers"> {
  const { scope, providers, report_digest } = bundle;
  const { driver, corpora, models, ranked_by } = scope;
  const made = { driver, corpora, ...given({ models, ranked_by }) };
  return { providers, bundle: { content, report_digest, ...made } };
}
