// The steps that wait for agents or people outside, and the halt of a run that can only wait for them.
import { counted } from "../kernel/counted.ts";
import type { WantedHalt } from "../ports/interruption.ts";
import type { Manifest } from "../run/log/manifest.ts";

/** A step that failed before it was answered waits for nothing. */
export function waitingOf({ steps }: Pick<Manifest, "steps">): { key: string; name: string; prompt: string }[] {
  return Object.entries(steps).flatMap(([key, { state, waits_for }]) =>
    state !== "waiting" || waits_for === undefined
      ? []
      : [{ key, name: waits_for.name, prompt: waits_for.prompt.path }],
  );
}

export function agentRequired(manifest: Pick<Manifest, "steps">): WantedHalt {
  const waiting = waitingOf(manifest);
  const reason = `${counted(waiting.length, "step")} ${waiting.length === 1 ? "waits" : "wait"} for an agent's answer`;
  return { kind: "agent_required", details: { reason, waiting } };
}
