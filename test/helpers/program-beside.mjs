// The program as a process that runs one command line after the other, each in a folder and an environment of its own: beside a memory that
// tests hold open as any other process is, and loaded once.

import { createInterface } from 'node:readline';
import { printError } from '../../dist/apps/cli/execute.js';
import { runProgram } from '../../dist/apps/cli/program.js';
import { exitNumberOfFailure } from '../../dist/apps/exit-codes.js';

const answerLine = process.stdout.write.bind(process.stdout);
const streams = ['stdout', 'stderr'];
for await (const line of createInterface({ input: process.stdin })) {
  const { folder, args, env } = JSON.parse(line);
  process.chdir(folder);
  process.env = env;
  const written = { stdout: '', stderr: '' };
  for (const name of streams) {
    process[name].write = (text) => {
      written[name] += String(text);
      return true;
    };
  }
  let status;
  try {
    status = await runProgram(args, folder);
  } catch (error) {
    printError(error, args.includes('--json'));
    status = exitNumberOfFailure(args[0], error);
  } finally {
    for (const name of streams) delete process[name].write;
  }
  answerLine(`${JSON.stringify({ status, ...written })}\n`);
}
