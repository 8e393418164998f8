// Who or what has judged a claim, as a page says it. Loads nothing.

/** `found word for word in its source`, `judged by openai:gpt-5` */
export function judgedText(method: string): string {
  return method === "verbatim" ? "found word for word in its source" : `judged by ${method}`;
}
