// The options of the commands that make a run: start, init and fork.
import { given } from "../../kernel/given.ts";
import {
  DEFAULT_MODE,
  DEFAULT_SETTINGS,
  DRIVER_IDS,
  type DriverId,
  type JudgingLimits,
  type Limits,
  LIMITS_BY_MODE,
  MAX_DEPTH,
  type ModelSettings,
  MODES,
  REPORT_LENGTHS,
  SENSITIVITIES,
} from "../../run/settings.ts";
import { MAX_ROUNDS } from "../../run/stage.ts";
import { type Role, ROLES } from "../../run/role.ts";
import {
  flag,
  integer,
  list,
  type ListSpec,
  oneOf,
  type OptionTable,
  refuseOptions,
  share,
  someOf,
  text,
  trusted,
  type ValuesOf,
  wrongValue,
} from "./options.ts";
import { RunError } from "../../kernel/errors.ts";
import type { InitOptions } from "../../operations/options.ts";
import { PROVIDER_IDS, type ProviderId } from "../../run/common.ts";
import type { CommandContext } from "../command.ts";
import { questionOrInput } from "./handed-file.ts";
import type { Configuration, FileKind } from "../configuration/configuration.ts";
import {
  BUDGETS,
  budgetsOf,
  CALL_BOUNDS,
  changedModelsOf,
  configuredModels,
  configuredModelSettings,
  MODEL,
} from "./model-options.ts";

export const JUDGING_LIMITS = {
  maxRounds: integer("N", "drafts that review may ask for (default: by mode)", { least: 1, most: MAX_ROUNDS }),
  maxUnsupportedShare: share("claims that may be contradicted or not checked (default: by mode)"),
  minCitationUse: share("verified citations that the report has to use (default: by mode)"),
} satisfies OptionTable;

/** Only what was given. */
export function judgingLimitsOf(values: ValuesOf<typeof JUDGING_LIMITS>): Partial<JudgingLimits> {
  const { maxRounds, maxUnsupportedShare, minCitationUse } = values;
  return given({
    max_rounds: maxRounds,
    max_unsupported_share: maxUnsupportedShare,
    min_citation_use: minCitationUse,
  });
}

const READS = "documents are read there";

/** Paths of documents. Errors: `INVALID_ARGS` for an address, which is none. */
export function corpus(about: string): ListSpec<string> {
  const spec = list("PATH", about);
  const read = (raw: string): string => {
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(raw)) return spec.read(raw);
    const address = raw.slice(0, 200);
    throw new RunError("INVALID_ARGS", { reason: `"${address}" is an address: name a folder or a file`, address });
  };
  return trusted({ ...spec, read }, "inside", READS);
}

export const DRIVER = "local";
export const PROVIDER = "filesystem";
export const MODE = DEFAULT_MODE;
export const SENSITIVITY = "normal";
const { on_interrupt: ON_INTERRUPT, on_drift: ON_DRIFT } = DEFAULT_SETTINGS.policies;

export const INIT = {
  corpus: corpus("folders to research, each with everything below it, or single files"),
  provider: trusted(
    someOf("ID", "where evidence comes from, the next one where one fails", PROVIDER_IDS, PROVIDER),
    "fewer",
    "it decides where the question is sent",
    [PROVIDER],
  ),
  driver: {
    ...trusted(
      oneOf("ID", "who does the thinking", DRIVER_IDS),
      "same",
      "it decides whether documents are sent to a model",
      [DRIVER, "task"],
    ),
    text: `who does the thinking: ${DRIVER_IDS.join(", ")} (default: ${DRIVER}, live with --model, fixture with --bundle)`,
  },
  bundle: trusted(
    text("DIR", "replay the run that `capture` recorded there, with its question, mode and limits"),
    "inside",
    READS,
  ),
  ...MODEL,
  roleDriver: {
    kind: "list",
    value: "ROLE",
    text: "a role (see --role-model) that agents or people outside play, as ROLE=task",
    read: (raw: string) => roleOutside(raw),
  } satisfies ListSpec<Role>,
  approvePlan: flag("halt when the plan stands, until approve"),
  mode: oneOf("MODE", "how wide and deep to go", MODES, MODE),
  audience: text("TEXT", "whom the report is for, with a model"),
  length: oneOf("LENGTH", "how long the report is, with a model (default: by mode and evidence)", REPORT_LENGTHS),
  sensitivity: trusted(
    oneOf("LEVEL", "what may leave this machine", SENSITIVITIES, SENSITIVITY),
    "stricter",
    "it decides what leaves this machine",
  ),
  runId: text("ID", "the id of the new run (default: made from the time)"),
  chatId: text("LABEL", "the chat that the run belongs to, for clients of /agents/run"),
  ...JUDGING_LIMITS,
  maxDepth: integer("N", "waves of research (default: by mode)", { least: 1, most: MAX_DEPTH }),
  resultsPerQuery: integer("N", "passages taken per query (default: by mode)", { least: 1, most: 100 }),
  ...CALL_BOUNDS,
  ...BUDGETS,
  onInterrupt: oneOf("POLICY", "what the next tick does with interrupted work", ["continue", "hold"], ON_INTERRUPT),
  onDrift: oneOf(
    "POLICY",
    "what to do when tool, settings or corpus changed",
    ["continue", "refuse", "fork"],
    ON_DRIFT,
  ),
} satisfies OptionTable;

const {
  runId: _eachRunHasItsOwn,
  chatId: _eachRunHasItsOwnChat,
  bundle: _eachReplayHasItsOwn,
  // Files say these under `models`.
  maxOutputTokens: _reply,
  contextTokens: _request,
  ...OF_EVERY_RUN
} = INIT;
/** What short help of the commands that make a run shows. */
export const MAIN_OPTIONS = ["corpus", "provider", "model", "mode", "sensitivity", "maxCostUsd", "runId"];

/** The options that may be configured. */
export const CONFIGURED = OF_EVERY_RUN;
const { model: _model, roleModel: _roles, modelBaseUrl: _url, ...BUT_MODELS } = OF_EVERY_RUN;
const { maxCostUsd: _cost, maxTokens: _tokens, maxCalls: _calls, maxMinutes: _minutes, ...PLAIN } = BUT_MODELS;

/** The limits that each mode sets, for help; five of them have an option of their own. */
export function limitsNote(): string {
  const names = Object.keys(LIMITS_BY_MODE[MODE]) as (keyof Limits)[];
  const width = Math.max(...names.map((name) => name.length));
  const line = (name: string, cells: readonly string[]): string =>
    `  ${name.padEnd(width)}${cells.map((cell) => cell.padStart(10)).join("")}`;
  const rows = names.map((name) =>
    line(
      name,
      MODES.map((mode) => String(LIMITS_BY_MODE[mode][name])),
    ),
  );
  return ["Limits of each mode", line("", MODES), ...rows].join("\n");
}

/** For help of the commands that make a run. */
export const RUN_CONFIGURATION =
  "An option that is not given comes from its variable (--max-rounds: DEEP_RESEARCH_MAX_ROUNDS), then from deep-research.json in the working folder or above, then from the user's config.json. Files also say the other limits, timeouts, prices, search engines and MCP servers, and on_halt: a program that is told when a run halts. deep-research doctor shows each setting with its origin.";

function roleOutside(raw: string): Role {
  const [name, driver] = raw.split("=");
  const role = ROLES.find((one) => one === name);
  if (role !== undefined && driver === "task") return role;
  throw wrongValue(
    raw,
    "ROLE=task",
    ROLES.map((one) => `${one}=task`),
  );
}

type InitValues = ValuesOf<typeof INIT>;

/** Only what was given: the rest is built in, or comes from the run that is forked. */
export function givenInitOptions(
  context: CommandContext,
  values: InitValues,
): Partial<Omit<InitOptions, "models">> & { models?: Partial<ModelSettings> } {
  const { environment } = context;
  const driver = values.driver ?? impliedDriver(values);
  const models = changedModelsOf(values);
  const budgets = budgetsOf(values);
  const { runId, chatId, mode, audience, length, sensitivity, corpus, provider, maxDepth, resultsPerQuery } = values;
  return {
    limits: { ...judgingLimitsOf(values), ...given({ max_depth: maxDepth, results_per_query: resultsPerQuery }) },
    policies: given({
      on_interrupt: values.onInterrupt,
      on_drift: values.onDrift,
      approve_plan: values.approvePlan ? (true as const) : undefined,
    }),
    ...(values.roleDriver.length === 0
      ? {}
      : { roleDrivers: Object.fromEntries(values.roleDriver.map((role) => [role, "task" as const])) }),
    ...given({ runId, chatId, driver, models, budgets, mode, audience, length, sensitivity }),
    ...(corpus.length === 0 ? {} : { corpora: corpus.map(context.absolute) }),
    ...(provider.length === 0 ? {} : { providers: provider }),
    ...(Object.keys(environment.lease).length === 0 ? {} : { lease: environment.lease }),
    ...given({ stageTimeoutSeconds: environment.stageTimeoutSeconds }),
  };
}

/** What holds for a new run where neither the command line nor a file says more. */
const NOTHING_SAID: Omit<InitOptions, "runsRoot"> = {
  driver: DRIVER,
  sensitivity: SENSITIVITY,
  corpora: [],
  providers: [],
  policies: {},
  limits: {},
};

/** A whole set of options for a new run. Errors: `INVALID_ARGS` when the question is missing. */
export async function initOptions(
  context: CommandContext,
  values: InitValues,
  operands: readonly string[],
): Promise<InitOptions> {
  const { configuration } = context;
  const driver = values.driver ?? impliedDriver(values) ?? configuredDriver(configuration);
  if (driver === "fixture") return replayOptions(context, values, operands);
  refuseOptions(values, ["bundle"], "needs --driver fixture");
  const { question, corpus } = questionAmong(operands, values.corpus);
  if (driver !== "live" && driver !== "task") refuseOptions(values, ["audience", "length"], "needs --model");
  const supplemented = configuration.supplement(PLAIN, { ...values, corpus, driver });
  // Providers of the command line are the run's own; those in files are read below, by whose file it is.
  const filled = { ...supplemented, provider: values.provider };
  const named = givenInitOptions(context, driver === "live" ? configuredModels(configuration, filled) : filled);
  const { models: givenModels, ...others } = named;
  const models = givenModels === undefined ? {} : { models: namedModels(configuration, givenModels) };
  const { limits, ...ofFiles } = configuredInitOptions(context);
  return {
    ...NOTHING_SAID,
    ...ofFiles,
    ...others,
    ...models,
    limits: { ...limits, ...named.limits },
    runsRoot: context.runsRoot(),
    question: await questionOrInput(context, question),
  };
}

/** A replay has the settings of its bundle: of what is configured, only policies and sensitivity count. */
function replayOptions(context: CommandContext, values: InitValues, [question]: readonly string[]): InitOptions {
  refuseOptions(values, ["audience", "length"], "needs --model");
  const { sensitivity, onInterrupt, onDrift } = INIT;
  const filled = context.configuration.supplement({ sensitivity, onInterrupt, onDrift }, values);
  const { models, ...named } = givenInitOptions(context, { ...filled, driver: "fixture" });
  if (models !== undefined) throw new RunError("INVALID_ARGS", { reason: "a replay asks no model", option: "--model" });
  return {
    ...NOTHING_SAID,
    ...named,
    ...given({ question, bundle: values.bundle === undefined ? undefined : context.absolute(values.bundle) }),
    driver: "fixture",
    runsRoot: context.runsRoot(),
  };
}

/** Errors: `INVALID_ARGS` for bounds of calls without a model. */
function namedModels(
  configuration: Configuration,
  { default: model, ...bounds }: Partial<ModelSettings>,
): NonNullable<InitOptions["models"]> {
  if (model !== undefined) return { ...configuredModelSettings(configuration), ...bounds, default: model };
  const option = bounds.context_tokens === undefined ? "--max-output-tokens" : "--context-tokens";
  throw new RunError("INVALID_ARGS", { reason: `${option} goes with --model`, option });
}

function impliedDriver({ bundle, model }: Pick<InitValues, "bundle" | "model">): DriverId | undefined {
  if (bundle !== undefined) return "fixture";
  return model === undefined ? undefined : "live";
}

/** The configured driver; `live` where only a model is configured, as on the command line. */
export function configuredDriver(configuration: Configuration): DriverId {
  const said = configuration.find("driver", INIT.driver)?.value;
  const driver = DRIVER_IDS.find((id) => id === said);
  if (driver !== undefined) return driver;
  return configuration.find("model", INIT.model) === undefined ? DRIVER : "live";
}

/** What the user says of an option by its key, with what is built in, from what his configuration says. */
export function saidByUser(configured: (key: string) => unknown): (key: string) => unknown {
  return (key) => {
    // Without a list, what he has set up is there for the asking.
    if (key === "provider")
      return (
        [configured(key), configured("providers")].find(Array.isArray) ??
        PROVIDER_IDS.filter((id) => id === PROVIDER || configured(`providers.${id}`) !== undefined)
      );
    if (key === "driver") return configured(key) ?? (configured("model") === undefined ? DRIVER : "live");
    return configured(key);
  };
}

/** Settings that no option has. */
function configuredInitOptions({
  configuration,
}: CommandContext): Pick<InitOptions, "limits" | "timeouts" | "workspaceProviders" | "userProviders"> {
  // Each was read by its schema (groups.ts).
  return {
    limits: configuration.group("limits"),
    timeouts: configuration.group("timeouts"),
    workspaceProviders: configuredProviders(configuration, (kind) => kind !== "user"),
    userProviders: configuredProviders(configuration, (kind) => kind === "user"),
  };
}

/** Providers that files of a kind name, as `provider` or as a list under `providers`. A --config file is the workspace's. */
function configuredProviders({ layers }: Configuration, isMeant: (kind: FileKind) => boolean): ProviderId[] {
  const said = layers
    .filter(({ origin }) => isMeant(origin.kind))
    .map(({ values }) => values.get("provider") ?? values.get("providers"));
  return (said.find(Array.isArray) ?? []) as ProviderId[];
}

/**
 * `--corpus PATH...` takes every word up to the next option, and so also a question that stands behind it. A last word
 * that reads like a question is taken for one; anything else is asked for.
 */
export function questionAmong(
  operands: readonly string[],
  corpus: readonly string[],
): { question: string; corpus: string[] } {
  const [question] = operands;
  if (question !== undefined) return { question, corpus: [...corpus] };
  const last = corpus.at(-1);
  if (corpus.length > 1 && last !== undefined && /\s|\?$/.test(last))
    return { question: last, corpus: corpus.slice(0, -1) };
  throw new RunError("INVALID_ARGS", { reason: "no question was given: put it in quotes, before --corpus" });
}
