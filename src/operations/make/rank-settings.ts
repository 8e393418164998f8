// Judges who puts passages in order in a new run, and refuses an endpoint or a model that could not be called.
import { RunError } from "../../kernel/errors.ts";
import { usableReranker } from "../../conversations/model-check.ts";
import type { Driver } from "../../ports/driver.ts";
import type { Ports } from "../../ports/ports.ts";
import { modelFor } from "../../run/settings/model-names.ts";
import { type RankSettings } from "../../run/settings/rank.ts";
import type { RankBy } from "../../run/settings/fields.ts";
import type { DriverId, ModelSettings } from "../../run/settings/settings.ts";
import type { InitOptions } from "../options.ts";
import { rankGateKey } from "../../run/settings/rankers.ts";

/** True where the local driver has a model choose its excerpts. */
export function isChosenByModel({ driver, rank }: { driver?: DriverId; rank?: RankBy | undefined }): boolean {
  return driver === "local" && rank === "model";
}

/** Undefined where nothing is called for it: in a live run the researcher reads what the search finds. */
export async function rankSettingsOf(
  ports: Pick<Ports, "loadModels" | "rankGates" | "reranker">,
  { driver, rank = "none", sensitivity }: Pick<InitOptions, "driver" | "rank" | "sensitivity">,
  { rankCheck }: Driver,
  models: ModelSettings | undefined,
): Promise<RankSettings | undefined> {
  if (rank === "none") return undefined;
  if (driver !== "local" && driver !== "live")
    throw new RunError("INVALID_ARGS", {
      reason: "--rank goes with the driver local or live",
      driver,
      option: "--rank",
    });
  if (rank === "endpoint") return { by: "endpoint", endpoint: await usableReranker(ports, sensitivity) };
  if (models === undefined || rankCheck === undefined) return undefined;
  const { prompt } = rankCheck;
  const gate = ports.rankGates.of(rankGateKey(modelFor(models, "researcher"), prompt));
  return { by: "model", prompt, ...(gate === null ? {} : { gate }) };
}
