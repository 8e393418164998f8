// Takes the questions out of FAQs: each heading that asks becomes a number, so that no title gives its answer away.
import fs from "node:fs";
import path from "node:path";
import { parseHTML } from "linkedom";
import { markdownOfPod } from "./pod.ts";

export interface Question {
  ask: string;
  /** The heading that stands above the answer now. */
  number: string;
}

/** In bytes. Less is no answer: it names another place, or only headings stand below the question. */
const LEAST_ANSWER = 80;
const LEAST_WORDS = 3;
const NUMBER = /^9\d{4}$/;
const ASKS = /([?？]|か。)["'»”)]*$/;
/** "1.2.", "Q3:", "(FAQ 1a)", "[A.1]", "G1." before a question. */
const LABEL = /^(\((faq|q)[^)]*\)|\[[^\]]*\]|([a-z]\.?)?\d+(\.\d+)*[a-z]?[.:)]*)\s+/i;

/** Which question a passage answers; null when none. */
export function numberIn(headingPath: string): string | null {
  return headingPath.split(" > ").findLast((heading) => NUMBER.test(heading)) ?? null;
}

/** Writes all documents of `from` into `to`, those that match `faqs` without their questions. */
export function cutQuestions(from: string, to: string, faqs: string): Question[] {
  const isFaq = new Bun.Glob(faqs);
  const texts = new Map<string, string>();
  const questions: Question[] = [];
  for (const file of [...new Bun.Glob("**/*").scanSync({ cwd: from })].toSorted()) {
    const text = textOf(path.join(from, file));
    const name = file.replace(/\.pod$/, ".md");
    texts.set(name, isFaq.match(file) ? cutHeadings(text, name.endsWith(".md"), questions) : text);
  }
  const asked = new Set(questions.map(({ ask }) => bare(ask)));
  for (const [name, text] of texts) {
    const target = path.join(to, name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, withoutLists(text, name.endsWith(".md"), asked));
  }
  return questions.filter(({ number }) => number !== "");
}

function textOf(file: string): string {
  const bytes = fs.readFileSync(file);
  if (file.endsWith(".pod")) return markdownOfPod(bytes.toString("utf8"));
  const isLatin1 = /charset=["']?(iso-8859-1|latin1)/i.test(bytes.toString("latin1", 0, 2_000));
  const text = bytes.toString(isLatin1 ? "latin1" : "utf8");
  return withHeadings(isLatin1 ? text.replace(/iso-8859-1|latin1/gi, "utf-8") : text);
}

/** Questions in tables and in lists of definitions become headings. */
function withHeadings(html: string): string {
  if (html.includes('<tr class="question"'))
    return html
      .replace(/<tr class="question".*?<\/td>(.*?)<\/tr>/gs, (_, question: string) => `<h4>${plainOf(question)}</h4>`)
      .replace(/<p><b>[^<]{1,3}<\/b><\/p>/g, "")
      .replace(/<(\/?)(table|tbody|tr|td|colgroup|col)\b[^>]*>/g, "<$1div>");
  if (/<dt[^>]*>[^<]*\?\s*<\/dt>/.test(html))
    return html.replace(/<(\/?)(dl|dd)\b[^>]*>/g, "<$1div>").replace(/<(\/?)dt\b[^>]*>/g, "<$1h5>");
  return html;
}

function cutHeadings(text: string, isMarkdown: boolean, questions: Question[]): string {
  const heading = isMarkdown ? /^(#+ )(.*)()$/gm : /(<h[1-6]\b[^>]*>)(.*?)(<\/h[1-6]>)/gs;
  const found = [...text.matchAll(heading)];
  let cut = text.slice(0, found[0]?.index ?? text.length);
  for (const [at, match] of found.entries()) {
    const [whole, open = "", inner = "", close = ""] = match;
    const below = text.slice(match.index + whole.length, found[at + 1]?.index ?? text.length);
    const ask = (isMarkdown ? inner : plainOf(inner)).replace(LABEL, "");
    const asks = ASKS.test(ask) && (ask.split(" ").length >= LEAST_WORDS || /\p{Script=Han}/u.test(ask));
    const isAnswered = Buffer.byteLength((isMarkdown ? below : plainOf(below)).trim()) >= LEAST_ANSWER;
    const number = String(90_001 + questions.length);
    if (asks) questions.push({ ask, number: isAnswered ? number : "" });
    cut += asks ? `${open}${number}${close}${below}` : `${whole}${below}`;
  }
  return cut;
}

/** Links and lines that repeat a question, as tables of contents have them, are gone. */
function withoutLists(text: string, isMarkdown: boolean, asked: ReadonlySet<string>): string {
  if (isMarkdown)
    return text.replace(/^[^#\n].*\?\s*$/gm, (line) => (asked.has(bare(line.replace(/^\W+/, ""))) ? "" : line));
  return text.replace(/<a\b[^>]*>([^]*?)<\/a>/g, (link, inner: string) =>
    /[?？か]/.test(inner) && asked.has(bare(plainOf(inner).replace(LABEL, ""))) ? "" : link,
  );
}

function plainOf(html: string): string {
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  return (document.body.textContent ?? "")
    .replace(/[¶#\s]+$/, "")
    .replace(/\s+/g, " ")
    .trim();
}

function bare(question: string): string {
  return question
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
