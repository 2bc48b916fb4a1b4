// Puts completions where a shell looks for those of a user. No start file is touched.

import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { answer } from '../../../store/git/file-errors.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/** Writes the script, and says where and what is left to do. Throws IO. */
export async function install(shell: Shell, script: string): Promise<string> {
  const { file, left } = placeOf(shell);
  await answer(() => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, script);
  });
  return `${file}\n${left}\n`;
}

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
