// What somebody would pick in our place, or could not beat: a table in SQLite, a live `git fast-import`, and two syncs.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createInterface } from 'node:readline';

/** Whether Python's SQLite is here, which stands for any. */
export const hasSqlite = spawnSync('python3', ['-c', 'import sqlite3']).status === 0;

const sqlite = `
import sqlite3, sys
table = sqlite3.connect(sys.argv[1], isolation_level=None)
table.execute('pragma journal_mode=wal')
table.execute('pragma synchronous=full')
table.execute('create table if not exists memories (id integer primary key, time real, content text)')
for line in sys.stdin:
    table.execute('insert into memories (time, content) values (julianday(), ?)', (line,))
    print('done', flush=True)
`;

/** A row for each text in a table of SQLite: WAL, and synced before it counts. What it takes to ask and to answer through a pipe is in it. */
export function sqliteRows(file) {
  const child = spawn('python3', ['-c', sqlite, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answered = linesOf(child);
  return {
    run: async (text) => {
      child.stdin.write(`${text}\n`);
      await answered.next();
    },
    close: () => child.stdin.end(),
  };
}

/** A commit of one file for each text by a `git fast-import` that stays: a checkpoint writes pack and ref before it counts. */
export function fastImport(dir) {
  const child = spawn(
    'git',
    [
      '-C',
      dir,
      '-c',
      'core.fsync=all',
      '-c',
      'fastimport.unpackLimit=1',
      'fast-import',
      '--quiet',
      '--date-format=now',
    ],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const answered = linesOf(child);
  let count = 0;
  return {
    run: async (text) => {
      count += 1;
      const from = count === 1 ? 'from refs/heads/main^0\n' : '';
      child.stdin.write(
        `commit refs/heads/main\ncommitter Bench <bench@example.org> now\ndata 4\nnote\n${from}` +
          `M 100644 inline raw/conversations/2026/02/16/0930-live${process.pid}-${count}.md\ndata ${Buffer.byteLength(text)}\n${text}\n` +
          `checkpoint\n\nprogress ${count}\n`,
      );
      await answered.next();
    },
    close: () => child.stdin.end('done\n'),
  };
}

/** Two files written and synced, of so many bytes: what a pack and a ref cost at least. */
export function twoSyncs(folder) {
  fs.mkdirSync(folder, { recursive: true });
  let count = 0;
  const write = (name, bytes) => {
    const descriptor = fs.openSync(`${folder}/${name}`, 'w');
    fs.writeSync(descriptor, bytes);
    fs.fsyncSync(descriptor);
    fs.closeSync(descriptor);
  };
  return {
    run: () => {
      count += 1;
      write(`pack-${count}`, Buffer.alloc(3500, count));
      write('ref', `${count}\n`.padStart(41, '0'));
    },
  };
}

function linesOf(child) {
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]();
}
