// The settings of a new run that are configured, for start, init and fork, and help on their options.
import { RunError } from "../../kernel/errors.ts";
import { flag, text, without } from "../../kernel/field.ts";
import { given } from "../../kernel/given.ts";
import type { InitOptions } from "../../operations/options.ts";
import { asksCompatible, givenInitOptions, impliedDriver, type RunInput } from "../../operations/run-input.ts";
import { isChosenByModel } from "../../operations/make/rank-settings.ts";
import type { ProviderId } from "../../run/common.ts";
import {
  BUDGET_FIELDS,
  DEFAULT_DRIVER,
  DEFAULT_MODE,
  DEFAULT_SENSITIVITY,
  DRIVER_IDS,
  MODEL_FIELDS,
  MODES,
  type RankBy,
  RANKS,
  RUN_FIELDS,
} from "../../run/settings/fields.ts";
import { type DriverId, type Limits, LIMITS_BY_MODE, type ModelSettings } from "../../run/settings/settings.ts";
import type { CommandContext } from "../command.ts";
import type { Configuration, FileKind } from "../configuration/configuration.ts";
import { CONFIGURED } from "../configuration/keys.ts";
import { questionOrInput } from "./input-file.ts";
import { refuseOptions } from "./options.ts";

export const QUESTION = text("QUESTION", "what to research, as a whole question");
export const DETACH = flag("give it to the workers of the store, and return at once");
export const QUESTION_OPERAND = { name: "question", usage: "<question>", least: 0, most: 1 };
type NewRun = RunInput & { question: string | undefined };

/** What short help of the commands that make a run shows. */
export const MAIN_OPTIONS = ["corpus", "provider", "model", "mode", "sensitivity", "max_cost_usd", "run_id"];

/** What a run without a model heeds. */
const PLAIN = without(CONFIGURED, { ...MODEL_FIELDS, ...BUDGET_FIELDS, rank: RUN_FIELDS.rank });

/** The limits that each mode sets, for help; five of them have an option of their own. */
export function limitsNote(): string {
  const names = Object.keys(LIMITS_BY_MODE[DEFAULT_MODE]) as (keyof Limits)[];
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
  "An option that is not given comes from its variable (--max-rounds: DEEP_RESEARCH_MAX_ROUNDS), then from deep-research.json in the working folder or above, then from the user's config.json. Files also say the other limits, timeouts, prices, search engines and MCP servers, and on_halt: a program that is called when a run halts. deep-research doctor shows each setting with its origin.";

/** What an input says of a run, and the times that variables set. */
export function givenOptions(
  { environment, absolute }: CommandContext,
  input: RunInput,
): ReturnType<typeof givenInitOptions> {
  return {
    ...givenInitOptions(input, absolute),
    ...(Object.keys(environment.lease).length === 0 ? {} : { lease: environment.lease }),
    ...given({ stageTimeoutSeconds: environment.stageTimeoutSeconds }),
  };
}

/** What holds for a new run where neither the command line nor a file says more. */
const NOTHING_SAID: Omit<InitOptions, "runsRoot"> = {
  driver: DEFAULT_DRIVER,
  sensitivity: DEFAULT_SENSITIVITY,
  corpora: [],
  providers: [],
  policies: {},
  limits: {},
};

/** A whole set of options for a new run. Errors: `INVALID_ARGS` when the question is missing. */
export function initOptions(context: CommandContext, input: NewRun): InitOptions {
  const { configuration } = context;
  const driver = input.driver ?? impliedDriver(input) ?? configuredDriver(configuration);
  if (driver === "fixture") return replayOptions(context, input);
  refuseOptions(input, ["bundle"], "needs --driver fixture");
  const { question } = input;
  if (question === undefined)
    throw new RunError("INVALID_ARGS", { reason: "no question was given: put it in quotes, before --corpus" });
  if (driver !== "live" && driver !== "task") refuseOptions(input, ["audience", "length"], "needs --model");
  const supplemented = configuration.supplement(PLAIN, {
    ...input,
    driver,
    rank: rankFor(configuration, input, driver),
  });
  // Providers of the command line are the run's own; those in files are read below, by whose file it is.
  const filled = { ...supplemented, provider: input.provider };
  const withModels = (): RunInput => configuredModels(configuration, configuration.supplement(BUDGET_FIELDS, filled));
  const { rank } = filled;
  const spends = driver === "local" && rank === "endpoint" ? configuration.supplement(BUDGET_FIELDS, filled) : filled;
  const named = givenOptions(context, driver === "live" || isChosenByModel({ driver, rank }) ? withModels() : spends);
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
    question,
  };
}

/** `--driver local` alone calls nothing, whatever is configured. */
function rankFor(configuration: Configuration, { driver: named, rank }: NewRun, driver: DriverId): RankBy | undefined {
  if (rank !== undefined || named === "local" || (driver !== "local" && driver !== "live")) return rank;
  const said = configuration.find("rank", RUN_FIELDS.rank)?.value;
  return RANKS.find((one) => one === said);
}

/** A replay has the settings of its bundle: of what is configured, only policies and sensitivity count. */
function replayOptions(context: CommandContext, input: NewRun): InitOptions {
  refuseOptions(input, ["audience", "length"], "needs --model");
  refuseOptions(input, ["rank"], "goes with --driver local or live");
  const { sensitivity, on_interrupt, on_drift } = RUN_FIELDS;
  const filled = context.configuration.supplement({ sensitivity, on_interrupt, on_drift }, input);
  const { models, ...named } = givenOptions(context, { ...filled, driver: "fixture" });
  if (models !== undefined)
    throw new RunError("INVALID_ARGS", { reason: "a replay calls no model", option: "--model" });
  const { question } = input;
  return {
    ...NOTHING_SAID,
    ...named,
    ...given({ question, bundle: input.bundle === undefined ? undefined : context.absolute(input.bundle) }),
    driver: "fixture",
    runsRoot: context.runsRoot(),
  };
}

// --- models -------------------------------------------------------------------------------------------------------

/** The settings of models in the files, other than their names. */
export function configuredModelSettings(configuration: Configuration): Partial<ModelSettings> {
  // Each was read by its schema (groups.ts).
  return configuration.group("models");
}

/** Fills in the configured models. A configured URL counts only where a model of compatible is named. */
export function configuredModels<Input extends Pick<RunInput, keyof typeof MODEL_FIELDS>>(
  configuration: Configuration,
  input: Input,
): Input {
  const filled = configuration.supplement(MODEL_FIELDS, input);
  const needsUrl = input.model_base_url !== undefined || asksCompatible(filled);
  return needsUrl ? filled : { ...filled, model_base_url: undefined };
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

/** The configured driver; `live` where only a model is configured, as on the command line. */
export function configuredDriver(configuration: Configuration): DriverId {
  const said = configuration.find("driver", RUN_FIELDS.driver)?.value;
  const driver = DRIVER_IDS.find((id) => id === said);
  if (driver !== undefined) return driver;
  return configuration.find("model", RUN_FIELDS.model) === undefined ? DEFAULT_DRIVER : "live";
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
 * `--corpus PATH...` takes every word up to the next option, and so also a question that is behind it: a last word that
 * reads like a question is taken for one.
 */
export function questionAmong(
  question: string | undefined,
  corpus: string[],
): { question: string | undefined; corpus: string[] } {
  const last = corpus.at(-1);
  const isQuestion = question === undefined && corpus.length > 1 && last !== undefined && /\s|\?$/.test(last);
  return isQuestion ? { question: last, corpus: corpus.slice(0, -1) } : { question, corpus };
}

/** What a command line says of a new run as its input: `-` means a question on stdin. */
export async function withQuestion<Input extends NewRun>(context: CommandContext, input: Input): Promise<Input> {
  const { question, corpus } = questionAmong(input.question, input.corpus);
  return { ...input, corpus, question: await questionOrInput(context, question) };
}
