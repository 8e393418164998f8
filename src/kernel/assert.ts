// Assertions say what must be true. A false one is a bug in this program, and never bad input.

export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new AssertionError(why);
}

/** Marks a branch that the types rule out. */
export function unreachable(value: never, why: string): never {
  throw new AssertionError(`${why}: ${String(value)}`);
}
