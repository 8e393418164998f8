// The keys of a configuration file that hold more than one value: limits, timeouts, retention, models, prices and others.
import { RunError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { z } from "../../kernel/schema.ts";
import { type ExecutionState, executionStateSchema } from "../../run/lifecycle.ts";
import { age, refusedValue, settingName } from "../options/options.ts";
import type { Configuration } from "./configuration.ts";
import { resolve } from "node:path";
import { anyOf } from "../../kernel/any-of.ts";
import { shortened } from "../../kernel/shortened.ts";
import { pricesSchema } from "../../run/prices.ts";
import { providersConfigurationSchema } from "../../run/provider-settings.ts";
import {
  DEFAULT_MODEL_SETTINGS,
  type Limits,
  LIMITS_BY_MODE,
  limitsSchema,
  type ModelSettings,
  modelsSchema,
} from "../../run/settings.ts";
import { MAX_STAGE_TIMEOUT_S, STAGES } from "../../run/stage.ts";
import { MIN_STAGE_TIMEOUT_S } from "./environment.ts";
import { INIT } from "../options/run-options.ts";

/** Errors: `INVALID_ARGS` whose `key` is the member that is wrong. */
export function strictlyParsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RunError("INVALID_ARGS", { reason: issue?.message ?? "", ...at(issue?.path.map(String) ?? []) });
  }
  refuseLeftOut(value, parsed.data, []);
  return parsed.data;
}

function refuseLeftOut(given: unknown, taken: unknown, path: readonly string[]): void {
  if (typeof given !== "object" || given === null || typeof taken !== "object" || taken === null) return;
  for (const [key, member] of Object.entries(given)) {
    if (!Object.hasOwn(taken, key)) {
      const [nearest] = nearestNames(key.slice(0, 80), Object.keys(taken));
      const did_you_mean = nearest === undefined ? {} : { did_you_mean: nearest };
      throw new RunError("INVALID_ARGS", { reason: "there is no such key", ...at([...path, key]), ...did_you_mean });
    }
    refuseLeftOut(member, (taken as Record<string, unknown>)[key], [...path, key]);
  }
}

function at(path: readonly string[]): { key?: string } {
  return path.length === 0 ? {} : { key: path.join(".") };
}

export interface Retention {
  olderThanMs?: number;
  keep?: number;
  states?: ExecutionState[];
}

export const AGE = age("AGE", "");
export const MAX_KEPT = 1_000_000;

/** Each as the nearest file that may say it has it; they were read by configuration-groups.ts. */
export function retentionOf(configuration: Configuration): Retention {
  const said = configuration.group("retention");
  const [olderThan, keep, states] = ["older_than", "keep", "states"].map((name) => said.get(name)?.value);
  return {
    ...(typeof olderThan === "string" ? { olderThanMs: AGE.read(olderThan) } : {}),
    ...(typeof keep === "number" ? { keep } : {}),
    ...(Array.isArray(states) ? { states: states as ExecutionState[] } : {}),
  };
}

type Values = readonly (readonly [string, unknown])[];

/** Limits that have an option of their own go by its name alone. */
const LIMITS_WITH_OPTION = new Map(Object.keys(INIT).map((key) => [`limits.${settingName(key)}`, settingName(key)]));
const MAX_WORDS = 64;
const MAX_SHOWN = 200;

export interface Group {
  /** Why a workspace may not say it; absent where it may. */
  trust?: string;
  /** Errors: `INVALID_ARGS` whose `key` is the member that is wrong. */
  read(value: unknown, folder: string): Values;
}

/** Keys that no option has. */
export const GROUPS = {
  providers: { trust: "it starts programs and names endpoints", read: readProviders },
  allowed_hosts: {
    trust: "it decides where documents may be sent",
    read: (value) => [["allowed_hosts", readHosts(value)]],
  },
  models: {
    read: (value) =>
      members("models", value, Object.keys(DEFAULT_MODEL_SETTINGS), (name, member) =>
        readMember(modelsSchema.shape[name as keyof ModelSettings], member),
      ),
  },
  prices: {
    trust: "it decides what a limit of cost means",
    read: (value) => [["prices", strictlyParsed(pricesSchema, value)]],
  },
  limits: {
    read: (value) =>
      members("limits", value, Object.keys(LIMITS_BY_MODE.standard), (name, member) =>
        readMember(limitsSchema.shape[name as keyof Limits], member),
      ).map(([key, found]) => [LIMITS_WITH_OPTION.get(key) ?? key, found]),
  },
  timeouts: { read: (value) => members("timeouts", value, STAGES, readTimeout) },
  retention: {
    trust: "it decides which runs are deleted",
    read: (value) => members("retention", value, ["older_than", "keep", "states"], readRetention),
  },
  on_halt: { trust: "it starts a program", read: (value, folder) => [["on_halt", readWords(value, folder)]] },
} satisfies Record<string, Group>;

function members(
  group: string,
  value: unknown,
  names: readonly string[],
  read: (name: string, value: unknown) => unknown,
): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrongMember(value, `an object with ${names.join(", ")}`);
  return Object.entries(value).map(([name, member]) => {
    if (!names.includes(name)) {
      const [nearest] = nearestNames(name.slice(0, 80), names);
      const did_you_mean = nearest === undefined ? {} : { did_you_mean: nearest };
      throw new RunError("INVALID_ARGS", { reason: "there is no such key", key: name, ...did_you_mean });
    }
    try {
      return [`${group}.${name}`, read(name, member)];
    } catch (cause) {
      if (!(cause instanceof RunError)) throw cause;
      throw new RunError(cause.code, { ...cause.facts, key: name }, { cause });
    }
  });
}

function readMember(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RunError("INVALID_ARGS", { reason: parsed.error.issues[0]?.message ?? "", found: shown(value) });
}

function readTimeout(_stage: string, value: unknown): number {
  if (typeof value === "number" && value >= MIN_STAGE_TIMEOUT_S && value <= MAX_STAGE_TIMEOUT_S) return value;
  throw wrongMember(value, `seconds from ${MIN_STAGE_TIMEOUT_S} to ${MAX_STAGE_TIMEOUT_S}`);
}

function readRetention(name: string, value: unknown): unknown {
  if (name === "older_than") {
    AGE.read(typeof value === "string" ? value : shown(value));
    return value;
  }
  if (name === "keep") {
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_KEPT) return value;
    throw wrongMember(value, `a whole number from 0 to ${MAX_KEPT}`);
  }
  const states: readonly string[] = executionStateSchema.options;
  if (!Array.isArray(value) || value.length === 0) throw wrongMember(value, `a list of ${states.join(", ")}`);
  const unknown: unknown = value.find((state) => !states.includes(String(state)));
  if (unknown !== undefined) throw wrongMember(unknown, anyOf(states), states);
  return value;
}

/** A list of providers, where a run does not say; or how they are set up. */
function readProviders(value: unknown): Values {
  if (Array.isArray(value)) {
    const ids = value.map((id) => INIT.provider.read(typeof id === "string" ? id : shown(id)));
    return [["providers", ids]];
  }
  const setUp = strictlyParsed(providersConfigurationSchema, value);
  return Object.entries(setUp).map(([name, found]) => [`providers.${name}`, found]);
}

const MAX_HOSTS = 1_000;

function readHosts(value: unknown): string[] {
  const isList =
    Array.isArray(value) &&
    value.length <= MAX_HOSTS &&
    value.every((host) => typeof host === "string" && /^[^\s/]+(\/\d{1,3})?$/.test(host));
  if (!isList) throw wrongMember(value, 'a list of hosts, as ["example.org", "*.example.org", "10.1.0.0/16"]');
  return value as string[];
}

/** A program and its arguments; a program named by a relative path lies beside the file. */
function readWords(value: unknown, folder: string): string[] {
  const isCommand =
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_WORDS &&
    value.every((word) => typeof word === "string" && !word.includes("\0")) &&
    value[0] !== "";
  if (!isCommand) throw wrongMember(value, 'a list of words, as ["notify-send", "a run waits"]');
  const [program = "", ...rest] = value as string[];
  return [program.includes("/") ? resolve(folder, program) : program, ...rest];
}

/** `names` lists the allowed values, so that the error can suggest the nearest. */
export function wrongMember(value: unknown, expected: string, names: readonly string[] = []): RunError {
  return refusedValue(shown(value), typeof value === "string" ? value : shown(value), expected, names);
}

/** A value as it stands in the file, for a message. */
function shown(value: unknown): string {
  return shortened(JSON.stringify(value), MAX_SHOWN);
}
