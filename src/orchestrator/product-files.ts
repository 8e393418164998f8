// Names of the files that a finished step leaves for people: none takes the place of an earlier one.
import { contentNamedBy, type AnyRecord } from "../run/record.ts";

/** Files of a step that was taken over keep their names, which count the attempts of the run before. */
export function freeBase(records: readonly AnyRecord[], base: string, attempt: number): string {
  const named = new Set(records.flatMap((record) => contentNamedBy(record).map(({ path }) => path)));
  let number = attempt;
  while (named.has(`${base}.${number}.json`)) number++;
  return `${base}.${number}`;
}
