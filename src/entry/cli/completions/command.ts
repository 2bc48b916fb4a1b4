// `git memory completions SHELL`: prints what makes a shell complete the command line.

import { Argument, Command } from 'commander';
import { shapeOf } from './shape.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** Makes the command; `all` gives the program with every verb, which is loaded when the command runs. */
export function completionsCommand(parent: Command, all: () => Promise<Command>): Command {
  return new Command('completions')
    .copyInheritedSettings(parent)
    .summary('Let your shell complete verbs, options and values')
    .description(
      'Let your shell complete verbs, options and values.\n\nPrints a script. Load it in the start file of the shell: ' +
        '`source <(git memory completions bash)` in ~/.bashrc, where git completes as well; for zsh write it to a file ' +
        '_git-memory in a folder of your fpath; for fish to ~/.config/fish/completions/git-memory.fish.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices([...shells]))
    .addHelpText(
      'after',
      '\nExample:\n  source <(git memory completions bash)\n    nothing; then try `git memory rec<Tab>`',
    )
    .action(async (shell: (typeof shells)[number]) => {
      process.stdout.write(await scriptFor(shell, await all()));
    });
}

async function scriptFor(shell: (typeof shells)[number], program: Command): Promise<string> {
  const commands = shapeOf(program);
  switch (shell) {
    case 'bash':
      return (await import('./bash.ts')).bashCompletion(commands);
    case 'zsh':
      return (await import('./zsh.ts')).zshCompletion(commands);
    case 'fish':
      return (await import('./fish.ts')).fishCompletion(commands);
  }
}
