// Reads what `--json` printed as a program would check it: nothing less, nothing unknown.
import type { z } from "zod";
import { envelopeSchema } from "../../src/surface/schemas.ts";

/** Parses stdout as exactly one line of dr.cli.v1, whose parts agree with each other. */
export function envelopeIn(stdout: string): z.infer<typeof envelopeSchema> {
  const lines = stdout.split("\n");
  if (lines.length !== 2 || lines[1] !== "") throw new Error(`not exactly one line: ${stdout.slice(0, 500)}`);
  const envelope = envelopeSchema.parse(JSON.parse(lines[0] ?? ""));
  if (envelope.ok !== (envelope.error === null)) throw new Error("ok and error disagree");
  return envelope;
}
