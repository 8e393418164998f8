// `resume`: lifts a pause, a hold or a halt, then continues as `run`.
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { lift } from "../../orchestrator/drive.ts";
import type { Observer, StopSignals } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import { checkModels } from "../../conversations/model-check.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { modelFor } from "../../run/settings/model-names.ts";
import { ROLES } from "../../run/role.ts";
import { movedModels, type Budgets, type ModelSettings, type Settings } from "../../run/settings/settings.ts";
import { drivenWork } from "./driven-work.ts";
import { fleetOf } from "../handing-on.ts";
import { forkRun } from "../make/fork-run.ts";
import { checkBudgets, modelsIn, modelsWith } from "../make/model-settings.ts";
import type { ResumeOptions } from "../options.ts";
import type { Outcome, RunResult } from "../outcome.ts";
import { runRun } from "./run-run.ts";
import { work } from "../work.ts";
import { reportPaths, settledOutcome } from "../work-outcome.ts";

export async function resumeRun(
  ports: Ports,
  runRoot: string,
  options: ResumeOptions,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RunResult>> {
  const { noRun: liftsOnly, detach = false, models: requested, ...rest } = options;
  const fleet = detach ? fleetOf(ports) : null;
  const noRun = liftsOnly === true || detach;
  const run = await ports.store.look(runRoot);
  const settled = await settledOutcome(ports, run);
  if (settled !== null) return settled;
  if (noRun && requested !== undefined) {
    const option = detach ? "--detach" : "--no-run";
    const reason = `other models are a drift, which is judged when work begins, and ${option} begins no work`;
    throw new RunError("INVALID_ARGS", { reason, option });
  }
  const moved = movedSettings(run.manifest.settings, options.modelBaseUrl);
  const models = requested === undefined ? {} : { models: changedModels(moved, requested) };
  await checkChanges(ports, { ...run.manifest, settings: moved }, { ...rest, ...models });
  const request = { ...rest, ...models, lifts: true, reason: "resume" };
  const intent = drivenWork(ports, request, observer, signals);
  if (noRun) {
    const lifted = await work(ports, run, {
      ...intent,
      performs: false,
      async act(ownership) {
        await lift(ownership, request);
        const nothing = { ticks: 0, steps_completed: 0, steps_adopted: 0 };
        return { stopped_by: "lifted", ...nothing, ...reportPaths(ports, ownership.writer) };
      },
    });
    await fleet?.wake();
    return lifted;
  }
  const outcome = await work(ports, run, intent);
  if (options.onDrift !== "fork" || outcome.error?.code !== "SETTINGS_DRIFT") return outcome;
  const runsRoot = runRoot.slice(0, runRoot.lastIndexOf("/"));
  const { budgets, limits } = options;
  const fork = await forkRun(ports, runRoot, { runsRoot, ...models, ...given({ budgets, limits }) }, observer);
  return await runRun(ports, fork.result.run_root, {}, observer, signals);
}

/** Errors: `INVALID_ARGS` for a run of which no model is one of `compatible`. */
function movedSettings(settings: Settings, baseUrl: string | undefined): Settings {
  if (baseUrl === undefined) return settings;
  const { models } = settings;
  if (models === undefined || !ROLES.some((role) => modelFor(models, role).provider === "compatible")) {
    const reason = models === undefined ? "the run was made without a model" : "the run has no model of compatible";
    throw new RunError("INVALID_ARGS", { reason, option: "--model-base-url" });
  }
  return { ...settings, models: movedModels(models, baseUrl) };
}

/** Those of the run, with what is given in their place. Errors: `INVALID_ARGS` for a run that asks none. */
function changedModels({ models }: Settings, given: Partial<ModelSettings>): ModelSettings {
  if (models === undefined)
    throw new RunError("INVALID_ARGS", { reason: "the run was made without a model", option: "--model" });
  return modelsWith(models, given);
}

/** Errors: `INVALID_ARGS` for models or budgets that the run cannot have. */
async function checkChanges(
  ports: Ports,
  { settings, query }: Manifest,
  { models, budgets, modelBaseUrl }: { models?: ModelSettings; budgets?: Budgets; modelBaseUrl?: string },
): Promise<void> {
  if (models === undefined && budgets === undefined && modelBaseUrl === undefined) return;
  const changed = models ?? settings.models;
  if (changed === undefined && settings.rank === undefined) {
    const reason = "the run was made without a model";
    throw new RunError("INVALID_ARGS", { reason, option: "--max-cost-usd" });
  }
  if (changed !== undefined && (models !== undefined || modelBaseUrl !== undefined))
    checkModels(await ports.loadModels(), changed, query.sensitivity);
  const rerankers = settings.rank?.by === "endpoint" ? [settings.rank.endpoint] : [];
  const called = [...(changed === undefined ? [] : modelsIn(changed)), ...rerankers];
  if (budgets !== undefined) checkBudgets(ports, called, budgets);
}
