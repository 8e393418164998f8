// The fields of the settings of a run. Schemas, flags, variables, keys of files, arguments of calls and forms are made from them.
import { anyOf } from "../../kernel/any-of.ts";
import { RunError } from "../../kernel/errors.ts";
import {
  decimal,
  flag,
  integer,
  listOf,
  type NumberField,
  oneOf,
  text,
  trusted,
  type ValueField,
} from "../../kernel/field.ts";
import { wrongValue } from "../../kernel/wrong-value.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { PROVIDER_IDS } from "../common.ts";
import { parseModel } from "../model/model.ts";
import { type Role, ROLES } from "../role.ts";
import { MAX_ROUNDS } from "../stage.ts";

export const MODES = ["quick", "standard", "deep"] as const;
export type Mode = (typeof MODES)[number];
export const DEFAULT_MODE = "standard" satisfies Mode;
/** From the loosest to the strictest. */
export const SENSITIVITIES = ["normal", "restricted", "no_web"] as const;
export const DEFAULT_SENSITIVITY = "normal" satisfies (typeof SENSITIVITIES)[number];
export const DRIVER_IDS = ["local", "live", "task", "fixture"] as const;
export const DEFAULT_DRIVER = "local" satisfies (typeof DRIVER_IDS)[number];
export const DEFAULT_PROVIDER = "filesystem" satisfies (typeof PROVIDER_IDS)[number];
export const RANKS = ["none", "endpoint", "model"] as const;
export type RankBy = (typeof RANKS)[number];
export const REPORT_LENGTHS = ["brief", "standard", "long"] as const;
const MAX_DEPTH = 5;
export const LEAST_CONTEXT_TOKENS = 2_000;

// --- models -------------------------------------------------------------------------------------------------------

export const NEEDS_URL = "compatible:";
/** In place of the URL while a name is read for which it is not known yet. */
const ANY_URL = "http://localhost";
const SENDS_DOCUMENTS = "it decides where documents are sent";

function checkModel(name: string): string {
  parseModel(name, name.startsWith(NEEDS_URL) ? ANY_URL : undefined);
  return name;
}

export function roleAndName(raw: string): [role: Role, name: string] {
  const at = raw.indexOf("=");
  const role = ROLES.find((one) => one === raw.slice(0, at));
  if (role !== undefined) return [role, raw.slice(at + 1)];
  const meant = nearestNames(raw.slice(0, at), ROLES).map((one) => one + raw.slice(at));
  throw wrongValue(raw, `ROLE=PROVIDER:NAME with the role ${anyOf(ROLES)}`, meant);
}

/** Text that is read further, and kept as it was written where `read` gives it back. */
function readText<T>(word: string, about: string, read: (raw: string) => T): ValueField<T> {
  const field = text(word, about);
  return { ...field, read: (raw) => read(field.read(raw)) };
}

export const MODEL_FIELDS = {
  model: trusted(
    readText(
      "MODEL",
      "the model that thinks, as PROVIDER:NAME[,effort=LEVEL][,temperature=N]; compatible, openai, anthropic or google",
      checkModel,
    ),
    "same",
    SENDS_DOCUMENTS,
  ),
  role_model: trusted(
    listOf(
      readText("ROLE", `another model for a role, as ROLE=PROVIDER:NAME: ${ROLES.join(", ")}`, (raw) => {
        checkModel(roleAndName(raw)[1]);
        return raw;
      }),
    ),
    "same",
    SENDS_DOCUMENTS,
  ),
  model_base_url: trusted(
    readText(
      "URL",
      "where the models of compatible answer: http://127.0.0.1:11434/v1",
      (raw) => parseModel(`${NEEDS_URL}any`, raw).base_url ?? raw,
    ),
    "same",
    "it decides where keys and documents are sent",
  ),
};

/** The bounds of one call. A run whose replies were cut off may get others when it continues. */
export const CALL_FIELDS = {
  max_output_tokens: integer("N", "tokens that one reply may have", { least: 256, most: 1_000_000 }),
  context_tokens: integer("N", "tokens that one request may hold, its reply included", {
    least: LEAST_CONTEXT_TOKENS,
    most: 10_000_000,
  }),
};

// --- budgets ------------------------------------------------------------------------------------------------------

function budget(field: NumberField): NumberField {
  return { ...trusted(field, "less", "it bounds what is spent"), standard: "no limit" };
}

/** What a run may spend. */
export const BUDGET_FIELDS = {
  max_cost_usd: budget(decimal("N", "US dollars that the run may spend", { above: 0, most: 1_000_000 })),
  max_tokens: budget(integer("N", "tokens that it may use", { least: 1, most: 1e12 })),
  max_calls: budget(integer("N", "calls of models that it may make", { least: 1, most: 1e9 })),
  /** Minutes worked, over all ticks. */
  max_minutes: budget(decimal("N", "minutes that it may work", { above: 0, most: 1e6 })),
};

// --- limits -------------------------------------------------------------------------------------------------------

export interface LimitField extends NumberField {
  byMode: Readonly<Record<Mode, number>>;
}

function limit(about: string, [least, most]: [number, number], byMode: [number, number, number]): LimitField {
  const [quick, standard, deep] = byMode;
  return { ...integer("N", about, { least, most }, "by mode"), byMode: { quick, standard, deep } };
}

function share(of: string, standard: number): LimitField {
  const field = decimal("SHARE", `the share, 0 to 1, of ${of}`, { least: 0, most: 1 }, "by mode");
  return { ...field, byMode: { quick: standard, standard, deep: standard } };
}

/** They only judge results. When one of them changes, no step is done again. */
export const JUDGING_FIELDS = {
  /** The first draft counts. */
  max_rounds: limit("drafts that review may ask for", [1, MAX_ROUNDS], [1, 3, 5]),
  max_unsupported_share: share("claims that may be contradicted or not checked", 0.2),
  min_citation_use: share("verified citations that the report has to use", 0.3),
};
/** The result of a step depends on them. */
export const WORK_FIELDS = {
  /** Before each wave but the first, the planner reviews what was found. */
  max_depth: limit("waves of research", [1, MAX_DEPTH], [1, 2, 2]),
  results_per_query: limit("passages taken per query", [1, 100], [6, 10, 20]),
};
/** All limits, in the order in which people see them. Those without a flag are said in files. */
export const LIMIT_FIELDS = {
  /** A subject is a perspective or a gap. */
  max_perspectives: limit("perspectives", [1, 20], [3, 5, 8]),
  max_depth: WORK_FIELDS.max_depth,
  max_rounds: JUDGING_FIELDS.max_rounds,
  results_per_query: WORK_FIELDS.results_per_query,
  max_quotes_per_subject: limit("quotes of a subject", [1, 100], [8, 10, 14]),
  max_gaps: limit("gaps that each wave after the first may work on", [0, 20], [0, 3, 6]),
  max_words_per_subject: limit("words of the findings of a subject", [50, 20_000], [1_500, 2_000, 4_000]),
  max_sources_per_subject: limit("sources of a subject", [1, 100], [6, 10, 20]),
  max_unsupported_share: JUDGING_FIELDS.max_unsupported_share,
  min_citation_use: JUDGING_FIELDS.min_citation_use,
};

// --- the run ------------------------------------------------------------------------------------------------------

const READS = "documents are read there";

/** Paths of documents. Errors: `INVALID_ARGS` for an address, which is none. */
function checkPath(raw: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(raw)) return raw;
  const address = raw.slice(0, 200);
  throw new RunError("INVALID_ARGS.address", {
    reason: `"${address}" is an address: name a folder or a file`,
    address,
  });
}

export const corpusField = (about: string) => trusted(listOf(readText("PATH", about, checkPath)), "inside", READS);

function readOutside(raw: string): Role {
  const [name, driver] = raw.split("=");
  const role = ROLES.find((one) => one === name);
  if (role !== undefined && driver === "task") return role;
  throw wrongValue(
    raw,
    "ROLE=task",
    ROLES.map((one) => `${one}=task`),
  );
}

export const ON_DRIFT = ["continue", "refuse", "fork"] as const;
export const ON_INTERRUPT = ["continue", "hold"] as const;

/** All that may be set for a new run, in the order of its help. */
export const RUN_FIELDS = {
  corpus: corpusField("folders to research, each with everything below it, or single files"),
  provider: trusted(
    listOf(oneOf("ID", "where evidence comes from, the next one where one fails", PROVIDER_IDS, DEFAULT_PROVIDER)),
    "fewer",
    "it decides where the question is sent",
    [DEFAULT_PROVIDER],
  ),
  driver: {
    ...trusted(
      oneOf("ID", "who does the thinking", DRIVER_IDS),
      "same",
      "it decides whether documents are sent to a model",
      [DEFAULT_DRIVER, "task"],
    ),
    standard: `${DEFAULT_DRIVER}, live with --model, fixture with --bundle`,
  },
  bundle: trusted(
    text("DIR", "replay the run that `capture` recorded there, with its question, mode and limits"),
    "inside",
    READS,
  ),
  ...MODEL_FIELDS,
  rank: {
    ...trusted(oneOf("WHO", "who puts found passages in order", RANKS), "same", SENDS_DOCUMENTS, ["none"]),
    standard: "none, model with --driver live",
  },
  role_driver: listOf(
    readText("ROLE", "a role (see --role-model) that agents or people outside play, as ROLE=task", readOutside),
  ),
  approve_plan: flag("halt once the plan is made, until approve"),
  mode: oneOf("MODE", "how wide and deep to go", MODES, DEFAULT_MODE),
  audience: text("TEXT", "whom the report is for, with a model"),
  length: {
    ...oneOf("LENGTH", "how long the report is, with a model", REPORT_LENGTHS),
    standard: "by mode and evidence",
  },
  sensitivity: trusted(
    oneOf("LEVEL", "what may leave this machine", SENSITIVITIES, DEFAULT_SENSITIVITY),
    "stricter",
    "it decides what leaves this machine",
  ),
  run_id: text("ID", "the id of the new run", "made from the time"),
  chat_id: text("LABEL", "the chat that the run belongs to, for clients of /agents/run"),
  ...JUDGING_FIELDS,
  ...WORK_FIELDS,
  ...CALL_FIELDS,
  ...BUDGET_FIELDS,
  on_interrupt: oneOf("POLICY", "what the next tick does with interrupted work", ON_INTERRUPT, "continue"),
  on_drift: oneOf("POLICY", "what to do when tool, settings or corpus changed", ON_DRIFT, "continue"),
};
