// The world around a run of the local driver whose excerpts a scripted model chooses: it is checked, and searches once more.
import { localDriver } from "../../src/drivers/local.ts";
import { wordsOf } from "../../src/corpus/words/terms.ts";
import { termOf } from "../../src/corpus/words/term-cutter.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Provider } from "../../src/ports/provider.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import type { DriverId } from "../../src/run/settings/settings.ts";
import { ranksBy } from "../drivers/ranking/scripted-ranker.ts";
import { LiveOutside } from "./live-outside.ts";
import { DOCUMENTS, RunWorld } from "./run-world.ts";
import type { Actor } from "./world.ts";

const MODEL = { provider: "compatible", name: "scripted", base_url: "http://127.0.0.1:1/v1" } as const;
/** In a passage that no word of the question finds. */
const RIGHT = "double dash";

export class RankedOutside extends LiveOutside {
  override asked: Partial<InitOptions> = {
    driver: "local",
    rank: "model",
    models: { default: MODEL, max_output_tokens: 1_000 },
    question: "How are errors reported, and when do they stop?",
  };
  override script = ranksBy(RIGHT, "double dash end");

  override clone(copy = new RankedOutside(this.documents)): RankedOutside {
    super.clone(copy);
    return copy;
  }

  override driverFor(actor: Actor, id: DriverId, version = localDriver.version): Driver {
    return id === "local" ? this.watched(actor, { ...localDriver, version }) : super.driverFor(actor, id, version);
  }

  /** An index counts words, so that the words of a ranker are searched for. */
  protected override providerFor(actor: Actor, corpus: string): Provider {
    return {
      ...super.providerFor(actor, corpus),
      countWords: async (question) => {
        const passages = [...this.documents.values()].flatMap((text) => text.split("\n\n"));
        const terms = passages.map((passage) => new Set(wordsOf(passage).map(termOf)));
        const holding = new Map(
          wordsOf(question).map((word) => [termOf(word), terms.filter((own) => own.has(termOf(word))).length]),
        );
        return { passages: passages.length, holding };
      },
    };
  }
}

export function newRankedWorld(): RunWorld {
  return new RunWorld(undefined, new RankedOutside(DOCUMENTS));
}
