// Where the evidence of a run came from, in text: who answered, and for whom another provider stood in.
import { shownLine } from "../../kernel/shown-text.ts";
import type { InspectResult } from "../../operations/inspect-run.ts";
import type { Fallback } from "../../run/fallbacks.ts";
import { count, fallbackText } from "../../surface/words.ts";
import type { Style } from "../terminal/style.ts";
import { columns } from "../terminal/text.ts";

type Provenance = InspectResult["provenance"];

/** The same where it stands among other facts. */
export function fallbackWarning(fallbacks: readonly Fallback[], style: Style): string | null {
  const text = fallbackText(fallbacks);
  return text === null ? null : style.warn(text);
}

/** Each way in which answers came, as it was counted last; before the first count who is asked, and what is stored. */
export function evidenceText(provenance: Provenance, stored: number): string {
  const ways = new Map<string, Provenance[number]>();
  for (const entry of provenance) {
    const { source_count: _sources, quote_count: _quotes, ...way } = entry;
    if (way.answered_provider_id !== undefined || way.error !== undefined) ways.set(JSON.stringify(way), entry);
  }
  if (ways.size > 0) return columns([...ways.values()].map(answerRow), "  ");
  const first = provenance.at(-1);
  const sofar = stored === 0 ? "nothing is stored yet" : `${count(stored, "source")} stored so far`;
  return first === undefined ? "" : `  ${askedText(first)}; ${sofar}\n`;
}

function answerRow(entry: Provenance[number]): string[] {
  const { answered_provider_id, fallback_from_provider_id, source_count, quote_count, error = "" } = entry;
  const answered = answered_provider_id === undefined ? "nobody answered" : `answered ${answered_provider_id}`;
  const instead = fallback_from_provider_id === undefined ? "" : ` in place of ${fallback_from_provider_id}`;
  const kept = `${count(source_count, "source")}, ${count(quote_count, "quote")}`;
  return [`${askedText(entry)}, ${answered}${instead}`, kept, shownLine(error)];
}

function askedText({ requested_provider_id, resolved_from, resolved_provider_id }: Provenance[number]): string {
  const asked = `asked ${requested_provider_id} (${resolved_from})`;
  return resolved_provider_id === requested_provider_id ? asked : `${asked}, resolved ${resolved_provider_id}`;
}
