// The names by which the first record of a journal says what its run is written in.

/**
 * An older program refuses a run by this name as a whole, instead of misreading what something inside came to mean since. A
 * release that changes a format inside of a run has a new one. Version 0.1.0 wrote the first.
 */
export const JOURNAL_VERSIONS = ["journal.v1", "journal.v2"] as const;

/** The name of a journal that a newer version began. */
export function newerJournal({ schema_version: name }: { schema_version?: unknown }): string | null {
  return typeof name === "string" && !JOURNAL_VERSIONS.some((known) => known === name) ? name : null;
}
