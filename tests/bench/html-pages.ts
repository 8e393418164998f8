// 500 pages of an API manual: the CPU of a first search beside that of parsing them, and whether a line of their prose was lost.
import fs from "node:fs";
import path from "node:path";
import { extract } from "../../src/corpus/extract/extract.ts";
import type { Figure } from "./bench.ts";
import { benchFolder } from "./fixtures.ts";

/** Manuals as Debian installs them (`apt-get install openjdk-17-doc sqlite3-doc postgresql-doc-15 git-doc`). */
const API = "/usr/share/doc/openjdk-17-doc/api";
const MANUALS = [API, "/usr/share/doc/sqlite3", "/usr/share/doc/postgresql-doc-15/html", "/usr/share/doc/git/html"];
const PAGES = 500;
const PAGES_OF_MANUAL = 40;
const MOST_RATIO = 5;

export async function htmlPages(): Promise<Figure[]> {
  const missing = MANUALS.filter((manual) => !fs.existsSync(manual));
  const figures = missing.includes(API) ? [] : [await searched()];
  for (const manual of MANUALS) if (!missing.includes(manual)) figures.push(await kept(manual));
  const skipped = { name: "skipped", value: `not installed: ${missing.join(", ")}`, target: "none", holds: true };
  return missing.length === 0 ? figures : [...figures, skipped];
}

function pagesOf(manual: string): string[] {
  return [...new Bun.Glob("**/*.html").scanSync({ cwd: fs.realpathSync(manual) })].sort();
}

async function searched(): Promise<Figure> {
  const [room, root] = [benchFolder(), fs.realpathSync(API)];
  const documents = path.join(room, "documents");
  for (const page of pagesOf(API).slice(0, PAGES)) {
    fs.mkdirSync(path.dirname(path.join(documents, page)), { recursive: true });
    fs.copyFileSync(path.join(root, page), path.join(documents, page));
  }
  const first = await cpuMs([
    `${import.meta.dir}/ask-corpus.ts`,
    documents,
    path.join(room, "cache"),
    "default capacity",
  ]);
  const parsed = await cpuMs([`${import.meta.dir}/parse-pages.ts`, documents]);
  fs.rmSync(room, { recursive: true });
  const ratio = first / parsed;
  return {
    name: `first search of ${PAGES} pages`,
    value: `${Math.round(first)} ms of CPU, parsing them to a DOM ${Math.round(parsed)} ms, ratio ${ratio.toFixed(1)}`,
    target: `at most ${MOST_RATIO}`,
    holds: ratio <= MOST_RATIO,
  };
}

/** Of the process and of those that it started. */
async function cpuMs(args: readonly string[]): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], { stdout: "ignore" });
  if ((await child.exited) !== 0) throw new Error(`${args[0]} failed`);
  return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
}

const PARAGRAPH = /<p(?:\s[^<>]*)?>([^<]{40,})<\/p>/gi;

/** Paragraphs without elements in them: what stands there, needs no reader to tell. */
async function kept(manual: string): Promise<Figure> {
  const [root, pages] = [fs.realpathSync(manual), pagesOf(manual)];
  const step = Math.max(1, Math.floor(pages.length / PAGES_OF_MANUAL));
  let [said, lost] = [0, 0];
  for (const page of pages.filter((_, at) => at % step === 0)) {
    const bytes = fs.readFileSync(path.join(root, page));
    const read = await extract("html", bytes);
    const text = read.kind === "text" ? lettersOf(read.text) : "";
    for (const [, paragraph = ""] of bytes
      .toString()
      .replace(/<!--[^]*?-->/g, "")
      .matchAll(PARAGRAPH)) {
      const plain = lettersOf(
        paragraph
          .replace(/&(?:#\w+|\w+);/g, "\n")
          .split("\n")
          .toSorted((a, b) => b.length - a.length)[0] ?? "",
      );
      said++;
      if (!text.includes(plain)) lost++;
    }
  }
  return { name: `prose of ${manual}`, value: `${lost} of ${said} paragraphs lost`, target: "none", holds: lost === 0 };
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
