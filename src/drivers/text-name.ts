// The name by which the stored text of a source is read: it tells the format of the text, and whether it has pages.
import type { Source } from "../run/source.ts";

/** A page on the web is called as it likes: by its type, what is no plain text was brought into Markdown. */
export function nameForText({ media_type, origin }: Pick<Source, "media_type" | "origin">): string {
  const [essence = ""] = media_type.split(";");
  if (essence === "application/pdf") return "document.pdf";
  return /^text\/plain$|json|csv|yaml/.test(essence) ? origin : "document.md";
}
