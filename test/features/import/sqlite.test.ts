// The reader of SQLite: what the program itself writes, rows over several pages, long values, and a log beside the file.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../src/features/import/index.ts';
import { SqliteFile } from '../../../src/features/import/sqlite.ts';
import { Disk } from '../../../src/store/git/disk.ts';
import { sqliteFile, sqliteLog } from '../../helpers/sqlite-file.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

function opened(file: string): SqliteFile {
  return new SqliteFile(openSource(new Disk(fs), file).files[0]!);
}

const hasPython = spawnSync('python3', ['-c', 'import sqlite3']).status === 0;
const table = {
  sql: 'CREATE TABLE shelf (name TEXT, jars INTEGER)',
  rows: [
    ['plums', 3],
    ['figs', null],
  ] as const,
};

describe('a database', () => {
  it('gives its rows, and those that its log changed', () => {
    const file = path.join(temporaryFolder(), 'shelf.db');
    fs.writeFileSync(file, sqliteFile([table]));
    expect([...opened(file).rows('shelf')].map(({ values }) => values)).toEqual([
      { name: 'plums', jars: 3 },
      { name: 'figs', jars: null },
    ]);
    const grown = { ...table, rows: [...table.rows, ['pears', 9]] as const };
    fs.writeFileSync(`${file}-wal`, sqliteLog([grown], false));
    expect([...opened(file).rows('shelf')]).toHaveLength(2);
    fs.writeFileSync(`${file}-wal`, sqliteLog([grown]));
    const base = opened(file);
    expect([...base.rows('shelf')]).toHaveLength(3);
    expect(base.row('shelf', 3)).toEqual({ rowid: 3, values: { name: 'pears', jars: 9 } });
    expect([base.row('shelf', 4), base.has('cellar'), [...base.rows('cellar')]]).toEqual([null, false, []]);
    base.close();
  });

  it('is refused where it is none, or damaged', () => {
    const file = path.join(temporaryFolder(), 'shelf.db');
    const bytes = sqliteFile([table]);
    for (const wrong of [
      Buffer.from('no database'),
      bytes.subarray(0, 70_000),
      Buffer.concat([bytes.subarray(0, 65_536), Buffer.alloc(65_536)]),
    ]) {
      fs.writeFileSync(file, wrong);
      expect(() => [...opened(file).rows('shelf')]).toThrow(expect.objectContaining({ code: 'INVALID_RECORD' }));
    }
  });

  it.skipIf(!hasPython)(
    'is read as SQLite wrote it: many pages, long values, numbers, and what waits in the log',
    () => {
      const file = path.join(temporaryFolder(), 'large.db');
      const script = `
import sqlite3, sys, os
base = sqlite3.connect(sys.argv[1])
base.execute('PRAGMA journal_mode=WAL')
base.execute('PRAGMA wal_autocheckpoint=0')
base.execute('CREATE TABLE jars (id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight REAL, large INTEGER, PRIMARY_NOTE TEXT, CHECK (weight > 0))')
base.executemany('INSERT INTO jars VALUES (?, ?, ?, ?, ?)', [(n, 'jar ' + str(n) + ' ' + 'ü' * (n % 7000), n + 0.5, -n * 10000000000, None) for n in range(1, 3001)])
base.commit()
base.execute('PRAGMA wal_checkpoint(TRUNCATE)')
base.execute("UPDATE jars SET name = 'mended' WHERE id = 1500")
base.commit()
os._exit(0)
`;
      execFileSync('python3', ['-c', script, file]);
      const base = opened(file);
      const rows = [...base.rows('jars')];
      expect(rows).toHaveLength(3000);
      const expected = (n: number) => (n === 1500 ? 'mended' : `jar ${n} ${'ü'.repeat(n % 7000)}`);
      for (const { rowid, values } of rows)
        expect(values).toEqual({
          id: rowid,
          name: expected(rowid),
          weight: rowid + 0.5,
          large: -rowid * 10_000_000_000,
          PRIMARY_NOTE: null,
        });
      for (const rowid of [1, 1499, 1500, 2999]) expect(base.row('jars', rowid)!.values.name).toBe(expected(rowid));
      expect([...base.rows('jars', 64)][2500]!.values.id).toBe(2501);
      base.close();
    },
  );
});
