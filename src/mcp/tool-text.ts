// The text of an answer: clients that show text alone, and models that read it, find first what matters.
import { count } from "../surface/words.ts";
import type { Envelope } from "../surface/envelope.ts";

type Result = Readonly<Record<string, unknown>>;

const MAX_LISTED = 50;

/** The words, and the whole object as JSON; of a report its text, and the object without it. */
export function textsOf(answer: Envelope): string[] {
  const { report_md, ...result } = (answer.result ?? {}) as Result;
  if (answer.error !== null || typeof report_md !== "string") return [wordsOf(answer), JSON.stringify(answer)];
  return [report_md, JSON.stringify({ ...answer, result })];
}

function wordsOf({ command, contract, error, halt, result }: Envelope): string {
  const { run_id, execution_state, stage_current, run_root } = contract;
  const fields = (result ?? {}) as Result;
  const state = execution_state === null ? "" : `: ${execution_state}, at ${stage_current ?? "its beginning"}`;
  const lines = [
    ...(error === null ? [] : [`${command} failed: ${error.message} (${error.code})`, `What helps: ${error.hint}`]),
    ...(run_id === null ? [] : [`Run ${run_id}${state}`, `In ${run_root ?? ""}`]),
    ...(typeof fields["condition"] === "string" ? [`It is ${fields["condition"].replaceAll("_", " ")}.`] : []),
    ...(typeof fields["work"] === "string" ? [`Work: ${fields["work"].replaceAll("_", " ")}.`] : []),
    ...runsIn(fields),
    ...passagesIn(fields),
    ...(typeof fields["output"] === "string" ? [`Written: ${fields["output"]}`] : []),
    ...(command === "verify" && error === null ? ["Everything that was checked verifies."] : []),
    ...(halt === null ? [] : [`Halted: ${halt.kind.replaceAll("_", " ")}.`]),
    ...nextIn(halt?.next_commands ?? fields["next_commands"]),
    ...nextToolIn(fields["next_tool"]),
  ];
  return lines.length === 0 ? `${command}: done` : lines.join("\n");
}

function runsIn({ runs, matched }: Result): string[] {
  if (!Array.isArray(runs)) return [];
  const shown = (runs as Record<string, string>[]).slice(0, MAX_LISTED);
  const lines = shown.map(
    ({ run_id, condition, execution_state, question }) =>
      `- ${run_id} (${condition ?? execution_state}) ${question ?? ""}`,
  );
  const all = typeof matched === "number" ? matched : runs.length;
  return [`${count(all, "run")}${shown.length < all ? `, ${shown.length} shown` : ""}`, ...lines];
}

function passagesIn({ passages }: Result): string[] {
  if (!Array.isArray(passages)) return [];
  return [
    count(passages.length, "passage"),
    ...(passages as Result[]).map(({ path, title, text }) => `- ${String(path)}: ${String(title)}\n  ${String(text)}`),
  ];
}

function nextIn(commands: unknown): string[] {
  return Array.isArray(commands) && commands.length > 0 ? ["Next:", ...commands.map((one) => `- ${String(one)}`)] : [];
}

function nextToolIn(next: unknown): string[] {
  const { name, arguments: given } = (next ?? {}) as { name?: string; arguments?: object };
  return name === undefined ? [] : [`Next: ${name} ${JSON.stringify(given)}`];
}
