// `git memory mcp`: the server as a command.

import { Command, Option } from 'commander';
import { defined, MemoryError } from '../../base/errors.ts';
import { extractorsOption, parseScope, scopeHelp } from '../scope-option.ts';
import { type ToolSet, toolSets } from '../tool-sets.ts';

interface ServeOptions {
  readonly dir?: string;
  readonly branch?: string;
  readonly scope?: string;
  readonly http?: string | boolean;
  readonly tools: ToolSet;
  readonly preset?: ToolSet;
  readonly readOnly?: boolean;
  readonly extractorsFrom?: string;
  readonly hooks?: boolean;
}

/** What the command needs of the program around it. */
export interface McpCommandOptions {
  /** The folder to look for a memory in. */
  readonly start: string;
  readonly warn: (message: string) => void;
}

/** Makes the command. The server itself is loaded when it runs. */
export function mcpCommand(parent: Command, { start, warn }: McpCommandOptions): Command {
  const command = new Command('mcp')
    .copyInheritedSettings(parent)
    .summary('Serve the memory to agents, by the Model Context Protocol')
    .description(
      'Serve the memory to agents, by the Model Context Protocol.\n\nThe server talks to the client that started it over ' +
        'standard input and output. Without --dir it serves the memory of the project (CLAUDE_PROJECT_DIR) or of the ' +
        'current folder, or else your own one in ~/.local/share/git-memory. `git memory plug` adds it to a client.',
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
    .addOption(new Option('--hooks', 'also offer memory_hook, by which hooks of the client ask'))
    .addHelpText('after', '\nExample:\n  git memory plug claude-code\n    starts it with each session of Claude Code')
    .action(async () => {
      await serve(command.optsWithGlobals<ServeOptions>(), start, warn);
    });
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
  const common = { host, tools: options.preset ?? options.tools, hooks: options.hooks === true };
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
