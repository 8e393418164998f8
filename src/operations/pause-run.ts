// `pause`: the run is suspended with everything on disk, and stays so until a resume.
import type { Ports } from "../ports/ports.ts";
import type { Outcome } from "./outcome.ts";
import { stopRun, type StopOptions, type StopResult } from "./stop-run.ts";

export async function pauseRun(ports: Ports, runRoot: string, options: StopOptions): Promise<Outcome<StopResult>> {
  return await stopRun(ports, runRoot, "pause", options);
}
