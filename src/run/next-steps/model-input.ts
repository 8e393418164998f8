// The fields of an input that name the models of a run, so that the next step of a halt asks for the same models.
import { modelName } from "../settings/model-names.ts";
import type { StepInput } from "./next-step.ts";
import type { ModelSettings } from "../settings/settings.ts";

/** By which `wanted` differs from `frozen`. All models are named or none, since one field alone changes others. */
export function modelInput(frozen: ModelSettings, wanted: ModelSettings): StepInput {
  const named = modelsInput(wanted);
  const isSame = JSON.stringify(named) === JSON.stringify(modelsInput(frozen));
  const bounds = (["max_output_tokens", "context_tokens"] as const).filter((name) => frozen[name] !== wanted[name]);
  return { ...(isSame ? {} : named), ...Object.fromEntries(bounds.map((name) => [name, wanted[name]])) };
}

/** The models of a run as an input names them. */
export function modelsInput({ default: byDefault, roles }: Pick<ModelSettings, "default" | "roles">) {
  const [url] = [byDefault, ...Object.values(roles)].flatMap(({ base_url }) => base_url ?? []);
  const role_model = Object.entries(roles).map(([role, model]) => `${role}=${modelName(model)}`);
  return {
    model: modelName(byDefault),
    ...(role_model.length === 0 ? {} : { role_model }),
    ...(url === undefined ? {} : { model_base_url: url }),
  };
}
