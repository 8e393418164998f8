// The route that lists the models of a server of the user's own, for the form of a new run.
import { z } from "../kernel/zod.ts";
import { listModels } from "../operations/setup/list-models.ts";
import { parseWith } from "../run/common.ts";
import { count } from "../surface/words.ts";
import type { ConsoleParts, Handler } from "./request.ts";
import { json } from "./replies.ts";

const bodySchema = z.strictObject({ base_url: z.string() });
const MAX_SAID = 8;

export function modelRoutes({ ports, sensitivity }: ConsoleParts) {
  return {
    models: async ({ body, request }) => {
      const { base_url } = parseWith(bodySchema, body, {});
      const models = await listModels(ports, base_url, sensitivity, request.signal);
      return json({ models, words: wordsFor(models) });
    },
  } satisfies Record<string, Handler>;
}

function wordsFor(models: readonly string[]): string {
  if (models.length === 0) return "It answers, and has no model yet.";
  const more = models.length > MAX_SAID ? ", and more" : "";
  return `${count(models.length, "model")} there: ${models.slice(0, MAX_SAID).join(", ")}${more}`;
}
