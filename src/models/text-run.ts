// Text that comes in pieces: no piece is handed on with half a character at its end.

export class TextRun {
  private done = "";
  /** The first half of a character whose second half may come with the next piece. */
  private half = "";

  get length(): number {
    return this.done.length;
  }

  get text(): string {
    return this.done;
  }

  /** What of this piece, and of what was held back, can be handed on. */
  push(piece: string): string {
    const all = this.half + piece;
    const endsInHalf = /[\ud800-\udbff]$/.test(all);
    this.half = endsInHalf ? all.slice(-1) : "";
    return this.take(endsInHalf ? all.slice(0, -1) : all);
  }

  /** What was held back and will not become a character any more. */
  end(): string {
    const rest = this.half;
    this.half = "";
    return this.take(rest);
  }

  private take(text: string): string {
    const wellFormed = text.toWellFormed();
    this.done += wellFormed;
    return wellFormed;
  }
}
