// deep-research verify
import { retryChecks, type RetryResult } from "../../operations/change/retry-checks.ts";
import { type VerifyResult, verifyRun } from "../../operations/care/verify-run.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { runCommand } from "../command.ts";
import { BAD_USAGE, NO_SUCH_RUN } from "../exits.ts";
import { flag } from "../../kernel/field.ts";
import type { Style } from "../terminal/style.ts";
import { pairs, paragraph } from "../terminal/layout.ts";

export const command = runCommand({
  description:
    "Walks from every sentence of every report to its quote, to the stored bytes of the source, and to the journal. It needs nothing but the run's folder, which may be a copy.",
  seeAlso: ["repair", "report show", "fork"],
  fields: { retry: flag("judge again what could not be checked; only this form writes") },
  examples: [
    ["verify", "the newest run"],
    ["verify /backup/dr_20260131120304_abcdef", "a copy, in any folder"],
    ["verify --json", "bad files in error.details.files"],
    ["verify dr_2026 --retry", "a verifier that was throttled is called again"],
  ],
  notes: [
    "Judging again\n  With --retry, citations and claims that could not be checked are judged again. The run continues, unless it is paused; a report gets a further version.",
  ],
  exits: [
    [0, "all checks passed"],
    [1, "with --retry: the run's state does not allow this, or a disk does not"],
    BAD_USAGE,
    [3, "with --retry: the run halted again"],
    [4, "with --retry: halted until a quota is free again"],
    NO_SUCH_RUN,
    [11, "with --retry: another process works on the run"],
    [12, "something does not verify, or is missing: the files are named"],
  ],
  async run(context, input) {
    const runRoot = await context.locate(input.run);
    if (input.retry) {
      const retried = await retryChecks(context.ports, runRoot, await context.observe(), await context.takeSignals());
      return { outcome: retried, text: (style) => retryText(retried.result, style) };
    }
    const outcome = await verifyRun(context.ports, runRoot);
    return { outcome, text: (style) => verifyText(outcome.run?.manifest.run_id ?? runRoot, outcome.result, style) };
  },
});

function retryText({ retried, still_not_checked, report, why_no_report }: RetryResult, style: Style): string {
  if (retried === 0) return "there is nothing to judge again\n";
  return pairs(
    [
      ["were not checked", String(retried)],
      ["still not checked", String(still_not_checked)],
      ["no further version", why_no_report],
      ["report", report?.report_md_path],
    ],
    style.width,
  );
}

function verifyText(run: string, result: VerifyResult, style: Style): string {
  const { looked_at, notes, ...counts } = result;
  const rows = Object.entries(counts).map(([name, count]) => [name.replaceAll("_", " "), String(count)] as const);
  const noteLines = notes.map((note) => `${paragraph(`note: ${note}`, style.width, "", "  ")}\n`);
  return `${paragraph(VERDICTS[looked_at](style), style.width)}\n${pairs([["run", shownLine(run)], ...rows], style.width)}${noteLines.join("")}`;
}

const VERDICTS: Record<VerifyResult["looked_at"], (style: Style) => string> = {
  report: (style) => style.good("verified"),
  evidence: (style) => `${style.good("verified so far")}: the run has no report yet`,
  nothing: () => "nothing to verify yet: the run has stored nothing but its journal",
};
