// What the contract names and this version does not bring: refused with the part of the tool that will bring it.

const COMMANDS: ReadonlyMap<string, string> = new Map([
  ["search", "searching the local index by hand"],
  ["watch", "following a run from another terminal"],
  ["remove", "deleting runs"],
  ["prune", "deleting runs"],
  ["cache", "clearing the index cache (it is safe to delete its folder)"],
  ["agent-result", "the task driver: results of outside agents"],
  ["approve", "human review"],
  ["settle", "tool calls of models"],
  ["capture", "recording agent results for the fixture driver"],
  ["serve", "the web console"],
  ["mcp", "the MCP server"],
  ["opencode", "the set-up of the OpenCode host"],
  ["doctor", "the check of the set-up"],
  ["completion", "shell completions"],
  ["report select", "choosing among report versions"],
  ["report export", "exporting reports"],
  ["report diff", "comparing report versions"],
]);

const MODELS = "drivers with a model";
const BUDGETS = "budgets of drivers with a model";
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ["--model", MODELS],
  ["--role-model", MODELS],
  ["--model-base-url", MODELS],
  ["--max-cost-usd", BUDGETS],
  ["--max-tokens", BUDGETS],
  ["--max-calls", BUDGETS],
  ["--max-minutes", BUDGETS],
  ["--config", "the configuration file"],
  ["--trust-workspace", "the configuration file"],
  ["--bundle", "the fixture driver"],
  ["--size", "the disk use of runs"],
  ["--retry", "judging claims again with a model"],
]);

/** The part of the tool that a command belongs to, when it is a later one. */
export function featureOfCommand(name: string): string | undefined {
  return COMMANDS.get(name);
}

/** The part of the tool that an option belongs to, when it is a later one. */
export function featureOfOption(option: string): string | undefined {
  return OPTIONS.get(option);
}

export const LATER_COMMANDS = [...COMMANDS.keys()];
export const LATER_OPTIONS = [...OPTIONS.keys()];
