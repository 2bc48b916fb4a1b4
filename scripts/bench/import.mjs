// The import of large histories: a session file of a coding agent of one gigabyte, with the memory it takes, and messages in growing numbers.

import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { heading, table } from './measure.mjs';

const megabytes = 1000;
const program = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

/** Imports a file in a process of its own, which tells its time and the most memory that it held, and then imports it again. */
const worker = `
  const [program, dir, file] = process.argv.slice(1);
  const { openMemory } = await import(program);
  const memory = await openMemory({ dir, create: true, model: null });
  const begun = process.cpuUsage();
  const started = performance.now();
  const { read, added, left } = await memory.import(file);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(begun);
  const busy = (user + system) / 1e6;
  const peak = process.resourceUsage().maxRSS / 1024;
  const again = performance.now();
  const second = await memory.import(file);
  const secondsAgain = (performance.now() - again) / 1000;
  await memory.close();
  console.log(JSON.stringify({ seconds, busy, secondsAgain, peak, turns: read.turns, added, left: left.length, twice: second.read.turns }));
`;

function measured(dir, file) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', worker, program, dir, file], {
    encoding: 'utf8',
  });
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1));
  } catch {
    throw new Error(`the import failed: ${stderr.slice(0, 1000)}`);
  }
}

/** Writes a session as Claude Code does: nine tenths of its bytes are answers of tools, a few of them of megabytes. */
function writeSession(file, bytes, maxTurns = Number.POSITIVE_INFINITY) {
  const out = openSync(file, 'w');
  const code = 'const answer = await fetch(address, { method: "PUT", body });\n'.repeat(2000);
  let size = 0;
  let number = 0;
  for (; size < bytes && number < maxTurns; number++) {
    const time = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
    const base = { uuid: `0000-entry-${number}`, sessionId: 'large', timestamp: time, cwd: '/w' };
    const kind = number % 5;
    const content =
      kind === 0
        ? `Please change place ${number}, and use tabs in file ${number % 97}.`
        : kind === 1
          ? [{ type: 'text', text: `I changed place ${number}, and checked that the tests still pass.` }]
          : kind === 2
            ? [{ type: 'tool_use', id: `t${number}`, name: 'Read', input: { file_path: `/w/src/f${number % 97}.ts` } }]
            : [
                {
                  type: 'tool_result',
                  tool_use_id: `t${number - 1}`,
                  content: number % 500 === 3 ? code.repeat(40) : code.slice(0, 200 + ((number * 7919) % 20_000)),
                },
              ];
    const isUser = kind === 0 || kind > 2;
    const role = isUser ? 'user' : 'assistant';
    const line = `${JSON.stringify({ ...base, type: role, message: { role, content } })}\n`;
    size += line.length;
    writeSync(out, line);
  }
  closeSync(out);
  return { size, number };
}

const words = (at) => `Message ${at} tells of shelf ${at % 311} in the shop.`;
const momentOf = (at) => new Date(Date.UTC(2025, 0, 1) + at * 150_000).toISOString();

/** Exports that grow by one message, which comes every two and a half minutes: what stands before them, one of them, what ends the file. */
const messages = {
  JSONL: {
    name: 'messages.jsonl',
    line: (at) =>
      `${JSON.stringify({ session: 'long', role: at % 2 === 0 ? 'user' : 'assistant', content: words(at), time: momentOf(at) })}\n`,
  },
  WhatsApp: {
    name: 'WhatsApp Chat with Ada.txt',
    line(at) {
      const [year, month, rest] = momentOf(at).split('-');
      const [day, clock] = rest.split('T');
      return `${day}/${month}/${year}, ${clock.slice(0, 5)} - ${at % 2 === 0 ? 'Ada' : 'Rui'}: ${words(at)}\n`;
    },
  },
  Telegram: {
    name: 'result.json',
    before: '{"name":"Ada","type":"personal_chat","id":7,"messages":[\n',
    line: (at) =>
      `${at === 0 ? '' : ','}${JSON.stringify({ id: at, type: 'message', date: momentOf(at).slice(0, 19), date_unixtime: String(Date.parse(momentOf(at)) / 1000), from: at % 2 === 0 ? 'Ada' : 'Rui', from_id: `user${at % 2}`, text: words(at), text_entities: [] })}\n`,
    after: ']}\n',
  },
};

function writeMessages(file, count, { before = '', line, after = '' }) {
  const out = openSync(file, 'w');
  writeSync(out, before);
  for (let at = 0; at < count; at++) writeSync(out, line(at));
  writeSync(out, after);
  closeSync(out);
}

export async function benchImport({ root, chosenSizes }) {
  mkdirSync(root, { recursive: true });
  heading('The import of a session file of a coding agent, nine tenths answers of tools');
  const rows = [['MB', 'turns', 'seconds', 'MB/s', 'MB/s of processor', 'peak MB', 'again s', 'added again']];
  for (const size of [megabytes / 10, megabytes]) {
    const file = path.join(root, 'large.jsonl');
    const { size: bytes } = writeSession(file, size * 1e6);
    const { seconds, busy, secondsAgain, peak, turns, twice } = measured(path.join(root, `memory-${size}`), file);
    const rates = [seconds, busy].map((time) => (bytes / 1e6 / time).toFixed(0));
    rows.push([size, turns, seconds.toFixed(1), ...rates, peak.toFixed(0), secondsAgain.toFixed(1), twice].map(String));
    rmSync(file);
  }
  table(rows);
  heading('The import of messages: of one session, and of chats that are cut at pauses');
  const lines = [['form', 'messages', 'seconds', 'µs each', 'of processor', 'peak MB', 'again s', 'added again']];
  for (const [form, kind] of Object.entries(messages)) {
    for (const count of chosenSizes ?? [25_000, 50_000, 100_000]) {
      const file = path.join(root, kind.name);
      writeMessages(file, count, kind);
      const { seconds, busy, secondsAgain, peak, twice } = measured(path.join(root, `${form}-${count}`), file);
      const each = [seconds, busy].map((time) => ((time / count) * 1e6).toFixed(0));
      lines.push(
        [form, count, seconds.toFixed(1), ...each, peak.toFixed(0), secondsAgain.toFixed(1), twice].map(String),
      );
      rmSync(file);
    }
  }
  table(lines);
}
