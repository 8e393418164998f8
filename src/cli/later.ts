// Commands of the contract that later versions bring: each is refused with the part that will bring it.

const COMMANDS: ReadonlyMap<string, string> = new Map([["serve", "the web console"]]);

/** The part of the tool that a command belongs to, when it is a later one. */
export function featureOfCommand(name: string): string | undefined {
  return COMMANDS.get(name);
}

export const LATER_COMMANDS = [...COMMANDS.keys()];
