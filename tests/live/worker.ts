// A real process that works on a live run and dies where it is told to. Usage: bun worker.ts <options as JSON>
import { RunError } from "../../src/kernel/errors.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { crashingPorts, type CrashingOptions } from "./crashes.ts";
import { liveOptions, livePorts } from "./live-run.ts";
import { ONE_AT_A_TIME } from "./risky-model.ts";

export interface WorkerOptions extends CrashingOptions {
  runsRoot: string;
  corpus: string;
  baseUrl: string;
}

if (import.meta.main) {
  const options = JSON.parse(process.argv[2] ?? "") as WorkerOptions;
  const { runsRoot, corpus, baseUrl } = options;
  try {
    const init = liveOptions({ runsRoot, corpora: [corpus], baseUrl }, { limits: ONE_AT_A_TIME });
    const { error } = await startRun(crashingPorts(livePorts(), options), init, {});
    console.log(error === null ? "ok" : error.code);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    console.log(error.code);
  }
  process.exit(0);
}
