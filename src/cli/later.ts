// Commands and options of the contract that later versions bring: each is refused with the part that will bring it.

const COMMANDS: ReadonlyMap<string, string> = new Map([
  ["approve", "human review"],
  ["capture", "recording agent results for the fixture driver"],
  ["serve", "the web console"],
  ["opencode", "the set-up of the OpenCode host"],
]);

const OPTIONS: ReadonlyMap<string, string> = new Map([["--bundle", "the fixture driver"]]);

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
