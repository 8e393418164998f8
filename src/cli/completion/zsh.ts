// The completion script for zsh: a function for fpath, or to be sourced.
import { firstWords, groupsIn, type Completed, type CompletedCommand, type CompletedOption } from "./grammar.ts";

export function zshScript(commands: readonly CompletedCommand[]): string {
  const groups = groupsIn(commands);
  const described = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([word, about]) => quoted(`${word}:${about.replaceAll(":", "\\:")}`)).join(" ");
  const groupCases = [...groups].map(
    ([first, members]) => `        ${first})
          if (( CURRENT == 2 )); then
            found=(${described(members.map(({ name, about }) => [name.slice(first.length + 1), about]))})
            _describe command found
            return
          fi
          name="$words[1] $words[2]"
          shift words
          (( CURRENT-- ))
          ;;`,
  );
  return `#compdef deep-research
# Completions of deep-research for zsh, made by: deep-research completion zsh
_deep_research_runs() {
  local -a found
  found=(\${(f)"$(deep-research completion runs 2>/dev/null)"})
  compadd -a found
  _files -/
}

_deep_research() {
  local curcontext="$curcontext" state line name
  local -a found
  _arguments -C '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      found=(${described(firstWords(commands))})
      _describe command found
      ;;
    argument)
      name=$words[1]
      case $name in
${groupCases.join("\n")}
      esac
      case $name in
${commands.map(commandCase).join("\n")}
        help) _arguments '*:command:(${firstWords(commands)
          .map(([word]) => word)
          .join(" ")})' ;;
      esac
      ;;
  esac
}

if [[ \${funcstack[1]} == _deep_research ]]; then _deep_research "$@"; else compdef _deep_research deep-research; fi
`;
}

function commandCase({ name, options, operand }: CompletedCommand): string {
  const specs = options.map(optionSpec);
  const action = actionOf(operand);
  if (action !== null) specs.push(quoted(`*:${operand.kind === "runs" ? "run" : "word"}:${action}`));
  return `        ${quoted(name)}) _arguments ${specs.join(" ")} ;;`;
}

function optionSpec({ flag, about, value, isList, completed }: CompletedOption): string {
  const words = about.replace(/[[\]:\\]/g, "\\$&");
  if (value === null) return quoted(`${flag}[${words}]`);
  return quoted(`${isList ? "*" : ""}${flag}=[${words}]:${value}:${actionOf(completed) ?? ""}`);
}

function actionOf(completed: Completed): string | null {
  switch (completed.kind) {
    case "nothing":
      return null;
    case "words":
      return `(${completed.words.join(" ")})`;
    case "runs":
      return "_deep_research_runs";
    case "folders":
      return "_files -/";
    case "files":
      return "_files";
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
