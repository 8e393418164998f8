// deep-research report diff
import { given } from "../../kernel/given.ts";
import { diffReports, type ReportDiff } from "../../operations/report/diff-reports.ts";
import { runCommand } from "../command.ts";
import { damageNote } from "../text/evidence-text.ts";
import { BAD_USAGE, REPORT_EXITS } from "../exits.ts";
import { ALLOW_DAMAGED, version } from "../options/options.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import type { Answered } from "../../run/report/report-version.ts";
import { ANSWERED_WORDS } from "../../surface/words.ts";
import type { Style } from "../terminal/style.ts";
import { oneLine } from "../terminal/layout.ts";

export const command = runCommand({
  description: "Compares claims, quotes and sources of two versions.",
  seeAlso: ["report list", "report select"],
  fields: {
    from: version("the older version", "the one before"),
    to: version("the newer version", "the newest"),
    allow_damaged: ALLOW_DAMAGED,
  },
  examples: [
    ["report diff", "the two newest versions of the newest run"],
    ["report diff dr_2026 --from 1 --to 3", "these two"],
  ],
  exits: [[0, "compared, whatever differs"], BAD_USAGE, ...REPORT_EXITS],
  async run({ ports, locate }, input) {
    const { from, to, allow_damaged: allowDamaged } = input;
    const outcome = await diffReports(ports, await locate(input.run), { allowDamaged, ...given({ from, to }) });
    const note = (style: Style): string | null => damageNote(outcome.run, style);
    return { outcome, text: (style) => reportDiffText(outcome.result, style), note };
  },
});

const LINE_WIDTH = 160;
const SAME_CLAIMS =
  "the same claims; the title, headings, labels, code, order or sentences that assert nothing differ\n";

export function reportDiffText(diff: ReportDiff, style: Style): string {
  const { from, to, equal, evidence_equal, page_equal, claims, nearest, sources, gaps, unfinished } = diff;
  const heading = `${style.bold(`report version ${from} -> ${to}`)}: ${equal ? "nothing differs" : evidence_equal ? "the same evidence" : "other evidence"}\n`;
  const judged = claims.judged_anew.map(({ text, from: before, to: after }) =>
    style.warn(line("~", `${before} -> ${after}: ${text}`)),
  );
  const isSaid = [claims.added, claims.removed, claims.judged_anew, nearest.added, nearest.removed].some(
    (list) => list.length > 0,
  );
  return `${heading}${[
    page_equal || isSaid ? "" : SAME_CLAIMS,
    partialText(from, unfinished.from, style),
    partialText(to, unfinished.to, style),
    answeredText(diff, style),
    block("statements", [...changeLines(claims, ({ text }) => text, style), ...judged]),
    block(
      "nearest passages, which claim nothing",
      changeLines(nearest, ({ text }) => text, style),
    ),
    block(
      "sources",
      changeLines(sources, ({ title, origin }) => `${title} (${origin})`, style),
    ),
    block(
      "gaps",
      changeLines(gaps, ({ text }) => text, style),
    ),
  ].join("")}`;
}

/** As its page says it; nothing for a whole version. */
function partialText(version: number, unfinished: readonly string[] | null, style: Style): string {
  if (unfinished === null) return "";
  const undone = unfinished.length === 0 ? "" : `; not done by then: ${shownLine(unfinished.join("; "))}`;
  return `${style.warn(`version ${version} is partial`)}${undone}\n`;
}

function answeredText({ answered, from, to }: ReportDiff, style: Style): string {
  if (answered.from === answered.to) return "";
  const said = ([version, one]: readonly [number, Answered | null]): string =>
    `version ${version} ${one === null ? "does not say whether it answers" : ANSWERED_WORDS[one]}`;
  return `${style.warn(`${said([from, answered.from])}, ${said([to, answered.to])}`)}\n`;
}

function changeLines<T>(
  { added, removed }: { added: readonly T[]; removed: readonly T[] },
  wordsOf: (one: T) => string,
  style: Style,
): string[] {
  return [
    ...added.map((one) => style.good(line("+", wordsOf(one)))),
    ...removed.map((one) => style.bad(line("-", wordsOf(one)))),
  ];
}

function line(mark: string, words: string): string {
  return `  ${mark} ${oneLine(words, LINE_WIDTH)}`;
}

function block(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}\n${lines.join("\n")}\n`;
}
