// `git memory completions SHELL`: prints what makes a shell complete the command line, or puts it where that shell looks for it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

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
        '_git-memory in a folder of your fpath; for fish to ~/.config/fish/completions/git-memory.fish. ' +
        '--install writes it there, in your own folder, and says what is left to do.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices([...shells]))
    .option('--install', 'write it where the shell looks for it')
    .addHelpText(
      'after',
      '\nExample:\n  source <(git memory completions bash)\n    nothing; then try `git memory rec<Tab>`',
    )
    .action(async (shell: Shell, { install }: { install?: true }) => {
      const script = await scriptFor(shell, await all());
      if (install !== true) process.stdout.write(script);
      else {
        const { file, left } = placeOf(shell);
        const { answer } = await import('../../../git/disk.ts');
        await answer(() => {
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, script);
        });
        process.stdout.write(`${file}\n${left}\n`);
      }
    });
}

type Shell = (typeof shells)[number];

/** Where a shell looks for completions of a user, and what makes it take a new one. No start file is touched. */
function placeOf(shell: Shell, environment: NodeJS.ProcessEnv = process.env): { file: string; left: string } {
  const home = homedir();
  const again = 'It works in the next shell.';
  switch (shell) {
    case 'bash': {
      const data = environment.XDG_DATA_HOME || join(home, '.local', 'share');
      const left = `${again} It needs the package bash-completion, as git's own completion does.`;
      return { file: join(data, 'bash-completion', 'completions', 'git-memory'), left };
    }
    case 'zsh': {
      const folder = join(environment.ZDOTDIR || home, '.zfunc');
      const left = `${again} ~/.zshrc needs, before compinit: fpath=(${folder} $fpath)`;
      return { file: join(folder, '_git-memory'), left };
    }
    case 'fish': {
      const settings = environment.XDG_CONFIG_HOME || join(home, '.config');
      return { file: join(settings, 'fish', 'completions', 'git-memory.fish'), left: again };
    }
  }
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
