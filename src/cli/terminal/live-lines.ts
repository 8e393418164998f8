// Lines at the end of a terminal that are drawn anew in place. They are written over and not erased first, so nothing flickers.

import { withoutControls } from "./print.ts";

const REST_OF_LINE = "\u001b[K";
const REST_OF_SCREEN = "\u001b[J";

export class LiveLines {
  #shown: readonly string[] = [];

  /**
   * What to write so that `lines` are at the end, below those that stay for good; empty when nothing changes. No line
   * may be as wide as the terminal.
   */
  draw(lines: readonly string[], columns: number, staying: readonly string[] = []): string {
    const shown = lines.map(withoutControls);
    if (staying.length === 0 && shown.join("\n") === this.#shown.join("\n")) return "";
    const start = this.#start(columns);
    this.#shown = shown;
    const above = staying.map((line) => `${withoutControls(line)}${REST_OF_LINE}\n`).join("");
    return `${start}${above}${shown.join(`${REST_OF_LINE}\n`)}${REST_OF_LINE}${REST_OF_SCREEN}`;
  }

  /** Back to where the first line begins. A terminal that was made narrower has broken what is there. */
  #start(columns: number): string {
    const rows = this.#shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(Bun.stringWidth(line) / columns)), 0);
    return rows > 1 ? `\r\u001b[${rows - 1}A` : "\r";
  }
}
