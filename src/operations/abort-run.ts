// `abort`: ends research for this run for good.
import type { Ports } from "../ports/ports.ts";
import type { Outcome } from "./outcome.ts";
import { stopRun, type StopOptions, type StopResult } from "./stop-run.ts";

export async function abortRun(ports: Ports, runRoot: string, options: StopOptions): Promise<Outcome<StopResult>> {
  return await stopRun(ports, runRoot, "abort", options);
}
