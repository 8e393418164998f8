// What a step that searches depends on: the documents, by the digest of each corpus.
import type { StageContext } from "./stage-definition.ts";

export function corpusDigests({ manifest }: Pick<StageContext, "manifest">): { name: string; digest: string }[] {
  return manifest.settings.corpora.map(({ name, digest }) => ({ name, digest }));
}
