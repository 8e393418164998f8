// Text about the evidence of a run: who gave it, and what was not read, not reached, or does not verify.
import { shownLine } from "../../kernel/shown-text.ts";
import type { InspectResult } from "../../operations/look/inspect-run.ts";
import type { Fallback } from "../../run/log/provenance.ts";
import { count, fallbackText } from "../../surface/words.ts";
import type { Style } from "../terminal/style.ts";
import { columns, oneLine, paragraph } from "../terminal/layout.ts";
import type { CorpusReport } from "../../ports/provider.ts";
import type { CorpusSetting } from "../../run/settings/settings.ts";
import type { BlockedUrl } from "../../run/report/blocked-urls.ts";
import { isRepaired } from "../../operations/look/repair-steps.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "./next-text.ts";
import { factText, problemText } from "../../surface/fact-words.ts";

type Provenance = InspectResult["provenance"];

export function fallbackWarning(fallbacks: readonly Fallback[], style: Style): string | null {
  const text = fallbackText(fallbacks);
  return text === null ? null : style.warn(text);
}

/** A row for each way in which answers came, as it was counted last. Before the first count: who is queried, and how much is stored. */
export function evidenceText(provenance: Provenance, stored: number): string {
  const ways = new Map<string, Provenance[number]>();
  for (const entry of provenance) {
    const { source_count: _sources, quote_count: _quotes, ...way } = entry;
    if (way.answered_provider_id !== undefined || way.error !== undefined) ways.set(JSON.stringify(way), entry);
  }
  if (ways.size > 0) return columns([...ways.values()].map(answerRow), "  ");
  const first = provenance.at(-1);
  const sofar = stored === 0 ? "nothing is stored yet" : `${count(stored, "source")} stored so far`;
  return first === undefined ? "" : `  ${requestText(first)}; ${sofar}\n`;
}

function answerRow(entry: Provenance[number]): string[] {
  const { answered_provider_id, fallback_from_provider_id, source_count, quote_count, error = "" } = entry;
  const answered = answered_provider_id === undefined ? "none answered" : `answered ${answered_provider_id}`;
  const instead = fallback_from_provider_id === undefined ? "" : ` in place of ${fallback_from_provider_id}`;
  const kept = `${count(source_count, "source")}, ${count(quote_count, "quote")}`;
  if (answered_provider_id === "operator") return ["attached by the operator", kept, ""];
  return [`${requestText(entry)}, ${answered}${instead}`, kept, shownLine(error)];
}

function requestText({ requested_provider_id, resolved_from, resolved_provider_id }: Provenance[number]): string {
  const requested = `requested ${requested_provider_id} (${resolved_from})`;
  return resolved_provider_id === requested_provider_id ? requested : `${requested}, resolved ${resolved_provider_id}`;
}

/**
 * `corpus  /docs: 12 documents, 2 not read (2 binary), 1 passed over (1 empty)`, as rows for `pairs`. The report, too, counts
 * what was not read; the rest is not expected to be read. `where` says where each file is named.
 */
export function corpusRows(reports: readonly CorpusReport[], where = ""): [string, string][] {
  return reports.flatMap(({ corpus, skipped }) => {
    const notRead = countsOf((corpus.left_out ?? []).map((entry): [string, number] => [entry.reason, entry.count]));
    const passedOver = countsOf(skipped.map(({ reason }): [string, number] => [reason, 1]));
    for (const reason of notRead.keys()) passedOver.delete(reason);
    const parts = [partText("not read", notRead), partText("passed over", passedOver)].filter((part) => part !== "");
    const names = parts.length === 0 ? "" : where;
    const documents = [count(corpus.documents, "document"), ...parts].join(", ");
    return [["corpus", `${shownLine(corpus.path)}: ${documents}${names}`], ...partlyReadRows(corpus)];
  });
}

const MAX_PARTLY_READ_ROWS = 3;

export function partlyReadRows({ partly_read }: CorpusSetting): [string, string][] {
  if (partly_read === undefined) return [];
  const shown = partly_read.most.slice(0, MAX_PARTLY_READ_ROWS);
  const more = partly_read.documents - shown.length;
  const lines = shown.map(({ document, unread }) => `${shownLine(document)}: ${unread}`);
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].map((line) => ["partly read", line]);
}

/** By the reason without its details. */
function countsOf(entries: readonly (readonly [string, number])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [reason, times] of entries) {
    const name = reason.split(/[:(]/)[0]?.trim() ?? "";
    counts.set(name, (counts.get(name) ?? 0) + times);
  }
  return counts;
}

/** The commonest reasons first. */
function partText(what: string, counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return "";
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const all = sorted.reduce((sum, [, times]) => sum + times, 0);
  return `${all} ${what} (${sorted.map(([name, times]) => `${times} ${name}`).join(", ")})`;
}

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

export function damageNote(run: RunLook, style: Style): string | null {
  if (run.problems.length === 0) return null;
  const files = run.problems.map(problemText).join("; ");
  const step = stepsOn(run.runRoot);
  const next = isRepaired(run, run.problems)
    ? step("triage", "see what can be done")
    : step("verify", "see everything that is damaged");
  const what = paragraph(`${style.bad("stored files are damaged")}: ${factText(files)}`, style.width, "", "  ");
  return `${what}\n${nextText(doNext(next), style).trimEnd()}`;
}
