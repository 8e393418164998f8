// The completion script for fish.
import { firstWords, groupsIn, type Completed, type CompletedCommand, type CompletedOption } from "./grammar.ts";

export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = [
    ...firstWords(commands).map(([word, about]) => complete("__deep_research_at", `-a ${word} -d ${quoted(about)}`)),
    ...[...groupsIn(commands)].flatMap(([first, members]) =>
      members.map(({ name, about }) =>
        complete(`__deep_research_at ${first}`, `-a ${name.slice(first.length + 1)} -d ${quoted(about)}`),
      ),
    ),
    ...commands.flatMap(linesOf),
  ];
  return `# Completions of deep-research for fish, made by: deep-research completion fish
# The words that are no options, without the one under the cursor.
function __deep_research_words
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        string match -q -- '-*' $word; or echo $word
    end
end

# True at exactly these words.
function __deep_research_at
    set -l words (__deep_research_words)
    test "$words" = "$argv"
end

# True at and behind these words.
function __deep_research_in
    set -l words (__deep_research_words)
    test (count $words) -ge (count $argv); and test "$words[1..$(count $argv)]" = "$argv"
end

complete -c deep-research -f
${lines.join("\n")}
`;
}

function linesOf({ name, options, operand }: CompletedCommand): string[] {
  const where = `__deep_research_in ${name}`;
  const words = argumentsOf(operand);
  return [
    ...options.map((option) => complete(where, optionWords(option))),
    ...(words === null ? [] : [complete(where, words)]),
  ];
}

function optionWords({ flag, about, value, completed }: CompletedOption): string {
  const named = `-l ${flag.slice(2)} -d ${quoted(about)}`;
  if (value === null) return named;
  const words = argumentsOf(completed);
  return words === null ? `${named} -x` : `${named} ${completed.kind === "files" ? "-r -F" : `-x ${words}`}`;
}

function argumentsOf(completed: Completed): string | null {
  switch (completed.kind) {
    case "nothing":
      return null;
    case "words":
      return `-a ${quoted(completed.words.join(" "))}`;
    case "runs":
      return "-a '(deep-research completion runs 2>/dev/null)'";
    case "folders":
      return "-a '(__fish_complete_directories)'";
    case "files":
      return "-F";
  }
}

function complete(where: string, words: string): string {
  return `complete -c deep-research -n ${quoted(where)} ${words}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
