// The completion script for bash; it works with the bash 3.2 of macOS, too.
import { firstWords, groupsIn, type Completed, type CompletedCommand } from "./grammar.ts";

export function bashScript(commands: readonly CompletedCommand[]): string {
  const options = commands.flatMap((command) => command.options);
  const flagsThat = (test: (option: (typeof options)[number]) => boolean): string =>
    [...new Set(options.filter(test).map(({ flag }) => flag))].sort().join(" ");
  const groups = groupsIn(commands);
  return `# Completions of deep-research for bash, made by: deep-research completion bash
_deep_research_add() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$current")
}

_deep_research() {
  local current=\${COMP_WORDS[COMP_CWORD]} option= command= second= word
  local valued=" ${flagsThat(({ value, isList }) => value !== null && !isList)} "
  local lists=" ${flagsThat(({ isList }) => isList)} "
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      =) ;;
      -*) if [[ $valued$lists == *" $word "* ]]; then option=$word; else option=; fi ;;
      *)
        if [[ -n $option ]]; then
          [[ $lists == *" $option "* ]] || option=
        elif [[ -z $command ]]; then
          command=$word
        elif [[ -z $second ]]; then
          second=$word
        fi
        ;;
    esac
  done
  [[ $current == = ]] && current=
  case $command in
    ${[...groups.keys(), "help"].join(" | ")}) [[ -n $second ]] && command="$command $second" ;;
  esac
  if [[ -n $option && $current != -* ]]; then
    case "$command $option" in
${optionCases(commands)}
    esac
    return
  fi
  if [[ $current == -* ]]; then
    case $command in
${commands.map(({ name, options: own }) => branch(`"${name}"`, words(own.map(({ flag }) => flag)))).join("\n")}
      "") ${words(["--help", "--version"])} ;;
    esac
    return
  fi
  case $command in
    "" | help) ${words(firstWords(commands).map(([word]) => word))} ;;
${[...groups].map(([first, members]) => branch(`${first} | "help ${first}"`, words(members.map(({ name }) => name.slice(first.length + 1))))).join("\n")}
${operandCases(commands)}
  esac
}

complete -F _deep_research deep-research
`;
}

/** An option that is completed alike everywhere has one pattern for all commands. */
function optionCases(commands: readonly CompletedCommand[]): string {
  const places = commands.flatMap(({ name, options }) =>
    options.map(({ flag, completed }) => ({ name, flag, action: actionOf(completed) })),
  );
  const isAlike = (flag: string): boolean =>
    new Set(places.filter((place) => place.flag === flag).map(({ action }) => action)).size === 1;
  return merged(
    places.map(({ name, flag, action }) => [isAlike(flag) ? `*" ${flag}"` : `"${name} ${flag}"`, action] as const),
  );
}

function operandCases(commands: readonly CompletedCommand[]): string {
  return merged(commands.map(({ name, operand }) => [`"${name}"`, actionOf(operand)] as const));
}

function merged(places: readonly (readonly [string, string | null])[]): string {
  const patterns = new Map<string, Set<string>>();
  for (const [pattern, action] of places)
    if (action !== null) patterns.set(action, (patterns.get(action) ?? new Set()).add(pattern));
  return [...patterns].map(([action, found]) => branch([...found].join(" | "), action)).join("\n");
}

function branch(pattern: string, action: string): string {
  return `      ${pattern}) ${action} ;;`;
}

function actionOf(completed: Completed): string | null {
  switch (completed.kind) {
    case "nothing":
      return null;
    case "words":
      return words(completed.words);
    case "runs":
      return `_deep_research_add -W "$("\${COMP_WORDS[0]}" completion runs 2>/dev/null)"; _deep_research_add -d`;
    case "folders":
      return "compopt -o filenames 2>/dev/null; _deep_research_add -d";
    case "files":
      return "compopt -o filenames 2>/dev/null; _deep_research_add -f";
  }
}

function words(all: readonly string[]): string {
  return `_deep_research_add -W "${all.join(" ")}"`;
}
