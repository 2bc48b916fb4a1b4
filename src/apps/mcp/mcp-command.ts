// `git memory mcp`: the server as a command, and `git memory mcp install`, which tells a client about it.

import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { defined } from '../../base/defined.ts';
import { MemoryError } from '../../base/errors.ts';
import { extractorsOption, parseScope, scopeHelp } from '../scope-option.ts';
import { type ToolSet, toolSets } from '../tool-sets.ts';
import type { Style } from '../verbs/style.ts';
import type { InstallResult } from './install.ts';

interface ServeOptions {
  readonly dir?: string;
  readonly branch?: string;
  readonly scope?: string;
  readonly http?: string | boolean;
  readonly tools: ToolSet;
  readonly preset?: ToolSet;
  readonly readOnly?: boolean;
  readonly extractorsFrom?: string;
}

interface InstallCommandOptions {
  readonly dir?: string;
  readonly json?: boolean;
  readonly client: string;
  readonly name: string;
  readonly write?: boolean;
}

/** What the command needs of the program around it. */
export interface McpCommandOptions {
  /** The folder to look for a memory in. */
  readonly start: string;
  readonly style: () => Style;
  readonly warn: (message: string) => void;
}

/** Makes the command. The server itself is loaded when it runs. */
export function mcpCommand(parent: Command, { start, style, warn }: McpCommandOptions): Command {
  const command = new Command('mcp')
    .copyInheritedSettings(parent)
    .summary('Serve the memory to agents, by the Model Context Protocol')
    .description(
      'Serve the memory to agents, by the Model Context Protocol.\n\nThe server talks to the client that started it over ' +
        'standard input and output. Without --dir it serves the memory of the current folder, or else your own one in ' +
        '~/.local/share/git-memory. `git memory mcp install` adds it to a client.',
    )
    .addOption(new Option('--dir <folder>', 'the memory to serve; created if it does not exist'))
    .addOption(new Option('--branch <name>', 'the branch of the memory; its main branch if left out'))
    .addOption(new Option('--scope <parts>', scopeHelp))
    .addOption(extractorsOption())
    .addOption(
      new Option(
        '--http [port]',
        'listen on 127.0.0.1 instead; the token comes from GIT_MEMORY_MCP_TOKEN, or is generated and printed',
      ),
    )
    .addOption(
      new Option(
        '--tools <set>',
        'how much to offer; chatgpt: search and fetch; reference: the nine tools of the reference memory server',
      )
        .choices(toolSets)
        .default('everyday'),
    )
    .addOption(new Option('--preset <set>', 'the same as --tools').choices(toolSets))
    .addOption(new Option('--read-only', 'offer only tools that write nothing'))
    .addHelpText(
      'after',
      '\nExample:\n  git memory mcp install --client claude-code\n    the entry that would be added to .mcp.json',
    )
    .action(async () => {
      await serve(command.optsWithGlobals<ServeOptions>(), start, warn);
    });
  command.addCommand(installCommand(command, start, style));
  return command;
}

async function serve(options: ServeOptions, start: string, warn: (message: string) => void): Promise<void> {
  const { MemoryHost } = await import('./host.ts');
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  const host = new MemoryHost({
    start,
    environment: process.env,
    logger: { warn },
    ...defined({ dir: options.dir, branch: options.branch, extractorsFrom: options.extractorsFrom }),
    ...parseScope(options.scope),
    ...(options.readOnly === true ? { readOnly: true } : {}),
  });
  const common = { host, tools: options.preset ?? options.tools };
  if (options.http === undefined) {
    const { serveOverStdio } = await import('./stdio.ts');
    return serveOverStdio(common, controller.signal, warn);
  }
  const port = options.http === true ? 0 : Number(options.http);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new MemoryError('INVALID_ARGUMENT', 'this is no port', {
      where: String(options.http),
      hint: 'Give 0 to 65535',
    });
  }
  const token = process.env.GIT_MEMORY_MCP_TOKEN;
  const { serveOverHttp } = await import('./http.ts');
  const server = await serveOverHttp(common, { port, ...(token === undefined || token === '' ? {} : { token }) });
  process.stderr.write(`listening on ${server.url}\n`);
  if (token === undefined || token === '') process.stderr.write(`Authorization: Bearer ${server.token}\n`);
  await new Promise<void>((done) => controller.signal.addEventListener('abort', () => done(), { once: true }));
  await server.close();
}

function installCommand(parent: Command, start: string, style: () => Style): Command {
  const command = new Command('install')
    .copyInheritedSettings(parent)
    .summary('Add the server to a client')
    .description(
      'Add the server to a client.\n\nThe command shows the change to the configuration file of the client; --write ' +
        'makes it. Everything else in the file stays.',
    )
    .addOption(
      new Option(
        '--client <name>',
        'claude-code, cursor, vscode (files of the project), claude-desktop, windsurf (yours)',
      ).makeOptionMandatory(),
    )
    .addOption(new Option('--name <name>', 'the name of the server in the client').default('memory'))
    .addOption(new Option('--dir <folder>', 'the memory to serve; if left out, the server finds it'))
    .addOption(new Option('--write', 'write the file'))
    .addOption(new Option('--json', 'print the answer as one JSON object'))
    .action(async () => {
      const options = command.optsWithGlobals<InstallCommandOptions>();
      const { installClient } = await import('./install.ts');
      const result = installClient({
        client: options.client,
        name: options.name,
        project: start,
        command: ownCommand(process.argv, process.env.PATH ?? ''),
        write: options.write === true,
        ...(options.dir === undefined ? {} : { dir: resolve(start, options.dir) }),
      });
      process.stdout.write(
        `${options.json === true ? JSON.stringify(result, null, 2) : await describe(result, style())}\n`,
      );
    });
  return command;
}

/** What starts this program again: its name where the path knows it, npx where that brought it, else the file itself. */
function ownCommand(argv: readonly string[], path: string): string[] {
  const program = argv[1] ?? '';
  if (/[\\/]_npx[\\/]/.test(program)) return ['npx', '-y', 'git-memory'];
  const isOnPath = path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, 'git-memory')));
  return isOnPath ? ['git-memory'] : [process.execPath, program];
}

async function describe(result: InstallResult, style: Style): Promise<string> {
  if (result.change === 'none') return `${style.faint('there already')}  ${result.file}`;
  const [before, after] = [lines(result.before), lines(result.after)];
  const shown: string[] = [];
  const { diffLines } = await import('../../base/line-diff.ts');
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of diffLines(before, after)) {
    shown.push(...before.slice(beforeStart, beforeEnd).map((line) => style.bad(`- ${line}`)));
    shown.push(...after.slice(afterStart, afterEnd).map((line) => style.good(`+ ${line}`)));
  }
  const done = result.written ? style.good('written') : 'with --write this would be written';
  return [
    `${done}  ${result.file}`,
    ...shown,
    ...(result.written ? [`Start ${result.client} anew to use it.`] : []),
  ].join('\n');
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
