// Damaged repositories, built by script: what the engine answers, what the doctor finds, and what it mends.
// A wrong answer is never allowed: each question is answered as before the damage, or refused with the code of the row.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FindingCode } from '../../src/features/doctor/finding.ts';
import { formatLoose, newObject } from '../../src/store/git/object-codec.ts';
import { buildProgram } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import * as t from './template.ts';
import { type Examined, type Reply, Visitor } from './visits.ts';

type Base = 'packed' | 'loose' | 'pending';

interface Row {
  readonly name: string;
  readonly damage: (dir: string) => void;
  readonly base?: Base;
  /** What a reader gets: every answer as before, or as of the last whole commit, or refusals with this code. */
  readonly ask: 'right' | 'earlier' | string;
  /** What a writer gets. Default: as the reader. */
  readonly write?: 'done' | string;
  /** What the doctor finds, notes left out. */
  readonly finds?: readonly FindingCode[];
  /** What is mended and still told, since a person should see to it. */
  readonly stays?: readonly FindingCode[];
  /** Whether all answers are right again after `doctor --fix`. Default: whether they were right before. */
  readonly isMended?: boolean;
  /** Whether `doctor --tip restore` leaves a memory that is healthy, answers everything and takes writes. */
  readonly isRestored?: boolean;
}

const main = '.git/refs/heads/main';
const mended = { isMended: true };
const lost = { isMended: false };
const torn = { ask: 'REF_CORRUPT', finds: ['REF_CORRUPT'], ...mended } as const;
// Its log says where it was.
const lostRef = { ask: 'right', write: 'REF_CORRUPT', isRestored: true } as const;
const tornRef = { ...lostRef, finds: ['REF_CORRUPT'] } as const;
const restored = { isMended: false, isRestored: true };
// A write puts it aside, and makes one of the tip.
const badIndex = { ask: 'right', write: 'done', finds: ['INDEX_DAMAGED'], ...mended } as const;
const noIndex = { ask: 'right', finds: ['PACK_UNREADABLE'] } as const;
// The work tree has its bytes.
const badBlob = { base: 'loose', ask: 'right', write: 'done', finds: ['OBJECT_CORRUPT'], ...mended } as const;

const indexHead = (version: number, count: number) => {
  const bytes = Buffer.alloc(12 + 20);
  bytes.write('DIRC');
  bytes.writeUInt32BE(version, 4);
  bytes.writeUInt32BE(count, 8);
  return t.withChecksum(bytes);
};
const eachPack = (suffix: string, edit: (bytes: Buffer) => Buffer) => (dir: string) => {
  for (const name of t.packs(dir, suffix)) t.change(dir, name, edit);
};
const loose =
  (of: 'tip' | 'root' | 'people' | 'ada' | 'first', edit: ((bytes: Buffer) => Buffer) | null) => (dir: string) => {
    const name = path.relative(dir, t.loosePath(dir, t.present(dir)[of]));
    if (edit) t.change(dir, name, edit);
    else t.remove(dir, name);
  };
const inPack = (of: 'tip' | 'ada') => (dir: string) => {
  const { file, offset } = t.packedAt(dir, t.present(dir)[of]);
  t.change(dir, file, t.flip(offset + 14));
};
const journal = '.git/git-memory/journal/refs%2Fheads%2Fmain.journal';
/** A process number that Linux gives to nobody. */
const nobody = 2 ** 22 + 1;

const rows: readonly Row[] = [
  // HEAD
  { name: 'HEAD is missing', damage: (d) => t.remove(d, '.git/HEAD'), ...torn },
  { name: 'HEAD is empty', damage: (d) => t.put(d, '.git/HEAD', ''), ...torn },
  { name: 'HEAD is zeros', damage: (d) => t.change(d, '.git/HEAD', t.zeros), ...torn },
  { name: 'HEAD is cut in half', damage: (d) => t.change(d, '.git/HEAD', t.cutInHalf), ...torn },
  { name: 'HEAD is prose', damage: (d) => t.put(d, '.git/HEAD', 'once upon a time\n'), ...torn },
  {
    name: 'HEAD names no branch',
    damage: (d) => t.put(d, '.git/HEAD', 'ref: refs/tags/memory/milestone/first\n'),
    ...torn,
  },
  {
    name: 'HEAD has lost its line end',
    damage: (d) => t.change(d, '.git/HEAD', (b) => b.subarray(0, -1)),
    ask: 'right',
    write: 'done',
  },
  // Refs
  {
    name: 'the branch file is missing, its log is there',
    damage: (d) => t.remove(d, main),
    ...lostRef,
    finds: ['REF_LOST'],
  },
  { name: 'the branch file is empty', damage: (d) => t.put(d, main, ''), ...tornRef },
  { name: 'the branch file is cut in half', damage: (d) => t.change(d, main, t.cutInHalf), ...tornRef },
  { name: 'the branch file is zeros', damage: (d) => t.change(d, main, t.zeros), ...tornRef },
  { name: 'the branch file has more behind its id', damage: (d) => t.append(d, main, 'more'), ...tornRef },
  { name: 'the branch file holds the id of nothing', damage: (d) => t.put(d, main, `${'0'.repeat(40)}\n`), ...tornRef },
  {
    name: 'the branch file is a folder',
    damage: (d) => {
      t.remove(d, main);
      fs.mkdirSync(path.join(d, main));
    },
    ...tornRef,
  },
  {
    name: 'the branch names an object that is not there',
    damage: (d) => t.put(d, main, `${'12'.repeat(20)}\n`),
    ask: 'right',
    write: 'OBJECT_MISSING',
    finds: ['OBJECT_MISSING', 'TIP_DAMAGED'],
    ...restored,
  },
  {
    name: 'the branch names a file',
    damage: (d) => t.put(d, main, `${t.present(d).ada}\n`),
    ask: 'right',
    write: 'OBJECT_CORRUPT',
    finds: ['OBJECT_CORRUPT', 'TIP_DAMAGED'],
    ...restored,
  },
  { name: 'the branch points to itself', damage: (d) => t.put(d, main, 'ref: refs/heads/main\n'), ...torn },
  {
    name: 'the branch file and its log are missing',
    damage: (d) => t.remove(d, main, '.git/logs'),
    ask: 'BRANCH_LOST',
    finds: ['BRANCH_LOST'],
    ...mended,
  },
  { name: 'the log is missing', damage: (d) => t.remove(d, '.git/logs'), ask: 'right', write: 'done' },
  {
    name: 'the log is prose',
    damage: (d) => t.put(d, '.git/logs/refs/heads/main', 'once upon a time'),
    ask: 'right',
    write: 'done',
  },
  {
    name: 'the branch file and the end of the log are missing',
    damage: (d) => {
      t.remove(d, main);
      t.change(d, '.git/logs/refs/heads/main', (b) => b.subarray(0, -9));
    },
    ...lostRef,
    finds: ['REF_LOST'],
  },
  {
    name: 'the branch was packed long ago and its file is missing',
    damage: (d) => {
      t.put(d, '.git/packed-refs', `${t.present(d).first} refs/heads/main\n`);
      t.age(d, '.git/packed-refs');
      t.remove(d, main);
    },
    ...lostRef,
    finds: ['REF_LOST'],
  },
  {
    name: 'packed-refs ends in the middle of a line',
    damage: (d) => t.put(d, '.git/packed-refs', `${t.present(d).tip} refs/heads/ma`),
    ask: 'REPOSITORY_CORRUPT',
    finds: ['REPOSITORY_CORRUPT'],
    ...mended,
  },
  {
    name: 'packed-refs is zeros',
    damage: (d) => t.put(d, '.git/packed-refs', Buffer.alloc(200)),
    ask: 'REPOSITORY_CORRUPT',
    finds: ['REPOSITORY_CORRUPT'],
    ...mended,
  },
  {
    name: 'packed-refs has a damaged line',
    damage: (d) => {
      t.put(d, '.git/packed-refs', `# pack-refs with: peeled\nxx${t.present(d).tip.slice(2)} refs/heads/main\n`);
      t.remove(d, main);
    },
    ask: 'REPOSITORY_CORRUPT',
    finds: ['REPOSITORY_CORRUPT'],
    ...mended,
  },
  {
    name: 'packed-refs names a branch twice',
    damage: (d) =>
      t.put(d, '.git/packed-refs', `${t.present(d).tip} refs/heads/x\n${t.present(d).first} refs/heads/x\n`),
    ask: 'REPOSITORY_CORRUPT',
    finds: ['REPOSITORY_CORRUPT'],
    ...mended,
  },
  {
    name: 'a tag is torn',
    damage: (d) => t.change(d, '.git/refs/tags/memory/milestone/first', t.cutInHalf),
    ask: 'REF_CORRUPT',
    write: 'done',
    finds: ['REF_CORRUPT'],
    ...lost,
  },
  {
    name: 'a lock of the branch was left',
    damage: (d) => {
      t.put(d, `${main}.lock`, '');
      t.age(d, `${main}.lock`);
    },
    ask: 'right',
    write: 'LOCKED',
    finds: ['LOCK_LEFT'],
    ...mended,
  },
  // Format and configuration
  // With it the merge driver of native git is gone.
  {
    name: 'the configuration is missing',
    damage: (d) => t.remove(d, '.git/config'),
    ask: 'right',
    finds: ['MERGE_DRIVER'],
    stays: ['MERGE_DRIVER'],
    write: 'done',
  },
  {
    name: 'the configuration is empty',
    damage: (d) => t.put(d, '.git/config', ''),
    ask: 'right',
    finds: ['MERGE_DRIVER'],
    stays: ['MERGE_DRIVER'],
    write: 'done',
  },
  {
    name: 'the configuration is zeros',
    damage: (d) => t.change(d, '.git/config', t.zeros),
    ask: 'REPOSITORY_CORRUPT',
    finds: ['REPOSITORY_CORRUPT'],
    ...lost,
  },
  {
    name: 'the configuration ends within a section name',
    damage: (d) => t.append(d, '.git/config', '[extens'),
    ask: 'REPOSITORY_CORRUPT',
    finds: ['REPOSITORY_CORRUPT'],
    ...lost,
  },
  {
    name: 'the configuration ends within a quotation',
    damage: (d) => t.append(d, '.git/config', '[user]\n\tname = "Ad'),
    ask: 'REPOSITORY_CORRUPT',
    finds: ['REPOSITORY_CORRUPT'],
    ...lost,
  },
  {
    name: 'the folder of the objects is missing',
    damage: (d) => t.remove(d, '.git/objects'),
    ask: 'REPOSITORY_CORRUPT',
    finds: ['REPOSITORY_CORRUPT'],
    ...lost,
  },
  {
    name: 'the folder of the refs is missing',
    damage: (d) => t.remove(d, '.git/refs'),
    ask: 'REPOSITORY_CORRUPT',
    finds: ['REPOSITORY_CORRUPT'],
    ...lost,
  },
  {
    name: 'the list of the shallow boundary is prose',
    damage: (d) => t.put(d, '.git/shallow', 'once upon a time\n'),
    ask: 'REPOSITORY_CORRUPT',
    finds: ['REPOSITORY_CORRUPT'],
    ...lost,
  },
  {
    name: 'objects were borrowed from a folder that is gone',
    damage: (d) => t.put(d, '.git/objects/info/alternates', '/nowhere/objects\n'),
    ask: 'right',
    write: 'done',
    finds: ['ALTERNATE_GONE'],
    stays: ['ALTERNATE_GONE'],
    ...mended,
  },
  // Packs
  { name: 'pack indexes are missing', damage: (d) => t.remove(d, ...t.packs(d, '.idx')), ...noIndex },
  { name: 'pack indexes are cut in half', damage: eachPack('.idx', t.cutInHalf), ...noIndex },
  { name: 'pack indexes are empty', damage: eachPack('.idx', () => Buffer.alloc(0)), ...noIndex },
  { name: 'pack indexes are zeros', damage: eachPack('.idx', t.zeros), ...noIndex },
  { name: 'pack indexes have one bit wrong', damage: eachPack('.idx', t.flip()), ...noIndex },
  {
    name: 'pack indexes are out of order, with the right checksum',
    damage: eachPack('.idx', (b) => {
      const c = Buffer.from(b);
      c.writeUInt32BE(0xffff, 12);
      return t.withChecksum(c);
    }),
    ...noIndex,
  },
  {
    name: 'packs are missing, their indexes are there',
    damage: (d) => t.remove(d, ...t.packs(d, '.pack')),
    ask: 'OBJECT_MISSING',
    finds: ['OBJECT_MISSING', 'PACK_UNREADABLE', 'REF_DANGLING', 'TIP_DAMAGED'],
    ...lost,
  },
  {
    name: 'packs and indexes are missing',
    damage: (d) => t.remove(d, ...t.packs(d, '')),
    ask: 'OBJECT_MISSING',
    finds: ['OBJECT_MISSING', 'REF_DANGLING', 'TIP_DAMAGED'],
    ...lost,
  },
  {
    name: 'packs are empty',
    damage: eachPack('.pack', () => Buffer.alloc(0)),
    ask: 'OBJECT_CORRUPT',
    finds: ['COPY_DAMAGED', 'OBJECT_CORRUPT', 'REF_DANGLING', 'TIP_DAMAGED'],
    ...lost,
  },
  {
    name: 'packs are zeros',
    damage: eachPack('.pack', t.zeros),
    ask: 'OBJECT_CORRUPT',
    finds: ['COPY_DAMAGED', 'OBJECT_CORRUPT', 'REF_DANGLING', 'TIP_DAMAGED'],
    ...lost,
  },
  {
    name: 'packs are cut in half',
    damage: eachPack('.pack', t.cutInHalf),
    ask: 'OBJECT_CORRUPT',
    finds: ['COPY_DAMAGED', 'OBJECT_CORRUPT', 'REF_DANGLING', 'TIP_DAMAGED'],
    ...lost,
  },
  {
    name: 'a file in a pack has one bit wrong',
    damage: inPack('ada'),
    ask: 'right',
    write: 'done',
    finds: ['OBJECT_CORRUPT'],
    stays: ['COPY_DAMAGED'],
    ...mended,
  },
  {
    name: 'the newest commit in a pack has one bit wrong',
    damage: inPack('tip'),
    ask: 'earlier',
    write: 'OBJECT_CORRUPT',
    finds: ['OBJECT_CORRUPT', 'TIP_DAMAGED'],
    ...restored,
  },
  // Loose objects
  { name: 'a file is empty', damage: loose('ada', () => Buffer.alloc(0)), ...badBlob },
  { name: 'a file is cut in half', damage: loose('ada', t.cutInHalf), ...badBlob },
  { name: 'a file is zeros', damage: loose('ada', t.zeros), ...badBlob },
  { name: 'a file has one bit wrong', damage: loose('ada', t.flip()), ...badBlob },
  {
    name: 'a file is another file',
    damage: loose('ada', () => formatLoose(newObject('blob', Buffer.from('# Ada\n')))),
    ...badBlob,
  },
  {
    name: 'a file is missing',
    damage: loose('ada', null),
    base: 'loose',
    ask: 'right',
    write: 'done',
    finds: ['OBJECT_MISSING'],
    ...mended,
  },
  {
    name: 'a folder is missing',
    damage: loose('people', null),
    base: 'loose',
    ask: 'OBJECT_MISSING',
    finds: ['OBJECT_MISSING'],
    ...mended,
  },
  {
    name: 'the root folder is empty',
    damage: loose('root', () => Buffer.alloc(0)),
    base: 'loose',
    ask: 'earlier',
    write: 'OBJECT_CORRUPT',
    finds: ['OBJECT_CORRUPT', 'TIP_DAMAGED'],
    isRestored: true,
    ...mended,
  },
  {
    name: 'the newest commit is missing',
    damage: loose('tip', null),
    base: 'loose',
    ask: 'earlier',
    write: 'OBJECT_MISSING',
    finds: ['OBJECT_MISSING', 'TIP_DAMAGED'],
    ...restored,
  },
  {
    name: 'the newest commit is empty',
    damage: loose('tip', () => Buffer.alloc(0)),
    base: 'loose',
    ask: 'earlier',
    write: 'OBJECT_CORRUPT',
    finds: ['OBJECT_CORRUPT', 'TIP_DAMAGED'],
    ...restored,
  },
  {
    name: 'the first commit is missing',
    damage: loose('first', null),
    base: 'loose',
    ask: 'right',
    write: 'done',
    finds: ['OBJECT_MISSING'],
    ...lost,
  },
  {
    name: 'an object that nothing leads to is damaged',
    damage: (d) => {
      t.putLoose(d, newObject('blob', Buffer.from('left')), Buffer.from('x'));
    },
    ask: 'right',
    write: 'done',
    finds: ['COPY_DAMAGED'],
    ...mended,
  },
  {
    name: 'one of two copies is damaged',
    damage: (d) => {
      const oid = t.present(d).ada;
      t.putLoose(d, { oid, type: 'blob', data: Buffer.alloc(0) }, Buffer.from('x'));
    },
    ask: 'right',
    write: 'done',
    finds: ['COPY_DAMAGED'],
    ...mended,
  },
  // The index
  { name: 'the index is missing', damage: (d) => t.remove(d, '.git/index'), ask: 'right', write: 'done' },
  { name: 'the index is empty', damage: (d) => t.put(d, '.git/index', ''), ...badIndex },
  { name: 'the index is cut in half', damage: (d) => t.change(d, '.git/index', t.cutInHalf), ...badIndex },
  { name: 'the index is zeros', damage: (d) => t.change(d, '.git/index', t.zeros), ...badIndex },
  { name: 'the index has one bit wrong', damage: (d) => t.change(d, '.git/index', t.flip()), ...badIndex },
  {
    name: 'the index says that it has four thousand million entries',
    damage: (d) => t.put(d, '.git/index', indexHead(2, 0xffffffff)),
    ...badIndex,
  },
  {
    name: 'the index is of a version that we do not write',
    damage: (d) => t.put(d, '.git/index', indexHead(4, 0)),
    ask: 'right',
    write: 'INDEX_UNSUPPORTED',
    finds: ['INDEX_UNSUPPORTED'],
    ...lost,
  },
  {
    name: 'a lock of the index was left',
    damage: (d) => {
      t.put(d, '.git/index.lock', '');
      t.age(d, '.git/index.lock');
    },
    ask: 'right',
    write: 'LOCKED',
    finds: ['LOCK_LEFT'],
    ...mended,
  },
  // The journal
  {
    name: 'the end of the journal is torn',
    damage: (d) => t.append(d, journal, '900 0123456789abcdef {"t":"wri'),
    base: 'pending',
    ask: 'right',
    write: 'done',
  },
  {
    name: 'the journal has one bit wrong',
    damage: (d) => t.change(d, journal, t.flip(60)),
    base: 'pending',
    ask: 'JOURNAL_CORRUPT',
    finds: ['JOURNAL_CORRUPT'],
    ...lost,
  },
  {
    name: 'the journal is prose',
    damage: (d) => t.put(d, journal, 'once upon a time\nthere was a journal\n'),
    ask: 'JOURNAL_CORRUPT',
    finds: ['JOURNAL_CORRUPT'],
    ...mended,
  },
  {
    name: 'a journal belongs to no branch',
    damage: (d) => t.put(d, '.git/git-memory/journal/%E0%A4%A.journal', 'x'),
    ask: 'right',
    write: 'done',
    finds: ['JOURNAL_UNKNOWN'],
    ...mended,
  },
  { name: 'our own folder is missing', damage: (d) => t.remove(d, '.git/git-memory'), ask: 'right', write: 'done' },
  {
    name: 'the repository lock is unreadable',
    damage: (d) => t.put(d, '.git/git-memory/lock', 'x'),
    ask: 'right',
    write: 'LOCKED',
    finds: ['LOCK_HELD'],
    isMended: false,
  },
  {
    name: 'temporary files were left',
    damage: (d) => {
      for (const name of [
        'objects/tmp_obj_Ab12Cd',
        'objects/pack/tmp_pack_Ab12Cd',
        'objects/pack/.tmp-1-pack-2.pack',
      ]) {
        t.put(d, `.git/${name}`, 'x');
        t.age(d, `.git/${name}`);
      }
    },
    ask: 'right',
    write: 'done',
    finds: ['TEMPORARY_LEFT', 'TEMPORARY_LEFT', 'TEMPORARY_LEFT'],
    ...mended,
  },
  {
    name: 'a process that died left the lock',
    damage: (d) => {
      const holder = JSON.parse(JSON.stringify({ pid: nobody, nonce: 'dead', ...identity() }));
      t.put(d, '.git/git-memory/lock', `${JSON.stringify(holder)}\n`);
    },
    ask: 'right',
    write: 'done',
    finds: ['LOCK_LEFT'],
    ...mended,
  },
  // Files
  {
    name: 'a power cut emptied a file of the work tree',
    damage: (d) => t.put(d, 'knowledge/people/ada.md', ''),
    ask: 'right',
    write: 'done',
    finds: ['FILE_TORN'],
    ...mended,
  },
  {
    name: 'a file is in the way of a folder of the work tree',
    damage: (d) => {
      t.remove(d, 'memories');
      t.put(d, 'memories', 'x');
    },
    ask: 'right',
    write: 'done',
    finds: ['FILE_LEFT_OUT'],
    stays: ['FILE_LEFT_OUT'],
  },
];

/** This machine and boot, with no start time: the process is known by its number alone. */
function identity() {
  const word = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '');
  const host = [fs.readFileSync('/proc/sys/kernel/hostname', 'utf8').trim(), word('/etc/machine-id')];
  return {
    start: '',
    boot: word('/proc/sys/kernel/random/boot_id'),
    space: fs.readlinkSync('/proc/self/ns/pid'),
    host: host.filter((part) => part !== '').join(' '),
  };
}

const bases = { packed: '', loose: '', pending: '' };
const answers: Record<string, Record<string, Reply>> = {};
/** Of the commit before the newest one. */
const earlier: Record<string, Record<string, Reply>> = {};
const visitor = new Visitor();
let root: string;

beforeAll(async () => {
  await buildProgram();
  root = temporaryFolder();
  for (const base of Object.keys(bases) as Base[]) {
    bases[base] = path.join(root, base);
    await t.makeTemplate(bases[base], { loose: base === 'loose', pending: base === 'pending' });
    const { results } = await visitor.visit(bases[base], ['ask', 'doctor']);
    answers[base] = results[0] as Record<string, Reply>;
    expect((results[1] as Examined).findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
    const before = path.join(root, 'before');
    fs.cpSync(bases[base], before, { recursive: true });
    t.put(before, main, `${t.present(before).parent}\n`);
    earlier[base] = (await visitor.visit(before, ['ask'])).results[0] as Record<string, Reply>;
    fs.rmSync(before, { recursive: true });
  }
});

afterAll(() => visitor.stop());

/** Sorts replies into `right`, the codes of refusals, and what must never be. */
function judge(replies: Record<string, Reply>, base: Base): Set<string> {
  const expected = answers[base]!;
  return new Set(
    Object.entries(replies).map(([question, reply]) => {
      if ('code' in reply) return reply.code;
      // What it counts is counted without what it names.
      if (((reply.answer as { lacks?: readonly string[] } | null)?.lacks?.length ?? 0) > 0) return 'right';
      const isAs = (known: Record<string, Reply>) => JSON.stringify(reply) === JSON.stringify(known[question]);
      if (isAs(expected)) return 'right';
      return isAs(earlier[base]!) ? 'earlier' : `WRONG ${question} ${JSON.stringify(reply)}`;
    }),
  );
}

describe('a damaged repository', () => {
  it('is made in more than fifty ways', () => {
    expect(rows.length).toBeGreaterThanOrEqual(75);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  it.each(rows)(
    '$name',
    async (row) => {
      const { damage, base = 'packed', ask, write = ask, finds = [], stays = [], isMended = ask === 'right' } = row;
      const dir = path.join(root, 'case');
      const copy = () => {
        fs.rmSync(dir, { recursive: true, force: true });
        fs.cpSync(bases[base], dir, { recursive: true, preserveTimestamps: true });
        damage(dir);
      };
      copy();
      const { results } = await visitor.visit(dir, ['ask', 'doctor', 'fix', 'ask', 'write']);
      const [asked, examined, fixed, again, written] = results as [
        Record<string, Reply>,
        Examined,
        Examined,
        Record<string, Reply>,
        Reply,
      ];
      const verdict = judge(asked, base);
      if (ask !== 'right') verdict.delete('right');
      expect([...verdict]).toEqual([ask]);
      const serious = ({ findings }: Examined) => findings.filter(({ severity }) => severity !== 'note');
      expect(new Set(serious(examined).map(({ code }) => code))).toEqual(new Set(finds));
      const after = judge(again, base);
      if (isMended) {
        expect([...after]).toEqual(['right']);
        expect(fixed).toMatchObject({ isHealthy: true });
        expect(serious(fixed).filter(({ isFixed, code }) => !isFixed && !stays.includes(code))).toEqual([]);
        expect(written).toEqual({ answer: true });
      } else {
        // What cannot be mended is still told, and nothing has become worse.
        expect([...after].filter((one) => one.startsWith('WRONG') || one.startsWith('UNEXPECTED'))).toEqual([]);
      }
      copy();
      if (row.isRestored) {
        const { results } = await visitor.visit(dir, ['restore', 'doctor', 'ask', 'write', 'restore']);
        expect(results[1]).toMatchObject({ isHealthy: true });
        const { list, read } = results[2] as Record<string, Reply>;
        expect({ list, read }).toEqual({ list: answers[base]!.list, read: answers[base]!.read });
        expect(results[3]).toEqual({ answer: true });
        expect(serious(results[4] as Examined)).toEqual([]);
        copy();
      }
      const [reply] = (await visitor.visit(dir, ['write'])).results as [Reply];
      expect('code' in reply ? reply.code : 'done').toBe(write === 'right' ? 'done' : write);
    },
    600_000,
  );
});
