// Which servers of models have answered this run before: one that is away now will come back.
import type { Model } from "../run/model.ts";
import type { AnyRecord } from "../run/record.ts";
import { modelFor, ROLES, type ModelSettings } from "../run/settings.ts";

export class AnsweredServers {
  readonly #servers = new Set<string>();

  constructor(records: readonly AnyRecord[]) {
    let models: ModelSettings | undefined;
    const asked = new Map<string, Model>();
    for (const { kind, data } of records) {
      if (kind === "run.created" || kind === "settings.changed") models = data.settings.models;
      if (kind === "usage.reserved" && models !== undefined) asked.set(data.reservation_id, modelOf(models, data.role));
      if (kind !== "usage.settled" || data.outcome !== "answered") continue;
      const model = asked.get(data.reservation_id);
      if (model !== undefined) this.add(model);
    }
  }

  has(model: Model): boolean {
    return this.#servers.has(serverOf(model));
  }

  add(model: Model): void {
    this.#servers.add(serverOf(model));
  }
}

function serverOf({ provider, base_url }: Model): string {
  return base_url ?? provider;
}

function modelOf(models: ModelSettings, role: string): Model {
  const known = ROLES.find((one) => one === role);
  return known === undefined ? models.default : modelFor(models, known);
}
