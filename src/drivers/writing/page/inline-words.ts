// Reads the words of inline tokens of Markdown. Emphasis, pictures and the addresses of links are left out, and code is masked
// until sentences are cut.
import { CODE_CLOSE, CODE_OPEN, withMarks, type Mark } from "./marks.ts";
import type { Token, Tokens } from "marked";

const MASK = new RegExp(`${CODE_OPEN}(\\d+)${CODE_CLOSE}`, "gu");
const LINK_TAG = /<a\s([^<>]*)>/giu;
const HREF = /(?:^|\s)href\s*=\s*["']?([^"'\s]{1,2000})/iu;
/** Tags of layout, which are replaced by a space. */
const LOOKS =
  /<\/?(?:a|abbr|b|big|br|center|cite|dd|del|details|div|dl|dt|em|figure|figcaption|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|q|s|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr)(?:\s[^<>]*)?\/?>/giu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

export class InlineWords {
  readonly codes: string[] = [];
  /** The addresses of links by the number of the mask before their words, behind which stands nothing. */
  readonly #links = new Map<number, string>();
  readonly #marks: readonly Mark[];

  constructor(marks: readonly Mark[]) {
    this.#marks = marks;
  }

  of(tokens: readonly Token[]): string {
    return tokens.map((token) => this.#word(token as Tokens.Generic)).join("");
  }

  /** The addresses of the links in words that are still masked. */
  linksIn(words: string): { links?: string[] } {
    const links = [...words.matchAll(MASK)].flatMap(([, index]) => this.#links.get(Number(index)) ?? []);
    return links.length === 0 ? {} : { links };
  }

  ofHtml(html: string): string {
    return withoutTags(
      html.replace(LINK_TAG, (_, attributes: string) => {
        const href = HREF.exec(attributes)?.[1] ?? "";
        return this.#link(" ", href);
      }),
    );
  }

  #masked(code: string): string {
    this.codes.push(code);
    return `${CODE_OPEN}${this.codes.length - 1}${CODE_CLOSE}`;
  }

  #link(words: string, href: string): string {
    if (words === "" || words.includes(href.replace(/^(?:https?:\/\/|mailto:)/u, ""))) return words;
    this.#links.set(this.codes.length, href);
    return this.#masked("") + words;
  }

  #word(token: Tokens.Generic): string {
    switch (token.type) {
      case "codespan":
        return this.#masked(`\`${withMarks(token["text"] as string, this.#marks)}\``);
      case "link":
        return this.#link(this.of(token.tokens ?? []), token["href"] as string);
      case "br":
        return " ";
      case "html":
        return this.ofHtml(token["text"] as string);
      case "image":
        return "";
      case "escape":
        return token["text"] as string;
      default:
        return token.tokens === undefined
          ? plain((token["text"] as string | undefined) ?? token.raw)
          : this.of(token.tokens);
    }
  }
}

function withoutTags(html: string): string {
  return plain(withoutComments(html).replace(LOOKS, " "));
}

/** A comment that is not closed stays, since it is text. */
function withoutComments(html: string): string {
  let kept = "";
  let from = 0;
  for (;;) {
    const open = html.indexOf("<!--", from);
    const close = open === -1 ? -1 : html.indexOf("-->", open + 4);
    if (close === -1) return kept + html.slice(from);
    kept += html.slice(from, open);
    from = close + 3;
  }
}

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/gu, (entity) => ENTITIES[entity] ?? entity);
}
