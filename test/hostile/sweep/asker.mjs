// A process that runs verbs as the command line does, one visit a line: which folder, which verbs. It answers each with one line.
// Its clock stands still, so that two visits differ by what they meet alone.

import { createInterface } from 'node:readline';
import { execute } from '../../../dist/apps/cli/execute.js';
import { loadVerbs } from '../../../dist/apps/verbs/index.js';
import { peakBytes } from '../../helpers/peak.mjs';

const verbs = new Map((await loadVerbs()).map((verb) => [verb.name, verb]));
const answerLine = process.stdout.write.bind(process.stdout);
const now = Number(process.env.SWEEP_NOW);
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [now] : given));
  }
  static now() {
    return now;
  }
};
// No verb reads what is meant for this process, and answers are shown as on a terminal.
for (const stream of [process.stdin, process.stdout, process.stderr])
  Object.defineProperty(stream, 'isTTY', { value: true });

async function run(dir, { verb: name, input = {}, at, dryRun, branch }) {
  const verb = verbs.get(name);
  const told = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) {
    process[stream].write = (text) => {
      told[stream] += text;
      return true;
    };
  }
  const began = process.cpuUsage();
  const beganAt = performance.now();
  let output;
  const reply = {};
  const recorded = {
    ...verb,
    async run(context, given) {
      output = await verb.run(context, given);
      return output;
    },
  };
  try {
    await execute(recorded, input, { dir, at, dryRun, branch }, dir);
    reply.output = output ?? null;
  } catch (error) {
    if (error?.constructor?.name === 'MemoryError') {
      const { code, what, where, hint, message } = error;
      reply.error = { code, what, where, hint, message };
    } else reply.broken = String(error?.stack ?? error);
  } finally {
    delete process.stdout.write;
    delete process.stderr.write;
  }
  const { user, system } = process.cpuUsage(began);
  const ms = { cpu: (user + system) / 1000, wall: performance.now() - beganAt };
  // A line of progress is written over, and gone in the end.
  const notes = told.stderr.replace(/\r\u001b\[2K(?:[^\r\n]*…)?/g, '');
  return { ...reply, text: told.stdout, notes, ms };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { dir, asked } = JSON.parse(line);
  process.chdir(dir);
  const replies = [];
  for (const one of asked) replies.push(await run(dir, one));
  answerLine(`${JSON.stringify({ replies, maxRssBytes: peakBytes() })}\n`);
}
