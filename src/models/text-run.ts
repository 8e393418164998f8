// Text that comes in pieces: no piece is handed on with half a character at its end, nor with a key or a part of one.
import type { Secrets } from "./secrets.ts";

export class TextRun {
  private done = "";
  /** The first half of a character whose second half may come with the next piece. */
  private half = "";
  /** The end of the text, not handed on yet: a key may begin there. */
  private held = "";
  private masked = false;
  private readonly secrets: Pick<Secrets, "masked" | "begunAtEnd">;

  constructor(secrets: Pick<Secrets, "masked" | "begunAtEnd">) {
    this.secrets = secrets;
  }

  get length(): number {
    return this.done.length;
  }

  /** As it came, keys and all. */
  get text(): string {
    return this.done;
  }

  /** True when a key stood in what was handed on: a mask went in its place. */
  get hasMasked(): boolean {
    return this.masked;
  }

  /** What of this piece, and of what was held back, can be handed on. */
  push(piece: string): string {
    const all = this.half + piece;
    const endsInHalf = /[\ud800-\udbff]$/.test(all);
    this.half = endsInHalf ? all.slice(-1) : "";
    const text = this.take(endsInHalf ? all.slice(0, -1) : all);
    const handedOn = text.length - this.secrets.begunAtEnd(text);
    this.held = text.slice(handedOn);
    return text.slice(0, handedOn);
  }

  /** What was held back and will become neither a character nor a key any more. */
  end(): string {
    const text = this.take(this.half);
    this.half = "";
    this.held = "";
    return text;
  }

  /** Notes the text; gives it behind what was held back, without keys. */
  private take(text: string): string {
    const wellFormed = text.toWellFormed();
    this.done += wellFormed;
    const all = this.held + wellFormed;
    const shown = this.secrets.masked(all);
    if (shown !== all) this.masked = true;
    return shown;
  }
}
