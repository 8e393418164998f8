// Turns a share into whole percent, as a page shows it.

/** Rounds down, so that a share below a threshold is not shown as the threshold. */
export function percent(share: number): number {
  // 0.29 * 100 is a little less than 29.
  return Math.floor(Number((share * 100).toFixed(2)));
}
