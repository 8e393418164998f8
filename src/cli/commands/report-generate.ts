// deep-research report generate
import { basename } from "node:path";
import { generateReport } from "../../operations/report/generate-report.ts";
import { parseStrictJson } from "../../kernel/strict-json.ts";
import { parseWith } from "../../run/common.ts";
import {
  FULL,
  type NamedTemplate,
  reportTemplateSchema,
  TEMPLATES,
  type TemplateName,
} from "../../run/report/report-template.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { type CommandContext, runCommand } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { inputFile } from "../options/input-file.ts";
import { text } from "../../kernel/field.ts";
import { given } from "../../kernel/given.ts";
import { instructionOf } from "../options/instruction.ts";
import { wrongValue } from "../../kernel/wrong-value.ts";
import { EVENTS } from "../options/options.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import { count } from "../../surface/words.ts";
import { pairs } from "../terminal/layout.ts";

const NAMES = Object.keys(TEMPLATES);
const MAX_TEMPLATE_BYTES = 10_000;

export const command = runCommand({
  description:
    "Writes a report from what a run has found so far and marks it as partial where the run was not completed. Not possible while a run is idle or worked on.",
  seeAlso: ["report show", "report select", "fork"],
  options: EVENTS,
  fields: {
    template: text("TEMPLATE", `what it shows: ${NAMES.join(", ")}, or a FILE that says it`, "full"),
    instruction: text("TEXT", "how a model is to write it anew from the same evidence, of a completed run"),
  },
  examples: [
    ["report generate", "the newest run"],
    ["report generate dr_2026 --template brief", "the answer, what it follows from and its sources"],
    ["report generate dr_2026 --template mine.json", "by a template of yours"],
    ['report generate dr_2026 --instruction "shorter, for the board"', "another version, written anew by the model"],
  ],
  exits: [
    ...CHANGE_EXITS,
    [3, "the run has found no evidence, or its budget is spent"],
    [4, "a provider answers no more for now"],
  ],
  async run(context, input) {
    const runRoot = await context.locate(input.run);
    const outcome = await generateReport(context.ports, runRoot, await context.observe(), {
      template: templateOf(context, input.template),
      ...given({ instruction: instructionOf(input.instruction) }),
    });
    const { version_index, partial, claims, sources, report_md_path } = outcome.result;
    const step = stepsOn(runRoot);
    return {
      outcome,
      text: (style) =>
        `${style.bold(`report version ${version_index}`)}${partial ? ", partial" : ""}\n${pairs(
          [
            ["holds", `${count(claims, "claim")} from ${count(sources, "source")}`],
            ["report", report_md_path],
          ],
          style.width,
        )}${nextText(doNext(step("report show", "read it"), step("verify", "check it down to the sources")), style)}`,
    };
  },
});

/** A name, or a file: a name without an ending or a slash is none. Errors: `INVALID_ARGS`, `SCHEMA_VALIDATION_FAILED`. */
function templateOf(context: CommandContext, given: string | undefined): NamedTemplate {
  if (given === undefined) return FULL;
  if (isName(given)) return { name: given, template: TEMPLATES[given] };
  if (!/[./]/.test(given)) throw wrongValue(given, `${NAMES.join(", ")} or a file`, NAMES);
  const bytes = inputFile(context, given, { option: "--template", most: MAX_TEMPLATE_BYTES });
  const template = parseWith(reportTemplateSchema, parseStrictJson(bytes), { path: given });
  return { name: basename(given).slice(0, 120), template };
}

function isName(given: string): given is TemplateName {
  return Object.hasOwn(TEMPLATES, given);
}
