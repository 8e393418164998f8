// 60,000 passages on the disk: half made by a seeded generator, half from the texts of installed packages.
import fs from "node:fs";
import path from "node:path";
import { PROJECT } from "./fixtures.ts";

export const PASSAGES = 60_000;
const PER_FILE = 24;
const WORDS_PER_PASSAGE = 70;
const PACKAGE_PASSAGE_LENGTH = 450;
const VOCABULARY = 30_000;

/** Writes the files and returns words of each kind of rareness, to ask for. */
export function writeCorpus(folder: string): { common: string[]; rare: string[] } {
  const random = seeded(7);
  const vocabulary = Array.from({ length: VOCABULARY }, () => newWord(random));
  const packages = packageTexts();
  fs.mkdirSync(folder, { recursive: true });
  for (let file = 0; file * PER_FILE < PASSAGES; file++) {
    const sections = Array.from({ length: PER_FILE }, (_, index) => {
      const body = file % 2 === 0 ? sentence(vocabulary, random) : (packages.next().value ?? "");
      return `## ${sentence(vocabulary, random, 3)} ${index}\n\n${body}\n`;
    });
    fs.writeFileSync(path.join(folder, `document-${file}.md`), `# ${newWord(random)}\n\n${sections.join("\n")}`);
  }
  return { common: vocabulary.slice(5, 60), rare: vocabulary.slice(2_000, 2_400) };
}

/** Words as often as people use them: the n-th about 1/n as often as the first. */
function sentence(vocabulary: readonly string[], random: () => number, length = WORDS_PER_PASSAGE): string {
  const words = Array.from({ length }, () => vocabulary[Math.floor(VOCABULARY ** random()) - 1] ?? "");
  return words.join(" ");
}

function newWord(random: () => number): string {
  const syllables = [
    "ka",
    "lo",
    "mi",
    "ter",
    "an",
    "su",
    "re",
    "vo",
    "din",
    "pel",
    "or",
    "ish",
    "tu",
    "ban",
    "ge",
    "ly",
  ];
  const length = 2 + Math.floor(random() * 3);
  return Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join("");
}

function* packageTexts(): Generator<string> {
  const modules = path.join(PROJECT, "node_modules");
  const files = [...new Bun.Glob("**/*.{md,d.ts,js}").scanSync({ cwd: modules })].sort();
  for (const file of files) {
    const text = fs
      .readFileSync(path.join(modules, file), "utf8")
      .replace(/^#+ /gm, "")
      .replace(/\n\s*\n/g, "\n");
    if (text.length > 200_000) continue;
    for (let at = 0; at < text.length; at += PACKAGE_PASSAGE_LENGTH) yield text.slice(at, at + PACKAGE_PASSAGE_LENGTH);
  }
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
