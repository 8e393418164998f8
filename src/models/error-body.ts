// Reads the error in a provider's answer, in any of the shapes in use.
import { unlessThrown } from "../kernel/unless-thrown.ts";
import { given } from "../kernel/given.ts";
import { isObject, type JsonObject } from "../kernel/json-object.ts";
import { parseStrictJsonText } from "../kernel/strict-json.ts";

export interface SaidError {
  message: string;
  /** Type, code and status words, lower case, joined by spaces. */
  words: string;
  /** An HTTP status that is in the body. */
  status?: number;
  /** Google says here how long to wait. */
  retryDelayMs?: number;
}

/** The error that a text holds as JSON; null when it holds none. */
export function saidErrorIn(text: string): SaidError | null {
  return unlessThrown(() => saidError(parseStrictJsonText(text)), null);
}

/**
 * Reads `{error: {...}}`, `{error: "..."}`, `{message}`, `{detail}`, a list of one of them, and the error by itself;
 * null when nothing of it is there.
 */
export function saidError(value: unknown): SaidError | null {
  if (Array.isArray(value)) return saidError(value[0]);
  if (!isObject(value)) return null;
  const inner = value["error"] ?? (isObject(value["response"]) ? value["response"]["error"] : undefined);
  if (typeof inner === "string") return { message: inner, words: wordsOf(value) };
  if (isObject(inner)) return saidError(inner);
  const message = [value["message"], value["detail"]].find((text) => typeof text === "string");
  if (message === undefined) return null;
  const details = Array.isArray(value["details"]) ? value["details"].filter(isObject) : [];
  const status = [value["statusCode"], value["code"], value["status"]].map(Number).find(isErrorStatus);
  const retryDelayMs = details.map(delayOf).find((delay) => delay !== undefined);
  return {
    message,
    words: [wordsOf(value), ...details.map(detailWords)].join(" ").trim(),
    ...given({ status, retryDelayMs }),
  };
}

function wordsOf(fields: JsonObject): string {
  return joined([fields["type"], fields["code"], fields["status"]]);
}

/** `reason` of an ErrorInfo, `quotaId` of the violations of a QuotaFailure. */
function detailWords(detail: JsonObject): string {
  const violations = Array.isArray(detail["violations"]) ? detail["violations"].filter(isObject) : [];
  return joined([detail["reason"], ...violations.map((violation) => violation["quotaId"])]);
}

function joined(words: readonly unknown[]): string {
  return words
    .filter((word) => typeof word === "string")
    .join(" ")
    .toLowerCase();
}

/** `retryDelay` of a RetryInfo: seconds with an `s`. */
function delayOf(detail: JsonObject): number | undefined {
  const delay = detail["retryDelay"];
  const seconds = typeof delay === "string" ? /^(\d{1,9}(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599;
}
