// What a run could not reach: each page, engine and server with the reason and what would help.
import { shownLine } from "../../kernel/shown-text.ts";
import type { BlockedUrl } from "../../run/blocked-urls.ts";
import type { Style } from "../terminal/style.ts";
import { oneLine } from "../terminal/text.ts";
import { count } from "../../surface/words.ts";
import { paragraph } from "../terminal/wrapping.ts";

const MAX_SHOWN = 10;
const MAX_DETAIL = 110;

export function blockedText(urls: readonly BlockedUrl[], { width }: Style): string {
  const rest = urls.length - MAX_SHOWN;
  const more = rest > 0 ? `  and ${count(rest, "more", "more")} (--json names all)\n` : "";
  return (
    urls
      .slice(0, MAX_SHOWN)
      .map((url) => entryText(url, width))
      .join("") + more
  );
}

function entryText({ url, reason, detail, help }: BlockedUrl, width: number | null): string {
  const what = `${shownLine(url)}  ${oneLine(`${reason}: ${detail}`, MAX_DETAIL)}`;
  return `${paragraph(what, width, "  ", "    ")}\n${paragraph(shownLine(help), width, "    ")}\n`;
}
