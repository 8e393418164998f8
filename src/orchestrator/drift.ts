// Drift: the driver, the models or the documents are not those that the run was made with.
import { digestOfJson } from "../kernel/digest.ts";
import { given } from "../kernel/given.ts";
import type { Driver } from "../ports/driver.ts";
import type { CorpusReport } from "../ports/provider.ts";
import type { Manifest } from "../run/log/manifest.ts";
import type { RecordData, RecordDraft } from "../run/log/record.ts";
import type { Model } from "../run/model/model.ts";
import { modelName, modelNames } from "../run/settings/model-names.ts";
import type { RankSettings } from "../run/settings/rank.ts";
import { ROLES } from "../run/role.ts";
import { settingsDigest, type ModelSettings, type Settings } from "../run/settings/settings.ts";

export type Difference = RecordData<"drift.accepted">["differences"][number];

export function corpusDrift({ corpora }: Settings, reports: readonly CorpusReport[]): Difference[] {
  return reports.flatMap(({ corpus }, index) => {
    const frozen = corpora[index];
    return frozen === undefined || frozen.digest === corpus.digest
      ? []
      : [{ what: `corpus ${corpus.name}`, frozen: frozen.digest, found: corpus.digest }];
  });
}

export function isOfCorpus({ what }: Difference): boolean {
  return what.startsWith("corpus ");
}

export function driverDrift({ driver, driver_version }: Settings, { version }: Driver): Difference[] {
  if (driver_version === undefined || driver_version === version) return [];
  return [{ what: `driver ${driver}`, frozen: driver_version, found: version }];
}

export function modelDrift({ models: frozen }: Settings, found: ModelSettings | undefined): Difference[] {
  if (found === undefined || frozen === undefined || digestOfJson(frozen) === digestOfJson(found)) return [];
  const [before, now] = [modelNames(frozen), modelNames(found)];
  const changed = ROLES.filter((role) => before[role] !== now[role]);
  if (changed.length === 0)
    return [{ what: "settings of the models", frozen: digestOfJson(frozen), found: digestOfJson(found) }];
  return changed.map((role) => ({ what: `model of the ${role}`, frozen: before[role], found: now[role] }));
}

/** Where passages are put in order, as it is set up now. */
export function rankDrift({ rank }: Settings, reranker: Model | undefined): Difference[] {
  if (rank?.by !== "endpoint" || reranker === undefined || digestOfJson(rank.endpoint) === digestOfJson(reranker))
    return [];
  const shown = (model: Model): string => `${modelName(model)} at ${model.base_url}`;
  return [{ what: "endpoint that ranks", frozen: shown(rank.endpoint), found: shown(reranker) }];
}

export interface Found {
  driver: Driver;
  /** The endpoint that ranks. */
  reranker?: Model | undefined;
  /** The reports of the corpora that were opened. */
  reports: readonly CorpusReport[];
  models?: ModelSettings | undefined;
}

/** What a gate says holds for one model and one prompt. */
function rankNow(rank: RankSettings, { driver, models, reranker }: Omit<Found, "reports">): RankSettings {
  if (rank.by === "endpoint") return { ...rank, endpoint: reranker ?? rank.endpoint };
  const { gate, prompt } = rank;
  const now = driver.rankCheck?.prompt ?? prompt;
  return { by: "model", prompt: now, ...(now === prompt && models === undefined ? given({ gate }) : {}) };
}

/** The records that accept the differences and change the settings to what was found. */
export function acceptedDrift(
  { settings, limits }: Readonly<Manifest>,
  differences: Difference[],
  reason: string,
  { driver, reports, models, reranker }: Found,
): RecordDraft[] {
  const corpora = settings.corpora.map((corpus, index) => ({
    ...corpus,
    ...reports[index]?.corpus,
    name: corpus.name,
    path: corpus.path,
  }));
  const changed = {
    ...settings,
    corpora,
    driver_version: driver.version,
    ...(models === undefined || settings.models === undefined ? {} : { models }),
    ...(settings.rank === undefined ? {} : { rank: rankNow(settings.rank, { driver, models, reranker }) }),
  };
  return [
    { kind: "drift.accepted", data: { differences, reason } },
    { kind: "settings.changed", data: { settings: changed, settings_digest: settingsDigest(changed), limits, reason } },
  ];
}
