// What a run could not reach: each page, engine and server with the reason and what would help.
import { shownLine } from "../kernel/shown-text.ts";
import type { BlockedUrl } from "../run/blocked-urls.ts";
import { count, oneLine } from "./text.ts";

const MAX_SHOWN = 10;
const WIDTH = 110;

export function blockedText(urls: readonly BlockedUrl[]): string {
  const rest = urls.length - MAX_SHOWN;
  const more = rest > 0 ? `  and ${count(rest, "more", "more")} (--json names all)\n` : "";
  return urls.slice(0, MAX_SHOWN).map(entryText).join("") + more;
}

function entryText({ url, reason, detail, help }: BlockedUrl): string {
  return `  ${shownLine(url)}  ${oneLine(`${reason}: ${detail}`, WIDTH)}\n    ${shownLine(help)}\n`;
}
