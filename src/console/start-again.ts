// The request that starts a run again from scratch: the same question and options, without any finished step.
import type { Manifest } from "../run/manifest.ts";
import { modelName } from "../run/model-names.ts";

/** The body of `POST /api/runs`; null for a replay, whose bundle is not part of its settings. */
export function startAgain({ query, mode, limits, settings, chat_id }: Manifest): Record<string, unknown> | null {
  const { driver, corpora, providers, models, role_drivers, budgets, policies, audience, length } = settings;
  if (driver === "fixture") return null;
  const roles = Object.entries(models?.roles ?? {}).map(([role, model]) => `${role}=${modelName(model)}`);
  const outside = Object.entries(role_drivers ?? {}).map(([role, by]) => `${role}=${by}`);
  const { max_depth, max_rounds, results_per_query, max_unsupported_share, min_citation_use } = limits;
  const options = {
    question: query.text,
    chat_id,
    sensitivity: query.sensitivity,
    mode,
    driver,
    corpus: corpora.map(({ path }) => path),
    provider: providers.run,
    model: models === undefined ? undefined : modelName(models.default),
    model_base_url: models?.default.base_url,
    role_model: roles,
    role_driver: outside,
    ...policies,
    ...budgets,
    audience,
    length,
    max_depth,
    max_rounds,
    results_per_query,
    max_unsupported_share,
    min_citation_use,
  };
  const given = Object.entries(options).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(given);
}
