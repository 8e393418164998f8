// Facts of errors and findings in words for people; programs get them as they are.

const MAX_FACT_LENGTH = 400;

/** A value as a person reads it: words and commas, no JSON; cut when it is long. */
export function factText(value: unknown): string {
  const whole = wordsOf(value);
  return clean(whole.length > MAX_FACT_LENGTH ? `${whole.slice(0, MAX_FACT_LENGTH)}...` : whole);
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) {
    const words = value.map(wordsOf);
    return words.join(value.some((one) => typeof one === "object") ? "; " : ", ");
  }
  return typeof value === "object" && value !== null ? wordsOfObject(value as Record<string, unknown>) : String(value);
}

function wordsOfObject(facts: Record<string, unknown>): string {
  const { part, terms, what, frozen, found, key, state, attempts, corpus, documents, message } = facts;
  if (part !== undefined && terms !== undefined) return `${wordsOf(part)} (as ${wordsOf(terms)})`;
  if (what !== undefined && frozen !== undefined)
    return `${wordsOf(what)} was ${wordsOf(frozen)}, is ${wordsOf(found)}`;
  if (corpus !== undefined && documents !== undefined) return `${wordsOf(corpus)} (${wordsOf(documents)} documents)`;
  if (key !== undefined && attempts !== undefined) {
    const counted = `${wordsOf(attempts)} attempt${attempts === 1 ? "" : "s"}`;
    const about = state === undefined ? counted : `${wordsOf(state)}, ${counted}`;
    return `${wordsOf(key)} (${about})${isNothing(facts["error"]) ? "" : `: ${wordsOf(facts["error"])}`}`;
  }
  if (typeof message === "string") return message;
  return Object.entries(facts)
    .filter(([, one]) => !isNothing(one))
    .map(
      ([name, one]) => `${name.replaceAll("_", " ")} ${typeof one === "object" ? `(${wordsOf(one)})` : wordsOf(one)}`,
    )
    .join(", ");
}

/** Nothing to tell: absent, or an empty list. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Text from outside never steers the terminal. */
export function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\uFFFD");
}
