// A value that components follow: a change draws them again.
import { useLayoutEffect, useReducer } from "preact/hooks";

export class Followed<T> {
  readonly #followers = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const notify of this.#followers) notify();
  }

  /** Returns a function that ends the following. */
  follow(notify: () => void): () => void {
    this.#followers.add(notify);
    return () => void this.#followers.delete(notify);
  }
}

/** The value now. Each later value draws the component again. */
export function useFollowed<T>(followed: Followed<T>): T {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
  const drawn = followed.value;
  useLayoutEffect(() => {
    const leave = followed.follow(() => redraw(undefined));
    // It may have changed since it was drawn.
    if (followed.value !== drawn) redraw(undefined);
    return leave;
  }, [followed]);
  return drawn;
}
