// Options of operations, made from the input of a run.
import { isStoredDocuments } from "../run/settings/stored-documents.ts";
import { RunError } from "../kernel/errors.ts";
import { type FieldTable, type InputOf, isGiven } from "../kernel/field.ts";
import { given } from "../kernel/given.ts";
import {
  BUDGET_FIELDS,
  CALL_FIELDS,
  JUDGING_FIELDS,
  type MODEL_FIELDS,
  NEEDS_URL,
  roleAndName,
  type RUN_FIELDS,
  WORK_FIELDS,
} from "../run/settings/fields.ts";
import { type Model, parseModel } from "../run/model/model.ts";
import type { Budgets, JudgingLimits, ModelSettings } from "../run/settings/settings.ts";
import type { GivenModels, InitOptions } from "./options.ts";

export type RunInput = InputOf<typeof RUN_FIELDS>;
type ModelInput = InputOf<typeof MODEL_FIELDS>;

/** The members of the input that these fields say. */
function only<Table extends FieldTable>(
  fields: Table,
  input: Pick<InputOf<Table>, keyof Table>,
): { [Name in keyof Table]?: Exclude<InputOf<Table>[Name], undefined> } {
  const said = Object.keys(fields).map((name) => [name, input[name as keyof Table]] as const);
  return Object.fromEntries(said.filter(([, value]) => isGiven(value))) as ReturnType<typeof only<Table>>;
}

// --- models -------------------------------------------------------------------------------------------------------

/** Undefined when none is named. Errors: `INVALID_ARGS` for a role or a URL without a model, or a model without its URL. */
export function modelsOf({ model: name, role_model: roles, model_base_url: url }: ModelInput): GivenModels | undefined {
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

/** Whether one of the models answers at a URL that has to be said. */
export function asksCompatible({ model = "", role_model: roles }: ModelInput): boolean {
  return [model, ...roles.map((raw) => roleAndName(raw)[1])].some((name) => name.startsWith(NEEDS_URL));
}

/** The models and the bounds of calls that were named; undefined when none were. */
export function changedModelsOf(input: ModelInput & InputOf<typeof CALL_FIELDS>): Partial<ModelSettings> | undefined {
  return unlessEmpty({ ...modelsOf(input), ...only(CALL_FIELDS, input) });
}

// --- budgets and limits -------------------------------------------------------------------------------------------

/** Undefined when none is named. */
export function budgetsOf(input: InputOf<typeof BUDGET_FIELDS>): Budgets | undefined {
  return unlessEmpty<Budgets>(only(BUDGET_FIELDS, input));
}

/** Undefined when none is named. */
export function judgingLimitsOf(input: InputOf<typeof JUDGING_FIELDS>): Partial<JudgingLimits> | undefined {
  return unlessEmpty(only(JUDGING_FIELDS, input));
}

function unlessEmpty<T extends object>(found: T): T | undefined {
  return Object.keys(found).length === 0 ? undefined : found;
}

// --- the run ------------------------------------------------------------------------------------------------------

/** Only what was given: the rest is built in, or comes from the run that is forked. `absolute` makes a path whole. */
export function givenInitOptions(
  input: RunInput,
  absolute: (path: string) => string,
): Partial<Omit<InitOptions, "models">> & { models?: Partial<ModelSettings> } {
  const { run_id: runId, chat_id: chatId, mode, audience, length, sensitivity, corpus, provider, role_driver } = input;
  const { driver = impliedDriver(input), rank, on_interrupt, on_drift, approve_plan } = input;
  const [models, budgets] = [changedModelsOf(input), budgetsOf(input)];
  return {
    limits: only({ ...JUDGING_FIELDS, ...WORK_FIELDS }, input),
    policies: given({ on_interrupt, on_drift, approve_plan: approve_plan ? (true as const) : undefined }),
    ...(role_driver.length === 0
      ? {}
      : { roleDrivers: Object.fromEntries(role_driver.map((role) => [role, "task" as const])) }),
    ...given({ runId, chatId, driver, rank, models, budgets, mode, audience, length, sensitivity }),
    ...(corpus.length === 0 ? {} : { corpora: corpusPaths(corpus, absolute) }),
    ...(provider.length === 0 ? {} : { providers: provider }),
  };
}

/** A model that is to rank chooses excerpts: in a live run, which writes, its researchers choose by themselves. */
export function impliedDriver({
  bundle,
  model,
  rank,
}: Pick<RunInput, "bundle" | "model" | "rank">): "fixture" | "local" | "live" | undefined {
  if (bundle !== undefined) return "fixture";
  if (rank === "model") return "local";
  return model === undefined ? undefined : "live";
}

/** Folders by their absolute paths; documents of the store as they are named. */
export function corpusPaths(corpus: readonly string[], absolute: (path: string) => string): string[] {
  return corpus.map((path) => (isStoredDocuments(path) ? path : absolute(path)));
}
