// Words for the judge of a claim on a page. Loads nothing.

/** `found word for word in its source`, `by model openai:gpt-5`; `shown` writes the name. */
export function judgedText(method: string, shown: (name: string) => string = (name) => name): string {
  return method === "verbatim" ? "found word for word in its source" : `by ${shown(method)}`;
}
