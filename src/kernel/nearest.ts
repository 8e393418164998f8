// Finds the names that a misspelt name may mean.

/** Up to `most` names, the closest first. They begin with the wanted name, or differ by at most a third of their length. */
export function nearestNames(wanted: string, names: readonly string[], most = 3): string[] {
  const lowered = wanted.toLowerCase();
  return names
    .map((name) => ({
      name,
      distance: startsAlike(lowered, name.toLowerCase()) ? 0 : editDistance(lowered, name.toLowerCase()),
    }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.max(name.length, wanted.length) / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name);
}

function startsAlike(wanted: string, name: string): boolean {
  return wanted.length >= 3 && name.startsWith(wanted);
}

/** How many insertions, deletions, replacements and swaps of neighbours turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (line[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      line.push(cost);
    }
    beforeLast = last;
    last = line;
  }
  return last[to.length] ?? 0;
}
