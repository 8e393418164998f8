// The session of a run for the page: its status, and all else that the page shows or locks.
import { decodeUtf8 } from "../kernel/decoded-text.ts";
import { unlessDamaged } from "../kernel/damage.ts";
import { readReportBytes } from "../operations/report/read-report.ts";
import { statusFrom } from "../operations/look/status.ts";
import { settledStanding } from "../operations/look/triage-run.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import { isTerminal } from "../run/log/lifecycle.ts";
import { asCommands } from "../surface/advice.ts";
import { haltOf } from "../surface/envelope.ts";
import { snapshotOf } from "../surface/snapshot.ts";
import { haltHeadline } from "../surface/halt-words.ts";
import { headlineOf, sentenceOf } from "../surface/state-words.ts";
import { shownOf } from "./shown.ts";
import { waysOn } from "./ways-on.ts";
import { wantedProviders } from "../run/log/provenance.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { modelName } from "../run/settings/model-names.ts";
import { isGiven } from "../kernel/field.ts";
import { RUN_FIELDS, SENSITIVITIES } from "../run/settings/fields.ts";
import { modelsInput } from "../run/next-steps/model-input.ts";
import { DEFAULT_SETTINGS, LIMITS_BY_MODE } from "../run/settings/settings.ts";

export type Session = Awaited<ReturnType<typeof sessionOf>>;

/** Made from one read, so that nothing in it is older than its revision. */
export async function sessionOf(ports: Ports, run: RunLook, withText: boolean) {
  const { manifest, runRoot, state } = run;
  const standing = await settledStanding(ports, run);
  const status = statusFrom(run);
  const { max_depth, max_rounds, results_per_query } = manifest.limits;
  const { settings, query, mode } = manifest;
  const halt = haltDetail(ports, run, status.model_unreachable);
  return {
    ...snapshotOf(status, standing, asCommands(ports)),
    run_id: manifest.run_id,
    run_root: runRoot,
    revision: manifest.revision,
    headline: headlineOf({ ...status, ...standing }),
    sentence: sentenceOf(standing),
    shown: shownOf(run, status, halt),
    start_again: startAgain(manifest),
    task: taskOf(manifest),
    /** Options that the form has no field for. */
    besides: besides(manifest),
    ways_on: waysOn(standing, asCommands(ports), { runRoot, runId: manifest.run_id }),
    needs_attention: standing.needs_attention,
    is_terminal: isTerminal(state),
    research: { max_depth, max_rounds, results_per_query },
    limits: manifest.limits,
    interrupted_run_id: state === "interrupted" ? manifest.run_id : null,
    provenance: manifest.provenance,
    report_versions: withText ? await withTexts(ports, run) : manifest.report_versions,
    halt_detail: halt,
    state_history: manifest.state_history,
    failures: manifest.failures,
    forked_from: manifest.forked_from?.run_id ?? null,
    settings: {
      corpora: settings.corpora,
      providers: settings.providers,
      driver: settings.driver,
      mode,
      model: status.model,
      sensitivity: query.sensitivity,
      audience: settings.audience ?? null,
      length: settings.length ?? null,
      budgets: settings.budgets ?? null,
      policies: settings.policies,
    },
  };
}

function haltDetail(ports: Ports, run: RunLook, isModelUnreachable: boolean) {
  const halt = haltOf(run, asCommands(ports));
  const { halt: stored } = run.manifest;
  if (halt === null || stored === null) return null;
  return { ...halt, headline: haltHeadline(halt.kind, isModelUnreachable), since: stored.created_at };
}

/** Null for a version that was altered: `verify` names its files. */
async function withTexts(ports: Ports, { runRoot, manifest }: RunLook) {
  const versions = [];
  for (const version of manifest.report_versions) {
    const read = await unlessDamaged(readReportBytes(ports, runRoot, version));
    versions.push({ ...version, report_text: read === null ? null : decodeUtf8(read.markdown) });
  }
  return versions;
}

// --- the options of the run ---------------------------------------------------------------------------------------

/** The body of `POST /api/runs`; null for a replay, whose bundle is not part of its settings. */
function startAgain({ query, mode, limits, settings, chat_id }: Manifest): Record<string, unknown> | null {
  const { driver, corpora, providers, models, rank, role_drivers, budgets, policies, audience, length } = settings;
  if (driver === "fixture") return null;
  const outside = Object.entries(role_drivers ?? {}).map(([role, by]) => `${role}=${by}`);
  const ownLimits = Object.fromEntries(Object.entries(limits).filter(([name]) => name in RUN_FIELDS));
  const options = {
    question: query.text,
    chat_id,
    sensitivity: query.sensitivity,
    mode,
    driver,
    corpus: corpora.map(({ path }) => path),
    provider: providers.run,
    ...(models === undefined ? {} : modelsInput(models)),
    rank: rank?.by,
    role_driver: outside,
    ...policies,
    ...budgets,
    audience,
    length,
    ...ownLimits,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => isGiven(value)));
}

/** The options of that request that say more than the mode does, in words; "" for none. */
function besides(manifest: Manifest): string {
  const usual: Record<string, unknown> = {
    ...LIMITS_BY_MODE[manifest.mode],
    ...DEFAULT_SETTINGS.policies,
    sensitivity: SENSITIVITIES[0],
  };
  const fields = taskOf(manifest);
  const further = Object.entries(startAgain(manifest) ?? {}).filter(
    ([name, value]) => !(name in fields) && usual[name] !== value,
  );
  return further.map(([name, value]) => `${name} ${String(value)}`).join(", ");
}

/** The fields of the form, as they were filled in for this run. */
function taskOf({ query, mode, limits, settings }: Manifest) {
  const { driver, corpora, providers, models, budgets } = settings;
  return {
    question: query.text,
    corpus: corpora.map(({ path }) => path).join("\n"),
    driver,
    mode,
    model: models === undefined ? "" : modelName(models.default),
    model_base_url: models?.default.base_url ?? "",
    provider: wantedProviders(providers).ids.join(", "),
    max_depth: String(limits.max_depth),
    max_rounds: String(limits.max_rounds),
    results_per_query: String(limits.results_per_query),
    max_cost_usd: String(budgets?.max_cost_usd ?? ""),
  };
}
