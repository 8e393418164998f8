// What a model is saying right now, in a few words: the end of what has come so far.
import type { ModelChunk } from "../ports/model.ts";

const TAIL_LENGTH = 60;

export class Speech {
  /** Of each step, the end of what it said last. */
  readonly #tails = new Map<string, string>();

  heard(step: string, chunk: ModelChunk): string {
    if (chunk.type === "tool_call_delta") {
      this.#tails.delete(step);
      return `calls ${chunk.name}`;
    }
    if (chunk.type === "reasoning") return "thinks";
    const tail = `${this.#tails.get(step) ?? ""}${chunk.text}`.slice(-TAIL_LENGTH);
    this.#tails.set(step, tail);
    return `says ...${tail}`;
  }
}
