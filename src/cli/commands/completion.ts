// deep-research completion
import { resolve } from "node:path";
import { anyOf } from "../../kernel/any-of.ts";
import { RunError } from "../../kernel/errors.ts";
import { RUN_ID_PATTERN } from "../../kernel/ids.ts";
import { completedCommands } from "../completion/grammar.ts";
import { loadConfiguration } from "../configuration/configuration.ts";
import { defineCommand } from "../command.ts";
import { readEnvironment } from "../configuration/environment.ts";
import type { Host } from "../host.ts";
import { wrongValue, type CommonValues } from "../options/options.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
/** What the scripts themselves ask for. */
const RUNS = "runs";

export const command = defineCommand({
  name: "completion",
  purpose: "print a script that completes commands, options and run ids in a shell",
  operands: { usage: "<shell>", least: 1, most: 1, choices: SHELLS },
  options: {},
  examples: [
    ["completion bash > ~/.local/share/bash-completion/completions/deep-research", "bash with bash-completion"],
    ["completion zsh > ~/.zfunc/_deep-research", "zsh; ~/.zfunc has to stand in fpath before compinit"],
    ["completion fish > ~/.config/fish/completions/deep-research.fish", "fish"],
  ],
  notes: [
    "Shells\n  bash, zsh, fish. Make the folder first where it is missing, and the script again after an upgrade.\n  It asks `deep-research completion runs` for run ids.",
  ],
  exits: [
    [0, "printed"],
    [2, "bad usage, or another shell"],
  ],
  withoutConfiguration: true,
  async run({ host }, common, [wanted = ""]) {
    const script = wanted === RUNS ? await runIds(host, common) : await scriptFor(wanted);
    return {
      outcome: {
        result: wanted === RUNS ? { run_ids: lines(script) } : { shell: wanted, script },
        run: null,
        error: null,
      },
      text: () => script,
    };
  },
});

async function scriptFor(shell: string): Promise<string> {
  const commands = await completedCommands();
  switch (SHELLS.find((one) => one === shell)) {
    case "bash":
      return (await import("../completion/bash.ts")).bashScript(commands);
    case "zsh":
      return (await import("../completion/zsh.ts")).zshScript(commands);
    case "fish":
      return (await import("../completion/fish.ts")).fishScript(commands);
    case undefined:
      throw wrongValue(shell, anyOf(SHELLS), SHELLS);
  }
}

/** The newest last; by their names alone, because a person waits. Where that cannot be said there are none. */
async function runIds(host: Host, common: CommonValues): Promise<string> {
  try {
    const configuration = await loadConfiguration(host, common);
    const runsRoot = resolve(host.workingFolder, common.runsRoot ?? readEnvironment(host, configuration).runsRoot());
    const names = (await host.loadSetUp()).foldersIn(runsRoot).filter((name) => RUN_ID_PATTERN.test(name));
    return names.map((name) => `${name}\n`).join("");
  } catch (error) {
    if (error instanceof RunError) return "";
    throw error;
  }
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
