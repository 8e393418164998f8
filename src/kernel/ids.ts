// Makes ids: of runs and owners, from a time and random bytes that come in as values, and short names within a run.

const BASE32 = "abcdefghijkmnpqrstuvwxyz23456789";

/** One path segment that begins with no dot, so that a run id can neither leave the runs root nor hide in it. */
export const RUN_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;

/** The same rule in words. */
export const RUN_ID_RULE =
  "begins with a letter or a digit and holds at most 120 letters, digits, dots, hyphens and underscores";

export const STEP_KEY_PATTERN = /^[a-z0-9][a-z0-9._:-]{0,119}$/;

/** `dr_<yyyymmddhhmmss>_<6 base32>`. `random` gives at least 6 bytes. */
export function newRunId(nowMs: number, random: Uint8Array): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:T]/g, "").slice(0, 14);
  return `dr_${stamp}_${base32(random.subarray(0, 6))}`;
}

/** A name for one acquisition of a lease. `random` gives at least 12 bytes. */
export function newOwnerId(random: Uint8Array): string {
  return `own_${base32(random.subarray(0, 12))}`;
}

function base32(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => BASE32[byte % BASE32.length]).join("");
}

/** The name, or else `<name>-<number>` with the first number from 2 on that is free. */
export function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let number = 2; taken.includes(free); number++) free = `${name}-${number}`;
  return free;
}

/** A short lower-case name for use in step keys and file names: letters, digits and hyphens. */
export function slug(text: string, maxLength = 40): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "x" : plain;
}
