// One run of the program: from its arguments to its exit number.

import { exitNumberOfFailure } from '../exit-codes.ts';
import { printError } from './execute.ts';
import { forgetRepository, hookIndex, startDirectory } from './git-environment.ts';
import { runProgram } from './program.ts';

/** Does what the arguments of this process ask for, and sets its exit number. */
export async function run(): Promise<void> {
  // A reader that has seen enough, such as head, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  // A reader of warnings that went away stops nothing.
  process.stderr.on('error', () => undefined);
  // No handler for SIGINT: it would only make a synchronous process deaf. A killed one loses nothing acknowledged, and the next one tidies up.
  const args = process.argv.slice(2);
  const start = startDirectory(process.env, process.cwd());
  const gitIndex = hookIndex(process.env, process.cwd());
  forgetRepository(process.env);
  // An agent waits for its hooks: they go without a parser of options.
  if (args.length === 1 && args[0] === 'hook') return (await import('./run-hook.ts')).runHook(start);
  // What is thrown where nobody waits for it ends a command as any failure does, and costs a server one warning.
  process.on('uncaughtException', (error) => {
    printError(error, args.includes('--json'));
    if (args[0] !== 'mcp' && args[0] !== 'ui') process.exit(exitNumberOfFailure(args[0], error));
  });
  try {
    process.exitCode = await runProgram(args, start, gitIndex);
  } catch (error) {
    printError(error, args.includes('--json'));
    process.exitCode = exitNumberOfFailure(args[0], error);
  }
}
