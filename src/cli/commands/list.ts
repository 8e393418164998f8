// deep-research list
import { stageName } from "../../surface/stage-words.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { given } from "../../kernel/given.ts";
import { type ListedRun, type ListResult, listRuns } from "../../operations/look/list-runs.ts";
import { forPrograms } from "../../surface/advice.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE, NOT_READ } from "../exits.ts";
import { flag, integer } from "../../kernel/field.ts";
import { states } from "../options/options.ts";
import { stateText } from "../text/status-text.ts";
import type { Style } from "../terminal/style.ts";
import { columns, oneLine, paragraph } from "../terminal/layout.ts";
import { diskSentence } from "../../surface/disk-words.ts";
import { count, fileSize, moment } from "../../surface/words.ts";
import { reservedText, shortUsageText } from "../../surface/usage-words.ts";

const MAX_LISTED = 1_000_000;

export const command = defineCommand({
  description: "One line for each run in the runs root. A run that cannot be read is listed with its error.",
  seeAlso: ["status", "triage", "prune"],
  fields: {
    state: states("only runs in these states"),
    halted: flag("only runs that wait at a halt"),
    limit: integer("N", "the newest N of them", { least: 1, most: MAX_LISTED }),
    size: flag("add the disk use of each run and of all: the bytes of its files"),
  },
  examples: [
    ["list", "every run under the runs root"],
    ["list --state paused,interrupted", "what could be resumed"],
    ["list --halted --json", "what needs attention, for programs"],
    ["list --limit 10 --size", "the newest ten, with their size"],
  ],
  notes: ["--state running leaves out runs that a halt stopped: --halted lists those."],
  exits: [[0, "listed; runs that cannot be read are listed with their error"], NOT_READ, BAD_USAGE],
  async run({ ports, runsRoot, host, write }, { state, halted, limit, size }) {
    const wanted = state.flat();
    const outcome = await listRuns(ports, runsRoot(), {
      halted,
      size,
      ...(wanted.length === 0 ? {} : { states: wanted }),
      ...given({ limit }),
    });
    const isFiltered = halted || wanted.length > 0;
    // A file or a pipe has no width.
    const width = host.isTerminal("stdout") ? host.columns("stdout") : null;
    const runs = outcome.result.runs.map((run) => forPrograms(write, run));
    return {
      outcome: { ...outcome, result: { ...outcome.result, runs } },
      text: (style) => listText(outcome.result, isFiltered, width, style),
    };
  },
});

const QUESTION_WIDTH = 60;
/** A narrower question would say nothing. */
const LEAST_QUESTION = 15;
const INDENT = "  ";

/** `width` is null where no terminal is. */
export function listText(result: ListResult, isFiltered: boolean, width: number | null, style: Style): string {
  const { runs, unreadable, runs_root, matched, total_bytes, never_begun = [] } = result;
  const line = (sentence: string): string => `${paragraph(sentence, width)}\n`;
  if (!result.runs_root_exists) return line(`no runs yet: ${shownLine(runs_root)} is made by the first start`);
  const left = never_begun.length === 0 ? "" : line(style.dim(leftText(never_begun)));
  if (runs.length + unreadable.length === 0)
    return line(`no runs ${isFiltered ? "like that " : ""}in ${shownLine(runs_root)}`) + left;
  const counted = count(matched + unreadable.length, "run");
  const shown = matched === runs.length ? counted : `the newest ${runs.length} of ${counted}`;
  const taken = total_bytes === undefined ? "" : `, ${fileSize(total_bytes)} in files`;
  const entries = [
    ...runs.map((run) => entryOf(run, style)),
    ...unreadable.map(({ run_id, run_root, error, bytes }) => ({
      id: style.bold(run_id),
      state: style.bad(error.code),
      stage: "",
      spent: "",
      reserved: "",
      size: sizeText(bytes),
      created: "",
      words: diskSentence({ run_root, errno: error.errno }, "read") ?? error.reason,
    })),
  ];
  return entriesText(entries, width) + line(style.dim(`${shown} in ${shownLine(runs_root)}${taken}`)) + left;
}

/** What killed starts and forks left. */
function leftText(folders: NonNullable<ListResult["never_begun"]>): string {
  const bytes = folders.reduce((sum, one) => sum + one.bytes, 0);
  return `${count(folders.length, "folder")} of runs that never began, ${fileSize(bytes)}: prune deletes them an hour after their last change`;
}

type Entry = Record<"id" | "state" | "stage" | "spent" | "reserved" | "size" | "created" | "words", string>;

function entryOf(run: ListedRun, style: Style): Entry {
  return {
    id: style.bold(run.run_id),
    state: stateText(run, style),
    stage: stageName(run.stage_current),
    spent: shortUsageText(run.usage),
    reserved: reservedText(run.usage),
    size: sizeText(run.bytes),
    created: moment(run.created_at),
    words: run.question,
  };
}

/** Columns to drop when there is too little room, the first one first. */
const LESS: readonly ((entry: Entry) => Entry)[] = [
  (entry) => entry,
  (entry) => ({ ...entry, created: entry.created.slice(0, "2026-01-31 12:03".length) }),
  (entry) => ({ ...entry, reserved: "" }),
  (entry) => ({ ...entry, stage: "" }),
  (entry) => ({ ...entry, spent: "" }),
];

function entriesText(whole: readonly Entry[], width: number | null): string {
  let entries = whole;
  for (const lessOf of LESS) {
    entries = entries.map(lessOf);
    const rows = filledColumns(entries.map(({ words: _words, ...cells }) => Object.values<string>(cells)));
    const used =
      Math.max(
        ...columns(rows)
          .split("\n")
          .map((line) => Bun.stringWidth(line)),
      ) + INDENT.length;
    const room = width === null ? QUESTION_WIDTH : Math.min(QUESTION_WIDTH, width - used);
    if (room >= LEAST_QUESTION)
      return columns(rows.map((row, index) => [...row, oneLine(entries[index]?.words ?? "", room)]));
  }
  return whole.map((entry) => blockText(entry, width ?? QUESTION_WIDTH)).join("");
}

/** Without the empty columns. */
function filledColumns(rows: readonly string[][]): string[][] {
  return rows.map((row) => row.filter((_cell, index) => rows.some((other) => other[index] !== "")));
}

function blockText({ id, state, created, size, words }: Entry, width: number): string {
  const head = `${id}${INDENT}${state}`;
  const lines = Bun.stringWidth(head) <= width ? [head] : [id, paragraph(state, width, INDENT)];
  const facts = [created.slice(0, "2026-01-31 12:03".length), size].filter((fact) => fact !== "").join(INDENT);
  const before = facts === "" ? INDENT : `${INDENT}${facts}${INDENT}`;
  return `${[...lines, before + oneLine(words, width - before.length)].join("\n")}\n`;
}

function sizeText(bytes: number | null | undefined): string {
  if (bytes === undefined) return "";
  return bytes === null ? "?" : fileSize(bytes);
}
