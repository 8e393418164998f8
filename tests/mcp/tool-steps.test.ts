// Next steps as calls of tools: which become calls, and which are left to a person.
import { expect, test } from "bun:test";
import { fieldsOf } from "../../src/cli/perform.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { asCalls } from "../../src/mcp/tool-steps.ts";
import { fullCommand, type NextStep, stepsOn } from "../../src/run/next-steps/next-step.ts";

const DR = { cliInvocation: "'/opt/my bun' /opt/dr/main.ts" };
const write = await asCalls(fieldsOf(COMMANDS), (step) => fullCommand(DR, step));
const step = stepsOn("/data/it's; here/dr_1");
const why = "because";

const CALLS: [NextStep, call: string][] = [
  [step("resume", why), 'run_resume {"run":"dr_1"}'],
  [step("run", why), 'run_resume {"run":"dr_1"}'],
  [step("watch", why), 'run_status {"run":"dr_1","wait":30}'],
  [step("report show", why, { version: 2 }), 'report_show {"run":"dr_1","version":2}'],
  [step("fork", why, {}, { question: '"..."' }), 'run_fork {"run":"dr_1","question":"..."}'],
  [step("resume", why, { max_rounds: 4 }), 'run_resume {"run":"dr_1","max_rounds":4}'],
  [
    stepsOn("/data/a copy (2)")("resume", why, {}, { corpus: "PATH" }),
    'run_resume {"run":"/data/a copy (2)","corpus":["PATH"]}',
  ],
  [step("abort", why, { yes: true }), 'run_abort {"run":"dr_1","yes":true}'],
  [
    step("agent-result", why, { step: "wave1:a", prompt: "p" }, { input: "-", agent_run_id: "ID" }),
    'agent_result {"run":"dr_1","step":"wave1:a","prompt":"p","answer":"...","agent_run_id":"ID"}',
  ],
  [stepsOn(null)("list", why, { runs_root: "/data/my runs" }), "run_list {}"],
  [
    stepsOn(null)("start", why, {}, { "": '"<question>"', corpus: "PATH" }),
    'run_start {"question":"<question>","corpus":["PATH"]}',
  ],
];
for (const [next, call] of CALLS)
  test(`${next.verb} ${JSON.stringify({ ...next.input, ...next.asks })} is ${call}`, () => {
    expect(write(next)).toBe(call);
  });

test("what only a person does, or may say, stays a command", () => {
  for (const next of [
    step("approve", why, {}, { input: "FILE" }),
    step("repair", why, { dry_run: true }),
    step("resume", why, { max_cost_usd: 5 }),
    step("resume", why, { model: "openai:gpt-5" }),
    stepsOn(null)("status", why, { help: true }),
    step("verify", why, { retry: true }),
    stepsOn(null)("doctor", why, { all: true }),
  ])
    expect(write(next)).toBe(fullCommand(DR, next));
});
