// The settings that steps were made with, and where a fork differs from them: such steps are done again, or may be.
import { digestOfJson } from "../../kernel/digest.ts";
import type { AnyRecord, RecordData } from "../../run/log/record.ts";
import { assignmentOf, workLimits, type Settings } from "../../run/settings/settings.ts";
import { modelNames } from "../../run/settings/model-names.ts";
import { rankIdentity } from "../../run/settings/rankers.ts";

/** With another driver or other models every result is lost. With another of the rest a step keeps its result where its inputs stay the same. */
export const DIFFERENCES = ["driver", "models", "question", "assignment", "documents", "limits"] as const;
export type MadeDifference = (typeof DIFFERENCES)[number];

export type MadeWith = Record<MadeDifference, unknown>;

export function madeWith({ query, mode, settings, limits }: RecordData<"run.created">): MadeWith {
  return { question: query.text, ...ofSettings(settings), limits: { mode, ...workLimits(limits) } };
}

/** The settings of each finished step, by its key: a run may get other models and limits midway. */
export function madeWithByStep(records: readonly AnyRecord[]): ReadonlyMap<string, MadeWith> {
  const byStep = new Map<string, MadeWith>();
  let created: RecordData<"run.created"> | null = null;
  for (const { kind, data } of records) {
    if (kind === "run.created") created = data;
    if (created === null) continue;
    if (kind === "settings.changed") created = { ...created, settings: data.settings, limits: data.limits };
    if (kind === "step.completed" || kind === "step.adopted") byStep.set(data.key, madeWith(created));
  }
  return byStep;
}

export function differencesBetween(made: MadeWith, now: MadeWith): MadeDifference[] {
  return DIFFERENCES.filter((what) => digestOfJson(made[what] ?? null) !== digestOfJson(now[what] ?? null));
}

/** True where no result can be reused, whatever the inputs are. */
export function isDoneAgain(differences: readonly MadeDifference[]): boolean {
  return differences.includes("driver") || differences.includes("models");
}

function ofSettings({
  driver,
  driver_version,
  models,
  rank,
  corpora,
  ...others
}: Settings): Pick<MadeWith, "driver" | "models" | "assignment" | "documents"> {
  return {
    driver: { driver, driver_version: driver_version ?? null },
    models:
      models === undefined && rank === undefined
        ? null
        : { ...(models && modelNames(models)), ...(rank && { rank: rankIdentity(rank) }) },
    assignment: assignmentOf(others),
    documents: corpora.map(({ name, digest }) => ({ name, digest })),
  };
}
