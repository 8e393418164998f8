// Checks a whole journal for `look`: by the seals alone, which costs little.
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { readRecordPlace } from "../../run/log/record-seal.ts";

/** Kind, prev, seq and ts of a record. */
const LONGEST_END = 300;

/** True when each line is a framing line or a record with its seal, behind the record before it. */
export function isPlainChain(bytes: Uint8Array): boolean {
  const text = unlessThrown(() => decodeUtf8(bytes), null);
  if (text === null || !text.endsWith("\n")) return false;
  let [seq, prev] = [0, "null"];
  for (const line of text.slice(0, -1).split("\n")) {
    if (line === " ") continue;
    const place = readRecordPlace(line);
    if (
      place === null ||
      place.seq !== seq + 1 ||
      !line.slice(-LONGEST_END).includes(`,"prev":${prev},"seq":${place.seq},"ts":`)
    )
      return false;
    [seq, prev] = [place.seq, `"${place.digest}"`];
  }
  return seq > 0;
}
