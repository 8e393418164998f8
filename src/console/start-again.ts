// The options of a run: as the request that starts it again from scratch, and as the fields of the form.
import { wantedProviders } from "../run/log/provenance.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { modelName } from "../run/settings/model-names.ts";
import { isGiven } from "../kernel/field.ts";
import { RUN_FIELDS, SENSITIVITIES } from "../run/settings/fields.ts";
import { modelsInput } from "../run/next-steps/model-input.ts";
import { DEFAULT_SETTINGS, LIMITS_BY_MODE } from "../run/settings/settings.ts";

/** The body of `POST /api/runs`; null for a replay, whose bundle is not part of its settings. */
export function startAgain({ query, mode, limits, settings, chat_id }: Manifest): Record<string, unknown> | null {
  const { driver, corpora, providers, models, role_drivers, budgets, policies, audience, length } = settings;
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
export function besides(manifest: Manifest): string {
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
export function taskOf({ query, mode, limits, settings }: Manifest) {
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
