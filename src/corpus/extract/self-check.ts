// Checks that documents can be read on this machine, by taking the text out of one small page.
import { describeCause } from "../../kernel/errors.ts";
import { Extractor } from "./extractor.ts";

const PAGE = "<!doctype html><title>Check</title><article><h1>Check</h1><p>A page that can be read.</p></article>";
const LIMIT_MS = 30_000;

/** Null when it works, else the reason in words. */
export async function checkExtraction(): Promise<string | null> {
  try {
    using extractor = new Extractor(AbortSignal.timeout(LIMIT_MS));
    const extraction = await extractor.extract("html", new TextEncoder().encode(PAGE));
    if (extraction.kind === "text") return null;
    return extraction.kind === "failed" ? extraction.detail : extraction.reason;
  } catch (error) {
    return describeCause(error);
  }
}
