// A process that starts a child as commands do, and waits for it.
// Usage: bun starter.ts <program|extractor> <executable> [takes over]
import { ExtractChild } from "../../src/corpus/extract/extract-child.ts";
import { exitOnDeadlySignals } from "../../src/system/deadly-signals.ts";
import { realHost } from "../../src/system/host.ts";

const LIMIT_MS = 30_000;

exitOnDeadlySignals((code) => realHost.exit(code));
const [what = "", executable = "", takesOver] = process.argv.slice(2);
if (takesOver !== undefined) realHost.onSignal("SIGTERM", () => {});
if (what === "program")
  await realHost.runProgram([executable], {
    input: "",
    environment: { PATH: process.env["PATH"] ?? "" },
    workingFolder: "/",
    limitMs: LIMIT_MS,
  });
else {
  const allowance = { timeMs: LIMIT_MS, memoryBytes: Number.POSITIVE_INFINITY };
  await new ExtractChild(new AbortController().signal, [executable]).ask("pdf", new Uint8Array(), allowance);
}
