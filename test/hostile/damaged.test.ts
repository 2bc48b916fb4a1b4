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

const row = (name: string, expected: Omit<Row, 'name' | 'damage'>, damage: Row['damage']): Row => {
  return { name, damage, ...expected };
};
const main = '.git/refs/heads/main';
const mended = { isMended: true };
const lost = { isMended: false };
const harmless = { ask: 'right', write: 'done' };
const refused = (code: FindingCode, then: { readonly isMended: boolean }) => ({ ask: code, finds: [code], ...then });
const found = (...finds: readonly FindingCode[]) => ({ ...harmless, finds, ...mended });
const noRepository = refused('REPOSITORY_CORRUPT', lost);
const badRefs = refused('REPOSITORY_CORRUPT', mended);
const torn = refused('REF_CORRUPT', mended);
// Its log says where it was.
const lostRef = { ask: 'right', write: 'REF_CORRUPT', isRestored: true } as const;
const tornRef = { ...lostRef, finds: ['REF_CORRUPT'] } as const;
const goneRef = { ...lostRef, finds: ['REF_LOST'] } as const;
const badTip = (code: FindingCode) =>
  ({ ask: 'earlier', write: code, finds: [code, 'TIP_DAMAGED'], isMended: false, isRestored: true }) as const;
const badPacks = {
  ask: 'OBJECT_CORRUPT',
  finds: ['COPY_DAMAGED', 'OBJECT_CORRUPT', 'REF_DANGLING', 'TIP_DAMAGED'],
  ...lost,
} as const;
const leftLock = { ask: 'right', write: 'LOCKED', finds: ['LOCK_LEFT'], ...mended } as const;
const noDriver = { ...harmless, finds: ['MERGE_DRIVER'], stays: ['MERGE_DRIVER'] } as const;
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
  row('HEAD is missing', torn, (d) => t.remove(d, '.git/HEAD')),
  row('HEAD is empty', torn, (d) => t.put(d, '.git/HEAD', '')),
  row('HEAD is zeros', torn, (d) => t.change(d, '.git/HEAD', t.zeros)),
  row('HEAD is cut in half', torn, (d) => t.change(d, '.git/HEAD', t.cutInHalf)),
  row('HEAD is prose', torn, (d) => t.put(d, '.git/HEAD', 'once upon a time\n')),
  row('HEAD names no branch', torn, (d) => t.put(d, '.git/HEAD', 'ref: refs/tags/memory/milestone/first\n')),
  row('HEAD has lost its line end', harmless, (d) => t.change(d, '.git/HEAD', (b) => b.subarray(0, -1))),
  // Refs
  row('the branch file is missing, its log is there', goneRef, (d) => t.remove(d, main)),
  row('the branch file is empty', tornRef, (d) => t.put(d, main, '')),
  row('the branch file is cut in half', tornRef, (d) => t.change(d, main, t.cutInHalf)),
  row('the branch file is zeros', tornRef, (d) => t.change(d, main, t.zeros)),
  row('the branch file has more behind its id', tornRef, (d) => t.append(d, main, 'more')),
  row('the branch file holds the id of nothing', tornRef, (d) => t.put(d, main, `${'0'.repeat(40)}\n`)),
  row('the branch file is a folder', tornRef, (d) => {
    t.remove(d, main);
    fs.mkdirSync(path.join(d, main));
  }),
  row('the branch names an object that is not there', { ...badTip('OBJECT_MISSING'), ask: 'right' }, (d) =>
    t.put(d, main, `${'12'.repeat(20)}\n`),
  ),
  row('the branch names a file', { ...badTip('OBJECT_CORRUPT'), ask: 'right' }, (d) =>
    t.put(d, main, `${t.present(d).ada}\n`),
  ),
  row('the branch points to itself', torn, (d) => t.put(d, main, 'ref: refs/heads/main\n')),
  row('the branch file and its log are missing', refused('BRANCH_LOST', mended), (d) => t.remove(d, main, '.git/logs')),
  row('the log is missing', harmless, (d) => t.remove(d, '.git/logs')),
  row('the log is prose', harmless, (d) => t.put(d, '.git/logs/refs/heads/main', 'once upon a time')),
  row('the branch file and the end of the log are missing', goneRef, (d) => {
    t.remove(d, main);
    t.change(d, '.git/logs/refs/heads/main', (b) => b.subarray(0, -9));
  }),
  row('the branch was packed long ago and its file is missing', goneRef, (d) => {
    t.put(d, '.git/packed-refs', `${t.present(d).first} refs/heads/main\n`);
    t.age(d, '.git/packed-refs');
    t.remove(d, main);
  }),
  row('packed-refs ends in the middle of a line', badRefs, (d) =>
    t.put(d, '.git/packed-refs', `${t.present(d).tip} refs/heads/ma`),
  ),
  row('packed-refs is zeros', badRefs, (d) => t.put(d, '.git/packed-refs', Buffer.alloc(200))),
  row('packed-refs has a damaged line', badRefs, (d) => {
    t.put(d, '.git/packed-refs', `# pack-refs with: peeled\nxx${t.present(d).tip.slice(2)} refs/heads/main\n`);
    t.remove(d, main);
  }),
  row('packed-refs names a branch twice', badRefs, (d) =>
    t.put(d, '.git/packed-refs', `${t.present(d).tip} refs/heads/x\n${t.present(d).first} refs/heads/x\n`),
  ),
  row('a tag is torn', { ask: 'REF_CORRUPT', write: 'done', finds: ['REF_CORRUPT'], ...lost }, (d) =>
    t.change(d, '.git/refs/tags/memory/milestone/first', t.cutInHalf),
  ),
  row('a lock of the branch was left', leftLock, (d) => {
    t.put(d, `${main}.lock`, '');
    t.age(d, `${main}.lock`);
  }),
  // Format and configuration
  // With it the merge driver of native git is gone.
  row('the configuration is missing', noDriver, (d) => t.remove(d, '.git/config')),
  row('the configuration is empty', noDriver, (d) => t.put(d, '.git/config', '')),
  row('the configuration is zeros', noRepository, (d) => t.change(d, '.git/config', t.zeros)),
  row('the configuration ends within a section name', noRepository, (d) => t.append(d, '.git/config', '[extens')),
  row('the configuration ends within a quotation', noRepository, (d) =>
    t.append(d, '.git/config', '[user]\n\tname = "Ad'),
  ),
  row('the folder of the objects is missing', noRepository, (d) => t.remove(d, '.git/objects')),
  row('the folder of the refs is missing', noRepository, (d) => t.remove(d, '.git/refs')),
  row('the list of the shallow boundary is prose', noRepository, (d) => t.put(d, '.git/shallow', 'once upon a time\n')),
  row(
    'objects were borrowed from a folder that is gone',
    { ask: 'right', write: 'done', finds: ['ALTERNATE_GONE'], stays: ['ALTERNATE_GONE'], ...mended },
    (d) => t.put(d, '.git/objects/info/alternates', '/nowhere/objects\n'),
  ),
  // Packs
  row('pack indexes are missing', noIndex, (d) => t.remove(d, ...t.packs(d, '.idx'))),
  row('pack indexes are cut in half', noIndex, eachPack('.idx', t.cutInHalf)),
  row(
    'pack indexes are empty',
    noIndex,
    eachPack('.idx', () => Buffer.alloc(0)),
  ),
  row('pack indexes are zeros', noIndex, eachPack('.idx', t.zeros)),
  row('pack indexes have one bit wrong', noIndex, eachPack('.idx', t.flip())),
  row(
    'pack indexes are out of order, with the right checksum',
    noIndex,
    eachPack('.idx', (b) => {
      const c = Buffer.from(b);
      c.writeUInt32BE(0xffff, 12);
      return t.withChecksum(c);
    }),
  ),
  row(
    'packs are missing, their indexes are there',
    { ask: 'OBJECT_MISSING', finds: ['OBJECT_MISSING', 'PACK_UNREADABLE', 'REF_DANGLING', 'TIP_DAMAGED'], ...lost },
    (d) => t.remove(d, ...t.packs(d, '.pack')),
  ),
  row(
    'packs and indexes are missing',
    { ask: 'OBJECT_MISSING', finds: ['OBJECT_MISSING', 'REF_DANGLING', 'TIP_DAMAGED'], ...lost },
    (d) => t.remove(d, ...t.packs(d, '')),
  ),
  row(
    'packs are empty',
    badPacks,
    eachPack('.pack', () => Buffer.alloc(0)),
  ),
  row('packs are zeros', badPacks, eachPack('.pack', t.zeros)),
  row('packs are cut in half', badPacks, eachPack('.pack', t.cutInHalf)),
  row(
    'a file in a pack has one bit wrong',
    { ask: 'right', write: 'done', finds: ['OBJECT_CORRUPT'], stays: ['COPY_DAMAGED'], ...mended },
    inPack('ada'),
  ),
  row('the newest commit in a pack has one bit wrong', badTip('OBJECT_CORRUPT'), inPack('tip')),
  // Loose objects
  row(
    'a file is empty',
    badBlob,
    loose('ada', () => Buffer.alloc(0)),
  ),
  row('a file is cut in half', badBlob, loose('ada', t.cutInHalf)),
  row('a file is zeros', badBlob, loose('ada', t.zeros)),
  row('a file has one bit wrong', badBlob, loose('ada', t.flip())),
  row(
    'a file is another file',
    badBlob,
    loose('ada', () => formatLoose(newObject('blob', Buffer.from('# Ada\n')))),
  ),
  row(
    'a file is missing',
    { base: 'loose', ask: 'right', write: 'done', finds: ['OBJECT_MISSING'], ...mended },
    loose('ada', null),
  ),
  row(
    'a folder is missing',
    { base: 'loose', ask: 'OBJECT_MISSING', finds: ['OBJECT_MISSING'], ...mended },
    loose('people', null),
  ),
  row(
    'the root folder is empty',
    {
      base: 'loose',
      ask: 'earlier',
      write: 'OBJECT_CORRUPT',
      finds: ['OBJECT_CORRUPT', 'TIP_DAMAGED'],
      isRestored: true,
      ...mended,
    },
    loose('root', () => Buffer.alloc(0)),
  ),
  row('the newest commit is missing', { base: 'loose', ...badTip('OBJECT_MISSING') }, loose('tip', null)),
  row(
    'the newest commit is empty',
    { base: 'loose', ...badTip('OBJECT_CORRUPT') },
    loose('tip', () => Buffer.alloc(0)),
  ),
  row(
    'the first commit is missing',
    { base: 'loose', ask: 'right', write: 'done', finds: ['OBJECT_MISSING'], ...lost },
    loose('first', null),
  ),
  row('an object that nothing leads to is damaged', found('COPY_DAMAGED'), (d) => {
    t.putLoose(d, newObject('blob', Buffer.from('left')), Buffer.from('x'));
  }),
  row('one of two copies is damaged', found('COPY_DAMAGED'), (d) => {
    const oid = t.present(d).ada;
    t.putLoose(d, { oid, type: 'blob', data: Buffer.alloc(0) }, Buffer.from('x'));
  }),
  // The index
  row('the index is missing', harmless, (d) => t.remove(d, '.git/index')),
  row('the index is empty', badIndex, (d) => t.put(d, '.git/index', '')),
  row('the index is cut in half', badIndex, (d) => t.change(d, '.git/index', t.cutInHalf)),
  row('the index is zeros', badIndex, (d) => t.change(d, '.git/index', t.zeros)),
  row('the index has one bit wrong', badIndex, (d) => t.change(d, '.git/index', t.flip())),
  row('the index says that it has four thousand million entries', badIndex, (d) =>
    t.put(d, '.git/index', indexHead(2, 0xffffffff)),
  ),
  row(
    'the index is of a version that we do not write',
    { ask: 'right', write: 'INDEX_UNSUPPORTED', finds: ['INDEX_UNSUPPORTED'], ...lost },
    (d) => t.put(d, '.git/index', indexHead(4, 0)),
  ),
  row('a lock of the index was left', leftLock, (d) => {
    t.put(d, '.git/index.lock', '');
    t.age(d, '.git/index.lock');
  }),
  // The journal
  row('the end of the journal is torn', { base: 'pending', ask: 'right', write: 'done' }, (d) =>
    t.append(d, journal, '900 0123456789abcdef {"t":"wri'),
  ),
  row(
    'the journal has one bit wrong',
    { base: 'pending', ask: 'JOURNAL_CORRUPT', finds: ['JOURNAL_CORRUPT'], ...lost },
    (d) => t.change(d, journal, t.flip(60)),
  ),
  row('the journal is prose', refused('JOURNAL_CORRUPT', mended), (d) =>
    t.put(d, journal, 'once upon a time\nthere was a journal\n'),
  ),
  row('a journal belongs to no branch', found('JOURNAL_UNKNOWN'), (d) =>
    t.put(d, '.git/git-memory/journal/%E0%A4%A.journal', 'x'),
  ),
  row('our own folder is missing', harmless, (d) => t.remove(d, '.git/git-memory')),
  row(
    'the repository lock is unreadable',
    { ask: 'right', write: 'LOCKED', finds: ['LOCK_HELD'], isMended: false },
    (d) => t.put(d, '.git/git-memory/lock', 'x'),
  ),
  row('temporary files were left', found('TEMPORARY_LEFT', 'TEMPORARY_LEFT', 'TEMPORARY_LEFT'), (d) => {
    for (const name of ['objects/tmp_obj_Ab12Cd', 'objects/pack/tmp_pack_Ab12Cd', 'objects/pack/.tmp-1-pack-2.pack']) {
      t.put(d, `.git/${name}`, 'x');
      t.age(d, `.git/${name}`);
    }
  }),
  row('a process that died left the lock', found('LOCK_LEFT'), (d) => {
    const holder = JSON.parse(JSON.stringify({ pid: nobody, nonce: 'dead', ...identity() }));
    t.put(d, '.git/git-memory/lock', `${JSON.stringify(holder)}\n`);
  }),
  // Files
  row('a power cut emptied a file of the work tree', found('FILE_TORN'), (d) =>
    t.put(d, 'knowledge/people/ada.md', ''),
  ),
  row(
    'a file is in the way of a folder of the work tree',
    { ask: 'right', write: 'done', finds: ['FILE_LEFT_OUT'], stays: ['FILE_LEFT_OUT'] },
    (d) => {
      t.remove(d, 'memories');
      t.put(d, 'memories', 'x');
    },
  ),
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
