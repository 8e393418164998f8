// Facts of errors, halts and findings in words for people; programs get them as they are.
import { counted } from "../kernel/counted.ts";
import type { FileProblem } from "../kernel/errors.ts";
import { shortenedWords } from "../kernel/shortened.ts";
import { z } from "../kernel/zod.ts";
import { shownLine } from "../kernel/shown-text.ts";
import { namedOnce, duration } from "./words.ts";
import type { LeaseSummary } from "../operations/look/status.ts";
import { usageSchema } from "../run/money/usage.ts";
import { usageText } from "./usage-words.ts";

const MAX_FACT_LENGTH = 400;
/** Of a fraction: sums leave more digits than mean anything. */
const MAX_DIGITS = 6;
const MAX_QUOTED_LENGTH = 160;

/** A value as a person reads it, with commas and without JSON, cut when it is long. */
export function factText(value: unknown): string {
  return cut(wordsOf(value));
}

function cut(words: string): string {
  return shownLine(words.length > MAX_FACT_LENGTH ? `${words.slice(0, MAX_FACT_LENGTH)}...` : words);
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) {
    const words = value.map(wordsOf);
    return words.join(value.some((one) => typeof one === "object") ? "; " : ", ");
  }
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(MAX_DIGITS)));
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .filter(([, one]) => !isNothing(one))
    .map(
      ([name, one]) => `${name.replaceAll("_", " ")} ${typeof one === "object" ? `(${wordsOf(one)})` : wordsOf(one)}`,
    )
    .join(", ");
}

// --- facts that have words of their own, by their names -------------------------------------------------------------

/** A fact of a halt, a finding or an error. */
export function shownFact(name: string, value: unknown): string {
  return cut(knownWords(name, value) ?? wordsOf(value));
}

/** One uncut line for each entry of a list whose entries are sentences; null for all other facts. */
export function factLines(name: string, value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  if (name === "problems" && value.every((one) => typeof one === "string")) return value.map((one) => shownLine(one));
  const misses = name === "nearest" ? z.array(nearMissSchema).safeParse(value).data : undefined;
  return misses?.map((miss) => shownLine(nearMissText(miss))) ?? null;
}

const words = z.union([z.string(), z.number()]);
const errorSchema = z.looseObject({ message: z.string() }).nullable().optional();
const nearMissSchema = z.looseObject({ origin: z.string(), text: z.string(), lacks: z.array(z.string()) });

type InWords = (value: unknown) => string | null;

function row<T>(schema: z.ZodType<T>, textOf: (value: T) => string | null): InWords {
  return (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? textOf(parsed.data) : null;
  };
}

/** A list, each entry in its words. */
function each<T>(schema: z.ZodType<T>, textOf: (value: T) => string): InWords {
  return row(z.array(schema), (values) => values.map(textOf).join("; "));
}

const failedStepSchema = z.looseObject({
  key: z.string(),
  state: z.string().optional(),
  attempts: z.number().optional(),
  error: errorSchema,
});

const FACTS: Readonly<Record<string, InWords>> = {
  // What was spent is said in the same words as elsewhere.
  usage: row(usageSchema, (usage) => usageText(usage) ?? "nothing"),
  lease: row(
    z.custom<LeaseSummary | string>((value) => typeof value === "string" || typeof value === "object"),
    leaseText,
  ),
  differences: each(z.looseObject({ what: z.string(), frozen: z.unknown(), found: z.unknown() }), differenceText),
  gates: each(
    z.looseObject({ gate: z.string(), reasons: z.array(z.string()) }),
    ({ gate, reasons }) => `gate ${gate}: ${wordsOf(reasons)}`,
  ),
  looked_for: each(
    z.looseObject({ part: words, terms: z.array(words) }),
    ({ part, terms }) => `${part} (as ${wordsOf(terms)})`,
  ),
  searched: each(
    z.looseObject({ corpus: z.string(), documents: z.number(), partly_read: z.array(z.string()).optional() }),
    ({ corpus, documents, partly_read = [] }) =>
      `${corpus} (${[counted(documents, "document"), ...partly_read].join("; ")})`,
  ),
  nearest: each(nearMissSchema, nearMissText),
  steps: each(failedStepSchema, stepText),
  last_step: row(failedStepSchema, stepText),
  // The command that answers a prompt says where the prompt is.
  waiting: each(z.looseObject({ key: z.string() }), ({ key }) => key),
  failure: row(z.looseObject({ message: z.string() }), ({ message }) => message),
  failures: each(z.looseObject({ message: z.string() }), ({ message }) => message),
  files: each(z.looseObject({ path: z.string(), found: z.string() }), problemText),
};

/** Null for a fact without words of its own, or of another form. */
function knownWords(name: string, value: unknown): string | null {
  return Object.hasOwn(FACTS, name) ? (FACTS[name]?.(value) ?? null) : null;
}

export function differenceText({ what, frozen, found }: { what: string; frozen?: unknown; found?: unknown }): string {
  return `${what} changed: was ${withShortDigests(wordsOf(frozen))}, is ${withShortDigests(wordsOf(found))}`;
}

/** The first digits are enough to distinguish two digests. */
function withShortDigests(words: string): string {
  return words.replace(/\bsha256:([0-9a-f]{8})[0-9a-f]{56}\b/g, "sha256:$1...");
}

function stepText({ key, state, attempts, error }: z.infer<typeof failedStepSchema>): string {
  const about = [state, attempts === undefined ? undefined : counted(attempts, "attempt")].filter(
    (part) => part !== undefined,
  );
  const why = error == null ? "" : `: ${error.message}`;
  return `${key}${about.length === 0 ? "" : ` (${about.join(", ")})`}${why}`;
}

function nearMissText({ origin, text, lacks }: z.infer<typeof nearMissSchema>): string {
  const quoted = shortenedWords(text.replace(/\s+/g, " ").trim(), MAX_QUOTED_LENGTH);
  return `${namedOnce(origin)}: "${quoted}"${lacks.length === 0 ? "" : `, without ${lacks.join(", ")}`}`;
}

// --- stored files ---------------------------------------------------------------------------------------------------

/** What is wrong with a stored file. */
export function problemText({ path, found }: Pick<FileProblem, "path" | "found">): string {
  if (found === "nothing") return shownLine(`${path} is missing`);
  // To a person another digest says only that the bytes are others.
  return shownLine(found.startsWith("sha256:") ? `${path} is altered` : `${path}: ${found}`);
}

const problemSchema = z.object({ path: z.string(), expected: z.string(), found: z.string() });

/** The files that an error names. */
export function problemsIn({ files }: Readonly<Record<string, unknown>>): FileProblem[] {
  return z.array(problemSchema).safeParse(files).data ?? [];
}

/** The same with what was expected, on lines of its own. */
export function problemLines(problem: FileProblem): string[] {
  if (problem.found === "nothing") return [problemText(problem)];
  const { path, expected, found } = problem;
  return [shownLine(path), `  expected ${shownLine(expected)}`, `  found    ${shownLine(found)}`];
}

/** True for a list of one failed step whose failure is part of the reason already. */
export function isSaidIn(reason: unknown, value: unknown): boolean {
  if (typeof reason !== "string") return false;
  const [step, ...others] = z.array(failedStepSchema).safeParse(value).data ?? [];
  return step?.error != null && others.length === 0 && reason.includes(step.error.message);
}

/** True for an absent fact and for an empty list. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Null where no process holds the lease. */
export function ownerText({ held_by }: LeaseSummary): string | null {
  if (held_by === null) return null;
  const { pid, hostname, owner_id, heartbeat_age_s } = held_by;
  const owner = pid === null ? `owner ${owner_id}` : `process ${pid} on ${hostname ?? "an unknown host"}`;
  return `${owner}, last heartbeat ${duration(heartbeat_age_s * 1000)} ago`;
}

/** Who holds the lease and when the last heartbeat was; or why the last owner lost it. */
export function leaseText(lease: LeaseSummary | string): string {
  return typeof lease === "string" ? (LEASE_ENDS[lease] ?? "") : (ownerText(lease) ?? "");
}

const LEASE_ENDS: Readonly<Record<string, string>> = {
  owner_dead: "its process died",
  expired: "its process stopped answering",
};
