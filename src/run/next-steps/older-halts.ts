// The reader of halts of version 0.1.0, which hold the input of the step that continues as words of a command line.
import { flagName } from "../../kernel/field.ts";
import { RUN_FIELDS } from "../settings/fields.ts";
import type { StepInput } from "./next-step.ts";

/** One word as `shellQuote` wrote it. */
const WORD = /(?:\\'|'[^']*'|[^\s'\\])+/g;

/** Empty where the halt holds none, or words that are no options of a run. */
export function olderResumeInput({ resume_with }: Readonly<Record<string, unknown>>): StepInput {
  const words = typeof resume_with === "string" ? (resume_with.match(WORD) ?? []).map(plain) : [];
  const input: Record<string, string | number | string[]> = {};
  for (let at = 0; at < words.length; at += 2) {
    const [flag, value] = [words[at], words[at + 1]];
    const [name, field] = Object.entries(RUN_FIELDS).find(([one]) => flagName(one) === flag) ?? [];
    if (name === undefined || field === undefined || value === undefined) return {};
    if (field.kind === "list") input[name] = [...((input[name] as string[] | undefined) ?? []), value];
    else input[name] = field.kind === "value" && field.range !== undefined ? Number(value) : value;
  }
  return input;
}

function plain(word: string): string {
  return word.replace(/\\'|'([^']*)'/g, (_part, quoted?: string) => quoted ?? "'");
}
