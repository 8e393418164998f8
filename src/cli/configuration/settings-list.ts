// Every setting with its value and where that was said: command line, variable, file, or built in.
import { join, resolve } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import { memberOf } from "../../kernel/member.ts";
import { liveTimeouts } from "../../operations/make/model-settings.ts";
import { DEFAULT_DRIVER, DEFAULT_MODE, LIMIT_FIELDS, type Mode, MODES, RUN_FIELDS } from "../../run/settings/fields.ts";
import {
  DEFAULT_MODEL_SETTINGS,
  DEFAULT_SETTINGS,
  fittingOutput,
  LIMITS_BY_MODE,
} from "../../run/settings/settings.ts";
import { STAGES } from "../../run/stage.ts";
import { type Configuration, type Origin, type Said, standardFolder } from "./configuration.ts";
import { MEMBERS } from "./groups.ts";
import { SETTINGS } from "./keys.ts";
import { withoutUser } from "./store.ts";
import { HEARTBEATS_PER_LEASE, readTimes, TIMES } from "./environment.ts";
import type { Host } from "../host.ts";
import { configuredDriver } from "../options/run-options.ts";
import { type Field, flagName, isGiven } from "../../kernel/field.ts";

interface ShownValue {
  value: unknown;
  /** `flag --runs-root`, `environment DEEP_RESEARCH_MODE`, `workspace /project/deep-research.json`, `built-in`. */
  origin: string;
}
export interface ShownSetting extends ShownValue {
  key: string;
}

const BUILT_IN = "built-in";
const KINDS = { workspace: "workspace", user: "user", given: "--config" } as const;

/** What options of the command line say, by the names of their fields. */
type Values = Readonly<Record<string, unknown>>;

/** A setting that cannot be read is shown without a value, and the reason is added to the problems. */
export function listSettings(
  host: Host,
  configuration: Configuration,
  said: Values,
  problems: RunError[],
): ShownSetting[] {
  const say = (key: string, find: () => ShownValue): ShownSetting => {
    try {
      return { key, ...find() };
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      problems.push(error);
      return { key, value: null, origin: "cannot be read" };
    }
  };
  const options = Object.entries(SETTINGS).map(([key, spec]) =>
    say(key, () => {
      const flag = flagSaid(host, said, key);
      const found =
        flag ?? shown(configuration.find(key, spec)) ?? builtIn(host, configuration, said["model"], [key, spec]);
      return key === "store" ? { ...found, value: withoutUser(found.value) } : found;
    }),
  );
  const isLive = options.some(({ key, value }) => key === "driver" && value === "live");
  return [...options, ...groupSettings(configuration), ...timeSettings(configuration, problems, isLive)];
}

function flagSaid(host: Host, said: Values, key: string): ShownValue | null {
  const value = memberOf(said, key);
  if (!isGiven(value)) return null;
  const isFolder = key === "runs_root" && typeof value === "string";
  return { value: isFolder ? resolve(host.workingFolder, value) : value, origin: `flag ${flagName(key)}` };
}

function shown(said: Said | undefined): ShownValue | null {
  return said === undefined ? null : { value: said.value, origin: originText(said.origin) };
}

function originText(origin: Origin): string {
  return origin.kind === "variable" ? `environment ${origin.name}` : `${KINDS[origin.kind]} ${origin.path}`;
}

// --- what is built in ---------------------------------------------------------------------------------------------

function builtIn(
  host: Host,
  configuration: Configuration,
  model: unknown,
  [name, field]: readonly [string, Field],
): ShownValue {
  const limit = memberOf(LIMIT_FIELDS, name);
  if (limit !== undefined) {
    const mode = modeOf(configuration);
    return { value: limit.byMode[mode], origin: `${BUILT_IN} (mode ${mode})` };
  }
  const isDrivenByModel = (): boolean =>
    model !== undefined || unlessWrong(DEFAULT_DRIVER, () => configuredDriver(configuration)) !== DEFAULT_DRIVER;
  if (name === "driver" && isDrivenByModel()) return { value: "live", origin: `${BUILT_IN} (a model is set)` };
  const data = standardFolder(host, "data");
  const values: Readonly<Record<string, unknown>> = {
    runs_root: data === null ? null : join(data, "runs"),
    cache_dir: standardFolder(host, "cache"),
    driver: DEFAULT_DRIVER,
  };
  return { value: values[name] ?? standardOf(field), origin: BUILT_IN };
}

function standardOf(field: Field): unknown {
  if (field.kind === "flag") return false;
  const { standard, choices = [] } = field;
  // What is no choice is a default in words.
  const value = choices.find((choice) => choice === standard);
  return field.kind === "list" ? [value ?? []].flat() : (value ?? null);
}

function modeOf(configuration: Configuration): Mode {
  return unlessWrong(DEFAULT_MODE, () =>
    MODES.find((mode) => mode === configuration.find("mode", RUN_FIELDS.mode)?.value),
  );
}

/** What is wrong with it is reported under the key of that setting. */
function unlessWrong<T>(otherwise: T, read: () => T | undefined): T {
  try {
    return read() ?? otherwise;
  } catch {
    return otherwise;
  }
}

// --- groups -------------------------------------------------------------------------------------------------------

function groupSettings(configuration: Configuration): ShownSetting[] {
  const mode = modeOf(configuration);

  const limits = Object.entries(LIMITS_BY_MODE[mode]).filter(([name]) => !(name in RUN_FIELDS));
  return [
    ...limits.map(([name, value]) => fromFiles(configuration, `limits.${name}`, value, `${BUILT_IN} (mode ${mode})`)),
    ...Object.keys(MEMBERS.retention).map((name) => fromFiles(configuration, `retention.${name}`, null)),
    ...modelSettings(configuration),
    fromFiles(configuration, "providers", []),
    withoutSecrets(fromFiles(configuration, "providers.web", null)),
    named(fromFiles(configuration, "providers.mcp", null), "servers"),
    fromFiles(configuration, "allowed_hosts", []),
    fromFiles(configuration, "rerank", null),
    named(fromFiles(configuration, "prices", null), "models"),
    onHaltSetting(configuration),
  ];
}

function modelSettings(configuration: Configuration): ShownSetting[] {
  const context = configuration.inFiles("models.context_tokens")?.value;
  const fitting = typeof context === "number" ? { max_output_tokens: fittingOutput(context) } : {};
  const builtIns = { ...DEFAULT_MODEL_SETTINGS, ...fitting };
  return Object.entries(builtIns).map(([name, value]) => fromFiles(configuration, `models.${name}`, value));
}

function fromFiles(configuration: Configuration, key: string, value: unknown, origin = BUILT_IN): ShownSetting {
  return { key, ...(shown(configuration.inFiles(key)) ?? { value, origin }) };
}

/** An address may hold a password or a key, so only its host and path are shown. */
function withoutSecrets({ value, ...setting }: ShownSetting): ShownSetting {
  return { ...setting, value: plainly(value) };
}

function plainly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainly);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, plainly(held)]));
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return value;
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?..."}`;
}

/** Only the names in a list: the rest may be long or secret. */
function named({ key, value, origin }: ShownSetting, list: string): ShownSetting {
  const found = (value as Record<string, { name: string }[]> | null)?.[list];
  return { key, value: found?.map(({ name }) => name) ?? null, origin };
}

/** The program alone is shown: its arguments may hold secrets. */
function onHaltSetting(configuration: Configuration): ShownSetting {
  const { key, value, origin } = fromFiles(configuration, "on_halt", null);
  if (!Array.isArray(value) || value.length < 2) return { key, value, origin };
  return { key, value: [value[0], `(${value.length - 1} more, not shown)`], origin };
}

const CALL_TIMEOUT = "models.call_timeout_s";

/** Time limits and the lease, which have variables of their own. */
function timeSettings(configuration: Configuration, problems: RunError[], isLive: boolean): ShownSetting[] {
  const areSound = areTimesSound(configuration, problems);
  const said = (key: keyof typeof TIMES): ShownValue | null =>
    areSound ? shown(configuration.find(key, TIMES[key])) : null;
  const { value: callTimeout } = fromFiles(configuration, CALL_TIMEOUT, DEFAULT_MODEL_SETTINGS.call_timeout_s);
  const call_timeout_s = typeof callTimeout === "number" ? callTimeout : DEFAULT_MODEL_SETTINGS.call_timeout_s;
  const builtIns = isLive ? liveTimeouts(DEFAULT_SETTINGS.timeouts, { call_timeout_s }) : DEFAULT_SETTINGS.timeouts;
  const builtInBy = isLive ? `${BUILT_IN} (a live run; at least by ${CALL_TIMEOUT})` : BUILT_IN;
  const ofEvery = said("stage_timeout_seconds");
  const timeouts = STAGES.map((stage) => {
    const key = `timeouts.${stage}`;
    return ofEvery === null ? fromFiles(configuration, key, builtIns[stage], builtInBy) : { key, ...ofEvery };
  });
  const { lease_seconds, heartbeat_seconds } = DEFAULT_SETTINGS.lease;
  const lease = said("lease_seconds");
  const beats = lease === null ? null : { ...lease, value: Number(lease.value) / HEARTBEATS_PER_LEASE };
  return [
    ...timeouts,
    { key: "lease_seconds", ...(lease ?? { value: lease_seconds, origin: BUILT_IN }) },
    {
      key: "heartbeat_seconds",
      ...(said("heartbeat_seconds") ?? beats ?? { value: heartbeat_seconds, origin: BUILT_IN }),
    },
  ];
}

/** What is wrong with them is added to the problems. */
function areTimesSound(configuration: Configuration, problems: RunError[]): boolean {
  try {
    readTimes(configuration);
    return true;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    problems.push(error);
    return false;
  }
}
