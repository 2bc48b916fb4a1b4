// Completion for fish: one function that says what fits, for `git memory …` and `git-memory …` alike.

import { type CommandShape, type FlagShape, pairsOf, rowsOf, valuedFlags } from './shape.ts';

/** Writes the script, with what each verb and flag means beside it. */
export function fishCompletion(commands: readonly CommandShape[]): string {
  return `# fish completion for git-memory: \`git memory …\` and \`git-memory …\`. Made by \`git memory completions fish\`.

function __git_memory_revisions
    git for-each-ref --format='%(refname:short)' refs/heads refs/tags 2>/dev/null
end

function __git_memory_words
    # What stands behind the program, up to the word that is being written.
    set -l tokens (commandline -opc)
    set -e tokens[1]
    if test "$argv[1]" = git
        set -l at (contains -i -- memory $tokens); or return
        set -e tokens[1..$at]
    end
    printf '%s\\n' $tokens
end

function __git_memory_complete
    set -l verb ''
    set -l flag ''
    set -l position 0
    for word in (__git_memory_words $argv[1])
        if test -n "$flag"
            set flag ''
            continue
        end
        switch $word
            case ${valuedFlags(commands).join(' ')}
                set flag $word
            case '-*'
            case '*'
                if test -z "$verb"
                    set verb $word
                else if contains -- "$verb $word" ${pairsOf(commands).join(' ')}
                    set verb "$verb $word"
                else
                    set position (math $position + 1)
                end
        end
    end
    if test -z "$flag"
        set -l current (commandline -ct)
        if string match -q -- '-*' $current
            switch $verb
${commands.map(({ name, flags }) => [`                case '${name}'`, ...flags.map(described)].join('\n')).join('\n')}
            end
            return
        end
        if test -z "$verb"
${commands
  .filter(({ name }) => !name.includes(' '))
  .map(({ name, summary }) => `            printf '%s\\t%s\\n' ${quoted(name)} ${quoted(summary)}`)
  .join('\n')}
            return
        end
        set flag $position
    end
    switch "$verb $flag"
${rowsOf(
  commands,
  (words) => `printf '%s\\n' ${words}`,
  (pattern, answer) => `        case '${pattern}'\n            ${answer}`,
)}
        case '* --at' '* --branch'
            __git_memory_revisions
        case '*'
            __fish_complete_path (commandline -ct)
    end
end

complete -c git-memory -f -a '(__git_memory_complete git-memory)'
complete -c git -n 'contains -- memory (commandline -opc)' -f -a '(__git_memory_complete git)'
complete -c git -n __fish_git_needs_command -f -a memory -d 'Ask and keep a memory'
`;
}

function described({ name, description }: FlagShape): string {
  return `                    printf '%s\\t%s\\n' ${quoted(name)} ${quoted(description)}`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
