// Joins names to choose from, for a sentence.

/** "quick, standard or deep". */
export function anyOf(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}
