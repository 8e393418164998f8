// deep-research verify
import { verifyRun, type VerifyResult } from "../../operations/verify-run.ts";
import { defineCommand, ONE_RUN } from "../command.ts";
import { BAD_USAGE, NO_SUCH_RUN } from "../exits.ts";
import { SELECTOR } from "../options.ts";
import type { Style } from "../style.ts";
import { pairs } from "../text.ts";

export const command = defineCommand({
  name: "verify",
  purpose: "check a run from its reports down to the stored bytes; writes nothing",
  operands: ONE_RUN,
  options: SELECTOR,
  examples: [
    ["verify", "the newest run"],
    ["verify /backup/dr_20260131120304_abcdef", "a copy, wherever it lies"],
    ["verify --json", "bad files in error.details.files"],
  ],
  notes: [
    "Checks\n  report.json and report.md against their published digests; every quote byte for byte in its stored\n  source; every source against its name; every result and file that a record names; the journal's chain.",
  ],
  exits: [
    [0, "everything verifies"],
    BAD_USAGE,
    NO_SUCH_RUN,
    [12, "something does not verify, or is missing: the files are named"],
  ],
  async run(context, values, operands) {
    const outcome = await verifyRun(context.ports, await context.locate(values, operands));
    return { outcome, text: (style) => verifyText(outcome.result, style) };
  },
});

function verifyText(result: VerifyResult, style: Style): string {
  const { notes, ...counts } = result;
  const rows = Object.entries(counts).map(([name, count]) => [name.replaceAll("_", " "), String(count)] as const);
  return `${style.good("verified")}\n${pairs(rows)}${notes.map((note) => `note: ${note}\n`).join("")}`;
}
