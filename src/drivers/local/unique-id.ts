// Ids for the parts and perspectives of a plan: readable where the text allows it, and never the same twice.
import { slug } from "../../kernel/ids.ts";

const MAX_LENGTH = 36;

export class UniqueIds {
  private readonly taken = new Set<string>();
  private readonly fallback: string;

  /** `fallback` names what has no letter that a slug can hold. */
  constructor(fallback: string) {
    this.fallback = fallback;
  }

  next(text: string): string {
    const name = slug(text, MAX_LENGTH);
    const base = name === "x" ? this.fallback : name;
    let id = base;
    for (let number = 2; this.taken.has(id); number++) id = `${base}-${number}`;
    this.taken.add(id);
    return id;
  }
}
