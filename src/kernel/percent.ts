// A share as a whole number of hundredths, as a page shows it.

/** Rounded down: what falls short of a threshold is not shown as the threshold. */
export function percent(share: number): number {
  // 0.29 * 100 is a little less than 29.
  return Math.floor(Number((share * 100).toFixed(2)));
}
