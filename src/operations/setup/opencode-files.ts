// The files that OpenCode reads, as this version brings them: tools, commands, agents, skill; compiled programs hold them, too.
import researcher from "../../../.opencode/agents/researcher.md" with { type: "text" };
import triage from "../../../.opencode/agents/triage.md" with { type: "text" };
import research from "../../../.opencode/commands/research.md" with { type: "text" };
import researchStatus from "../../../.opencode/commands/research-status.md" with { type: "text" };
import researchTriage from "../../../.opencode/commands/research-triage.md" with { type: "text" };
import skill from "../../../.opencode/skills/deep-research/SKILL.md" with { type: "text" };
import { assert } from "../../kernel/assert.ts";

/** The line of the tools that says which program they call. */
const INVOCATION_LINE = /^const INVOCATION = .*;$/m;

/** What this version and each one before it has written. A file that is written no more stays in this list. */
export const OPENCODE_FILES = [
  "agents/researcher.md",
  "agents/triage.md",
  "commands/research.md",
  "commands/research-status.md",
  "commands/research-triage.md",
  "skills/deep-research/SKILL.md",
  "tools/deep_research.ts",
];

/** By their paths in the folder of the host. `cliInvocation` is quoted for sh. */
export async function opencodeFiles(cliInvocation: string): Promise<Map<string, string>> {
  // The types describe this module, and not its text.
  const tools: unknown = await import("../../../.opencode/tools/deep_research.ts", { with: { type: "text" } });
  const { default: template } = tools as { default: string };
  assert(INVOCATION_LINE.test(template), "the tools say on a line of their own what they call");
  const line = `const INVOCATION = ${JSON.stringify(cliInvocation)};`;
  return new Map([
    ["agents/researcher.md", researcher],
    ["agents/triage.md", triage],
    ["commands/research.md", research],
    ["commands/research-status.md", researchStatus],
    ["commands/research-triage.md", researchTriage],
    ["skills/deep-research/SKILL.md", skill],
    ["tools/deep_research.ts", template.replace(INVOCATION_LINE, () => line)],
  ]);
}
