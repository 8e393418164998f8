// Numbers the sources of a draft in the order in which they are first quoted.
import { assert } from "../../kernel/assert.ts";
import { given } from "../../kernel/given.ts";
import type { Draft } from "../../run/report/report.ts";
import type { Quote, Source } from "../../run/report/source.ts";

export function numberedSources(quotes: readonly Quote[], stored: readonly Source[]): Draft["sources"] {
  const digests = new Set(quotes.map(({ source_digest }) => source_digest));
  return [...digests].map((source_digest, index) => {
    const source = stored.find((one) => one.source_digest === source_digest);
    assert(source !== undefined, "every quoted source is among the sources of the run");
    const { title, origin, dated, version } = source;
    return { number: index + 1, source_digest, title, origin, ...given({ dated, version }) };
  });
}
