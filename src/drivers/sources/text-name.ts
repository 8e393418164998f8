// Names the stored text of a source, since the format of a text and its pages follow from a file name.
import type { Source } from "../../run/report/source.ts";

/** The address of a web page says nothing of its format, so its media type counts. Other text than plain text was converted to Markdown. */
export function nameForText({ media_type, origin }: Pick<Source, "media_type" | "origin">): string {
  const [essence = ""] = media_type.split(";");
  if (essence === "application/pdf") return "document.pdf";
  return /^text\/plain$|json|csv|yaml/.test(essence) ? origin : "document.md";
}
