// The models that a server of the user's own says it has.
import { checkModel } from "../../conversations/model-check.ts";
import { RunError } from "../../kernel/errors.ts";
import { ModelFailure } from "../../ports/model.ts";
import type { Ports } from "../../ports/ports.ts";
import { modelName } from "../../run/settings/model-names.ts";
import { parseModel } from "../../run/model/model.ts";
import type { Sensitivity } from "../../run/settings/settings.ts";

/** As `--model` takes them. Errors: `INVALID_ARGS` for no URL or one out of reach, `MODEL_FAILED`. */
export async function listModels(
  ports: Pick<Ports, "loadModels">,
  baseUrl: string,
  sensitivity: Sensitivity,
  signal: AbortSignal,
): Promise<string[]> {
  const models = await ports.loadModels();
  const any = parseModel("compatible:any", baseUrl);
  checkModel(models, any, sensitivity);
  try {
    const names = await models.list(models.endpointOf(any), { signal, mayUseProxy: sensitivity === "normal" });
    return names.map((name) => modelName({ ...any, name }));
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    throw new RunError("MODEL_FAILED", { reason: error.facts.reason });
  }
}
