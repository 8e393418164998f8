// Asks the questions of one collection: the search, plain FTS5 over the same passages, and the local driver.
import fs from "node:fs";
import path from "node:path";
import { openCorpus, type Corpus } from "../../../src/corpus/corpus.ts";
import { formatOf } from "../../../src/corpus/formats/formats.ts";
import { passagesOf } from "../../../src/corpus/blocks/passages.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { openingOnce } from "../../../src/operations/make/open-once.ts";
import { memoryLog } from "../../conformance/memory-log.ts";
import { makePorts } from "../../../src/wiring.ts";
import { reportOn } from "../answers/ask.ts";
import { shownUnder } from "../answers/shown.ts";
import { benchFolder } from "../fixtures.ts";
import { PlainFts } from "../plain-fts.ts";
import type { FaqCollection } from "./collections.ts";
import { cutQuestions, numberIn } from "./cut.ts";

/** How one question fared; places count from 1, and are null when none of the first ten is right. */
export interface AskedFaq {
  place: number | null;
  placeInPlain: number | null;
  /** Whether the passage that the local driver shows first is right; null when it was not asked. */
  isShown: boolean | null;
}

interface Cut {
  number: string | null;
  title: string;
  body: string;
}

const PLACES = 10;
const { signal } = new AbortController();

export async function askFaqs({ faqs }: FaqCollection, documents: string, withDriver: boolean): Promise<AskedFaq[]> {
  const folder = benchFolder();
  const questions = cutQuestions(documents, folder, faqs);
  const corpus = await openCorpus({ name: "docs", path: folder, cacheFolder: null, signal });
  const passages = await cutAll(corpus, folder);
  // It tells passages apart by their paths.
  const numbered = passages.map((passage, index) => ({ ...passage, path: String(index) }));
  const plain = new PlainFts(numbered, { titleWeight: 3, file: ":memory:" });
  const shows = withDriver ? driverOver(folder) : null;
  const asked: AskedFaq[] = [];
  for (const { ask, number } of questions) {
    const found = await corpus.search(ask, { limit: PLACES }, signal);
    const foundPlain = plain.find(ask, PLACES).map((index) => passages[Number(index)]?.number ?? null);
    const right = passages.filter((passage) => passage.number === number);
    asked.push({
      place: placeOf(
        found.map(({ heading_path }) => numberIn(heading_path)),
        number,
      ),
      placeInPlain: placeOf(foundPlain, number),
      isShown: shows === null ? null : await shows(ask, right),
    });
  }
  plain.close();
  corpus.close();
  fs.rmSync(folder, { recursive: true });
  return asked;
}

function placeOf(numbers: readonly (string | null)[], right: string): number | null {
  const at = numbers.indexOf(right);
  return at === -1 ? null : at + 1;
}

/** All passages, as the index cuts them. */
async function cutAll(corpus: Corpus, folder: string): Promise<Cut[]> {
  const cut: Cut[] = [];
  for (const file of [...new Bun.Glob("**/*").scanSync({ cwd: folder })].toSorted()) {
    if (corpus.digestOf(file) === null) continue;
    const digest = digestOfBytes(fs.readFileSync(path.join(folder, file)));
    const read = await corpus.read(file, digest, signal);
    if (read.kind !== "document") throw new Error(`${file} is ${read.kind}`);
    const text = read.document.text.toString("utf8");
    for (const { start, end, headings } of passagesOf(text, formatOf(file))) {
      const title = headings.join(" > ");
      cut.push({ number: numberIn(title), title, body: text.slice(start, end) });
    }
  }
  return cut;
}

/** Whether the first excerpt of a report holds one of the right passages, or a piece of one. */
function driverOver(folder: string): (ask: string, right: readonly Cut[]) => Promise<boolean> {
  const given = makePorts({ indexFolder: null, cliInvocation: "deep-research" });
  const ports = openingOnce({ ...given, store: memoryLog(given) });
  return async (ask, right) => {
    const report = await reportOn(ports, folder, ask);
    if (report === null) return false;
    const [first] = [...shownUnder(report, "answer"), ...shownUnder(report, "nearest")];
    return first !== undefined && right.some(({ body }) => first.text.includes(body) || body.includes(first.text));
  };
}
