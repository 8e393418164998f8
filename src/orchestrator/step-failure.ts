// Turns the error of a failed attempt into what is stored of it, and decides whether the run continues without the step.
import { describeCause, RunError } from "../kernel/errors.ts";
import { shortened } from "../kernel/shortened.ts";
import { lessonSchema, type StepError } from "../run/log/step.ts";

interface Attempt {
  /** No other attempt is allowed. */
  isLast: boolean;
  /** The stage can do without the step. */
  mayFail: boolean | undefined;
  /** It has called a tool that is not safe to repeat. */
  hasActed: boolean;
}

export function stepFailure(error: unknown, { isLast, mayFail = false, hasActed }: Attempt): StepError {
  const failure = failureOf(error, hasActed);
  const isOver = isLast || !failure.retryable;
  return mayFail && isOver && !isRecoverable(failure) ? { ...failure, left_out: true } : failure;
}

/** True when a server or a source of evidence gave no answer: a person can help, and then the step can be done. */
function isRecoverable({ code, unreachable }: StepError): boolean {
  return unreachable === true || code === "PROVIDER_FAILED";
}

function failureOf(error: unknown, hasActed: boolean): StepError {
  const { goes_on, retryable, help, unreachable, ...rest } = error instanceof RunError ? error.facts : {};
  const lesson = lessonSchema.safeParse(rest["lesson"]).data;
  const isForAPerson = hasActed && goes_on !== true;
  const words = [
    describeCause(error),
    ...(typeof help === "string" ? [help] : []),
    ...(isForAPerson
      ? ["it has called a tool that is not safe to repeat, so it begins anew only when a person asks"]
      : []),
  ];
  return {
    code: error instanceof RunError ? error.code : "INTERNAL",
    message: shortened(words.join("; "), 2000),
    retryable: retryable !== false && !isForAPerson,
    ...(goes_on === true ? { goes_on } : {}),
    ...(unreachable === true ? { unreachable } : {}),
    ...(lesson === undefined ? {} : { lesson }),
  };
}
