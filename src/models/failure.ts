// Turns whatever a call threw into a ModelFailure, by its status, the words of the provider, and whether the reply had begun.
import { isObject } from "../kernel/json-object.ts";
import { timestamp } from "../ports/clock.ts";
import { ModelFailure, type ModelFailureFacts, type ModelFailureKind } from "../ports/model.ts";
import { saidError, saidErrorIn, type SaidError } from "./error-body.ts";
import { NotAStream } from "./guarded-fetch.ts";
import { retryAfterMs } from "../kernel/retry-after.ts";
import type { Secrets } from "./secrets.ts";

const MAX_CAUSES = 8;
const LONGEST_WAIT_MS = 366 * 86_400_000;

interface FailureContext {
  /** The base URL of the request. */
  endpoint: string;
  secrets: Secrets;
  nowMs: number;
}

interface Answer {
  status?: number;
  said: SaidError | null;
  retryAfterMs?: number;
}

export function failureOf(error: unknown, context: FailureContext): ModelFailure {
  const causes = causesOf(error);
  const known = causes.find((cause) => cause instanceof ModelFailure);
  if (known !== undefined) return known;
  const answered = causes.find((cause) => cause instanceof NotAStream);
  if (answered !== undefined) return failureOfBody(answered, context);
  const status = numberField(error, "statusCode");
  const said =
    saidErrorIn(textField(error, "responseBody")) ?? saidError(error instanceof Error ? misfitOf(causes) : error);
  if (status !== undefined && status < 300) return failureInReply(causes, context);
  if (status !== undefined || said !== null) {
    return failureOfAnswer(
      { said, ...delay(error, said, context), ...(status === undefined ? {} : { status }) },
      context,
    );
  }
  return failureByName(causes, context);
}

/** The kind of failure. The words of the provider go before its status, since they say more. */
function kindOf({ status, said }: Answer): ModelFailureKind {
  const words = said?.words ?? "";
  const message = said?.message ?? "";
  const code = status ?? said?.status;
  // What waiting does not fix is checked first: servers send it with a status that waiting does fix.
  if (QUOTA_WORDS.test(words) || QUOTA_MESSAGE.test(message) || isUsedUp(said)) return "quota";
  if (code === 413 || CONTEXT_WORDS.test(words) || CONTEXT_MESSAGE.test(message)) return "context_too_long";
  if (limitExceededAlone(message) !== undefined) return "context_too_long";
  if (AUTH_WORDS.test(words) || AUTH_MESSAGE.test(message) || AUTH_STATUS.has(code)) return "auth";
  if (NO_MODEL_WORDS.test(words) || NO_MODEL_MESSAGE.test(message)) return "no_such_model";
  if (code === 429 || RATE_WORDS.test(words)) return "rate_limited";
  if (REFUSAL_WORDS.test(words)) return "refused";
  if (NO_TOOLS_MESSAGE.test(message)) return "no_tools";
  if (code === 404) return "no_such_model";
  if (code !== undefined) return code >= 500 || PASSING_STATUS.has(code) ? "transient" : "bad_request";
  return REQUEST_WORDS.test(words) ? "bad_request" : "transient";
}

const QUOTA_WORDS = /insufficient_quota|billing_hard_limit|billing_not_active|quota_exceeded|perday/;
const QUOTA_MESSAGE =
  /credit balance is too low|insufficient (balance|credits?|funds|quota)|out of (credits|funds)|billing (hard )?limit|billing[^.]{0,20} not active|(specified|monthly|spend(ing)?) (api )?(usage )?(limits?|cap|quota)|(credits?|balance|quota) (is |are |has been |have been )?(exhausted|depleted|used up)|payment required/i;
const AUTH_WORDS =
  /authentication|invalid_api_key|api_key_invalid|permission|unauthenticated|account_deactivated|unsupported_country/;
const AUTH_MESSAGE =
  /(incorrect|invalid|missing|expired|no) (x-)?api[ _-]?key|api[ _-]?key (is |was |has )?(not |in)?(valid|found|missing|expired|provided|required)|(country|region|territory|location)[^.]{0,20} (not|un)[ -]?supported|not available in your (country|region)/i;
const AUTH_STATUS: ReadonlySet<number | undefined> = new Set([401, 402, 403, 451]);
const RATE_WORDS = /rate_limit|resource_exhausted|too_many_requests|throttl/;
const CONTEXT_WORDS =
  /context_length|request_too_long|context_window|exceed_context_size|request_too_large|string_above_max_length/;
const CONTEXT_MESSAGE =
  /maximum context length|context (length|window|size)|prompt is too long|input token count|input is too long|request (is )?too large|required for long context/i;
/** Where providers say how much a model takes at once. */
const CONTEXT_NUMBERS = [
  /(?:context (?:length|window|size)|prompt length|number of tokens allowed)(?: is|:| of)?(?: only)? ?\(?(\d[\d,]{2,11})/i,
  /(\d[\d,]{2,11})(?: tokens?)? (?:maximum|context (?:length|window|size))/i,
];
const REFUSAL_WORDS = /content_filter|content_policy|prohibited_content|safety/;
const NO_TOOLS_MESSAGE = /not support (tools?|tool use|function calling)|support tool use|enable-auto-tool-choice/i;
const NO_MODEL_WORDS = /model_not_found|model_not_exist|model_decommissioned|not_found_error/;
const NO_MODEL_MESSAGE =
  /\bmodel\b[^.]{0,120}? (was |is )?(not found|does not exist|not exist|decommissioned)|(unknown|invalid|no such) model\b|not a valid model/i;
const REQUEST_WORDS = /invalid|not_found|unsupported|bad_request/;
/** Request timeout, conflict, too early, client closed request. */
const PASSING_STATUS = new Set([408, 409, 425, 499]);

function failureOfAnswer(answer: Answer, { secrets, nowMs }: FailureContext): ModelFailure {
  const kind = kindOf(answer);
  const { said, retryAfterMs: wait } = answer;
  const status = answer.status ?? said?.status;
  const facts: ModelFailureFacts = {
    reason: secrets.scrub(
      `the provider answers${status === undefined ? "" : ` ${status}`}${said === null ? "" : `: ${said.message}`}`,
    ),
    ...(status === undefined ? {} : { status }),
  };
  if (wait !== undefined && kind === "quota") facts.retry_at = timestamp(nowMs + wait);
  else if (wait !== undefined) facts.retry_after_ms = wait;
  const most = kind === "context_too_long" ? contextIn(said?.message ?? "") : undefined;
  if (most !== undefined) facts.context_tokens = most;
  return new ModelFailure(kind, facts);
}

/** True for an account that is used up. The same words with a time, or about a minute, are about the rate. */
function isUsedUp(said: SaidError | null): boolean {
  if (said === null || said.retryDelayMs !== undefined) return false;
  return (
    /exceeded your (current )?quota/i.test(said.message) && !/per.?(minute|second)/i.test(said.words + said.message)
  );
}

const LIMIT = /\blimit\b(?: of| is|:)? ?(\d[\d,]{0,14})/i;
const REQUESTED = /\brequest(?:ed| of| has| holds| is)?:? ?(\d[\d,]{0,14})/i;

/** The limit that a message names, when this request alone is larger, so that no wait makes room for it. */
function limitExceededAlone(message: string): number | undefined {
  const [limit, requested] = [LIMIT, REQUESTED].map((pattern) => pattern.exec(message)?.[1]?.replaceAll(",", ""));
  return Number(requested) > Number(limit) ? Number(limit) : undefined;
}

function contextIn(message: string): number | undefined {
  const alone = limitExceededAlone(message);
  if (alone !== undefined) return alone;
  const found = CONTEXT_NUMBERS.map((pattern) => pattern.exec(message)?.[1]).find((number) => number !== undefined);
  return found === undefined ? undefined : Number(found.replaceAll(",", ""));
}

function failureOfBody({ mediaType, body }: NotAStream, context: FailureContext): ModelFailure {
  const said = saidErrorIn(body);
  if (said !== null) return failureOfAnswer({ said, ...delay(null, said, context) }, context);
  return new ModelFailure("malformed", {
    reason: context.secrets.scrub(
      `the endpoint answers with ${mediaType === "" ? "no content type" : mediaType} where a stream was requested`,
    ),
  });
}

/** The failure of a reply that had begun: it cannot be read, or it was cut off. */
function failureInReply(causes: readonly unknown[], context: FailureContext): ModelFailure {
  return causes.some(isUnreadable) ? failureByName(causes, context) : cutOff();
}

function failureByName(causes: readonly unknown[], { endpoint, secrets }: FailureContext): ModelFailure {
  const names = causes.map((cause) => (cause instanceof Error ? cause.name : ""));
  const said = causes.find((cause) => cause instanceof Error)?.message ?? "";
  if (said.includes("ended without a finish reason")) return cutOff();
  if (causes.some(isUnreadable)) return unreadable();
  if (names.some((name) => /^AI_(Unsupported|Invalid(Prompt|Argument))/.test(name))) {
    return new ModelFailure("bad_request", { reason: secrets.scrub(said) });
  }
  const code = causes.map((cause) => textField(cause, "code")).find((text) => text !== "");
  // An error of the network has a code. An error of a library that cannot read the reply has none.
  if (code === undefined) return unreadable();
  return new ModelFailure("transient", {
    reason: secrets.scrub(`${endpoint} cannot be reached or broke off (${code})`),
    unreachable: true,
    ...(CERTIFICATE_CODES.test(code) ? { untrusted: true } : {}),
  });
}

/** The words for a certificate that no authority of this machine has signed. */
const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/;

function unreadable(): ModelFailure {
  return new ModelFailure("malformed", { reason: "the reply is not what the wire of this provider has" });
}

function cutOff(): ModelFailure {
  return new ModelFailure("truncated", { reason: "the stream ended before the reply did" });
}

/** What came in place of a part of the reply. Some servers send errors in a form of their own. */
function misfitOf(causes: readonly unknown[]): unknown {
  return field(
    causes.find((cause) => cause instanceof Error && cause.name === "AI_TypeValidationError"),
    "value",
  );
}

function isUnreadable(cause: unknown): boolean {
  return (
    cause instanceof Error && /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody)/.test(cause.name)
  );
}

function delay(error: unknown, said: SaidError | null, { nowMs }: FailureContext): { retryAfterMs?: number } {
  const headers = headersOf(error);
  const inMs = headers["retry-after-ms"] ?? "";
  const requestedMs = /^\s*\d{1,12}(\.\d+)?\s*$/.test(inMs)
    ? Number(inMs)
    : (retryAfterMs(headers["retry-after"], nowMs) ?? 0);
  // A server that names no time, or a time that is over, leaves the wait to us.
  const wait = requestedMs > 0 ? Math.min(Math.ceil(requestedMs), LONGEST_WAIT_MS) : said?.retryDelayMs;
  return wait === undefined ? {} : { retryAfterMs: wait };
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause !== undefined && cause !== null && causes.length < MAX_CAUSES;) {
    causes.push(cause);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function textField(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === "string" ? found : "";
}

function numberField(value: unknown, name: string): number | undefined {
  const found = field(value, name);
  return typeof found === "number" ? found : undefined;
}

function headersOf(error: unknown): Record<string, string> {
  const headers = field(error, "responseHeaders");
  return isObject(headers) ? (headers as Record<string, string>) : {};
}
