// deep-research doctor
import { type Check, type CheckedPlaces, checkSetUp } from "../../operations/setup/doctor.ts";
import { tryModels } from "../../operations/setup/try-models.ts";
import { tryRanking } from "../../operations/setup/try-ranking.ts";
import { isFault, RunError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { DEFAULT_SETTINGS, type Sensitivity } from "../../run/settings/settings.ts";
import {
  badAllowedHost,
  checkExtraction,
  makePorts,
  portsFor,
  openTelemetry,
  type PortsConfig,
  searchEnginesSetUp,
} from "../../wiring.ts";
import { type Configuration, WORKSPACE_FILE } from "../configuration/configuration.ts";
import { namedStore } from "../configuration/store.ts";
import type { CommonValues } from "../options/options.ts";
import { readConfiguration, userFilePath } from "../configuration/load.ts";
import { OTHER_VARIABLES, SETTINGS } from "../configuration/keys.ts";
import { defineCommand } from "../command.ts";
import { asCommands } from "../../surface/advice.ts";
import { errorReport } from "../../surface/error-report.ts";
import type { Host } from "../host.ts";
import { DEFAULT_SENSITIVITY, MODEL_FIELDS, type RankBy, RUN_FIELDS } from "../../run/settings/fields.ts";
import { modelsOf } from "../../operations/run-input.ts";
import { configuredModels, configuredModelSettings } from "../options/run-options.ts";
import { flag, type InputOf, variableName } from "../../kernel/field.ts";
import { PROGRAM_NAME, type Style } from "../terminal/style.ts";
import { portsConfig, TELEMETRY_VARIABLE, TIMES } from "../configuration/environment.ts";
import { listSettings, type ShownSetting } from "../configuration/settings-list.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { factText } from "../../surface/fact-words.ts";
import { columns, oneLine, paragraph } from "../terminal/layout.ts";
import { count } from "../../surface/words.ts";

export interface DoctorResult {
  settings: ShownSetting[];
  checks: Check[];
  problems: number;
  warnings: number;
}

export const command = defineCommand({
  description:
    "Shows every problem of the set-up. The first of these that names a setting counts: the command line, a variable DEEP_RESEARCH_*, deep-research.json in the working folder or above, the user's config.json.",
  seeAlso: ["triage", "completion"],
  fields: {
    ...MODEL_FIELDS,
    rank: RUN_FIELDS.rank,
    all: flag("also every setting, and where it was said"),
    offline: flag("open no connection: call no model"),
  },
  examples: [
    ["doctor", "what is wrong, and what to do"],
    ["doctor --all", "also every setting, and where it was said"],
    ["doctor --json", "the same for programs: result.problems counts what keeps something from working"],
    ["doctor --model compatible:qwen3 --model-base-url http://127.0.0.1:11434/v1", "whether this model answers"],
  ],
  notes: [
    "It writes nothing but how a model did in the check of --rank model, and neither queries search engines nor starts MCP servers.",
    "Models\n  Each model that is set up has to call a tool, in a reply of 512 tokens at the most; one of compatible is also sent some 9,000 tokens of filler, to find a server that cuts off long requests. --offline calls none. With --rank model the model answers twelve short questions about passages, and with --rank endpoint the endpoint ranks three. No key is shown, only the variable that holds it.",
  ],
  exits: [
    [0, "the check ran, whatever it found: result.problems counts"],
    [2, "bad usage"],
  ],
  withoutConfiguration: true,
  async run({ host, common }, input) {
    const found: RunError[] = [];
    const { configuration, problems } = await readConfiguration(host, common);
    const settings = listSettings(host, configuration, { ...common, ...input }, found);
    const cache = settings.find(({ key }) => key === "cache_dir")?.value;
    const rankersFolder = typeof cache === "string" ? `${cache}/rankers` : null;
    const config = portsConfig(host, { indexFolder: null, damageFolder: null, rankersFolder }, configuration);
    const badHost = await badAllowedHost(config);
    if (badHost !== null) found.push(badHost);
    const places = {
      ...placesIn(host, settings, configuration),
      engines: await searchEnginesSetUp(config),
      mcpServers: config.providers?.mcp?.servers ?? [],
      environment: host.environment,
      telemetry: await telemetrySetUp(host),
    };
    const checks = [
      ...checkSetUp(await host.loadSetUp(), places, await checkExtraction()),
      ...(await modelChecks(config, configuration, input, found)),
      ...(await storeChecks(host, common, configuration, config, found)),
      ...fileChecks(configuration, [...problems, ...found].length === 0),
      ...[...problems, ...found].map((problem) => problemCheck(problem, host.cliInvocation)),
      ...variableChecks(host),
    ];
    const result: DoctorResult = {
      settings,
      checks,
      problems: checks.filter(({ status }) => status === "problem").length,
      warnings: checks.filter(({ status }) => status === "warning").length,
    };
    return {
      outcome: { result, run: null, error: null },
      text: (style) => withShortCommands(host, doctorText(result, input.all, userFilePath(host), style)),
    };
  },
});

/** None for runs in folders. A store that is named wrongly is added to the problems. */
async function storeChecks(
  host: Host,
  common: CommonValues,
  configuration: Configuration,
  config: PortsConfig,
  problems: RunError[],
): Promise<Check[]> {
  try {
    const store = namedStore(host, common, configuration);
    if (store === undefined) return [];
    const { checkStore } = await import("../../operations/setup/store-checks.ts");
    return await checkStore(await portsFor({ ...config, store }));
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    problems.push(error);
    return [];
  }
}

/** A model that is named wrongly is added to the problems. */
async function modelChecks(
  config: PortsConfig,
  configuration: Configuration,
  input: InputOf<typeof MODEL_FIELDS> & { rank: RankBy | undefined; offline: boolean },
  problems: RunError[],
): Promise<Check[]> {
  try {
    const named = modelsOf(configuredModels(configuration, input));
    const models = named && { ...configuredModelSettings(configuration), ...named };
    const said = configuration.find("sensitivity", RUN_FIELDS.sensitivity)?.value as Sensitivity | undefined;
    const options = { sensitivity: said ?? DEFAULT_SENSITIVITY, isOffline: input.offline };
    const ports = makePorts(config);
    return [
      ...(models === undefined ? [] : await tryModels(ports, models, options)),
      ...(await tryRanking(ports, input.rank, models, options)),
    ];
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { reason } = error.facts;
    if (!problems.some(({ facts }) => facts.reason === reason)) problems.push(error);
    return [];
  }
}

function placesIn(
  host: Host,
  settings: readonly ShownSetting[],
  configuration: Configuration,
): Omit<CheckedPlaces, "engines" | "mcpServers" | "environment" | "telemetry"> {
  const valueOf = (key: string): unknown => settings.find((setting) => setting.key === key)?.value;
  const textOf = (key: string): string | null => {
    const value = valueOf(key);
    return typeof value === "string" ? value : null;
  };
  const cache = textOf("cache_dir");
  const { lease } = DEFAULT_SETTINGS;
  return {
    runsRoot: textOf("runs_root"),
    indexFolder: cache === null ? null : `${cache}/index`,
    lease: {
      lease_seconds: Number(valueOf("lease_seconds") ?? lease.lease_seconds),
      heartbeat_seconds: Number(valueOf("heartbeat_seconds") ?? lease.heartbeat_seconds),
    },
    onHalt: (configuration.inFiles("on_halt")?.value as string[] | undefined) ?? null,
    cliInvocation: host.cliInvocation,
    isOnPath: host.isOnPath(PROGRAM_NAME),
  };
}

/** To open a sink sends nothing: it connects when the first event comes. */
async function telemetrySetUp({ environment }: Host): Promise<CheckedPlaces["telemetry"]> {
  const sink = environment[TELEMETRY_VARIABLE] ?? "";
  try {
    const opened = await openTelemetry({ wanted: sink, environment, writeError: () => {}, allowedHosts: [] });
    await opened?.close();
    return opened === null ? null : { sink, wrong: null };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const variable = isFault(error, "INVALID_ARGS.variable") ? `${error.facts.variable}: ` : "";
    return { sink, wrong: `${variable}${error.facts.reason ?? error.code}` };
  }
}

function fileChecks({ layers }: Configuration, isSound: boolean): Check[] {
  if (!isSound) return [];
  const read = layers.map(({ origin }) => `${origin.path} (${origin.kind})`);
  const detail = read.length === 0 ? `no ${WORKSPACE_FILE} here or above, and none of the user` : read.join(", ");
  return [{ name: "configuration", status: "ok", detail }];
}

function problemCheck(problem: RunError, cliInvocation: string): Check {
  const { message, hint } = errorReport(problem, asCommands({ cliInvocation })).error;
  const place = isFault(problem, "INVALID_ARGS.in_file") ? `${problem.facts.file}: ` : "";
  return { name: "configuration", status: "problem", detail: `${place}${message}`, next: hint };
}

/** Variables that nothing reads, misspelt or of another version. Their values are not shown. */
function variableChecks({ environment }: Host): Check[] {
  const options = Object.entries({ ...SETTINGS, ...TIMES }).flatMap(([key, { kind }]) =>
    kind === "list" ? [] : [variableName(key)],
  );
  const known: readonly string[] = [...options, ...OTHER_VARIABLES];
  const unknown = Object.keys(environment).filter((name) => name.startsWith("DEEP_RESEARCH_") && !known.includes(name));
  return unknown.sort().map((name) => {
    const [nearest] = nearestNames(name, known);
    return {
      name: "variables",
      status: "warning",
      detail: `${name} is set, and nothing reads it`,
      next: nearest === undefined ? `unset ${name}` : `did you mean ${nearest}?`,
    };
  });
}

function withShortCommands(host: Host, text: string): string {
  return host.isOnPath(PROGRAM_NAME) ? text.replaceAll(`${host.cliInvocation} `, `${PROGRAM_NAME} `) : text;
}

const VALUE_WIDTH = 60;

/** `withSettings` shows each setting, too. */
function doctorText(result: DoctorResult, withSettings: boolean, userFile: string | null, style: Style): string {
  const { settings, checks, problems, warnings } = result;
  const rows = settings.map(({ key, value, origin }) => [
    key,
    valueText(value),
    origin.startsWith("built-in") ? style.dim(origin) : shownLine(origin),
  ]);
  const summary = `${count(problems, "problem")}, ${count(warnings, "warning")}`;
  const all = withSettings
    ? `\n${style.bold("settings")}\n${columns(rows, "  ")}`
    : `${count(settings.length, "setting")}: see them with --all\n`;
  return [
    checks.map((check) => checkText(check, style)).join(""),
    `${problems > 0 ? style.bad(summary) : summary}\n`,
    userFile === null ? "" : `${paragraph(`your own settings go into ${userFile}`, style.width)}\n`,
    all,
  ].join("");
}

function valueText(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "-";
  return oneLine(factText(value), VALUE_WIDTH);
}

function checkText({ name, status, detail, next }: Check, style: Style): string {
  const colour = { ok: style.good, warning: style.warn, problem: style.bad }[status];
  const below = " ".repeat(11);
  const words = paragraph(`${name}: ${shownLine(detail)}`, style.width, `  ${colour(status.padEnd(7))}  `, below);
  // Some are commands, which stay whole.
  return next === undefined ? `${words}\n` : `${words}\n${below}${shownLine(next)}\n`;
}
