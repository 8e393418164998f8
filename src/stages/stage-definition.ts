// What a stage is: the steps it asks for, the gates that must pass, and where the run goes next.
import type { Driver, TaskKind, Tasks, TaskTools } from "../ports/driver.ts";
import type { GateVerdict } from "../run/gate.ts";
import type { HaltKind } from "../run/halt.ts";
import type { Manifest } from "../run/manifest.ts";
import type { Stage } from "../run/stage.ts";
import type { Evidence } from "./evidence.ts";

export interface StageContext {
  manifest: Readonly<Manifest>;
  evidence: Evidence;
  driver: Driver;
}

/** One step that the stage asks for, as plain data; the step runner performs it. */
export interface StepPlan<K extends TaskKind = TaskKind> {
  key: string;
  task: K;
  /** What the result depends on; together with the driver it makes the inputs digest. */
  identity: unknown;
  input(): Promise<Tasks[K]["input"]>;
  /** Parses what the driver returned; what does not fit is a failure of the attempt. */
  parse(value: unknown): Tasks[K]["result"];
  /** Set when the result also stands in files of its own: `<base>.<attempt>.json` and `.md`. */
  product?: { base: string; markdown(result: Tasks[K]["result"]): string };
}

/** A plan whose task is known only to itself: lists of steps hold these. */
export interface AnyStepPlan {
  key: string;
  identity: unknown;
  task: TaskKind;
  product?: { base: string; markdown(result: unknown): string };
  perform(driver: Driver, tools: TaskTools): Promise<unknown>;
}

export function stepPlan<K extends TaskKind>(plan: StepPlan<K>): AnyStepPlan {
  const { key, identity, task, product } = plan;
  return {
    key,
    identity,
    task,
    ...(product === undefined
      ? {}
      : { product: { base: product.base, markdown: (result: unknown) => product.markdown(plan.parse(result)) } }),
    perform: async (driver, tools) => plan.parse(await driver.perform(task, await plan.input(), tools)),
  };
}

/** A stop that a stage asks for although every step is done. */
export interface StageHalt {
  kind: Exclude<HaltKind, "timeout">;
  details: Record<string, unknown>;
}

export interface StageDefinition {
  readonly stage: Stage;
  /** True when the steps search for evidence, so that the corpora have to be there. */
  readonly gathers: boolean;
  /** Every step that can be named now. Asked again when all are done, until it names no new one. */
  plan(context: StageContext): Promise<AnyStepPlan[]>;
  /** The gates after this stage, judged over stored state alone. */
  judge(context: StageContext): Promise<GateVerdict[]>;
  /** A reason to halt before the gates are judged, such as evidence that was not found. */
  halt?(context: StageContext): Promise<StageHalt | null>;
  /** Where the run goes; `completed` ends it. */
  next(context: StageContext): Promise<{ to: Stage | "completed"; reason: string }>;
}
