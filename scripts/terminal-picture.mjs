// Writes docs/terminal.svg: a first quarter of an hour with `git memory`, recorded from the built program on a real terminal of 80 columns.
// Run by hand (`node scripts/terminal-picture.mjs`): ids and times are those of the recording. Needs script(1) of util-linux.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const columns = 80;

const chat = [
  '{"role":"user","content":"Decision: we ship on Tuesday, because Monday is a holiday.","time":"2026-11-02T09:00:00Z"}',
  '{"role":"assistant","content":"I will write the announcement by 2026-11-05.","time":"2026-11-02T09:01:00Z"}',
];

/** What is typed; a step may leave a word of its answer for later ones. */
const steps = [
  { line: 'git memory init notes' },
  { line: 'cd notes' },
  { line: 'git memory remember --category preference "Ada prefers short answers"' },
  { line: 'git memory capture --topic "release day" ../chat.jsonl' },
  { line: 'git memory extract' },
  { line: 'git memory recall --limit 1 when do we ship' },
  { line: 'git memory list --category decision', id: /^([0-9a-f]{10})/m },
  { line: 'git memory provenance ID' },
  { line: 'git memory recal ship' },
  { line: 'git memory log' },
];

/** Records the steps in a folder of their own, and gives what a terminal would have shown. */
function record() {
  const folder = mkdtempSync(join(tmpdir(), 'git-memory-picture-'));
  try {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const program = join(root, 'dist/program/main.js');
    writeFileSync(join(bin, 'git-memory'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
      mode: 0o755,
    });
    writeFileSync(join(folder, 'chat.jsonl'), `${chat.join('\n')}\n`);
    let current = folder;
    let id = 'ID';
    const shown = [];
    for (const step of steps) {
      const line = step.line.replace('ID', id);
      shown.push({ prompt: line });
      if (line.startsWith('cd ')) {
        current = join(current, line.slice(3));
        continue;
      }
      const text = run(line, current, bin).replaceAll(`${folder}/`, '~/');
      id = step.id?.exec(plain(text))?.[1].slice(0, 6) ?? id;
      shown.push({ text });
    }
    return shown;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(line, cwd, bin) {
  const { HOME = cwd, PATH = '' } = process.env;
  const env = { HOME, PATH: `${bin}${delimiter}${PATH}`, TERM: 'xterm-256color', COLUMNS: String(columns) };
  const command = `stty cols ${columns} rows 50; ${line}`;
  const { status, stdout, stderr } = spawnSync('script', ['-qc', command, '/dev/null'], { cwd, env, encoding: 'utf8' });
  if (status !== 0 && stdout === '') throw new Error(`${line} ended with ${status}: ${stderr}`);
  return stdout.replaceAll('\r\n', '\n').replace(/\n$/, '');
}

const plain = (text) => text.replace(/\u001b\[[\d;]*m/g, '');

/** The colours that the program uses, by their codes. */
const colours = { 1: 'font-weight:700', 2: 'opacity:.6', 31: 'fill:#f47067', 32: 'fill:#8ddb8c', 33: 'fill:#daaa3f' };

/** Makes an SVG of what was shown: one text element a line, in a font of fixed width. */
export function drawTerminal(shown) {
  const rows = shown.flatMap(({ prompt, text }) =>
    prompt === undefined
      ? [...text.split('\n').map(coloured), '']
      : [`<tspan style="fill:#6cb6ff">$</tspan> ${escaped(prompt)}`],
  );
  // A message that is longer than the terminal is wide is shown whole.
  const longest = Math.max(
    columns,
    ...shown.flatMap(({ text = '' }) => text.split('\n').map((line) => plain(line).length)),
  );
  const [width, height, lead] = [longest * 8.43 + 32, rows.length * 18 + 32, 18];
  const lines = rows.map((row, index) => `<text x="16" y="${30 + index * lead}" xml:space="preserve">${row}</text>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" role="img">`,
    '<title>git memory in a terminal: init, remember, capture, extract, recall, provenance, log</title>',
    '<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#adbac7}</style>',
    '<rect width="100%" height="100%" rx="8" fill="#22272e"/>',
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

function coloured(line) {
  let styles = [];
  return line
    .split(/(\u001b\[[\d;]*m)/)
    .map((part) => {
      const code = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
      if (code === undefined)
        return styles.length === 0 || part === ''
          ? escaped(part)
          : `<tspan style="${styles.join(';')}">${escaped(part)}</tspan>`;
      if (code === '' || code === '0' || code === '22' || code === '39') {
        styles =
          code === '39'
            ? styles.filter((style) => !style.startsWith('fill'))
            : code === '22'
              ? styles.filter((style) => style.startsWith('fill'))
              : [];
      } else styles.push(colours[code] ?? '');
      return '';
    })
    .join('');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

writeFileSync(join(root, 'docs/terminal.svg'), drawTerminal(record()));
