// Every setting as it stands: its value and where that was said, from the command line down to what is built in.
import { join, resolve } from "node:path";
import { RunError } from "../kernel/errors.ts";
import { DEFAULT_SETTINGS, LIMITS_BY_MODE, MODES, type Mode } from "../run/settings.ts";
import { STAGES } from "../run/stage.ts";
import type { Configuration, Origin, Said } from "./configuration.ts";
import { SETTINGS } from "./configuration-keys.ts";
import { readTimes } from "./environment.ts";
import type { Host } from "./host.ts";
import { CONFIGURED, MODE, SENSITIVITY, THIS_DRIVER, THIS_PROVIDER } from "./init-options.ts";
import { flagName, settingName, type CommonValues } from "./options.ts";
import { standardFolder } from "./standard-folders.ts";

export interface ShownSetting {
  key: string;
  value: unknown;
  /** `flag --runs-root`, `environment DEEP_RESEARCH_MODE`, `workspace /work/deep-research.json`, `built-in`. */
  origin: string;
}

const BUILT_IN = "built-in";
const KINDS = { workspace: "workspace", user: "user", given: "--config" } as const;

/** What cannot be read is added to the problems and shown without a value. */
export function listSettings(
  host: Host,
  configuration: Configuration,
  common: CommonValues,
  problems: RunError[],
): ShownSetting[] {
  const say = (key: string, find: () => Omit<ShownSetting, "key">): ShownSetting => {
    try {
      return { key, ...find() };
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      problems.push(error);
      return { key, value: null, origin: "cannot be read" };
    }
  };
  const options = Object.entries(SETTINGS).map(([key, spec]) =>
    say(settingName(key), () => {
      const flag = flagSaid(host, common, key);
      return flag ?? shown(configuration.find(key, spec)) ?? builtIn(host, configuration, key);
    }),
  );
  return [...options, ...groupSettings(configuration), ...timeSettings(host, configuration, problems)];
}

function flagSaid(host: Host, common: CommonValues, key: string): Omit<ShownSetting, "key"> | null {
  const value = Object.hasOwn(common, key) ? common[key as keyof CommonValues] : undefined;
  if (value === undefined || value === false) return null;
  const isFolder = key === "runsRoot" && typeof value === "string";
  return { value: isFolder ? resolve(host.workingFolder, value) : value, origin: `flag ${flagName(key)}` };
}

function shown(said: Said | undefined): Omit<ShownSetting, "key"> | null {
  return said === undefined ? null : { value: said.value, origin: originText(said.origin) };
}

function originText(origin: Origin): string {
  return origin.kind === "variable" ? `environment ${origin.name}` : `${KINDS[origin.kind]} ${origin.path}`;
}

// --- what is built in ---------------------------------------------------------------------------------------------

function builtIn(host: Host, configuration: Configuration, key: string): Omit<ShownSetting, "key"> {
  const mode = modeOf(configuration);
  const limits: Readonly<Record<string, number>> = LIMITS_BY_MODE[mode];
  const limit = limits[settingName(key)];
  if (limit !== undefined) return { value: limit, origin: `${BUILT_IN} (mode ${mode})` };
  const data = standardFolder(host, "data");
  const values: Readonly<Record<string, unknown>> = {
    runsRoot: data === null ? null : join(data, "runs"),
    cacheDir: standardFolder(host, "cache"),
    corpus: [],
    provider: [THIS_PROVIDER],
    driver: THIS_DRIVER,
    mode: MODE,
    sensitivity: SENSITIVITY,
    onInterrupt: DEFAULT_SETTINGS.policies.on_interrupt,
    onDrift: DEFAULT_SETTINGS.policies.on_drift,
    quiet: false,
    noColor: false,
  };
  return { value: values[key] ?? null, origin: BUILT_IN };
}

/** A mode that cannot be read is told of under its own key. */
function modeOf(configuration: Configuration): Mode {
  try {
    const said = configuration.find("mode", CONFIGURED.mode)?.value;
    return MODES.find((mode) => mode === said) ?? MODE;
  } catch {
    return MODE;
  }
}

// --- groups -------------------------------------------------------------------------------------------------------

function groupSettings(configuration: Configuration): ShownSetting[] {
  const mode = modeOf(configuration);
  const withOption = new Set(Object.keys(CONFIGURED).map(settingName));
  const limits = Object.entries(LIMITS_BY_MODE[mode]).filter(([name]) => !withOption.has(name));
  return [
    ...limits.map(([name, value]) => fromFiles(configuration, `limits.${name}`, value, `${BUILT_IN} (mode ${mode})`)),
    ...["older_than", "keep", "states"].map((name) => fromFiles(configuration, `retention.${name}`, null)),
    fromFiles(configuration, "providers", []),
    onHaltSetting(configuration),
  ];
}

function fromFiles(configuration: Configuration, key: string, value: unknown, origin = BUILT_IN): ShownSetting {
  return { key, ...(shown(configuration.inFiles(key)) ?? { value, origin }) };
}

/** Only the program: its arguments may hold what nobody else should read. */
function onHaltSetting(configuration: Configuration): ShownSetting {
  const { key, value, origin } = fromFiles(configuration, "on_halt", null);
  if (!Array.isArray(value) || value.length < 2) return { key, value, origin };
  return { key, value: [value[0], `(${value.length - 1} more, not shown)`], origin };
}

/** Time limits and the lease, which have variables of their own. */
function timeSettings(host: Host, configuration: Configuration, problems: RunError[]): ShownSetting[] {
  const { lease, stageTimeoutSeconds } = timesOf(host, problems);
  const variable = (...names: string[]): string =>
    `environment ${names.find((name) => host.environment[name]) ?? names[0]}`;
  const timeouts = STAGES.map((stage) =>
    stageTimeoutSeconds === undefined
      ? fromFiles(configuration, `timeouts.${stage}`, DEFAULT_SETTINGS.timeouts[stage])
      : {
          key: `timeouts.${stage}`,
          value: stageTimeoutSeconds,
          origin: variable("DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS"),
        },
  );
  const leases = (["lease_seconds", "heartbeat_seconds"] as const).map((key) => ({
    key,
    value: lease[key] ?? DEFAULT_SETTINGS.lease[key],
    origin:
      lease[key] === undefined
        ? BUILT_IN
        : variable(`DEEP_RESEARCH_${key.toUpperCase()}`, "DEEP_RESEARCH_LEASE_SECONDS"),
  }));
  return [...timeouts, ...leases];
}

function timesOf(host: Host, problems: RunError[]): ReturnType<typeof readTimes> {
  try {
    return readTimes(host);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    problems.push(error);
    return { lease: {}, stageTimeoutSeconds: undefined };
  }
}
