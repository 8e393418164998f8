// The way in which an owner came by its lease, as its first record says.
import type { RunWriter } from "../../src/ports/run-log.ts";

export async function takeoverOf(writer: Pick<RunWriter, "records">): Promise<string | undefined> {
  const opening = (await writer.records()).findLast(({ kind }) => kind === "lease.taken");
  if (opening?.kind !== "lease.taken") throw new Error("this owner has written nothing yet");
  return opening.data.took_over;
}
