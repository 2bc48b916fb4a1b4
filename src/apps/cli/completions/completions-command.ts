// `git memory completions SHELL`: prints what makes a shell complete the command line, or puts it where that shell looks for it.

import { Argument, Command } from 'commander';
import type { Shell } from './install.ts';
import { shapeOf } from './shape.ts';

const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];

/** Makes the command; `all` gives the program with every verb, which is loaded when the command runs. */
export function completionsCommand(parent: Command, all: () => Promise<Command>): Command {
  return new Command('completions')
    .copyInheritedSettings(parent)
    .summary('Let your shell complete verbs, options and values')
    .description(
      'Let your shell complete verbs, options and values.\n\nPrints a script for the shell. For bash, put `source <(git ' +
        'memory completions bash)` into ~/.bashrc, after the completion of git. For zsh, write it to a file _git-memory ' +
        'in a folder of your fpath. For fish, write it to ~/.config/fish/completions/git-memory.fish. --install does ' +
        'that.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices([...shells]))
    .option('--install', 'write it where the shell looks')
    .addHelpText(
      'after',
      '\nExample:\n  source <(git memory completions bash)\n    nothing; then try `git memory rec<Tab>`',
    )
    .action(async (shell: Shell, { install }: { install?: true }) => {
      const script = await scriptFor(shell, await all());
      if (install !== true) process.stdout.write(script);
      else {
        const { install: put } = await import('./install.ts');
        process.stdout.write(await put(shell, script));
      }
    });
}

async function scriptFor(shell: Shell, program: Command): Promise<string> {
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
