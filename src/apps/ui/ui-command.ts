// `git memory ui`: the page as a command.

import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { packagedPage } from '../../adapters/package.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { parseScope, scopeHelp } from '../scope-option.ts';
import type { CopyOptions } from './write-copy.ts';

interface UiCommandOptions extends CopyOptions {
  readonly port: string;
  readonly open?: boolean;
  readonly readOnly?: boolean;
  readonly export?: string;
}

/** Makes the command. The server itself is loaded when it runs. */
export function uiCommand(parent: Command, start: string, warn: (message: string) => void): Command {
  const command = new Command('ui')
    .copyInheritedSettings(parent)
    .summary('See what is known, day by day, and set it right')
    .description(
      'See what is known, day by day, and set it right.\n\nServes a page to browsers on this machine only and prints its ' +
        'address, which holds a token. The page shows what each day added, changed and removed. It also shows where a ' +
        'sentence comes from, and what an agent would receive. It updates while others write.',
    )
    .addOption(
      new Option('--port <number>', 'the port of 127.0.0.1 to listen on; any free one if left out').default('0'),
    )
    .addOption(new Option('--open', 'open the page in the browser; the default in a terminal'))
    .addOption(new Option('--no-open', 'only print the address'))
    .addOption(new Option('--read-only', 'allow no changes'))
    .addOption(
      new Option(
        '--export <file>',
        'write a read-only copy of the page into one file, to keep or to send; starts no server',
      ),
    )
    .addOption(new Option('--anonymize', 'with --export: replace every name by a made-up one'))
    .addOption(new Option('--dir <folder>', 'where the memory is; the current folder or one above it if left out'))
    .addOption(new Option('--branch <name>', 'the branch of the memory; its main branch if left out'))
    .addOption(new Option('--scope <parts>', scopeHelp))
    .addHelpText(
      'after',
      '\nExample:\n  git memory ui --read-only\n    the address of the page, until it is stopped with Ctrl C',
    )
    .action(async () => serve(command.optsWithGlobals<UiCommandOptions>(), start, warn));
  return command;
}

async function serve(options: UiCommandOptions, start: string, warn: (message: string) => void): Promise<void> {
  if (options.export !== undefined) {
    const { writeCopy } = await import('./write-copy.ts');
    return writeCopy(options.export, options, start, warn);
  }
  if (options.anonymize === true)
    throw new MemoryError('INVALID_ARGUMENT', '--anonymize goes with --export', { hint: 'Name the file to write' });
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new MemoryError('INVALID_ARGUMENT', 'this is no port', { where: options.port, hint: 'Give 0 to 65535' });
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  const { openMemory } = await import('../../memory/open-memory.ts');
  const isReadOnly = options.readOnly === true;
  // What is decided on the page is decided by the person of this terminal.
  const { authorOf } = await import('../../adapters/terminal-author.ts');
  const memory = await openMemory({
    dir: resolve(start, options.dir ?? '.'),
    logger: { warn },
    readOnly: isReadOnly,
    authorOf,
    ...defined({ branch: options.branch }),
    ...parseScope(options.scope),
  });
  try {
    const { serveUi } = await import('./server.ts');
    const server = await serveUi({ memory, page: packagedPage(), port, isReadOnly });
    process.stdout.write(`${server.url}\n`);
    if (options.open ?? process.stdout.isTTY === true) await openBrowser(server.url);
    await new Promise<void>((done) => controller.signal.addEventListener('abort', () => done(), { once: true }));
    await server.close();
  } finally {
    await memory.close();
  }
}

/** Shows an address in whatever browser the desktop has; where there is none the person has the address. */
async function openBrowser(url: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const opener = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[process.platform as string] ?? ['xdg-open'];
  spawn(opener[0]!, [...opener.slice(1), url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
