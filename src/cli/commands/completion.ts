// deep-research completion
import { resolve } from "node:path";
import { anyOf } from "../../kernel/any-of.ts";
import { RunError } from "../../kernel/errors.ts";
import { RUN_ID_PATTERN } from "../../kernel/ids.ts";
import { completionsOf } from "../completion/completions.ts";
import { SCRIPTS, SHELLS, WORDS } from "../completion/scripts.ts";
import { loadConfiguration } from "../configuration/load.ts";
import { defineCommand, type Answer } from "../command.ts";
import { readEnvironment } from "../configuration/environment.ts";
import type { Host } from "../host.ts";
import { text } from "../../kernel/field.ts";
import { wrongValue } from "../../kernel/wrong-value.ts";
import { type CommonValues } from "../options/options.ts";

/** The word that scripts of earlier versions send. */
const RUNS = "runs";

export const command = defineCommand({
  description: "The script completes commands, their options and what those take, and ids of runs.",
  seeAlso: ["doctor"],
  operand: { name: "shell", usage: "<shell>", least: 1, most: 1 },
  fields: { shell: { ...text("SHELL", "which shell"), choices: SHELLS } },
  examples: [
    ["completion bash > ~/.local/share/bash-completion/completions/deep-research", "bash with bash-completion"],
    ["completion zsh > ~/.zfunc/_deep-research", "zsh; ~/.zfunc has to be in fpath before compinit"],
    ["completion fish > ~/.config/fish/completions/deep-research.fish", "fish"],
  ],
  notes: [
    "Make the folder first where it is missing. The script needs no renewal after an upgrade: it calls this program.",
  ],
  exits: [
    [0, "printed"],
    [2, "bad usage, or another shell"],
  ],
  withoutConfiguration: true,
  async run({ host, common, commands }, { shell: wanted = "" }) {
    const ids = async (): Promise<string[]> => await runIds(host, common);
    if (wanted === RUNS) {
      const run_ids = await ids();
      return answer({ run_ids }, run_ids);
    }
    const [word, ...line] = wanted.split("\n");
    if (word === WORDS && line.length > 1) {
      const completions = await completionsOf(commands, line.slice(0, -1), ids);
      const { words, paths } = completions;
      return answer(completions, [...words.map((word) => word.join("\t")), ...(paths === null ? [] : [`:${paths}`])]);
    }
    const shell = SHELLS.find((one) => one === wanted);
    if (shell === undefined) throw wrongValue(wanted, anyOf(SHELLS), SHELLS);
    const script = SCRIPTS[shell];
    return { outcome: { result: { shell, script }, run: null, error: null }, text: () => script };
  },
});

function answer(result: unknown, lines: readonly string[]): Answer {
  return { outcome: { result, run: null, error: null }, text: () => lines.map((line) => `${line}\n`).join("") };
}

/** The newest last. Read from the names of folders alone, because a person waits; none where no runs root is known. */
async function runIds(host: Host, common: CommonValues): Promise<string[]> {
  try {
    const configuration = await loadConfiguration(host, common);
    const runsRoot = resolve(host.workingFolder, common.runs_root ?? readEnvironment(host, configuration).runsRoot());
    return (await host.loadSetUp()).foldersIn(runsRoot).filter((name) => RUN_ID_PATTERN.test(name));
  } catch (error) {
    if (error instanceof RunError) return [];
    throw error;
  }
}
