// Reads the words of inline tokens of Markdown. Emphasis and links are left out, and code is masked until sentences are cut.
import type { Token, Tokens } from "marked";
import { CODE_CLOSE, CODE_OPEN, withMarks, type Mark } from "./marks.ts";

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
  readonly #marks: readonly Mark[];

  constructor(marks: readonly Mark[]) {
    this.#marks = marks;
  }

  of(tokens: readonly Token[]): string {
    return tokens.map((token) => this.#word(token as Tokens.Generic)).join("");
  }

  #word(token: Tokens.Generic): string {
    switch (token.type) {
      case "codespan":
        this.codes.push(`\`${withMarks(token["text"] as string, this.#marks)}\``);
        return `${CODE_OPEN}${this.codes.length - 1}${CODE_CLOSE}`;
      case "br":
        return " ";
      case "html":
        return withoutTags(token["text"] as string);
      case "checkbox":
        return "";
      case "escape":
      case "image":
        return token["text"] as string;
      default:
        return token.tokens === undefined
          ? plain((token["text"] as string | undefined) ?? token.raw)
          : this.of(token.tokens);
    }
  }
}

export function withoutTags(html: string): string {
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
