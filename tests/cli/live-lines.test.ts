// Lines that are drawn anew in place, as a terminal shows them.
import { expect, test } from "bun:test";
import { LiveLines } from "../../src/cli/terminal/live-lines.ts";

/** A terminal of so many columns, as far as the live lines need one: it breaks lines, goes up, and erases. */
class Screen {
  rows: string[] = [""];
  #row = 0;
  #column = 0;
  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
  }

  write(text: string): void {
    for (const [piece] of text.matchAll(/\u001b\[(\d*)([AKJ])|[^]/gu)) {
      if (piece.startsWith("\u001b")) this.#obey(piece);
      else if (piece === "\r") this.#column = 0;
      else if (piece === "\n") this.#goDown();
      else this.#put(piece);
    }
  }

  #obey(piece: string): void {
    if (piece.endsWith("A")) this.#row -= Number.parseInt(piece.slice(2), 10);
    else this.rows[this.#row] = (this.rows[this.#row] ?? "").slice(0, this.#column);
    if (piece.endsWith("J")) this.rows = this.rows.slice(0, this.#row + 1);
  }

  #goDown(): void {
    this.#row++;
    this.#column = 0;
    this.rows[this.#row] ??= "";
  }

  #put(character: string): void {
    if (this.#column === this.#columns) this.#goDown();
    const row = (this.rows[this.#row] ?? "").padEnd(this.#column);
    this.rows[this.#row] = row.slice(0, this.#column) + character + row.slice(this.#column + 1);
    this.#column++;
  }
}

function shown(screen: Screen): string[] {
  return screen.rows.map((row) => row.trimEnd());
}

test("a frame takes the place of the one before, be it longer or shorter", () => {
  const [screen, live] = [new Screen(20), new LiveLines()];
  screen.write("$ start\n");
  for (const frame of [
    ["one"],
    ["first, which is long", "two", "three"].map((line) => line.slice(0, 19)),
    ["a", "b"],
  ]) {
    screen.write(live.draw(frame, 20));
    expect(shown(screen)).toEqual(["$ start", ...frame]);
  }
  screen.write(live.draw([], 20));
  expect(shown(screen)).toEqual(["$ start", ""]);
});

test("lines that stay go above, also those that the terminal breaks", () => {
  const [screen, live] = [new Screen(10), new LiveLines()];
  screen.write(live.draw(["stage", "worker"], 10));
  screen.write(live.draw(["stage", "worker"], 10, ["a quote, cut to no width"]));
  screen.write(live.draw(["stage", "other"], 10, ["short"]));
  expect(shown(screen)).toEqual(["a quote, c", "ut to no w", "idth", "short", "stage", "other"]);
});

test("a terminal that was made narrower has broken the lines: all of them are written over", () => {
  const live = new LiveLines();
  const lines = ["123456789012345", "abc"];
  live.draw(lines, 20);
  const screen = new Screen(10);
  screen.write(`above\n${lines.join("\n")}`);
  screen.write(live.draw(["123456789", "abc"], 10));
  expect(shown(screen)).toEqual(["above", "123456789", "abc"]);
});

test("nothing is erased before it is written over, and an equal frame writes nothing", () => {
  const live = new LiveLines();
  live.draw(["stage", "worker"], 20);
  expect(live.draw(["stage", "worker"], 20)).toBe("");
  const change = live.draw(["stage", "worker at work"], 20);
  expect(change.search(/\u001b\[[KJ]/)).toBeGreaterThan(change.indexOf("stage"));
});
