#!/usr/bin/env -S bun --config=/dev/null --no-env-file
// argv in, exit code out.
import { runCli } from "./cli/program.ts";
import { realHost } from "./system/host.ts";

const code = await runCli(realHost, async (config) => (await import("./wiring.ts")).makePorts(config));
// What was printed was written synchronously: nothing is lost, and no forgotten handle keeps the process.
realHost.exit(code);
