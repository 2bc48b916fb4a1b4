// Completion for bash. git's own completion finds `_git_memory` by its name, so that `git memory …` completes as git's verbs do.

import { type CommandShape, pairsOf, rowsOf, valuedFlags } from './shape.ts';

/** Writes the script. It runs nothing of ours: the words are in it, and branches and tags are asked of git. */
export function bashCompletion(commands: readonly CommandShape[]): string {
  return `# bash completion for git-memory: \`git memory …\` and \`git-memory …\`. Made by \`git memory completions bash\`.

__git_memory_verbs='${commands.flatMap(({ name }) => (name.includes(' ') ? [] : [name])).join(' ')}'

# The flags of a verb.
__git_memory_flags() {
  case "$1" in
${commands.map(({ name, flags }) => `    '${name}') echo '${flags.map((flag) => flag.name).join(' ')}' ;;`).join('\n')}
    *) echo '--help --version --json --dir --branch' ;;
  esac
}

# What may stand behind a flag of a verb, or at a position of it; nothing where files may.
__git_memory_values() {
  case "$1 $2" in
${rowsOf(
  commands,
  (words) => `echo '${words}'`,
  (pattern, answer) => `    '${pattern}') ${answer} ;;`,
)}
    *' --at' | *' --branch') __git_memory_revisions ;;
  esac
}

__git_memory_revisions() {
  git for-each-ref --format='%(refname:short)' refs/heads refs/tags 2>/dev/null
}

# Completes the words from the one behind the program on; uses cur, words and cword as git's completion sets them.
__git_memory_complete() {
  local i word verb='' flag='' position=0 prefix='' candidates candidate
  for ((i = $1; i < cword; i++)); do
    word="\${words[i]}"
    if [[ -n "$flag" ]]; then
      flag=''
      continue
    fi
    case "$word" in
      ${valuedFlags(commands).join(' | ')}) flag="$word" ;;
      -*) ;;
      *)
        case "$verb $word" in
          " $word") verb="$word" ;;
          ${pairsOf(commands).join(' | ')}) verb="$verb $word" ;;
          *) position=$((position + 1)) ;;
        esac ;;
    esac
  done
  if [[ -z "$flag" && "$cur" == --*=* ]]; then
    flag="\${cur%%=*}"
    prefix="$flag="
    cur="\${cur#*=}"
  fi
  if [[ -n "$flag" ]]; then candidates="$(__git_memory_values "$verb" "$flag")"
  elif [[ "$cur" == -* ]]; then candidates="$(__git_memory_flags "$verb")"
  elif [[ -z "$verb" ]]; then candidates="$__git_memory_verbs"
  else candidates="$(__git_memory_values "$verb" "$position")"
  fi
  COMPREPLY=()
  for candidate in $candidates; do
    if [[ "$candidate" == "$cur"* ]]; then COMPREPLY+=("$prefix$candidate "); fi
  done
}

# Called by git's own completion.
_git_memory() {
  local start="\${__git_cmd_idx:-0}"
  while ((start < cword)) && [[ "\${words[start]}" != memory ]]; do start=$((start + 1)); done
  __git_memory_complete $((start + 1))
}

__git_memory_program() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" cword="$COMP_CWORD"
  local -a words=("\${COMP_WORDS[@]}")
  __git_memory_complete 1
}

complete -o bashdefault -o default -o nospace -F __git_memory_program git-memory
`;
}
