// Reads the links of a web page from its stored bytes: their words and their addresses.
import { shortened } from "../../kernel/shortened.ts";

export interface Link {
  text: string;
  address: string;
}

const MAX_READ = 2_000;
const MAX_SHOWN = 20;
const MAX_TEXT = 120;
const MAX_ADDRESS = 500;

/** The address of a web page without its fragment. Null for anything else. */
export function addressOf(text: string, base?: string): string | null {
  if (!URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  url.hash = "";
  const isPage = url.protocol === "http:" || url.protocol === "https:";
  return isPage && url.username === "" && url.password === "" && url.href.length <= MAX_ADDRESS ? url.href : null;
}

/** The links whose words are in the shown text, each address once. This leaves out menus. */
export function linksShownIn(shown: string, links: readonly Link[]): Link[] {
  const words = signsOf(shown);
  const found = new Map<string, Link>();
  for (const link of links) {
    const own = signsOf(link.text);
    if (own.length > 1 && words.includes(own) && !found.has(link.address)) found.set(link.address, link);
    if (found.size === MAX_SHOWN) break;
  }
  return [...found.values()];
}

/** The letters and digits of a text, since markup and white space differ between a page and its text. */
function signsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

/** The links of an HTML page in reading order. `address`: that of the page. */
export async function linksOf(html: Uint8Array, address: string): Promise<Link[]> {
  const links: Link[] = [];
  let base = address;
  let open: Link | null = null;
  const rewriter = new HTMLRewriter()
    .on("base[href]", {
      element: (element) => {
        base = addressOf(element.getAttribute("href") ?? "", address) ?? address;
      },
    })
    .on("a[href]", {
      element: (element) => {
        const target = addressOf(element.getAttribute("href") ?? "", base);
        open =
          target === null || target === addressOf(address) || links.length >= MAX_READ
            ? null
            : { text: "", address: target };
        if (open !== null) links.push(open);
      },
      text: ({ text }) => {
        if (open !== null && open.text.length < MAX_TEXT * 2) open.text += text;
      },
    });
  await rewriter.transform(new Response(html)).arrayBuffer();
  return links.map((link) => ({ ...link, text: shortened(link.text.replace(/\s+/gu, " ").trim(), MAX_TEXT) }));
}
