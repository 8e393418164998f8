// Text that comes in pieces. No piece that is passed on ends with half a character, and none holds a key or a part of one.
import type { Secrets } from "./secrets.ts";

export class TextRun {
  /** All that came so far, with keys. */
  text = "";
  /** True when a key was in what was passed on. A mask went in its place. */
  hasMasked = false;
  /** The first half of a character. Its second half may come with the next piece. */
  #half = "";
  /** The end of the text, which is not passed on yet because a key may begin there. */
  #held = "";
  readonly #secrets: Pick<Secrets, "masked" | "begunAtEnd">;

  constructor(secrets: Pick<Secrets, "masked" | "begunAtEnd">) {
    this.#secrets = secrets;
  }

  /** Returns what can be passed on of this piece, and of what was held back. */
  push(piece: string): string {
    const all = this.#half + piece;
    const endsInHalf = /[\ud800-\udbff]$/.test(all);
    this.#half = endsInHalf ? all.slice(-1) : "";
    const text = this.#take(endsInHalf ? all.slice(0, -1) : all);
    const handedOn = text.length - this.#secrets.begunAtEnd(text);
    this.#held = text.slice(handedOn);
    return text.slice(0, handedOn);
  }

  /** Returns what was held back: no further piece makes it a character or a key. */
  end(): string {
    const text = this.#take(this.#half);
    this.#half = "";
    this.#held = "";
    return text;
  }

  /** Adds the text, and returns it behind what was held back, without keys. */
  #take(text: string): string {
    const wellFormed = text.toWellFormed();
    this.text += wellFormed;
    const all = this.#held + wellFormed;
    const shown = this.#secrets.masked(all);
    if (shown !== all) this.hasMasked = true;
    return shown;
  }
}
