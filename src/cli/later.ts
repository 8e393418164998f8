// What the contract names and this version does not bring: refused with the part of the tool that will bring it.

const COMMANDS: ReadonlyMap<string, string> = new Map([
  ["agent-result", "the task driver: results of outside agents"],
  ["approve", "human review"],
  ["settle", "tool calls of models"],
  ["capture", "recording agent results for the fixture driver"],
  ["serve", "the web console"],
  ["mcp", "the MCP server"],
  ["opencode", "the set-up of the OpenCode host"],
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
  ["--bundle", "the fixture driver"],
  ["--retry", "judging claims again with a model"],
]);

/** Keys of the configuration file that no option has. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ["models", MODELS],
  ["prices", BUDGETS],
  ["allowed_hosts", "providers on the web"],
]);

/** The part of the tool that a command belongs to, when it is a later one. */
export function featureOfCommand(name: string): string | undefined {
  return COMMANDS.get(name);
}

/** The part of the tool that an option belongs to, when it is a later one. */
export function featureOfOption(option: string): string | undefined {
  return OPTIONS.get(option);
}

/** The part of the tool that a key of the configuration file belongs to, when it is a later one. */
export function featureOfKey(key: string): string | undefined {
  return KEYS.get(key) ?? (LATER_KEYS.includes(key) ? OPTIONS.get(`--${key.replaceAll("_", "-")}`) : undefined);
}

export const LATER_COMMANDS = [...COMMANDS.keys()];
export const LATER_OPTIONS = [...OPTIONS.keys()];
export const LATER_KEYS = [
  ...KEYS.keys(),
  "model",
  "role_model",
  "model_base_url",
  "max_cost_usd",
  "max_tokens",
  "max_calls",
  "max_minutes",
];
