// Checks the set itself: each question that can be answered has a right sentence in its document, as our reader reads it.
import fs from "node:fs";
import { DocumentReader } from "../../../src/corpus/files/document-reader.ts";
import { Pacer } from "../../../src/kernel/pacer.ts";
import { isRightIn } from "./ask.ts";
import type { Collection } from "./collection.ts";
import { paragraphsOf, sentencesOf } from "./sentences.ts";

/** The questions that are asked of documents which do not answer them. */
export async function unansweredBy(collection: Collection, folder: string): Promise<string[]> {
  const texts = await textsOf(fs.realpathSync(folder));
  const missing = collection.answerable.filter(
    (question) =>
      !texts.some(
        ({ path, sentences }) =>
          path.endsWith(question.document) && sentences(collection).some((text) => isRightIn(question, text, path)),
      ),
  );
  return missing.map(({ ask }) => ask);
}

interface DocumentText {
  path: string;
  sentences: (of: Collection) => string[];
}

async function textsOf(root: string): Promise<DocumentText[]> {
  const { signal } = new AbortController();
  using reader = new DocumentReader({ root, pacer: new Pacer(signal), signal });
  const texts: DocumentText[] = [];
  for (const path of fs.readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!/\.(md|html)$/.test(path)) continue;
    const read = await reader.read(path, null);
    if (read.kind !== "document") throw new Error(`${path} cannot be read`);
    const { text } = read;
    let cut: string[] | undefined;
    const sentences = ({ language }: Collection): string[] =>
      (cut ??= [...paragraphsOf(text), ...sentencesOf(text, language)]);
    texts.push({ path, sentences });
  }
  return texts;
}
