// The options that name models and budgets, and the settings of a run that they come to.
import { given } from "../../kernel/given.ts";
import { anyOf } from "../../kernel/any-of.ts";
import { RunError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { GivenModels } from "../../operations/options.ts";
import { parseModel, type Model } from "../../run/model.ts";
import { LEAST_CONTEXT_TOKENS, type Budgets, type ModelSettings } from "../../run/settings.ts";
import { type Role, ROLES } from "../../run/role.ts";
import type { Configuration } from "../configuration/configuration.ts";
import {
  decimal,
  integer,
  trusted,
  wrongValue,
  type ListSpec,
  type OptionTable,
  type ValueSpec,
  type ValuesOf,
} from "./options.ts";

const NEEDS_URL = "compatible:";
/** Stands for the URL while a name is read for which it is not known yet. */
const ANY_URL = "http://localhost";
const MAX_MINUTES = 1_000_000;
const DECIDES_WHO_READS = { may: "same", why: "it decides where documents are sent" } as const;
const SPENDS = "it bounds what is spent";

const model: ValueSpec<string> = {
  kind: "value",
  trust: DECIDES_WHO_READS,
  value: "MODEL",
  text: "the model that thinks, as PROVIDER:NAME[,effort=LEVEL][,temperature=N]; compatible, openai, anthropic or google",
  read(raw) {
    parseModel(raw, raw.startsWith(NEEDS_URL) ? ANY_URL : undefined);
    return raw;
  },
};

const roleModel: ListSpec<string> = {
  kind: "list",
  trust: DECIDES_WHO_READS,
  value: "ROLE",
  text: `another model for a role, as ROLE=PROVIDER:NAME: ${ROLES.join(", ")}`,
  read(raw) {
    const [, name] = roleAndName(raw);
    model.read(name);
    return raw;
  },
};

const modelBaseUrl: ValueSpec<string> = {
  kind: "value",
  trust: { may: "same", why: "it decides where keys and documents are sent" },
  value: "URL",
  text: "where the models of compatible answer: http://127.0.0.1:11434/v1",
  read(raw) {
    return parseModel(`${NEEDS_URL}any`, raw).base_url ?? raw;
  },
};

export const MODEL = { model, roleModel, modelBaseUrl } satisfies OptionTable;

export const BUDGETS = {
  maxCostUsd: budget(decimal("N", "US dollars that the run may spend (default: no limit)", { above: 0, most: 1e6 })),
  maxTokens: budget(integer("N", "tokens that it may use (default: no limit)", { least: 1, most: 1e12 })),
  maxCalls: budget(integer("N", "calls of models that it may make (default: no limit)", { least: 1, most: 1e9 })),
  maxMinutes: budget(decimal("N", "minutes that it may work (default: no limit)", { above: 0, most: MAX_MINUTES })),
} satisfies OptionTable;

function budget(spec: ValueSpec<number>): ValueSpec<number> {
  return trusted(spec, "less", SPENDS);
}

/** The bounds of one call. A run whose replies were cut off may get others when it goes on. */
export const CALL_BOUNDS = {
  maxOutputTokens: integer("N", "tokens that one reply may have", { least: 256, most: 1_000_000 }),
  contextTokens: integer("N", "tokens that one request may hold, its reply included", {
    least: LEAST_CONTEXT_TOKENS,
    most: 10_000_000,
  }),
} satisfies OptionTable;

type ModelValues = ValuesOf<typeof MODEL>;
type BudgetValues = ValuesOf<typeof BUDGETS>;

/** Undefined when none is named. Errors: `INVALID_ARGS` for a role or a URL without a model, or a model without its URL. */
export function modelsOf({ model: name, roleModel: roles, modelBaseUrl: url }: ModelValues): GivenModels | undefined {
  if (name === undefined) {
    const option = roles.length > 0 ? "--role-model" : url === undefined ? null : "--model-base-url";
    if (option === null) return undefined;
    throw new RunError("INVALID_ARGS", { reason: `${option} goes with --model`, option });
  }
  const named = [["default", name] as const, ...roles.map(roleAndName)];
  const isUseless = url !== undefined && !named.some(([, one]) => one.startsWith(NEEDS_URL));
  const read = (one: string): Model => parseModel(one, isUseless || one.startsWith(NEEDS_URL) ? url : undefined);
  return { default: read(name), roles: Object.fromEntries(named.slice(1).map(([role, one]) => [role, read(one)])) };
}

/** The models and the bounds of calls that were named; undefined when none were. */
export function changedModelsOf(
  values: ModelValues & ValuesOf<typeof CALL_BOUNDS>,
): Partial<ModelSettings> | undefined {
  const { maxOutputTokens, contextTokens } = values;
  const bounds = given({ max_output_tokens: maxOutputTokens, context_tokens: contextTokens });
  const changed: Partial<ModelSettings> = { ...modelsOf(values), ...bounds };
  return Object.keys(changed).length === 0 ? undefined : changed;
}

/** Undefined when none is named. */
export function budgetsOf({ maxCostUsd, maxTokens, maxCalls, maxMinutes }: BudgetValues): Budgets | undefined {
  const budgets: Budgets = given({
    max_cost_usd: maxCostUsd,
    max_tokens: maxTokens,
    max_calls: maxCalls,
    max_minutes: maxMinutes,
  });
  return Object.keys(budgets).length === 0 ? undefined : budgets;
}

/** The settings of models in the files, other than their names. */
export function configuredModelSettings(configuration: Configuration): Partial<ModelSettings> {
  // Each was read by its schema (groups.ts).
  return configuration.group("models");
}

/** Fills in the configured models and budgets. A configured URL counts only where a model of compatible is asked. */
export function configuredModels<Values extends ModelValues & BudgetValues>(
  configuration: Configuration,
  values: Values,
): Values {
  const filled = configuration.supplement({ ...MODEL, ...BUDGETS }, values);
  const named = [filled.model ?? "", ...filled.roleModel.map((raw) => roleAndName(raw)[1])];
  const needsUrl = values.modelBaseUrl !== undefined || named.some((one) => one.startsWith(NEEDS_URL));
  return needsUrl ? filled : { ...filled, modelBaseUrl: undefined };
}

function roleAndName(raw: string): [role: Role, name: string] {
  const at = raw.indexOf("=");
  const role = ROLES.find((one) => one === raw.slice(0, at));
  if (role === undefined) {
    const meant = nearestNames(raw.slice(0, at), ROLES).map((one) => one + raw.slice(at));
    throw wrongValue(raw, `ROLE=PROVIDER:NAME with the role ${anyOf(ROLES)}`, meant);
  }
  return [role, raw.slice(at + 1)];
}
