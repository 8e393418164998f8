// The options of a command line that name the models of a run, so that a command of a halt asks for the same models.
import { shellQuote } from "../kernel/shell.ts";
import { modelName } from "./model-names.ts";
import type { ModelSettings } from "./settings.ts";

/** The options by which `wanted` differs from `frozen`. All models are named or none, since one option alone changes others. */
export function modelFlags(frozen: ModelSettings, wanted: ModelSettings): string[] {
  const named = namesOf(wanted);
  const bounds: [option: string, frozen: number, wanted: number][] = [
    ["--max-output-tokens", frozen.max_output_tokens, wanted.max_output_tokens],
    ["--context-tokens", frozen.context_tokens, wanted.context_tokens],
  ];
  return [
    ...(named.join(" ") === namesOf(frozen).join(" ") ? [] : named),
    ...bounds.flatMap(([option, before, now]) => (before === now ? [] : [option, String(now)])),
  ];
}

function namesOf({ default: byDefault, roles }: ModelSettings): string[] {
  const [url] = [byDefault, ...Object.values(roles)].flatMap(({ base_url }) => base_url ?? []);
  return [
    "--model",
    shellQuote(modelName(byDefault)),
    ...Object.entries(roles).flatMap(([role, model]) => ["--role-model", shellQuote(`${role}=${modelName(model)}`)]),
    ...(url === undefined ? [] : ["--model-base-url", shellQuote(url)]),
  ];
}
