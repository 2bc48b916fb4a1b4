// `git memory filter`: what native git calls to encrypt and decrypt private files. People have no use for it.

import { readFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { isSystemError, orElse } from '../../base/errors.ts';
import type { PrivateFilter } from '../../features/repository/index.ts';

/** Makes the command. What encrypts is loaded when it runs; `warn` tells people what git does not. */
export function filterCommand(parent: Command, warn: (message: string) => void): Command {
  const command = new Command('filter')
    .copyInheritedSettings(parent)
    .summary('Encrypt and decrypt private files, when native git asks')
    .description(
      'Native git runs this for private paths (gitattributes(5)); "key new", "key import" and "hooks install" set it ' +
        'up. "process" speaks the protocol of long-running filters on standard input and output. "textconv" prints the ' +
        'content of a stored file for git diff.',
    );
  command
    .command('process')
    .summary('Answer git until it closes the input')
    .action(async () => {
      const { serveFilter } = await import('./serve.ts');
      await serveFilter(process.stdin, { write: writeAll, warn }, await filterHere());
    });
  command
    .command('textconv')
    .summary('Print the content of a stored file')
    .argument('<file>', 'a file that git made from a blob')
    .action(async (file: string) => writeAll((await filterHere()).smudge(file, readFileSync(resolve(file)))));
  return command;
}

async function filterHere(): Promise<PrivateFilter> {
  const [{ userKeys }, { privateFilter }, { configurationFiles }] = await Promise.all([
    import('../../adapters/key-file.ts'),
    import('../../features/repository/index.ts'),
    import('../../store/records/kind.ts'),
  ]);
  return privateFilter(userKeys(), (path) => (configurationFiles.includes(path) ? readHere(path) : null));
}

/** Git runs filters at the root of the work tree. */
function readHere(path: string): Buffer | null {
  return orElse(() => readFileSync(join(process.cwd(), path)), null, 'ENOENT', 'ENOTDIR');
}

/** At once: git waits for the answer, and a buffer that is emptied later would only grow. */
function writeAll(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!isSystemError(error, 'EAGAIN')) throw error;
    }
  }
}
