// Starts programs for a process of tests, which is large: making a process copies the page tables of the one that makes it. Asked by
// attendant.ts through two named pipes; ends when nobody holds the other ends any more.

import { spawn } from 'node:child_process';
import fs from 'node:fs';

const [, , questions, answers] = process.argv;
const out = fs.openSync(answers, 'w');

let received = Buffer.alloc(0);
for await (const chunk of fs.createReadStream(questions)) {
  received = Buffer.concat([received, chunk]);
  while (received.length >= 8) {
    const end = 8 + received.readUInt32LE(0);
    const next = end + received.readUInt32LE(4);
    if (received.length < next) break;
    const question = JSON.parse(received.toString('utf8', 8, end));
    answer(await run(question, received.subarray(end, next)));
    received = received.subarray(next);
  }
}

function run({ command, parameters, cwd, env }, input) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, { cwd, env, stdio: 'pipe' });
    const [stdout, stderr] = [[], []];
    child.stdout.on('data', (chunk) => stdout.push(chunk));
    child.stderr.on('data', (chunk) => stderr.push(chunk));
    child.on('error', (error) => resolve({ status: -1, stdout: [], stderr: [Buffer.from(String(error))] }));
    child.on('close', (status) => resolve({ status: status ?? -1, stdout, stderr }));
    // Who ends before it has read all, reads no more.
    child.stdin.on('error', () => undefined).end(input);
  });
}

function answer({ status, stdout, stderr }) {
  const bodies = [Buffer.concat(stdout), Buffer.concat(stderr)];
  const head = Buffer.alloc(12);
  head.writeInt32LE(status, 0);
  for (const [at, { length }] of bodies.entries()) head.writeUInt32LE(length, 4 + 4 * at);
  const whole = Buffer.concat([head, ...bodies]);
  for (let at = 0; at < whole.length; ) at += fs.writeSync(out, whole, at);
}
