// The one judgement of a stage whose steps are done: a halt, a gate that did not pass, or the stage that comes next.
import type { WantedHalt } from "../ports/interruption.ts";
import type { GateVerdict } from "../run/log/gate.ts";
import type { RecordDraft } from "../run/log/record.ts";
import type { Stage } from "../run/stage.ts";
import { STAGE_DEFINITIONS } from "../stages/stages.ts";
import type { Ownership } from "./ownership.ts";
import { provenanceOf } from "./provenance.ts";

export type StageExit =
  /** The stage asks for a halt before its gates are judged. */
  | { kind: "halt"; halt: WantedHalt }
  /** Gates did not pass. `records`: what all gates of the stage said. */
  | { kind: "blocked"; gates: GateVerdict[]; records: RecordDraft[] }
  /** `records`: what the gates said and which providers gave the evidence, to be written before the next stage is entered. */
  | { kind: "next"; to: Stage | "completed"; reason: string; records: RecordDraft[] };

/** Writes nothing: who only asks leaves no record. */
export async function judgeExit(ownership: Ownership): Promise<StageExit> {
  const { context } = ownership;
  const stage = context.manifest.stage.current;
  if (stage === "init") return { kind: "next", to: "perspectives", reason: "the run was made", records: [] };
  const definition = STAGE_DEFINITIONS[stage];
  const halt = (await definition.halt?.(context)) ?? null;
  if (halt !== null) return { kind: "halt", halt };
  const verdicts = (await definition.judge?.(context)) ?? [];
  const records = verdicts.map((data): RecordDraft => ({ kind: "gate.judged", data }));
  const gates = verdicts.filter(({ status }) => status === "fail");
  if (gates.length > 0) return { kind: "blocked", gates, records };
  const answered = definition.gathers ? await stageProvenance(ownership) : [];
  const { to, reason } = await definition.next(context);
  return { kind: "next", to, reason, records: [...records, ...answered] };
}

/** What each provider gave; nothing before the first findings. */
async function stageProvenance({ writer, evidence, corpora }: Ownership): Promise<RecordDraft[]> {
  const findings = await evidence.findings();
  if (findings.length === 0) return [];
  const sources = await evidence.sources();
  return provenanceOf(writer.manifest.settings, { findings, sources, answers: corpora.answers });
}
