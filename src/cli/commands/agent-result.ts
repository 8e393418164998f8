// deep-research agent-result
import { given } from "../../kernel/given.ts";
import { basename } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { MAX_ANSWER_BYTES, submitAnswer, type SubmitResult } from "../../operations/change/submit-answer.ts";
import type { Outcome } from "../../operations/outcome.ts";
import { answerText } from "../../orchestrator/submission.ts";
import { isPageName } from "../../ports/provider.ts";
import { parseWith } from "../../run/common.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import { answersDue } from "../../run/next-steps/halt-steps.ts";
import { stepsOn, type NextStep } from "../../run/next-steps/next-step.ts";
import { answeredBySchema } from "../../run/log/step.ts";
import { doNext } from "../../surface/advice.ts";
import { type CommandContext, runCommand } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { inputFile, tooLarge } from "../options/input-file.ts";
import { content, flag, integer, listOf, needed, text, trusted } from "../../kernel/field.ts";
import { pairs } from "../terminal/layout.ts";
import { nextText } from "../text/next-text.ts";

const DEFAULT_WAIT_S = 5;
const MAX_SOURCE_BYTES = 100 * 1024 * 1024;

export const command = runCommand({
  description:
    "A run of the task driver halts with a prompt for each step. This hands an answer in, which is taken, or refused with everything that is wrong with it.",
  seeAlso: ["triage", "tick", "inspect"],
  mainOptions: ["step", "input", "agent_run_id", "replace"],
  options: {
    input: needed(
      text("FILE", "the answer in the form that the prompt requires; - reads it from stdin"),
      "no answer was given",
    ),
  },
  fields: {
    step: needed(
      text("KEY", "the step that waits, as the halt names it"),
      "no step was named: triage shows those that wait",
    ),
    prompt: text("NAME", "which prompt of the step is answered", "the one that waits"),
    answer: needed(
      content("the answer, as text in the form that the prompt requires", MAX_ANSWER_BYTES),
      "no answer was given",
    ),
    agent_run_id: needed(text("ID", "who answered: noted in the journal"), "it is not said who answered"),
    model: text("NAME", "the model that answered, if one did: named with its verdicts"),
    started_at: text("TIME", "when the work on it began, as 2026-01-31T12:03:04.000Z"),
    finished_at: text("TIME", "when it ended"),
    usage: text("JSON", "what it cost, as one object of numbers and words: noted in the journal"),
    source: trusted(
      listOf(
        text(
          "SOURCE",
          "a file or the address of a page that comes along: the answer quotes it by its file name or that address",
        ),
      ),
      "inside",
      "it is read and stored with the run",
    ),
    replace: flag("take it in place of an earlier answer; the old one stays in the journal"),
    wait: integer(
      "SECONDS",
      "how long to wait while another process works on the run",
      {
        least: 0,
        most: 3600,
      },
      DEFAULT_WAIT_S,
    ),
  },
  examples: [
    ["agent-result dr_2026 --step perspectives:plan --input plan.json --agent-run-id me", "submit a file"],
    ["agent-result dr_2026 --step wave1:overview --input - --agent-run-id agent-7", "submit what is on stdin"],
  ],
  notes: [
    "While another process works on the run, the answer is handed to it durably, and judged by it between two steps; --wait waits for that.",
    "triage names the prompts that wait. A refused answer changes nothing. The same answer twice is taken once.",
  ],
  exits: [...CHANGE_EXITS, [2, "the answer is not fit: every fault is named"]],
  async readInput(context, input, { input: file }) {
    // What is wrong with the answer is reported with the run that it is for.
    await context.locate(input.run);
    return { ...input, answer: answerText(await answerIn(context, file)) };
  },
  async run(context, input) {
    const { step, agent_run_id: agentRunId, replace, wait = DEFAULT_WAIT_S } = input;
    const by = parseWith(
      answeredBySchema,
      {
        agent_run_id: agentRunId,
        ...given({ model: input.model, started_at: input.started_at, finished_at: input.finished_at }),
        ...given({ usage: usageIn(input.usage) }),
      },
      { reason: "what is said of the answer does not fit" },
    );
    const answer = new TextEncoder().encode(input.answer);
    const runRoot = await context.locate(input.run);
    const pages = input.source.filter(isPageName);
    const files = input.source.filter((source) => !isPageName(source));
    const sources = files.map((file) => ({
      name: basename(file),
      bytes: inputFile(context, file, { option: "--source", most: MAX_SOURCE_BYTES }),
    }));
    const options = {
      step,
      ...given({ prompt: input.prompt }),
      answer,
      by,
      replace,
      sources,
      pages,
      waitSeconds: wait,
    };
    const outcome = await submitAnswer(context.ports, runRoot, options, await context.observe());
    return {
      outcome,
      text: (style) =>
        `${style.good(saidOf(outcome.result))}\n${pairs(rowsOf(outcome.result), style.width)}${nextText(doNext(...nextSteps(runRoot, outcome)), style)}`,
    };
  },
});

async function answerIn(context: CommandContext, input: string): Promise<Uint8Array> {
  const limits = { option: "--input", most: MAX_ANSWER_BYTES };
  if (input !== "-") return inputFile(context, input, limits);
  const read = await context.host.readInput(MAX_ANSWER_BYTES);
  if (read === null) throw tooLarge(limits);
  return read;
}

function usageIn(said: string | undefined): unknown {
  if (said === undefined) return undefined;
  try {
    return JSON.parse(said);
  } catch (cause) {
    throw new RunError("INVALID_ARGS", { reason: "the usage is no JSON object", option: "--usage" }, { cause });
  }
}

function saidOf({ already, handed_over }: SubmitResult): string {
  if (handed_over) return "handed to the process that works on the run, which judges it between two steps";
  return already ? "taken already" : "taken";
}

function rowsOf({ step, state, next_prompt, waiting, handed_over }: SubmitResult): [string, string | null][] {
  const others = waiting.filter(({ key }) => key !== step).map(({ key }) => key);
  return [
    ["step", shownLine(step)],
    ["state", state === "waiting" && !handed_over ? "waits for one more answer" : state],
    ["prompt", handed_over ? null : next_prompt],
    ["waiting too", others.join(", ")],
  ];
}

function nextSteps(runRoot: string, { result, run }: Outcome<SubmitResult>): NextStep[] {
  const { step, waiting, handed_over } = result;
  const next = stepsOn(runRoot);
  // The same answer may be submitted again in any state.
  const isOver = run !== null && (isTerminal(run.state) || run.state === "paused");
  if (isOver) return [next("status", "see the state of the run")];
  const due = handed_over ? waiting.filter(({ key }) => key !== step) : waiting;
  if (due.length > 0) return answersDue(runRoot, due);
  return [handed_over ? next("status", "see how far it is") : next("run", "continue until the next prompts")];
}
