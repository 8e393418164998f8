// Takes another value when work throws, whatever the error is.

/** `otherwise` when the work throws. Only for work that can fail in ways that all mean the same to the caller. */
export function unlessThrown<T, F>(work: () => T, otherwise: F): T | F {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
