// The completion script of each shell. It knows no command: it calls the program for what may be at the cursor.
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** What a script sends: this word, the words of the command line, and a dot that keeps the last one where it is empty. */
export const WORDS = "words";

/** It works with the bash 3.2 of macOS, too. */
const BASH = `# Completions of deep-research for bash, made by: deep-research completion bash
_deep_research() {
  local current=\${COMP_WORDS[COMP_CWORD]#=} line_so_far word paths=
  line_so_far=$(printf '%s\\n' ${WORDS} "\${COMP_WORDS[@]:1:COMP_CWORD}" .)
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    case $word in
      :folders) paths=-d ;;
      :files) paths=-f ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <("\${COMP_WORDS[0]}" completion "$line_so_far" 2>/dev/null)
  [[ -n $paths ]] || return
  compopt -o filenames 2>/dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$paths" -- "$current")
}

complete -F _deep_research deep-research
`;

/** A function for fpath, or to be sourced. */
const ZSH = `#compdef deep-research
# Completions of deep-research for zsh, made by: deep-research completion zsh
_deep_research() {
  local line_so_far line paths=
  local -a found
  line_so_far=$(printf '%s\\n' ${WORDS} "\${(@)words[2,CURRENT]}" .)
  for line in "\${(@f)$("$words[1]" completion "$line_so_far" 2>/dev/null)}"; do
    case $line in
      "") ;;
      :folders) paths=-/ ;;
      :files) paths=-f ;;
      *) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( \${#found} )) && _describe 'deep-research' found
  [[ -n $paths ]] && _files $paths
  return 0
}

if [[ \${funcstack[1]} == _deep_research ]]; then _deep_research "$@"; else compdef _deep_research deep-research; fi
`;

const FISH = `# Completions of deep-research for fish, made by: deep-research completion fish
function __deep_research
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l line_so_far (printf '%s\\n' ${WORDS} $words[2..-1] "$current" . | string collect)
    for line in ($words[1] completion $line_so_far 2>/dev/null)
        switch $line
            case :folders
                __fish_complete_directories "$current"
            case :files
                __fish_complete_path "$current"
            case '*'
                echo $line
        end
    end
end

complete -c deep-research -f -a '(__deep_research)'
`;

export const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = { bash: BASH, zsh: ZSH, fish: FISH };
