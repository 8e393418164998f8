// The names of models as people write them, and which role asks which.
import type { Model } from "./model.ts";
import type { ModelSetting } from "./model-provider.ts";
import { ROLES, type Role } from "./role.ts";
import type { ModelSettings } from "./settings.ts";

/** The name as people write it, with its settings: with another setting it is another model. */
export function modelName(model: Omit<Model, "base_url">): string {
  return `${plainModelName(model)}${settingsText(model)}`;
}

/** The name without the settings: prices do not depend on them. */
export function plainModelName({ provider, name }: Pick<Model, "provider" | "name">): string {
  return `${provider}:${name}`;
}

/** Behind the name of a model: `,effort=low,temperature=0.2`. */
export function settingsText({ effort, temperature }: ModelSetting): string {
  return `${effort === undefined ? "" : `,effort=${effort}`}${temperature === undefined ? "" : `,temperature=${temperature}`}`;
}

export function modelFor({ roles, default: byDefault }: ModelSettings, role: Role): Model {
  return roles[role] ?? byDefault;
}

/** The names of the models by role: what a step's result depends on; where they are reached is not part of it. */
export function modelNames(models: ModelSettings): Record<Role, string> {
  return Object.fromEntries(ROLES.map((role) => [role, modelName(modelFor(models, role))])) as Record<Role, string>;
}

/** Each name once, with the roles that it has. */
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
