// Facts of errors, halts and findings in words for people; programs get them as they are.
import { counted } from "../kernel/counted.ts";
import { shortenedWords } from "../kernel/shortened.ts";
import { shownLine } from "../kernel/shown-text.ts";
import { namedOnce, duration, moment } from "./words.ts";
import type { LeaseSummary } from "../operations/look/status.ts";
import type { Usage } from "../run/money/usage.ts";
import type { Finding } from "../operations/look/triage-run.ts";
import { limitText, usageText } from "./usage-words.ts";

const MAX_FACT_LENGTH = 400;
/** Of a fraction: sums leave more digits than mean anything. */
const MAX_DIGITS = 6;
const MAX_QUOTED_LENGTH = 160;

/** A value as a person reads it, with commas and without JSON, cut when it is long. */
export function factText(value: unknown): string {
  const whole = wordsOf(value);
  return shownLine(whole.length > MAX_FACT_LENGTH ? `${whole.slice(0, MAX_FACT_LENGTH)}...` : whole);
}

/** A fact of a halt or an error. What was spent is said in the same words as elsewhere. */
export function shownFact(name: string, value: unknown): string {
  const isUsage = name === "usage" && typeof value === "object" && value !== null && "calls" in value;
  return isUsage ? (usageText(value as Usage) ?? "nothing") : factText(value);
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) {
    const words = value.map(wordsOf);
    return words.join(value.some((one) => typeof one === "object") ? "; " : ", ");
  }
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(MAX_DIGITS)));
  return typeof value === "object" && value !== null ? wordsOfObject(value as Record<string, unknown>) : String(value);
}

function wordsOfObject(facts: Record<string, unknown>): string {
  const { part, terms, what, frozen, found, key, state, attempts, corpus, documents, message, gate, reasons } = facts;
  // The command that answers the prompt tells where the prompt is.
  if (key !== undefined && facts["prompt"] !== undefined) return wordsOf(key);
  if (isNearMiss(facts)) return nearMissText(facts);
  if (isProblem(facts)) return problemText(facts);
  if (part !== undefined && terms !== undefined) return `${wordsOf(part)} (as ${wordsOf(terms)})`;
  if (what !== undefined && frozen !== undefined)
    return `${wordsOf(what)} changed: was ${withShortDigests(wordsOf(frozen))}, is ${withShortDigests(wordsOf(found))}`;
  if (gate !== undefined && !isNothing(reasons)) return `gate ${wordsOf(gate)}: ${wordsOf(reasons)}`;
  if (corpus !== undefined && documents !== undefined) {
    const unread = isNothing(facts["partly_read"]) ? "" : `; ${wordsOf(facts["partly_read"])}`;
    return `${wordsOf(corpus)} (${counted(Number(documents), "document")}${unread})`;
  }
  const error = isNothing(facts["error"]) ? "" : `: ${wordsOf(facts["error"])}`;
  if (key !== undefined && attempts !== undefined) {
    const counted = `${wordsOf(attempts)} attempt${attempts === 1 ? "" : "s"}`;
    const about = state === undefined ? counted : `${wordsOf(state)}, ${counted}`;
    return `${wordsOf(key)} (${about})${error}`;
  }
  if (key !== undefined && error !== "") return wordsOf(key) + error;
  if (typeof message === "string") return message;
  return Object.entries(facts)
    .filter(([, one]) => !isNothing(one))
    .map(
      ([name, one]) => `${name.replaceAll("_", " ")} ${typeof one === "object" ? `(${wordsOf(one)})` : wordsOf(one)}`,
    )
    .join(", ");
}

/** The first digits are enough to tell two digests apart. */
function withShortDigests(words: string): string {
  return words.replace(/\bsha256:([0-9a-f]{8})[0-9a-f]{56}\b/g, "sha256:$1...");
}

interface ShownNearMiss {
  origin: string;
  text: string;
  lacks: readonly string[];
}

function isNearMiss(facts: object): facts is ShownNearMiss {
  return "origin" in facts && "text" in facts && "lacks" in facts && Array.isArray(facts.lacks);
}

function nearMissText({ origin, text, lacks }: ShownNearMiss): string {
  const quoted = shortenedWords(text.replace(/\s+/g, " ").trim(), MAX_QUOTED_LENGTH);
  return `${namedOnce(origin)}: "${quoted}"${lacks.length === 0 ? "" : `, without ${lacks.join(", ")}`}`;
}

interface ShownProblem {
  path: string;
  expected: string;
  found: string;
}

function isProblem(facts: object): facts is ShownProblem {
  return "path" in facts && "expected" in facts && "found" in facts && typeof facts.found === "string";
}

/** What is wrong with a stored file. */
export function problemText({ path, found }: Pick<ShownProblem, "path" | "found">): string {
  if (found === "nothing") return shownLine(`${path} is missing`);
  // To a person another digest says only that the bytes are others.
  return shownLine(found.startsWith("sha256:") ? `${path} is altered` : `${path}: ${found}`);
}

/** The same with what was expected, on lines of its own. */
export function problemLines(problem: ShownProblem): string[] {
  if (problem.found === "nothing") return [problemText(problem)];
  const { path, expected, found } = problem;
  return [shownLine(path), `  expected ${shownLine(expected)}`, `  found    ${shownLine(found)}`];
}

/** One uncut line for each entry of a list whose entries are sentences; null for all other facts. */
export function factLines(name: string, value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  if (name === "problems" && value.every((one) => typeof one === "string")) return value.map((one) => shownLine(one));
  const misses = value.filter(
    (one): one is ShownNearMiss => typeof one === "object" && one !== null && isNearMiss(one),
  );
  return misses.length === value.length ? misses.map((miss) => shownLine(nearMissText(miss))) : null;
}

/** True for a list of one failed step whose failure is part of the reason already. */
export function isToldIn(reason: unknown, value: unknown): boolean {
  if (typeof reason !== "string" || !Array.isArray(value) || value.length !== 1) return false;
  const { error } = (value[0] ?? {}) as { error?: { message?: unknown } | null };
  return typeof error?.message === "string" && reason.includes(error.message);
}

/** True for an absent fact and for an empty list. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Null where nobody holds the lease. */
export function ownerText({ held_by }: LeaseSummary): string | null {
  if (held_by === null) return null;
  const { pid, hostname, heartbeat_age_s } = held_by;
  return `process ${pid} on ${hostname ?? "an unknown host"}, last heartbeat ${duration(heartbeat_age_s * 1000)} ago`;
}

/** A halt has at most one of these lists. */
const LISTS = ["reasons", "gates", "differences", "steps", "looked_for"] as const;

/** The failure or the reason, then what the gate or the halt lists. */
export function reasonText({ failure, details, reason, files, ...rest }: Finding["why"]): string {
  const facts = (details ?? {}) as Record<string, unknown>;
  const { budget, limit, name } = facts;
  const why = failure ?? facts["reason"] ?? reason ?? files;
  const list = LISTS.map((one) => facts[one]).find((one) => !isNothing(one));
  const parts = [
    isNothing(rest["retry_at"]) ? undefined : waitText(rest),
    why,
    limitText(budget, limit),
    name,
    isToldIn(why, list) ? undefined : list,
  ].filter((part) => !isNothing(part));
  if (parts.length > 0) return parts.map(factText).join(": ");
  if (typeof rest["path"] === "string")
    return `${rest["path"]} ${rest["found"] === "empty" ? "is empty" : "is not there"}`;
  if (rest["timed_out"] === true)
    return `no progress for ${String(rest["elapsed_s"])} s (limit ${String(rest["timeout_s"])} s)`;
  return leaseText(rest);
}

function waitText({ retry_at, time_has_come }: Finding["why"]): string {
  const time = moment(String(retry_at));
  return time_has_come === true ? `its time has come, at ${time}` : `until ${time}`;
}

/** Who holds the lease and when the last heartbeat was; or why the last owner lost it. */
export function leaseText({ lease, policy }: Finding["why"]): string {
  if (typeof lease === "object" && lease !== null) return ownerText(lease as LeaseSummary) ?? "";
  const why = LEASE_ENDS[String(lease)];
  if (why === undefined) return "";
  return policy === "hold" ? `${why}; policy "hold": waits for resume` : why;
}

const LEASE_ENDS: Readonly<Record<string, string>> = {
  owner_dead: "its process died",
  expired: "its process stopped answering",
};
