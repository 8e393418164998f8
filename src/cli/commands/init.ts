// deep-research init
import { initRun } from "../../operations/make/init-run.ts";
import type { Outcome } from "../../operations/outcome.ts";
import type { CorpusReport } from "../../ports/provider.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { defineCommand } from "../command.ts";
import { corpusRows } from "../text/evidence-text.ts";
import { RUN_FIELDS } from "../../run/settings/fields.ts";
import {
  initOptions,
  limitsNote,
  MAIN_OPTIONS,
  QUESTION,
  QUESTION_OPERAND,
  RUN_CONFIGURATION,
  withQuestion,
} from "../options/run-options.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import type { Style } from "../terminal/style.ts";
import { columns, oneLine, pairs } from "../terminal/layout.ts";

const MAX_SKIPPED = 10;
const PATH_WIDTH = 80;

export const command = defineCommand({
  description:
    "Does what start does before the first step: reads the folders into the index, freezes settings and limits, makes the run's folder.",
  seeAlso: ["run", "tick", "start"],
  mainOptions: MAIN_OPTIONS,
  operand: QUESTION_OPERAND,
  fields: { question: QUESTION, ...RUN_FIELDS },
  examples: [
    ['init "How are command-line options parsed?" --corpus ./docs', "then: deep-research run"],
    ['init "How are options parsed?" --corpus ./docs --on-interrupt hold', "stay stopped after a crash until a resume"],
  ],
  notes: [limitsNote()],
  configuration: RUN_CONFIGURATION,
  exits: [
    [0, "made, or there already with this question and these settings"],
    [1, "not written"],
    [2, "bad usage or input, or another run has this id"],
    [12, "the run of this id is damaged: see verify and repair"],
  ],
  readInput: withQuestion,
  async run(context, input) {
    const outcome = await initRun(context.ports, initOptions(context, input), await context.observe());
    return { outcome, text: (style) => initText(outcome, style) };
  },
});

function initText(
  { result }: Outcome<{ run_id: string; run_root: string; created: boolean; corpora: CorpusReport[] }>,
  style: Style,
): string {
  const { run_id, run_root, created, corpora } = result;
  const head = `${style.bold(run_id)}  ${created ? "created" : "is there already, with this question and these settings"}\n`;
  const facts = pairs([["folder", run_root], ...corpusRows(corpora)], style.width);
  return head + facts + skippedText(corpora) + nextText(doNext(stepsOn(run_root)("run", "start it")), style);
}

function skippedText(corpora: readonly CorpusReport[]): string {
  const skipped = corpora.flatMap((report) => report.skipped);
  if (skipped.length === 0) return "";
  const more = skipped.length > MAX_SKIPPED ? `    and ${skipped.length - MAX_SKIPPED} more (--json lists all)\n` : "";
  return `  skipped\n${columns(
    skipped.slice(0, MAX_SKIPPED).map(({ path, reason }) => [oneLine(path, PATH_WIDTH), reason]),
    "    ",
  )}${more}`;
}
