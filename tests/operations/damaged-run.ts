// Damages a stored run as a disk does: one byte of a file changes, and its size does not.
import fs from "node:fs";

/** Changes a byte inside the first record of this kind, in the middle of the journal. */
export function flipInJournal(runRoot: string, kind: string): void {
  const path = `${runRoot}/journal.jsonl`;
  const bytes = fs.readFileSync(path);
  const at = bytes.indexOf(`"kind":"${kind}"`);
  if (at < 0) throw new Error(`no ${kind} in ${path}`);
  flipAt(path, at + '"kind":"'.length);
}

export function flipAt(path: string, at: number): void {
  const bytes = fs.readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  fs.chmodSync(path, 0o600);
  fs.writeFileSync(path, bytes);
}
