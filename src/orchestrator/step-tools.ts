// The tools of one attempt at a step, with which its driver searches, keeps, reads and says things under this ownership.
import type { StepPlace } from "../conversations/open-conversations.ts";
import { given } from "../kernel/given.ts";
import type { Ranking, TaskTools } from "../ports/driver.ts";
import type { Manifest } from "../run/log/manifest.ts";
import type { RecordDraft } from "../run/log/record.ts";
import { wantedProviders } from "../run/log/provenance.ts";
import { calledModel } from "../run/settings/model-names.ts";
import { DEFAULT_MODEL_SETTINGS } from "../run/settings/settings.ts";
import type { Ownership } from "./ownership.ts";
import { rankGateKey } from "../run/settings/rankers.ts";

/** `beginning`: records that are written with the first answer, when a step is done again with another answer. */
export function toolsFor(
  ownership: Ownership,
  place: StepPlace,
  signal: AbortSignal,
  beginning: readonly RecordDraft[] = [],
): TaskTools {
  const { ports, writer, conversations, corpora, declaredTools, sources, observer, answers, performer } = ownership;
  // What is stored already needs no corpus.
  const open = async (name: string): ReturnType<TaskTools["keep"]> =>
    (await sources.stored(name)) ?? (await corpora.ask((provider) => sources.open(provider, name, signal)));
  return {
    step: place.key,
    search: async (query, limit, perDocument) => {
      await ports.clock.turn();
      signal.throwIfAborted();
      return await corpora.ask((provider) => provider.search(query, limit, signal, perDocument));
    },
    countWords: async (question) => (await (await corpora.provider()).countWords?.(question, signal)) ?? null,
    keep: async (passage) => await corpora.ask((provider) => sources.keep(provider, passage, signal)),
    take: async (document) => await sources.take(document, signal),
    ...(readsPages(writer.manifest)
      ? {
          pages: {
            keep: open,
            bytesOf: async (digest: string) => await sources.bytes(digest),
          },
        }
      : {}),
    collections: async () => (await corpora.provider()).collections?.() ?? [],
    isRepeatable: async (origin) => {
      const declarations = await (await corpora.provider()).declaredTools?.(origin, signal);
      return declarations === undefined || (await declaredTools.onlyRead(declarations));
    },
    sourceText: async (digest) => await sources.text(digest),
    resultLength: resultLengthOf(writer.manifest.settings),
    converse: async (options) => await conversations.converse(place, options, signal),
    ...given({ ranking: rankingOf(ownership) }),
    ...(performer.outside.size === 0
      ? {}
      : {
          outside: {
            plays: (role) => performer.outside.has(role),
            documents: {
              folders: writer.manifest.settings.corpora.map(({ name, path }) => ({ name, path })),
              readsPages: readsPages(writer.manifest),
            },
            answerTo: async (prompt) => await answers.answerTo(place, prompt, beginning),
            open,
          },
        }),
    ...(place.lesson === undefined ? {} : { lesson: place.lesson }),
    say: (what) => observer.onSay?.(place.key, what),
    signal,
  };
}

function rankingOf({ ports, writer }: Ownership): Ranking | undefined {
  const { settings } = writer.manifest;
  const { rank, models } = settings;
  if (rank === undefined) return undefined;
  const model = calledModel(settings, "researcher");
  const { context_tokens: contextTokens } = models ?? DEFAULT_MODEL_SETTINGS;
  return {
    by: rank.by,
    contextTokens,
    ...(rank.by === "model" ? given({ gate: rank.gate }) : {}),
    note(gate) {
      if (rank.by === "model" && model !== undefined) ports.rankGates.note(rankGateKey(model, rank.prompt), gate);
    },
  };
}

/** True when any page of the web may be read, and not only those that a search finds. */
function readsPages({ settings, query }: Readonly<Manifest>): boolean {
  return query.sensitivity === "normal" && wantedProviders(settings.providers).ids.includes("web");
}

const LONGEST_RESULT = 24_000;
/** So many results fit into a request even if each character is a token. */
const RESULTS_AT_ONCE = 4;

function resultLengthOf({ models }: Manifest["settings"]): number {
  const room = models === undefined ? LONGEST_RESULT : models.context_tokens - models.max_output_tokens;
  return Math.max(1_000, Math.min(LONGEST_RESULT, Math.floor(room / RESULTS_AT_ONCE)));
}
