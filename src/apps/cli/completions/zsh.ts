// Completion for zsh: a file `_git-memory` on the fpath. zsh's completion of git calls the function of that name.

import { type CommandShape, pairsOf, rowsOf, valuedFlags } from './shape.ts';

/** Writes the script, with what each verb and flag means beside it. */
export function zshCompletion(commands: readonly CommandShape[]): string {
  const verbs = commands.flatMap(({ name, summary }) => (name.includes(' ') ? [] : [described(name, summary)]));
  return `#compdef git-memory
# zsh completion for git-memory: \`git memory …\` and \`git-memory …\`. Made by \`git memory completions zsh\`.

zstyle -g __git_memory_commands ':completion:*:*:git:*' user-commands
zstyle ':completion:*:*:git:*' user-commands $__git_memory_commands memory:'ask and keep a memory'
unset __git_memory_commands

__git_memory_revisions() {
  local -a revisions
  revisions=(\${(f)"$(git for-each-ref --format='%(refname:short)' refs/heads refs/tags 2>/dev/null)"})
  compadd -a revisions
}

_git-memory() {
  local verb='' flag='' word
  local -i i position=0
  local -a verbs flags
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    if [[ -n "$flag" ]]; then
      flag=''
      continue
    fi
    case "$word" in
      ${valuedFlags(commands).join('|')}) flag="$word" ;;
      -*) ;;
      *)
        case "$verb $word" in
          " $word") verb="$word" ;;
          ${pairsOf(commands).join('|')}) verb="$verb $word" ;;
          *) position+=1 ;;
        esac ;;
    esac
  done
  if [[ -z "$verb" && -z "$flag" && "\${words[CURRENT]}" != -* ]]; then
    verbs=(
${verbs.map((line) => `      ${line}`).join('\n')}
    )
    _describe -t commands verb verbs
    return
  fi
  if [[ -z "$flag" && "\${words[CURRENT]}" == -* ]]; then
    case "$verb" in
${commands.map(({ name, flags }) => `      '${name}') flags=(${flags.map((flag) => described(flag.name, flag.description)).join(' ')}) ;;`).join('\n')}
      *) flags=(--help --version --json --dir --branch) ;;
    esac
    _describe -t options option flags
    return
  fi
  case "$verb \${flag:-$position}" in
${rowsOf(
  commands,
  (words) => `compadd -- ${words}`,
  (pattern, answer) => `    '${pattern}') ${answer} ;;`,
)}
    *' --at'|*' --branch') __git_memory_revisions ;;
    *) _files ;;
  esac
}

# Loaded by name it is this function that runs; sourced, it only defines it.
if [[ "$funcstack[1]" == _git-memory ]]; then _git-memory "$@"; else compdef _git-memory git-memory; fi
`;
}

/** A word and its meaning as \`_describe\` reads them, quoted for the shell. */
const described = (word: string, meaning: string): string => `'${word}:${meaning.replaceAll("'", "'\\''")}'`;
