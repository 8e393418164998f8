// Commands in hints and next commands as calls of tools: which become calls, and which are left to a person.
import { expect, test } from "bun:test";
import { findCommand } from "../../src/cli/command-table.ts";
import { withCalls } from "../../src/mcp/tool-steps.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { envelopeOf } from "../../src/surface/envelope.ts";

const DR = "'/opt/my bun' /opt/dr/main.ts";
const ROOT = "/data/it's; here/dr_1";
const QUOTED = `'/data/it'\\''s; here/dr_1'`;

const TABLES = new Map(
  await Promise.all(
    TOOLS.map(async ({ command: name }) => [name, (await findCommand(name)?.load())?.command.options ?? {}] as const),
  ),
);

function told(text: string): string {
  const error = { code: "INVALID_STATE" as const, message: "", details: {}, retryable: false, hint: text };
  const parts = { command: "status", cliInvocation: DR, run: null, runRoot: ROOT, runId: "dr_1", error };
  const answer = withCalls(envelopeOf({ ...parts, result: { deep: [{ next_commands: [text] }] } }), TABLES);
  const { deep } = answer.result as { deep: { next_commands: string[] }[] };
  expect(deep[0]?.next_commands).toEqual([answer.error?.hint ?? ""]);
  return answer.error?.hint ?? "";
}

const CALLS: [command: string, call: string][] = [
  [`resume ${QUOTED}`, 'run_resume {"run":"dr_1"}'],
  [`run ${QUOTED}`, 'run_resume {"run":"dr_1"}'],
  [`watch ${QUOTED}`, 'run_status {"run":"dr_1","wait":30}'],
  [`report show ${QUOTED} --version 2`, 'report_show {"run":"dr_1","version":2}'],
  [`fork ${QUOTED} --question "..."`, 'run_fork {"run":"dr_1","question":"..."}'],
  [`resume ${QUOTED} --max-rounds 4`, 'run_resume {"run":"dr_1","max_rounds":4}'],
  [`resume /data/other --corpus PATH`, 'run_resume {"run":"/data/other","corpus":["PATH"]}'],
  [`abort ${QUOTED} --yes`, 'run_abort {"run":"dr_1","yes":true}'],
  [
    `agent-result ${QUOTED} --step wave1:a --prompt p --input - --agent-run-id ID`,
    'agent_result {"run":"dr_1","step":"wave1:a","prompt":"p","answer":"...","agent_run_id":"ID"}',
  ],
  [`list --runs-root '/data/my runs'`, "run_list {}"],
];
for (const [command, call] of CALLS)
  test(`${command} is ${call}`, () => {
    expect(told(`do this: ${DR} ${command}; then: ${DR} doctor --all`)).toBe(
      `do this: ${call}; then: ${DR} doctor --all`,
    );
  });

test("what only a person does, or may say, stays a command", () => {
  for (const command of [
    `approve ${QUOTED} --input FILE`,
    `repair ${QUOTED} --dry-run`,
    `resume ${QUOTED} --max-cost-usd 5`,
    `resume ${QUOTED} --model openai:gpt-5`,
    `status --help`,
    `verify ${QUOTED} --retry`,
  ])
    expect(told(`${DR} ${command}`)).toBe(`${DR} ${command}`);
});
