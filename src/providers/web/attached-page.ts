// Reads a page of the web that is attached by its URL, under the rules of the web provider.
import type { AttachedSource } from "../../ports/provider.ts";
import { openDocumentTexts } from "../text-of-document.ts";
import { openPages, type WebTools } from "./web-provider.ts";
import type { WebSettings } from "./web-settings.ts";

type Settings = Pick<WebSettings, "sensitivity" | "allowedHosts" | "ports" | "contact" | "limits">;

/** Throws a `ProviderFailure`. */
export async function readAttachedPage(
  url: string,
  settings: Settings,
  tools: Omit<WebTools, "environment" | "extract">,
  signal: AbortSignal,
): Promise<AttachedSource> {
  const texts = openDocumentTexts();
  const { pages } = openPages(settings, { ...tools, extract: texts.extract });
  try {
    const { bytes, media_type, title } = await pages.read(url, "named", signal);
    return { name: url, bytes, media_type, ...(title === "" ? {} : { title }) };
  } finally {
    pages.close();
    texts.close();
  }
}
