// The keys of a configuration file that hold more than one value: limits, timeouts, retention, models, prices and others.
import { resolve } from "node:path";
import { type ErrorFacts, RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { isObject } from "../../kernel/json-object.ts";
import { memberOf } from "../../kernel/member.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { z } from "../../kernel/zod.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { PruneOptions } from "../../operations/care/prune-runs.ts";
import { type ExecutionState, executionStateSchema } from "../../run/log/lifecycle.ts";
import { modelSchema } from "../../run/model/model.ts";
import { pricesSchema } from "../../run/money/prices.ts";
import { rerankSetUpSchema } from "../../run/settings/rank.ts";
import { providersConfigurationSchema } from "../../run/settings/provider-settings.ts";
import { limitsSchema, modelsSchema } from "../../run/settings/settings.ts";
import { MAX_STAGE_TIMEOUT_S, STAGES } from "../../run/stage.ts";
import { judgedOne, type Trust } from "../../kernel/field.ts";
import { wrongJson } from "../../kernel/wrong-value.ts";
import { AGE_PATTERN, age } from "../options/options.ts";
import { RUN_FIELDS } from "../../run/settings/fields.ts";
import type { Configuration } from "./configuration.ts";
import { MIN_STAGE_TIMEOUT_S } from "./environment.ts";

/**
 * Errors: `INVALID_ARGS` whose `key` is the member that is wrong. `path` leads to the value. `isShown`: the value may be in
 * the error, since it holds no secret.
 */
export function strictlyParsed<T>(
  schema: z.ZodType<T>,
  value: unknown,
  { path = [], isShown = false }: { path?: readonly string[]; isShown?: boolean } = {},
): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const facts = isShown ? { found: shown(value) } : {};
    throw wrongKey([...path, ...(issue?.path.map(String) ?? [])], issue?.message ?? "", facts);
  }
  refuseLeftOut(value, parsed.data, path);
  return parsed.data;
}

/** A schema leaves out what it does not know. */
function refuseLeftOut(said: unknown, taken: unknown, path: readonly string[]): void {
  if (typeof said !== "object" || said === null || typeof taken !== "object" || taken === null) return;
  for (const [key, member] of Object.entries(said)) {
    if (!Object.hasOwn(taken, key)) throw unknownKey([...path, key], Object.keys(taken));
    refuseLeftOut(member, (taken as Record<string, unknown>)[key], [...path, key]);
  }
}

function unknownKey(path: readonly string[], known: readonly string[]): RunError {
  const [nearest] = nearestNames(path.at(-1)?.slice(0, 80) ?? "", known);
  return wrongKey(path, "there is no such key", given({ did_you_mean: nearest }));
}

function wrongKey(path: readonly string[], reason: string, facts: ErrorFacts = {}): RunError {
  return new RunError("INVALID_ARGS", { reason, ...(path.length === 0 ? {} : { key: path.join(".") }), ...facts });
}

// --- groups of settings -------------------------------------------------------------------------------------------

type Schemas = Readonly<Record<string, z.ZodType>>;

const AGE = age("AGE", "");
export const MAX_KEPT = 1_000_000;
const STATES: readonly string[] = executionStateSchema.options;
const { default: _model, roles: _roles, ...OF_ALL_MODELS } = modelsSchema.shape;

/** Each member is a setting of its own, and a file may say some of them. */
export const MEMBERS = {
  models: OF_ALL_MODELS,
  limits: limitsSchema.shape,
  timeouts: Object.fromEntries(STAGES.map((stage) => [stage, timeoutSchema()])),
  retention: {
    older_than: judged(
      (value) => typeof value === "string" && AGE_PATTERN.test(value),
      "an age as 45m, 12h, 30d or 8w",
    ),
    keep: judged(
      (keep) => Number.isInteger(keep) && Number(keep) >= 0 && Number(keep) <= MAX_KEPT,
      `a whole number from 0 to ${MAX_KEPT}`,
    ),
    states: judged(
      (states) => Array.isArray(states) && states.length > 0 && states.every((one) => STATES.includes(String(one))),
      `a list of ${STATES.join(", ")}`,
    ),
  },
} satisfies Record<string, Schemas>;

function judged(fits: (value: unknown) => boolean, expected: string): z.ZodType {
  return z.custom(fits, { message: `use ${expected}` });
}

function timeoutSchema(): z.ZodType {
  const isInRange = (seconds: unknown): boolean =>
    typeof seconds === "number" && seconds >= MIN_STAGE_TIMEOUT_S && seconds <= MAX_STAGE_TIMEOUT_S;
  return judged(isInRange, `seconds from ${MIN_STAGE_TIMEOUT_S} to ${MAX_STAGE_TIMEOUT_S}`);
}

/** What files say of the runs that `prune` deletes. */
export function retentionOf(configuration: Configuration): PruneOptions {
  // Each was read by its schema above.
  const said = configuration.group("retention") as { older_than?: string; keep?: number; states?: ExecutionState[] };
  const olderThanMs = said.older_than === undefined ? undefined : AGE.read(said.older_than);
  return given({ olderThanMs, keep: said.keep, states: said.states });
}

// --- what a file may say ------------------------------------------------------------------------------------------

type Values = readonly (readonly [string, unknown])[];

export interface Group {
  /** What a workspace may say of it; absent where that is anything. */
  trust?: Trust;
  /** Also a file that is trusted may not say it: only the user's own. */
  isUsersAlone?: true;
  /** Errors: `INVALID_ARGS` whose `key` is the member that is wrong. */
  read(value: unknown, folder: string): Values;
}

/** A limit with an option of its own goes by the name of the option. */
const LIMITS_WITH_OPTION = new Map(Object.keys(RUN_FIELDS).map((name) => [`limits.${name}`, name]));
const MAX_WORDS = 64;
const MAX_HOSTS = 1_000;
const MAX_SHOWN = 200;

/** Keys that no option has. */
export const GROUPS = {
  providers: { trust: saidByUsers("it starts programs and names endpoints"), read: readProviders },
  allowed_hosts: {
    trust: saidByUsers("it decides where documents may be sent"),
    read: (value) => [["allowed_hosts", strictlyParsed(HOSTS, value, { isShown: true })]],
  },
  rerank: {
    trust: saidByUsers("it decides where documents are sent"),
    isUsersAlone: true,
    read: (value) => [["rerank", readRerank(value)]],
  },
  models: { read: (value) => membersOf("models", value) },
  prices: {
    trust: saidByUsers("it decides what a limit of cost means"),
    read: (value) => [["prices", strictlyParsed(pricesSchema, value)]],
  },
  limits: {
    read: (value) => membersOf("limits", value).map(([key, found]) => [LIMITS_WITH_OPTION.get(key) ?? key, found]),
  },
  timeouts: { read: (value) => membersOf("timeouts", value) },
  retention: {
    trust: saidByUsers("it decides which runs are deleted"),
    read: (value) => membersOf("retention", value),
  },
  on_halt: {
    trust: saidByUsers("it starts a program"),
    read: (value, folder) => [["on_halt", readCommand(value, folder)]],
  },
} satisfies Record<string, Group>;

function saidByUsers(why: string): Trust {
  return { may: "nothing", why };
}

function membersOf(group: keyof typeof MEMBERS, value: unknown): Values {
  const schemas: Schemas = MEMBERS[group];
  const names = Object.keys(schemas);
  if (!isObject(value)) throw wrongJson(value, `an object with ${names.join(", ")}`);
  return Object.entries(value).map(([name, member]) => {
    const schema = memberOf(schemas, name);
    if (schema === undefined) throw unknownKey([name], names);
    return [`${group}.${name}`, strictlyParsed(schema, member, { path: [name], isShown: true })];
  });
}

/** A list of providers, where a run does not say; or how they are set up. */
function readProviders(value: unknown): Values {
  if (Array.isArray(value)) {
    const ids = value.map((id) => judgedOne(RUN_FIELDS.provider, id));
    return [["providers", ids]];
  }
  const setUp = strictlyParsed(providersConfigurationSchema, value);
  return Object.entries(setUp).map(([name, found]) => [`providers.${name}`, found]);
}

/** An endpoint that ranks. Its URL is stored with runs and shown, so it may hold nothing secret. */
function readRerank(value: unknown): unknown {
  const setUp = strictlyParsed(rerankSetUpSchema, value, { isShown: true });
  if (modelSchema.safeParse({ provider: "rerank", name: setUp.model ?? "any", base_url: setUp.base_url }).success)
    return setUp;
  throw new RunError("INVALID_ARGS", {
    reason:
      "the base URL is a plain http or https URL, without a user, a password or a query, and a model has no blanks",
    key: "base_url",
  });
}

const HOSTS = judged(
  (hosts) =>
    Array.isArray(hosts) &&
    hosts.length <= MAX_HOSTS &&
    hosts.every((host) => typeof host === "string" && /^[^\s/]+(\/\d{1,3})?$/.test(host)),
  'a list of hosts, as ["example.org", "*.example.org", "10.1.0.0/16"]',
);

const COMMAND = judged(
  (words) =>
    Array.isArray(words) &&
    words.length > 0 &&
    words.length <= MAX_WORDS &&
    words.every((word) => typeof word === "string" && !word.includes("\0")) &&
    words[0] !== "",
  'a list of words, as ["notify-send", "a run waits"]',
);

/** A program and its arguments; a program named by a relative path is next to the file. */
function readCommand(value: unknown, folder: string): string[] {
  const [program = "", ...rest] = strictlyParsed(COMMAND, value, { isShown: true }) as string[];
  return [program.includes("/") ? resolve(folder, program) : program, ...rest];
}

/** A value as it is in the file, for a message. */
function shown(value: unknown): string {
  return shortened(JSON.stringify(value), MAX_SHOWN);
}
