// Ctrl-C and SIGTERM as abort signals: the first ends the tick, a second one of its kind leaves at once.
import { RunError } from "../kernel/errors.ts";
import type { StopSignals } from "../operations/options.ts";
import { SIGNAL_EXIT } from "./exits.ts";
import type { Host } from "./host.ts";

/** The reason of each signal is an `INTERRUPTED_BY_SIGNAL` that names it. */
export function takeSignals(host: Host): StopSignals {
  return { interrupt: signalOf(host, "SIGINT"), terminate: signalOf(host, "SIGTERM") };
}

function signalOf(host: Host, signal: "SIGINT" | "SIGTERM"): AbortSignal {
  const controller = new AbortController();
  const reason = new RunError("INTERRUPTED_BY_SIGNAL", { signal });
  host.onSignal(signal, () => {
    if (controller.signal.aborted) host.exit(SIGNAL_EXIT[signal]);
    controller.abort(reason);
  });
  return controller.signal;
}
