// A prompt that was answered before and is asked again: why the run came to a halt over that answer, and where it stands.
import { factsOfHalt } from "../run/halt-steps.ts";
import { endsByAnswer } from "../run/halt.ts";
import type { AnyRecord } from "../run/record.ts";

/** A section of the prompt; empty where no halt that judges answers came behind the last one. */
export function askedAgain(
  records: readonly AnyRecord[],
  { key, name, runRoot }: { key: string; name: string; runRoot: string },
): string {
  const at = records.findLastIndex(
    (record) => record.kind === "step.answered" && record.data.key === key && record.data.name === name,
  );
  const answered = records[at];
  if (answered?.kind !== "step.answered") return "";
  const halts = records.slice(at + 1).flatMap((record) => (record.kind === "halt.raised" ? [record.data.halt] : []));
  const halt = halts.findLast((one) => endsByAnswer(one, true) && !endsByAnswer(one, false));
  if (halt === undefined) return "";
  const { kind, details } = factsOfHalt(halt);
  const reason = typeof details["reason"] === "string" ? details["reason"] : kind;
  return `\n## Asked again\n\nThis was answered before, and then the run came to a halt: ${reason}.\n\nThe earlier answer: ${runRoot}/${answered.data.answer.path}\n`;
}
