// Finds the addresses of a text: URLs, hosts, DOIs, arXiv ids and mail addresses. Spelling does not matter.
import { unlessThrown } from "../../kernel/unless-thrown.ts";

/** A host without a scheme is an address with one of these endings, or with a path behind one of the others. */
const HOST = String.raw`(?:[\p{L}\p{N}-]{1,63}\.){1,8}`;
const PLAIN_ENDINGS = "com|org|net|edu|gov|mil|int|info|biz";
const SHORT_ENDINGS = "io|dev|ai|app|co|eu|de|uk|fr|es|nl|ch|se|pl|jp|cn|ru|br|ca|us";
const SIGNS = String.raw`[^\s<>"“”„«»\u0060|\\…，。、；：！？）】」』]`;
const ADDRESS = new RegExp(
  [
    String.raw`\barxiv(?::|\.org\/\p{L}{3,4}\/|\s)\s{0,9}(?<arxiv>(?:\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,2})?)`,
    String.raw`(?<![\p{N}.])(?<doi>10\.\d{4,9}\/${SIGNS}{1,2000})`,
    String.raw`(?<![a-z0-9+.-])(?<url>[a-z][a-z0-9+.-]{1,20}:\/\/${SIGNS}{1,2000})`,
    String.raw`(?<![\p{L}\p{N}._%+-])(?<mail>[\p{L}\p{N}._%+-]{1,64}@${HOST}\p{L}{2,24})(?![\p{L}\p{N}@])`,
    String.raw`(?<![\p{L}\p{N}@._-])(?<host>www\.${HOST}\p{L}{2,24}(?:[:\/?#]${SIGNS}{0,2000})?)`,
    String.raw`(?<![\p{L}\p{N}@._\/-])(?<bare>${HOST}(?:(?:${PLAIN_ENDINGS})(?![\p{L}\p{N}_-])(?:[:\/?#]${SIGNS}{0,2000})?|(?:${SHORT_ENDINGS})\/${SIGNS}{1,2000}))`,
  ].join("|"),
  "giu",
);
const DOI = /^(?:[^/]*(?:\/\/)?(?:dx\.)?doi\.org\/)?(?<id>10\.\d{4,9}\/.+)/u;
const ARXIV =
  /^(?:(?:https?:\/\/)?(?:www\.)?arxiv\.org\/[a-z]{3,4}\/)(?<id>\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[a-z]{2})?\/\d{7})/u;
/** "ASP.NET" is a name. */
const IS_NAME = /\.\p{Lu}+$/u;
const CLOSING = /[.,;:!?'’*_)\]}>]/u;
const OPENING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** An address as it is shown, and what it comes to. */
interface ShownAddress {
  word: string;
  meant: string;
}

/** The addresses of `text` that neither are in one of the texts nor begin one that does, as they are in it, each once. */
export function strangeAddresses(text: string, known: readonly string[]): string[] {
  const shown = addressesIn(text);
  if (shown.length === 0) return [];
  const holds = new Set(
    known
      // A quote may have its address over two lines.
      .flatMap((one) => [one, one.replace(/\n[^\S\n]*/gu, "")])
      .flatMap(addressesIn)
      .flatMap(({ meant }) => startsOf(meant)),
  );
  return [...new Set(shown.flatMap(({ word, meant }) => (holds.has(meant) ? [] : [word])))];
}

/** Hosts that exist for examples (RFC 2606, RFC 6761), and this machine. */
const RESERVED =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@\s]*@)?(?:[\p{L}\p{N}-]+\.)*(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)(?:[:/?#]|$)/iu;

/** True for a placeholder, as advice may have one: `https://registry.example.com/`. */
export function isPlaceholder(address: string): boolean {
  return RESERVED.test(address);
}

/** The text with no address spelled out, for a note of a report that holds none of them. */
export function withoutAddresses(text: string): string {
  return text.replace(ADDRESS, "an address");
}

function addressesIn(text: string): ShownAddress[] {
  return [...text.matchAll(ADDRESS)].flatMap(({ groups = {} }) => {
    const { arxiv, doi, url, mail, host, bare } = groups;
    const word = trimmed(arxiv ?? doi ?? url ?? mail ?? host ?? bare ?? "");
    if (word === "" || (bare !== undefined && IS_NAME.test(word))) return [];
    const plain = readable(word).toLowerCase();
    const paper = arxiv === undefined ? ARXIV.exec(plain)?.groups?.["id"] : plain;
    if (paper !== undefined) return [{ word, meant: `arxiv ${paper.replace(/v\d+$/u, "")}` }];
    const article = DOI.exec(plain)?.groups?.["id"];
    if (article !== undefined) return [{ word, meant: `doi ${article}` }];
    return [{ word, meant: plain.replace(/^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:www\.)?/u, "").replace(/\/$/u, "") }];
  });
}

/** The address, and the pages and the host above it: who names a site of which a page is known invents nothing. */
function startsOf(meant: string): string[] {
  const isId = /^(?:doi|arxiv) /u.test(meant);
  const cuts = isId ? [] : [...meant.matchAll(/[/?#@]/gu)].slice(0, 50);
  return [meant, ...cuts.map(({ index, 0: sign }) => (sign === "@" ? meant.slice(index + 1) : meant.slice(0, index)))];
}

/** Without the signs behind it that belong to its sentence. A bracket stays when it was opened inside. */
function trimmed(word: string): string {
  const open = new Map<string, number>();
  for (const sign of word) open.set(sign, (open.get(sign) ?? 0) + 1);
  let end = word.length;
  for (; end > 0; end--) {
    const sign = word[end - 1] ?? "";
    if (!CLOSING.test(sign)) break;
    const [opened, closed] = [open.get(OPENING[sign] ?? "") ?? 0, open.get(sign) ?? 0];
    if (opened > 0 && opened >= closed) break;
    open.set(sign, closed - 1);
  }
  return word.slice(0, end);
}

function readable(word: string): string {
  return unlessThrown(() => decodeURI(word), word);
}
