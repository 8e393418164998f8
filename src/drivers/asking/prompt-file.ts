// The words of a task for a model or a person: a text file of named parts, with slots that code fills.
import { assert } from "../../kernel/assert.ts";

/** The values of the slots of one part, which are written as {{name}}. */
export type Slots = Readonly<Record<string, string | number>>;

export class PromptFile {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The part below the line `=== name`. Every slot in it needs a value, and every value a slot. */
  part(name: string, slots: Slots = {}): string {
    const found = `\n${this.#text}`.split("\n=== ").find((one) => one.startsWith(`${name}\n`));
    assert(found !== undefined, `a prompt has no part ${name}`);
    const filled = new Set<string>();
    const text = found
      .slice(name.length)
      .trim()
      .replace(/\{\{(\w+)\}\}/gu, (_slot, slot: string) => {
        const value = slots[slot];
        assert(value !== undefined, `the slot ${slot} of the part ${name} has no value`);
        filled.add(slot);
        return String(value);
      });
    const unused = Object.keys(slots).filter((slot) => !filled.has(slot));
    assert(unused.length === 0, `the part ${name} has no slot ${unused.join(", ")}`);
    return text;
  }

  /** The items of a part that is a list, each of one line. */
  list(name: string, slots?: Slots): string[] {
    return this.part(name, slots)
      .split("\n")
      .map((line) => {
        assert(line.startsWith("- "), `a line of the part ${name} is no item`);
        return line.slice(2);
      });
  }
}
