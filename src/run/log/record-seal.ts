// The seal of a record: the digest in its line, over all other bytes of the line.
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { digestOfBytes, type Digest } from "../../kernel/digest.ts";

/** The last record of a chain. */
export interface ChainHead {
  seq: number;
  epoch: number;
  digest: Digest | null;
}

const DIGEST_MARK = ',"digest":"sha256:';
const DIGEST_MEMBER_LENGTH = DIGEST_MARK.length + 64 + 1;

/** Behind the digest: epoch, kind, prev, seq, ts. */
const RECORD_END =
  /,"epoch":(\d{1,15}),"kind":"[a-z._]+","prev":(?:null|"sha256:[0-9a-f]{64}"),"seq":(\d{1,15}),"ts":"[0-9TZ:.-]+"\}$/;
const LONGEST_END = 300;

/**
 * The place of a record in the chain; null when its digest does not fit. What it carries is not checked, which is enough for
 * a record that was read and folded before.
 */
export function readRecordPlace(line: string): (ChainHead & { digest: Digest }) | null {
  const digest = sealOf(line);
  if (digest === null) return null;
  // A line that `sealRecord` made ends like this. Any other line with a right digest is parsed.
  const end = RECORD_END.exec(line.slice(-LONGEST_END));
  if (end !== null) return { seq: Number(end[2]), epoch: Number(end[1]), digest };
  const place: { seq?: unknown; epoch?: unknown } = unlessThrown(() => JSON.parse(line), {});
  const { seq, epoch } = place;
  return typeof seq === "number" && typeof epoch === "number" ? { seq, epoch, digest } : null;
}

/** The digest in a line; null when it does not fit the bytes as they are. */
export function sealOf(line: string): Digest | null {
  const at = line.lastIndexOf(DIGEST_MARK);
  // The digest does not cover the quote behind it, so that one byte is checked here.
  if (at < 0 || line[at + DIGEST_MEMBER_LENGTH - 1] !== '"') return null;
  const digest = line.slice(at + DIGEST_MARK.length - "sha256:".length, at + DIGEST_MEMBER_LENGTH - 1);
  const found = digestOfBytes(line.slice(0, at) + line.slice(at + DIGEST_MEMBER_LENGTH));
  return found === digest ? found : null;
}

export function hasSeal(line: string): boolean {
  return line.includes(DIGEST_MARK);
}
