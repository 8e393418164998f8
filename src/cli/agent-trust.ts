// Judges what an agent requests over MCP, by the trust rule of each option: against the user's configuration, and the run that is meant.
import { RunError } from "../kernel/errors.ts";
import { memberOf } from "../kernel/member.ts";
import { shortened } from "../kernel/shortened.ts";
import { isPageName } from "../ports/provider.ts";
import { isStoredDocuments } from "../run/settings/stored-documents.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { modelsInput } from "../run/next-steps/model-input.ts";
import { wantedProviders } from "../run/log/provenance.ts";
import type { Said, VerbUse } from "../surface/verb-use.ts";
import type { CommandContext } from "./command.ts";
import { type Configuration } from "./configuration/configuration.ts";
import { loadConfiguration, userFilePath } from "./configuration/load.ts";
import { SETTINGS } from "./configuration/keys.ts";
import { type Bounds, isInside, type Refusal, refusalOf, saidByUser } from "./configuration/trust.ts";
import type { FieldTable, Trust } from "../kernel/field.ts";
import { COMMON } from "./options/options.ts";
import { BUDGET_FIELDS, RUN_FIELDS } from "../run/settings/fields.ts";
import type { ModelSettings } from "../run/settings/settings.ts";

const MAX_SHOWN = 200;

/** By the name of the field. */
type Values = Readonly<Record<string, unknown>>;

export interface AgentTrust {
  /** Absolute folders that an agent may name next to those of the configuration and the working folder. */
  roots: readonly string[];
  /** The option of the server by which a person adds one; absent where it has none. */
  addsRoots?: string;
}

interface Refused {
  argument: string;
  value: unknown;
  isPath: boolean;
}

type Context = Pick<CommandContext, "host" | "ports" | "find" | "runsRoot" | "absolute" | "common" | "commands">;

export class AgentJudge {
  readonly #context: Context;
  readonly #trust: AgentTrust;

  constructor(context: Context, trust: AgentTrust) {
    this.#context = context;
    this.#trust = trust;
  }

  /** Errors: `INVALID_ARGS` that says what the person would add. */
  async judge({ verb, kind }: VerbUse, given: Said): Promise<void> {
    const configuration = await loadConfiguration(this.#context.host, this.#context.common);
    const { command } = (await this.#context.commands.find(verb)?.load()) ?? {};
    const table = command?.fields ?? {};
    const said = valuesIn(table, given);
    const user = this.#boundsOfUser(configuration);
    const { run } = given;
    if (run === undefined) return this.#refuse(table, withDriver(said), user);
    this.#refusePath(String(run), user);
    const isWork = kind === "work" || verb === "fork";
    if (!isWork && Object.keys(said).length === 0) return;
    const found = await this.#readRun(String(run));
    // The command itself says why there is no such run.
    if (found === null) return this.#refuse(table, said, user);
    const own = settingsOf(found.manifest);
    const ofRun = { ...user, saidByUser: (key: string) => own[key], folders: own["corpus"] as string[] };
    // What the user said of a run of his holds for that run, and nothing may be looser than that.
    const isUsers = isInside(found.runRoot, this.#ours) && !this.#isRootOfWorkspace(configuration);
    const isChange = (key: string, value: unknown): boolean =>
      !isUsers || isBound(table, key) || this.#refusal(key, trustOf(table, key), value, ofRun) !== null;
    const changes = picked(said, isChange);
    const asksAnew = given["question"] !== undefined && given["question"] !== found.manifest.query.text;
    const isNew = !isUsers || asksAnew || Object.keys(changes).some((key) => !isBound(table, key));
    // With another question, other documents or another model it is research like that of a start.
    // What was said is judged, and so refused, before what the run has.
    const whole = isWork && isNew ? { ...said, ...own, ...withDriver(said) } : changes;
    this.#refuse({ ...RUN_FIELDS, ...table }, whole, user, said);
    this.#refuse(
      table,
      picked(said, (key) => isBound(table, key)),
      ofRun,
    );
  }

  /** Errors: `INVALID_ARGS` for the first value that goes too far. */
  #refuse(table: FieldTable, values: Values, bounds: Bounds, said = values): void {
    for (const [key, value] of Object.entries(values)) {
      const trust = trustOf(table, key);
      const refusal = this.#refusal(key, trust, value, bounds);
      if (refusal !== null) {
        const name = key in said ? key : `the run's ${key}`;
        throw this.#error(name, { argument: key, value, isPath: trust?.may === "inside", ...refusal });
      }
    }
  }

  #refusal(key: string, trust: Trust | undefined, value: unknown, bounds: Bounds): Refusal | null {
    if (trust === undefined) return null;
    const { absolute } = this.#context;
    const paths = (said: unknown): unknown =>
      isPageName(String(said)) || isStoredDocuments(String(said)) ? said : absolute(String(said));
    return refusalOf(key, trust, trust.may === "inside" ? [value].flat().map(paths) : value, bounds);
  }

  #error(name: string, { argument, value, isPath, may, found }: Refusal & Refused): RunError {
    const file = userFilePath(this.#context.host) ?? "the user's configuration";
    const shown = shortened(JSON.stringify(value) ?? "no limit", MAX_SHOWN);
    const adds = isPath
      ? (this.#trust.addsRoots ?? `its folder under "corpus" in ${file}`)
      : `"${argument}": ${shown} to ${file}`;
    const reason = `${name}: an agent may ${may}`;
    return new RunError("INVALID_ARGS.agent_may_not", { reason, argument, found, trust: true, adds });
  }

  // --- the user's side ----------------------------------------------------------------------------------------------

  get #ours(): Pick<Bounds, "folders" | "realPath"> {
    const { runsRoot, host } = this.#context;
    return { folders: [runsRoot()], realPath: (path) => host.realPath(path) };
  }

  #boundsOfUser(configuration: Configuration): Bounds {
    const { host } = this.#context;
    const valueOf = (key: string): unknown => {
      if (key === "provider") return providersIn(configuration);
      const spec = memberOf(SETTINGS, key);
      return (spec === undefined ? configuration.inFiles(key) : configuration.find(key, spec))?.value;
    };
    const corpora = [valueOf("corpus") ?? []].flat() as string[];
    // Everything is inside of /, so a server that is started there has no folder of its own.
    const working = host.workingFolder === "/" ? [] : [host.workingFolder];
    return {
      saidByUser: saidByUser(valueOf),
      folders: [...working, ...corpora, ...this.#trust.roots],
      realPath: (path) => host.realPath(path),
    };
  }

  /** A workspace may name any runs root, and what the runs in it say is then not the user's word. */
  #isRootOfWorkspace(configuration: Configuration): boolean {
    if (this.#context.common.runs_root !== undefined || this.#context.common.trust_workspace) return false;
    return configuration.find("runs_root", COMMON.runs_root)?.origin.kind === "workspace";
  }

  /** A run that is elsewhere belongs to someone else, or does not exist. */
  #refusePath(run: string, user: Bounds): void {
    if (!run.includes("/")) return;
    const path = this.#context.absolute(run);
    if (isInside(path, this.#ours) || isInside(path, user)) return;
    const may = `only name runs in ${this.#ours.folders.join()}`;
    throw this.#error("run", { argument: "run", value: run, isPath: true, may, found: run });
  }

  async #readRun(run: string): Promise<{ runRoot: string; manifest: Manifest } | null> {
    const { find, ports } = this.#context;
    try {
      const { runRoot } = await find(run);
      return { runRoot, manifest: (await ports.store.look(runRoot)).manifest };
    } catch {
      return null;
    }
  }
}

function providersIn({ layers }: Configuration): string[] | undefined {
  const said = layers.flatMap(({ values }) => [values.get("provider"), values.get("providers")]);
  const lists = said.filter((list) => Array.isArray(list)) as string[][];
  return lists.length === 0 ? undefined : lists.flat();
}

/** What was said of options that the trust rule is about, as the command reads it. */
function valuesIn(table: FieldTable, given: Said): Values {
  const entries = Object.entries(table).flatMap(([key, spec]) => {
    const value = given[key];
    if (value === undefined || spec.kind === "flag" || spec.trust === undefined) return [];
    return [[key, Array.isArray(value) ? value.map((one) => read(spec, one)) : read(spec, value)]];
  });
  return Object.fromEntries(entries) as Values;
}

function read(spec: Exclude<FieldTable[string], { kind: "flag" }>, value: unknown): unknown {
  try {
    return spec.read(String(value));
  } catch {
    // The command says what is wrong with it.
    return value;
  }
}

/** A model that is named makes a model think, whatever is configured. */
function withDriver(said: Values): Values {
  return said["model"] === undefined || said["driver"] !== undefined ? said : { ...said, driver: "live" };
}

/** A bound may be drawn closer, and is never a change of the question or of what is read. */
function isBound(table: FieldTable, key: string): boolean {
  const may = trustOf(table, key)?.may;
  return may === "less" || may === "stricter";
}

function trustOf(table: FieldTable, key: string): Trust | undefined {
  const spec = table[key];
  return spec?.kind === "flag" ? undefined : spec?.trust;
}

/** Of a list those that are meant. */
function picked(values: Values, isMeant: (key: string, value: unknown) => boolean): Values {
  const meant = Object.entries(values).flatMap(([key, value]) => {
    if (!Array.isArray(value)) return isMeant(key, value) ? [[key, value]] : [];
    const found = value.filter((one) => isMeant(key, one));
    return found.length === 0 ? [] : [[key, found]];
  });
  return Object.fromEntries(meant) as Values;
}

/** An absent budget is no limit, which is judged like any other. */
const NO_BUDGETS = Object.fromEntries(Object.keys(BUDGET_FIELDS).map((name) => [name, undefined]));

/** The settings of a run by the names of their fields. */
function settingsOf({ settings, query }: Manifest): Values {
  const { driver, models, rank, budgets = {}, corpora, providers } = settings;
  const { sensitivity } = query;
  const common = {
    driver,
    sensitivity,
    corpus: corpora.map(({ path }) => path),
    provider: wantedProviders(providers).ids,
    ...(rank === undefined ? {} : { rank: rank.by }),
  };
  if (models === undefined) return common;
  return { ...common, ...modelsInput(models), ...urlsOf(models), ...NO_BUDGETS, ...budgets };
}

/** A role may be performed elsewhere than the others. */
function urlsOf({ default: byDefault, roles }: Pick<ModelSettings, "default" | "roles">): Values {
  const urls = [byDefault, ...Object.values(roles)].flatMap(({ base_url }) => base_url ?? []);
  return urls.length === 0 ? {} : { model_base_url: [...new Set(urls)] };
}
