// The halt of a run whose steps wait for agents or people outside: what each of them waits for.
import { counted } from "../kernel/counted.ts";
import type { WantedHalt } from "../ports/interruption.ts";
import type { Manifest } from "../run/manifest.ts";

export function agentRequired({ steps }: Pick<Manifest, "steps">): WantedHalt {
  const waiting = Object.entries(steps).flatMap(([key, { state, waits_for }]) =>
    state !== "waiting" || waits_for === undefined
      ? []
      : [{ key, prompt: waits_for.prompt.path, name: waits_for.name }],
  );
  const reason = `${counted(waiting.length, "step")} ${waiting.length === 1 ? "waits" : "wait"} for an agent's answer`;
  return { kind: "agent_required", details: { reason, waiting } };
}
