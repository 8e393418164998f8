// A number with its noun.

/** "1 step", "3 steps". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
