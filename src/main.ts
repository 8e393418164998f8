#!/usr/bin/env -S bun --config=/dev/null --no-env-file
// argv in, exit code out.
import { runCli } from "./cli/program.ts";
import { exitOnDeadlySignals } from "./system/deadly-signals.ts";
import { realHost } from "./system/host.ts";

// How the compiled program starts the child process that reads documents.
const isExtractor = process.argv[2] === "__extract";
// That child works long. It starts nothing, and the default of the system ends it also in the middle of a page.
if (!isExtractor) {
  exitOnDeadlySignals((code) => realHost.exit(code));
}

const code = isExtractor
  ? await (await import("./wiring.ts")).serveExtraction()
  : await runCli(realHost, async () => (await import("./wiring.ts")).portsFor);
// Everything was written before this: nothing is lost, and no forgotten handle keeps the process.
realHost.exit(code);
