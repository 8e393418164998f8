// The type of a stage: its steps, the gates that must pass, and the stage that comes next.
import type { Driver, TaskKind, Tasks, TaskTools } from "../ports/driver.ts";
import { given } from "../kernel/given.ts";
import type { WantedHalt } from "../ports/interruption.ts";
import { z } from "../kernel/zod.ts";
import { parseWith } from "../run/common.ts";
import type { GateVerdict } from "../run/log/gate.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { draftSchema } from "../run/report/stored-report.ts";
import {
  citationsSchema,
  findingsSchema,
  outlineSchema,
  pivotSchema,
  planSchema,
  reviewSchema,
  summarySchema,
  type Findings,
  type Gap,
  type Plan,
} from "../run/report/research.ts";
import { workLimits, type Limits } from "../run/settings/settings.ts";
import type { Stage } from "../run/stage.ts";
import type { Evidence } from "./evidence.ts";

export interface StageContext {
  manifest: Readonly<Manifest>;
  evidence: Evidence;
  driver: Driver;
}

/** The tasks that are steps of a stage. */
type StepTask = Exclude<TaskKind, "judge_claims">;

/** What a driver returns is parsed. When it does not fit, the attempt has failed. */
const RESULTS: { [K in StepTask]: z.ZodType<Tasks[K]["result"]> } = {
  plan: planSchema,
  draft_plan: planSchema,
  research: findingsSchema,
  pivot: pivotSchema,
  fill_gap: findingsSchema,
  judge_findings: z.array(findingsSchema),
  check_citations: citationsSchema,
  summarize: summarySchema,
  draft: draftSchema,
  outline: outlineSchema,
  section: draftSchema,
  answer: draftSchema,
  review: reviewSchema,
};

/** One step that a stage plans. The step runner performs it. */
interface StepPlan<K extends StepTask> {
  key: string;
  task: K;
  /** What the result depends on. With the driver, the models and the task it makes the inputs digest. */
  identity: unknown;
  input(): Promise<Tasks[K]["input"]>;
  /** The stage continues without the step when it fails for good. */
  mayFail?: true;
  /** Set when the result also is in files of its own: `<base>.<attempt>.json` and `.md`. */
  product?: { base: string; markdown(result: Tasks[K]["result"]): string };
}

/** A step plan without its type of task, so that a list can hold several. */
export interface AnyStepPlan {
  key: string;
  identity: unknown;
  task: TaskKind;
  mayFail?: true;
  product?: { base: string; markdown(result: unknown): string };
  perform(driver: Driver, tools: TaskTools): Promise<unknown>;
}

export function stepPlan<K extends StepTask>(plan: StepPlan<K>): AnyStepPlan {
  const { key, identity, task, mayFail, product } = plan;
  const parse = (value: unknown): Tasks[K]["result"] => RESULTS[task].parse(value);
  return {
    key,
    identity,
    task,
    ...given({ mayFail }),
    ...(product === undefined
      ? {}
      : { product: { base: product.base, markdown: (result: unknown) => product.markdown(parse(result)) } }),
    async perform(driver, tools) {
      const result = await driver.perform(task, await plan.input(), tools);
      if (driver.id !== "fixture") return parse(result);
      // A bundle comes from outside. A result of our own that does not fit is a bug.
      const facts = { reason: "the bundle holds no result of this step that can be read", step: key, retryable: false };
      return parseWith(RESULTS[task], result, facts);
    },
  };
}

type Limited<K extends StepTask> = Pick<StepPlan<K>, "key" | "task" | "mayFail" | "product"> & {
  input: Tasks[K]["input"] & { limits: Limits };
};

/** A step whose result depends on its whole input, and of the limits on those that shape the work. */
export function limitedStep<K extends StepTask>({ input, ...plan }: Limited<K>, further: object = {}): AnyStepPlan {
  return stepPlan({
    ...plan,
    identity: { ...input, limits: workLimits(input.limits), ...further },
    input: async () => input,
  });
}

/** A step that searches. Its result also depends on the documents, by the digest of each corpus. */
export function searchStep<K extends StepTask>(
  { settings }: Pick<Manifest, "settings">,
  plan: Limited<K>,
): AnyStepPlan {
  return limitedStep(plan, { corpora: settings.corpora.map(({ name, digest }) => ({ name, digest })) });
}

/** For a driver that judges together what several researchers recorded. */
export function judgedLater({ judgesWaves }: Driver): { judges?: "later" } {
  return judgesWaves === true ? { judges: "later" } : {};
}

/** Research that fills a gap. Quotes among `found` do not count again. */
export function gapStep(
  { limits, query, settings }: Readonly<Manifest>,
  {
    gap,
    parts,
    found,
    judges,
    ...plan
  }: Pick<StepPlan<"fill_gap">, "key" | "mayFail" | "product"> &
    Pick<Tasks["fill_gap"]["input"], "judges"> & {
      gap: Gap;
      parts: Plan["parts"];
      found: readonly Findings[];
    },
): AnyStepPlan {
  const known = found.flatMap(({ quotes }) =>
    quotes.map(({ source_digest, start, end, text, part_ids }) => ({ source_digest, start, end, text, part_ids })),
  );
  const input = { question: query.text, gap, parts, known, limits, ...given({ judges }) };
  return searchStep({ settings }, { ...plan, task: "fill_gap", input });
}

export interface StageDefinition {
  readonly stage: Stage;
  /** True when the steps search for evidence, so that the corpora have to be there. */
  readonly gathers: boolean;
  /** Every step that can be named now. It is called again when all of them are done, until it names no new one. */
  plan(context: StageContext): Promise<AnyStepPlan[]>;
  /** Judges the gates after this stage by what is stored alone. */
  judge?(context: StageContext): Promise<GateVerdict[]>;
  /** A reason to halt when every step is done and no gate is judged yet, such as that no evidence was found. */
  halt?(context: StageContext): Promise<WantedHalt | null>;
  /** The next stage. `completed` ends the run. */
  next(context: StageContext): Promise<{ to: Stage | "completed"; reason: string }>;
}
