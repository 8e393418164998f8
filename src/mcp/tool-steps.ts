// The next steps of an answer as calls of tools, where a tool does the same. What only a person does stays a command.
import { basename } from "node:path";
import type { Field, FieldTable } from "../kernel/field.ts";
import { RUN_ID_PATTERN } from "../kernel/ids.ts";
import type { NextStep } from "../run/next-steps/next-step.ts";
import type { WriteStep } from "../surface/advice.ts";
import { fieldsOfUse } from "../surface/verb-use.ts";
import { type Tool, TOOLS } from "./tools.ts";

/** Verbs that a tool of another name does, with what the call says besides. */
const DONE_BY: Readonly<Record<string, { verb: string; also?: object }>> = {
  run: { verb: "resume" },
  watch: { verb: "status", also: { wait: 30 } },
};

/** `fieldsOf`: of a verb. `write` writes what stays a command. */
export async function asCalls(fieldsOf: (verb: string) => Promise<FieldTable>, write: WriteStep): Promise<WriteStep> {
  const tables = new Map(await Promise.all(TOOLS.map(async ({ verb }) => [verb, await fieldsOf(verb)] as const)));
  return (step) => callOf(step, tables) ?? write(step);
}

/** Null where no tool does it, the tool has no such argument, or an agent may not say it. */
function callOf(
  { verb: wanted, runRoot, input, asks }: NextStep,
  tables: ReadonlyMap<string, FieldTable>,
): string | null {
  const { verb, also = {} } = DONE_BY[wanted] ?? { verb: wanted };
  const tool = TOOLS.find((one) => one.verb === verb);
  if (tool === undefined) return null;
  const taken = fieldsOfUse(tool, tables.get(verb) ?? {});
  // All tools work on the runs of this server.
  const { runs_root: _root, ...said } = input;
  const call: Record<string, unknown> = { ...(runRoot === null ? {} : { run: nameOf(runRoot) }), ...said };
  for (const [name, word] of Object.entries(asks)) Object.assign(call, openArgument(tool, taken, name, word));
  const isTaken = Object.keys(call).every((name) => {
    const field = Object.hasOwn(taken, name) ? taken[name] : undefined;
    return field !== undefined && !isForPersons(field);
  });
  return isTaken ? `${tool.name} ${JSON.stringify({ ...call, ...also })}` : null;
}

/** A word that a person has to fill in. A file of a command line is the text that it would hold. */
function openArgument({ verb }: Tool, taken: FieldTable, name: string, word: string): object {
  const open = word.replace(/^"(.*)"$/s, "$1");
  if (verb === "agent-result" && name === "input") return { answer: "..." };
  if (name === "") return { [Object.keys(taken)[0] ?? ""]: open };
  return { [name]: taken[name]?.kind === "list" ? [open] : open };
}

/** Most runs are in a folder that has their id as its name. */
function nameOf(runRoot: string): string {
  const name = basename(runRoot);
  return RUN_ID_PATTERN.test(name) ? name : runRoot;
}

/** What the user's configuration bounds is for the user to raise. */
function isForPersons(field: Field): boolean {
  const trust = field.kind === "flag" ? undefined : field.trust;
  return trust !== undefined && ["same", "less", "stricter"].includes(trust.may);
}
