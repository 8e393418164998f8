// The names of models as people write them, and the model of each role.
import type { Model } from "../model/model.ts";
import type { ModelSetting } from "../model/model-provider.ts";
import { ROLES, type CallRole, type Role } from "../role.ts";
import type { ModelSettings, Settings } from "./settings.ts";

/** The name with its settings, since a model with other settings counts as another model. */
export function modelName(model: Omit<Model, "base_url">): string {
  return `${plainModelName(model)}${settingsText(model)}`;
}

/** The name without the settings: prices do not depend on them. */
export function plainModelName({ provider, name }: Pick<Model, "provider" | "name">): string {
  return `${provider}:${name}`;
}

/** The settings as they follow the name: `,effort=low,temperature=0.2`. */
function settingsText({ effort, temperature }: ModelSetting): string {
  return `${effort === undefined ? "" : `,effort=${effort}`}${temperature === undefined ? "" : `,temperature=${temperature}`}`;
}

export function modelFor({ roles, default: byDefault }: ModelSettings, role: Role): Model {
  return roles[role] ?? byDefault;
}

/** The model that a call goes to; undefined where the run has none. */
export function calledModel({ models, rank }: Pick<Settings, "models" | "rank">, role: CallRole): Model | undefined {
  if (role === "ranker") return rank?.by === "endpoint" ? rank.endpoint : undefined;
  return models === undefined ? undefined : modelFor(models, role);
}

/** The names of the models by role. Results of steps depend on these, and not on where the models are reached. */
export function modelNames(models: ModelSettings): Record<Role, string> {
  return Object.fromEntries(ROLES.map((role) => [role, modelName(modelFor(models, role))])) as Record<Role, string>;
}

export function modelGroups(names: Partial<Record<Role, string>>): { name: string; roles: Role[] }[] {
  const groups: { name: string; roles: Role[] }[] = [];
  for (const role of ROLES) {
    const name = names[role];
    if (name === undefined) continue;
    const known = groups.find((group) => group.name === name);
    if (known === undefined) groups.push({ name, roles: [role] });
    else known.roles.push(role);
  }
  return groups;
}
