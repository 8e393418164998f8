// A halt reaches its buttons and its printed command whole, and the routes take every body.
import { describe, expect, test } from "bun:test";
import { command as fork } from "../../src/cli/commands/fork.ts";
import { command as resume } from "../../src/cli/commands/resume.ts";
import { ACTIONS } from "../../src/console/verb-uses.ts";
import { waysOn } from "../../src/console/ways-on.ts";
import type { FieldTable } from "../../src/kernel/field.ts";
import { BUDGET_FIELDS, CALL_FIELDS, JUDGING_FIELDS, MODEL_FIELDS } from "../../src/run/settings/fields.ts";
import type { KnownHalt } from "../../src/run/log/halt-details.ts";
import { haltSteps } from "../../src/run/next-steps/halt-steps.ts";
import { modelInput } from "../../src/run/next-steps/model-input.ts";
import { parseModel } from "../../src/run/model/model.ts";
import { fullCommand } from "../../src/run/next-steps/next-step.ts";
import { DEFAULT_MODEL_SETTINGS, type ModelSettings } from "../../src/run/settings/settings.ts";
import { saidOfUse } from "../../src/surface/verb-use.ts";

const RUN_ROOT = "/runs/dr_1";
const FROZEN: ModelSettings = { ...DEFAULT_MODEL_SETTINGS, default: parseModel("openai:gpt-5"), roles: {} };
const OPTIONS: Readonly<Record<string, FieldTable>> = { resume: resume.fields, fork: fork.fields };

function buttonsOf(halt: KnownHalt) {
  const next = haltSteps(halt, RUN_ROOT, null);
  const write = (step: (typeof next)[number]): string => fullCommand({ cliInvocation: "dr" }, step);
  return waysOn({ next }, write, { runRoot: RUN_ROOT, runId: "dr_1" }).flatMap(({ command, request }) =>
    request === null ? [] : [{ command, ...request }],
  );
}

/** The body as the route reads it. */
function taken({ action, body }: { action: string; body: object }): unknown {
  const asked = action === "fork" ? ACTIONS.fork : ACTIONS.resume;
  return saidOfUse(asked, OPTIONS[action] ?? {}, { run: "dr_1", ...body });
}

describe("a halt by drift of models", () => {
  const roles = {
    writer: parseModel("compatible:it's(2)", "http://127.0.0.1:11434/v1"),
    reviewer: parseModel("google:gemini-x"),
  };
  const wanted = { ...FROZEN, default: parseModel("openai:gpt-5-mini"), roles, max_output_tokens: 900 };
  const input = {
    model: "openai:gpt-5-mini",
    role_model: ["writer=compatible:it's(2)", "reviewer=google:gemini-x"],
    model_base_url: "http://127.0.0.1:11434/v1",
    max_output_tokens: 900,
  };

  test("names every role again, also one with signs of a shell, in bodies that the routes take", () => {
    const [go, other] = buttonsOf({ kind: "drift", details: { resume_input: modelInput(FROZEN, wanted) } });
    expect([go?.body, other?.body]).toEqual([{ ...input, on_drift: "continue" }, input]);
    for (const button of [go, other]) expect(button && taken(button)).toEqual({ run: "dr_1", ...button?.body });
    expect(go?.command).toBe(
      "dr resume /runs/dr_1 --model openai:gpt-5-mini --role-model 'writer=compatible:it'\\''s(2)' --role-model reviewer=google:gemini-x --model-base-url http://127.0.0.1:11434/v1 --max-output-tokens 900 --on-drift continue",
    );
  });

  test("that version 0.1.0 stored as words of a command line does the same", () => {
    const resume_with =
      "--model openai:gpt-5-mini --role-model 'writer=compatible:it'\\''s(2)' --role-model reviewer=google:gemini-x --model-base-url http://127.0.0.1:11434/v1 --max-output-tokens 900";
    const [go] = buttonsOf({ kind: "drift", details: { resume_with } });
    expect(go?.body).toEqual({ ...input, on_drift: "continue" });
    expect(go && taken(go)).toEqual({ run: "dr_1", ...go?.body });
    expect(go?.command).toContain(`dr resume /runs/dr_1 ${resume_with}`);
    // Control: words that are no options of a run are not passed on.
    const [without] = buttonsOf({ kind: "drift", details: { resume_with: "--rm -rf" } });
    expect(without?.body).toEqual({ on_drift: "continue" });
  });
});

test("every field that a halt may carry is taken by the route of its button, with a value of its type", () => {
  const carried: FieldTable = { ...MODEL_FIELDS, ...CALL_FIELDS, ...BUDGET_FIELDS, ...JUDGING_FIELDS };
  const values: Readonly<Record<string, string | string[]>> = {
    model: "openai:gpt-5",
    role_model: ["writer=openai:w"],
    model_base_url: "http://127.0.0.1:1/v1",
  };
  for (const [name, field] of Object.entries(carried)) {
    const range = field.kind === "value" ? field.range : undefined;
    const value = values[name] ?? range?.most ?? "";
    const [button] = buttonsOf({ kind: "gate_blocked", details: { resume_input: { [name]: value } } });
    expect(button?.body).toEqual({ [name]: value });
    expect(button && taken(button)).toEqual({ run: "dr_1", [name]: value });
    // Control: the type is looked at.
    expect(() => taken({ action: "resume", body: { [name]: { no: "value" } } })).toThrow(name);
  }
});
