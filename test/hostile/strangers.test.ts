// What a repository of a stranger may hold: objects that grow, dates that nobody lives to see, messages, names and records that no engine of
// ours writes. Each verb answers or says what it cannot read, quickly and in little memory, and what is whole stays to be had.
//
//   STRANGERS=all    every question and write of each row, and the large rows; otherwise each row is asked a quarter of them
//   STRANGER=words   only rows whose name holds the words, with every question

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/base/errors.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newObject } from '../../src/store/git/object-codec.ts';
import { ManualClock } from '../helpers/memories.ts';
import { git } from '../helpers/native-git.ts';
import { buildProgram } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { type Asked, Asker, type Reply } from './sweep/asker.ts';
import { nameOf, wordsOf } from './sweep/questions.ts';
import * as t from './template.ts';

interface Row {
  readonly name: string;
  readonly build: (dir: string) => void;
  /** It takes seconds, and is left for long runs. */
  readonly isLarge?: true;
  /** The whole memory is refused with one of these codes; default: what is whole is answered. */
  readonly stops?: string;
  /** What the questions about an earlier state are refused with; default: they are answered. */
  readonly past?: string;
  /** Writes are refused with one of these codes; default: they are done. */
  readonly refuses?: string;
}

const row = (name: string, build: Row['build'], expected: Omit<Row, 'name' | 'build'> = {}): Row => {
  return { name, build, ...expected };
};
const isFull = process.env.STRANGERS === 'all' || process.env.STRANGER !== undefined;
const ana = 'knowledge/people/ada.md';
const questions: readonly Asked[] = [
  { verb: 'status' },
  { verb: 'list' },
  { verb: 'list', input: { folder: 'knowledge/' } },
  { verb: 'recall', input: { query: 'letters over calls' } },
  { verb: 'show', input: { what: 'known' } },
  { verb: 'show', input: { what: ana } },
  { verb: 'review' },
  { verb: 'boxes' },
  { verb: 'events' },
  { verb: 'changes' },
  { verb: 'loops' },
  { verb: 'pack' },
  { verb: 'context', input: { message: 'Shall we write letters?' } },
  { verb: 'session-start' },
  { verb: 'boot' },
  { verb: 'graph' },
  { verb: 'todo' },
  { verb: 'topics' },
  { verb: 'integrity' },
  { verb: 'knowledge' },
  { verb: 'log' },
  { verb: 'log', input: { path: ana } },
  { verb: 'blame', input: { what: ana } },
  { verb: 'diff', input: { from: 'HEAD~1', to: 'HEAD' } },
  { verb: 'learned', input: { text: 'Porto' } },
  { verb: 'provenance', input: { what: 'known' } },
  { verb: 'bisect', input: { query: 'where does Ana live', finds: 'Porto' } },
  { verb: 'branch' },
  { verb: 'snapshot' },
  { verb: 'schedule' },
  { verb: 'config' },
  { verb: 'export', input: { as: 'jsonl', target: '/nowhere/exported' }, dryRun: true },
  { verb: 'topics', input: { action: 'test', text: 'letters' } },
  { verb: 'doctor', input: { all: true } },
];
const writes: readonly Asked[] = [
  { verb: 'remember', input: { id: 'visit', content: 'A visitor was here' } },
  { verb: 'capture', input: { text: 'Somebody said hello.', time: '2026-02-20T12:00:00Z' } },
  { verb: 'event', input: { content: 'A visitor came.', type: 'fact' } },
  { verb: 'extract' },
  { verb: 'undo', input: { revision: 'HEAD' } },
  { verb: 'maintain', input: { force: true } },
  { verb: 'nightly', input: { force: true } },
  { verb: 'doctor', input: { all: true, fix: true } },
];

/** Commits files in a repository as a stranger does, on top of the branch: bytes, or a mode and an id. */
function commit(
  dir: string,
  files: Readonly<Record<string, string | Buffer | readonly [mode: string, oid: string]>>,
  message = 'strange\n',
): void {
  const { objects } = t.open(dir);
  const tip = t.read(dir, '.git/refs/heads/main').trim();
  type Entry = readonly [mode: string, name: string, oid: string];
  const into = (tree: string | null, added: readonly (readonly [parts: string[], given: Entry])[]): string => {
    const entries = new Map<string, Entry>(
      tree === null ? [] : objects.readTree(tree).map(({ mode, name, oid }) => [name, [mode, name, oid] as const]),
    );
    const folders = new Map<string, (readonly [string[], Entry])[]>();
    for (const [[name, ...rest], entry] of added) {
      if (rest.length === 0) entries.set(name!, [entry[0], name!, entry[2]]);
      else folders.set(name!, [...(folders.get(name!) ?? []), [rest, entry]]);
    }
    for (const [name, inner] of folders) {
      const before = entries.get(name);
      entries.set(name, ['40000', name, into(before?.[0] === '40000' ? before[2] : null, inner)]);
    }
    return t.putLoose(dir, t.rawTree([...entries.values()].sort(byName)));
  };
  const added = Object.entries(files).map(([name, given]) => {
    const isText = typeof given === 'string' || Buffer.isBuffer(given);
    const [mode, oid] = isText ? ['100644', t.putBlob(dir, given)] : given;
    return [name.split('/'), [mode!, '', oid!]] as const;
  });
  const tree = into(objects.readCommit(tip).tree, added);
  objects.close();
  t.commitTree(dir, tree, [tip], message);
}
const byName = ([a, x]: readonly [string, string, string], [b, y]: readonly [string, string, string]) =>
  Buffer.compare(Buffer.from(a === '40000' ? `${x}/` : x), Buffer.from(b === '40000' ? `${y}/` : y));

const files = (given: Parameters<typeof commit>[1]) => (dir: string) => commit(dir, given);
const someone = 'M <m@x> 1771500000 +0000';
interface Raw {
  readonly author?: string;
  readonly committer?: string;
  /** Lines of the head behind these. */
  readonly more?: string;
  readonly message?: string | Buffer;
}
/** A commit on top, of which the head and message are written as they are given. */
const rawCommit =
  ({ author = someone, committer = someone, more = '', message = 'strange\n' }: Raw) =>
  (dir: string): void => {
    const { root, tip } = t.present(dir);
    const head = `tree ${root}\nparent ${tip}\nauthor ${author}\ncommitter ${committer}\n${more}\n`;
    const object = newObject('commit', Buffer.concat([Buffer.from(head), Buffer.from(message)]));
    t.putLoose(dir, object);
    t.put(dir, '.git/refs/heads/main', `${object.oid}\n`);
  };
const dated = (time: string) => rawCommit({ author: `M <m@x> ${time}`, committer: `M <m@x> ${time}` });
const saying = (message: string | Buffer) => rawCommit({ message });
const record = (id: string, more: Readonly<Record<string, unknown>> | string = {}) =>
  typeof more === 'string'
    ? more
    : JSON.stringify({ id, content: `The content of ${id}.`, created_at: 1771491600, last_used: 1771491600, ...more });
const memory = (more: Readonly<Record<string, unknown>> | string, id = 'odd') =>
  files({ [`memories/aa/${id}.json`]: record(id, more) });
const page = (text: string | Buffer, name = 'knowledge/people/odd.md') => files({ [name]: text });
const ledgerLine = (id: string, more: object = {}) =>
  `${JSON.stringify({ ts: '2026-02-10T10:00:00Z', id, type: 'fact', priority: 'P2', content: `What ${id} says.`, source: 'live', ...more })}\n`;
const ledger = (text: string | Buffer) => files({ 'ledger/2026/02/2026-02-10.jsonl': text });
const change = (id: string, more = '') =>
  `\n### ${id} | 2026-02-10 10:00 | builder | decision\n\n**Scope**: auth\n**Summary**: A change\n\n**Refs**: ${more || 'none'}\n`;
const topic = (head: string, name = 'odd') =>
  files({ [`topics/${name}.md`]: `---\ntype: topic\ndescription: Odd\n${head}\nactivation: gated\n---\n\n# Odd\n` });
const box = (id: string, more: string) =>
  `---\ntype: box\nid: ${id}\nstatus: sealed\n${more}\ntopics: [tea]\nstarted: 2026-02-10T09:00:00Z\nsealed: 2026-02-10T09:31:00Z\nreason: pause\n---\n\n# Tea\n\n## Memories\n\n- 2026-02-10 09:00:00 preference: I prefer tea. [memory: known]\n`;
const relation = (from: string, to: string, more: object = {}) =>
  JSON.stringify({ id: `r-${from}-${to}`, from_memory_id: from, to_memory_id: to, relation_type: 'related', ...more });
const conflicted = (text: string) => `<<<<<<< HEAD\n${text}=======\n${text.replace(/a/g, 'b')}>>>>>>> other\n`;
const escapes = '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b2J \b\b\b \u202etxt.exe\u202c \u2066x\u2069 \r over';
const config = (text: string) => (dir: string) => t.append(dir, '.git/config', `\n${text}\n`);
/** Git's index with an extension behind its entries. */
const extension = (signature: string, bytes: Buffer) => (dir: string) =>
  t.change(dir, '.git/index', (index) => {
    const head = Buffer.alloc(8);
    head.write(signature, 'latin1');
    head.writeUInt32BE(bytes.length, 4);
    return t.withChecksum(Buffer.concat([index.subarray(0, -20), head, bytes, Buffer.alloc(20)]));
  });
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const stops = (code: string) => ({ stops: code });
const refuses = (code: string) => ({ refuses: code });
const large = { isLarge: true } as const;

const rows: Readonly<Record<string, readonly Row[]>> = {
  bombs: [
    row('a folder of 50,000 files', many(50_000), large),
    row(
      'a record that nests 100,000 lists',
      memory(`{"id":"odd","content":"x","meta":{"extra":{"a":${deep(100_000)}}}}`),
    ),
    row('a ledger line that nests 100,000 lists', ledger(`{"ts":"2026-02-10T10:00:00Z","x":${deep(100_000)}}\n`)),
    row('a ledger line of 20 MB', ledger(`{"ts":"2026-02-10T10:00:00Z","content":"${'x'.repeat(20 << 20)}"}\n`), large),
    row('front matter of 10 MB', page(`---\n${'key: value\n'.repeat(950_000)}---\n\n# Odd\n`), large),
    row('front matter that is a bomb of aliases', topic(bomb())),
    row('front matter that nests 20,000 lists', topic(`triggers: ${deep(20_000)}`)),
    row(
      'a topic whose pattern doubles with each letter',
      topic('triggers:\n  - {type: pattern, match: "(a+)+(a|a)*(a*)*$b"}'),
    ),
    row(
      'a topic whose pattern counts to thousands',
      topic('triggers:\n  - {type: pattern, match: "((a{1,100}){1,100}){1,100}"}'),
    ),
    row(
      'a topic with 100,000 triggers',
      topic(`triggers:\n${'  - {type: keywords, words: [tea]}\n'.repeat(100_000)}`),
      large,
    ),
    row('a page of 150,000 headings', page('# A\n'.repeat(150_000))),
    row('a page that is one line of 8 MB', page('word '.repeat(1_600_000)), large),
    row(
      'a transcript of 10,000 turns',
      page(transcript(10_000), 'raw/conversations/2026/02/10/0900-ses_odd-odd.md'),
      large,
    ),
    row(
      'a list of 20,000 tasks',
      page(`# TODO\n\n## In Progress\n\n${'- [ ] Do it\n'.repeat(20_000)}`, 'TODO.md'),
      large,
    ),
    row(
      'a changelog of 5,000 events',
      page(
        `# Changelog\n\n## Event Log\n${Array.from({ length: 5_000 }, (_, at) => change(`evt-${at + 1}`)).join('')}`,
        'CHANGELOG.md',
      ),
      large,
    ),
    row('deltas that make 60 MB of thirty bytes', deltaBomb, large),
    row('a tag of a tag, 2,000 deep', tagChain(2_000)),
  ],
  dates: [
    ...[
      '0 +0000',
      '-62135596800 +0000',
      '-1 +0000',
      '4102444800 +0000',
      '253402300799 +0000',
      '9223372036854775807 +0000',
      '18446744073709551616 +0000',
      '1771500000 +9999',
      '1771500000 -9999',
      '1771500000 +000000099',
      '1771500000',
      'yesterday +0000',
      '1771500000.5 +0000',
    ].map((time) =>
      row(
        `a commit of ${time}`,
        dated(time),
        /^-|^\d+$|yesterday|\.5|^\d{19}|099$/.test(time) ? { stops: 'OBJECT_CORRUPT' } : {},
      ),
    ),
    row(
      'a record of the year 9999, last used in the year 0',
      memory({ created_at: '9999-12-31T23:59:59Z', last_used: '0000-01-01T00:00:00Z' }),
    ),
    row('a record of a time beyond all dates', memory({ created_at: 8.64e15 + 1, last_used: -8.64e15 })),
    row('a record of 30 February', memory({ created_at: '2026-02-30', valid_until: '2026-13-45' })),
    row(
      'an event of the year 9999',
      ledger(ledgerLine('EVT-99991231-001', { ts: '9999-12-31T23:59:59Z', due: '9999-12-31' })),
    ),
    row(
      'a transcript that began in 1969',
      page(transcript(3).replaceAll('2026-02-10', '1969-07-20'), 'raw/conversations/1969/07/20/0900-ses_odd-odd.md'),
    ),
  ],
  messages: [
    row('a message of 5 MB', saying(`big\n\n${'word '.repeat(1 << 20)}`)),
    row('a message of one line of 1 MB', saying('x'.repeat(1 << 20))),
    row('a message that is no UTF-8', saying(Buffer.from([0xff, 0xfe, 0x41, 0xc3, 0x28, 0x0a]))),
    row('a message with NUL', saying('before\0after\n')),
    row('a message of commands to terminals', saying(`${escapes}\n`)),
    row(
      'a message of forged trailers',
      saying(
        'forged\n\nOperation: purge\nSequence: 999999999999999999999\nMemory: ../../etc\nSession: \u001b[2J\nRun: x\nOperation: undo\n',
      ),
    ),
    row('a message of 100,000 trailers', saying(`many\n\n${'Memory: known\n'.repeat(100_000)}`), large),
    row('no message', saying('')),
    row('a message in an encoding of its own', rawCommit({ more: 'encoding UTF-16\n' })),
    row(
      'an author of commands to terminals',
      rawCommit({ author: `${escapes.replace(/\r/g, '')} <${escapes.replace(/\r/g, '')}> 1771500000 +0000` }),
    ),
    row('a signature of 2 MB', rawCommit({ more: `gpgsig ${'A'.repeat(2 << 20)}\n` }), stops('TOO_LARGE')),
    row('a tag whose message is 5 MB', (dir) => tagOf(dir, t.present(dir).tip, 'commit', 'word '.repeat(1 << 20))),
    row('a tag of commands to terminals', (dir) => tagOf(dir, t.present(dir).tip, 'commit', escapes)),
  ],
  markers: [
    row('marks of a conflict in a record', memory(conflicted(record('odd')))),
    row('marks of a conflict in a ledger', ledger(conflicted(ledgerLine('EVT-20260210-001')))),
    row(
      'marks of a conflict in a changelog',
      page(conflicted(`# Changelog\n\n## Event Log\n${change('evt-001')}`), 'CHANGELOG.md'),
    ),
    row('marks of a conflict in a page', page(conflicted('# Odd\n\n- a\n'))),
    row(
      'marks of a conflict in a transcript',
      page(conflicted(transcript(2)), 'raw/conversations/2026/02/10/0900-ses_odd-odd.md'),
    ),
    row(
      'marks of a conflict in memory.yaml',
      page(conflicted('timezone: UTC\n'), 'memory.yaml'),
      stops('INVALID_CONFIG'),
    ),
    row('marks of a conflict in .meta.json', page(conflicted('{"storage_version":2}\n'), '.meta.json')),
    row('marks of a conflict in a topic', page(conflicted('---\ntype: topic\n---\n'), 'topics/odd.md')),
  ],
  names: [
    ...['git~1', 'a\\..\\b'].map((name) => row(`a name ${name}`, page('x', `knowledge/odd/${name}`))),
    row('a name of 4 KB', page('x', `knowledge/odd/${'n'.repeat(4096)}.md`)),
    row('a name that is no UTF-8', badName),
    row(
      'a name of commands to terminals',
      page('# Odd\n', `knowledge/people/${escapes.replace(/[\r\u0007]/g, '')}.md`),
    ),
    row('a name with a line feed', page('# Odd\n', 'knowledge/people/a\nb.md')),
    row('a name that Windows keeps for itself', page('# Odd\n', 'knowledge/people/CON.md')),
    row('a name that ends in a blank', page('# Odd\n', 'knowledge/people/odd.md ')),
    row(
      'names that differ in case alone',
      files({ 'knowledge/people/Ada.md': '# Other\n', 'knowledge/People/ada.md': '# Third\n' }),
    ),
    row(
      'names that differ in composition alone',
      files({ 'knowledge/people/\u00e9.md': '# One\n', 'knowledge/people/e\u0301.md': '# Two\n' }),
    ),
    row('a record that is a link', (dir) =>
      commit(dir, { 'memories/aa/odd.json': ['120000', t.putBlob(dir, '/etc/hostname')] }),
    ),
    row('a page that is a link upwards', (dir) =>
      commit(dir, { 'knowledge/people/odd.md': ['120000', t.putBlob(dir, '../../../outside')] }),
    ),
    row('a record that is a submodule', (dir) => commit(dir, { 'memories/aa/odd.json': ['160000', '12'.repeat(20)] })),
    row('a folder that is a submodule', (dir) => commit(dir, { boxes: ['160000', '12'.repeat(20)] })),
    row('a record that may be run', (dir) =>
      commit(dir, { 'memories/aa/odd.json': ['100755', t.putBlob(dir, record('odd'))] }),
    ),
    row(
      '.gitmodules that name a program',
      page(
        '[submodule "x"]\n\tpath = x\n\turl = -u./payload\n\tupdate = !touch /tmp/git-memory-written\n',
        '.gitmodules',
      ),
    ),
    row('.gitattributes of filters', page('* filter=x diff=x merge=x\n', '.gitattributes')),
  ],
  indexes: [
    row(
      'an index of version 4',
      (dir) => void git(dir, 'update-index', '--index-version', '4'),
      refuses('INDEX_UNSUPPORTED'),
    ),
    row('an index of version 3', (dir) => {
      t.put(dir, 'knowledge/soon.md', '# Soon\n');
      git(dir, 'add', '-N', 'knowledge/soon.md');
    }),
    row('a split index', (dir) => void git(dir, 'update-index', '--split-index'), refuses('INDEX_UNSUPPORTED')),
    row('a sparse index', extension('sdir', Buffer.alloc(0)), refuses('INDEX_UNSUPPORTED')),
    row('an extension that nobody may pass over', extension('zzzz', Buffer.from('x')), refuses('INDEX_UNSUPPORTED')),
    row('an extension that anybody may pass over', extension('ZZZZ', Buffer.from('x'))),
    row(
      'an extension longer than the index',
      (dir) => {
        extension('ZZZZ', Buffer.from('x'))(dir);
        t.change(dir, '.git/index', (bytes) => {
          const changed = Buffer.from(bytes);
          changed.writeUInt32BE(0x7fffffff, bytes.length - 25);
          return t.withChecksum(changed);
        });
      },
      refuses('REPOSITORY_CORRUPT|INDEX_UNSUPPORTED'),
    ),
    row('a tree cache that lies', extension('TREE', Buffer.from(`\0-5 999999\n${'x'.repeat(20)}`))),
    row('an fsmonitor that names a file', extension('FSMN', Buffer.from('\0\0\0\x02/etc/passwd\0'))),
  ],
  formats: [
    row('grafts', (dir) => t.put(dir, '.git/info/grafts', `${t.present(dir).tip}\n`)),
    row('an object replaced by another', (dir) =>
      t.put(dir, `.git/refs/replace/${t.present(dir).ada}`, `${t.putBlob(dir, '# Evil\n')}\n`),
    ),
    row('a commit replaced by another', (dir) =>
      t.put(dir, `.git/refs/replace/${t.present(dir).tip}`, `${t.present(dir).first}\n`),
    ),
    row('work trees that name each other', (dir) => {
      for (const [one, other] of [
        ['a', 'b'],
        ['b', 'a'],
      ]) {
        t.put(dir, `.git/worktrees/${one}/gitdir`, `${dir}/.git/worktrees/${other}/gitdir\n`);
        t.put(dir, `.git/worktrees/${one}/HEAD`, 'ref: refs/heads/main\n');
        t.put(dir, `.git/worktrees/${one}/commondir`, `../${other}\n`);
      }
    }),
    row('a configuration that includes itself', config('[include]\n\tpath = config')),
    row(
      '100,000 refs',
      (dir) =>
        t.put(
          dir,
          '.git/packed-refs',
          `# pack-refs with: peeled fully-peeled sorted \n${Array.from({ length: 100_000 }, (_, at) => `${first(dir)} refs/tags/v${String(at).padStart(6, '0')}\n`).join('')}`,
        ),
      large,
    ),
    row('a shallow boundary that is nobody', (dir) => t.put(dir, '.git/shallow', `${'12'.repeat(20)}\n`)),
    row('a shallow boundary at the tip', (dir) => t.put(dir, '.git/shallow', `${t.present(dir).tip}\n`), {
      past: 'OBJECT_MISSING',
    }),
    row(
      'a remote whose address is a program',
      config(
        '[remote "origin"]\n\turl = ext::sh -c touch% /tmp/git-memory-written\n\tfetch = +refs/heads/*:refs/remotes/origin/*',
      ),
    ),
    row(
      'a remote whose address is an option',
      config('[remote "origin"]\n\turl = --upload-pack=touch /tmp/git-memory-written'),
    ),
    row('a commit graph of garbage', (dir) =>
      t.put(
        dir,
        '.git/objects/info/commit-graph',
        Buffer.concat([Buffer.from('CGPH\x01\x01\x04\x00'), Buffer.alloc(400, 0xff)]),
      ),
    ),
    row('a commit graph that lies', (dir) => {
      git(dir, 'commit-graph', 'write', '--reachable');
      t.change(dir, '.git/objects/info/commit-graph', (bytes) => t.withChecksum(t.flip(bytes.length - 60)(bytes)));
    }),
    row('an index over packs of garbage', (dir) =>
      t.put(
        dir,
        '.git/objects/pack/multi-pack-index',
        Buffer.concat([Buffer.from('MIDX\x01\x01\x04\x00'), Buffer.alloc(400, 0xff)]),
      ),
    ),
  ],
  encodings: [
    row('a record in UTF-16', files({ 'memories/aa/odd.json': Buffer.from(`\ufeff${record('odd')}`, 'utf16le') })),
    row('a record with a mark of byte order', memory(`\ufeff${record('odd')}`)),
    row('a record with CRLF', memory(record('odd').replace(/,/g, ',\r\n'))),
    row('a page in Latin-1', page(Buffer.from('# Odd\n\n- Caf\u00e9\n', 'latin1'))),
    row('a page with NUL', page('# Odd\n\n- a\0b\n')),
    row('a page of commands to terminals', page(`# ${escapes}\n\n- ${escapes}\n`)),
    row('a record with half a character', memory('{"id":"odd","content":"half \\ud800 of it"}')),
    row('a record of commands to terminals', memory({ content: escapes, meta: { tags: [escapes] } })),
    row(
      'a ledger of commands to terminals',
      ledger(ledgerLine('EVT-20260210-001', { content: escapes, entity: escapes })),
    ),
    row('a ledger in UTF-16', ledger(Buffer.from(ledgerLine('EVT-20260210-001'), 'utf16le'))),
    row(
      'a ledger with CRLF and no end',
      ledger(ledgerLine('EVT-20260210-001').replace('\n', '\r\n').repeat(3).slice(0, -2)),
    ),
  ],
  records: [
    row('an id that leads elsewhere', memory({ id: '../../../etc/passwd' })),
    row('an id of another file', memory({ id: 'known' })),
    row('one id in two files', files({ 'memories/aa/odd.json': record('odd'), 'memories/bb/odd.json': record('odd') })),
    row(
      'an id of Object',
      files({
        'memories/aa/constructor.json': record('constructor'),
        'memories/aa/__proto__.json': record('__proto__'),
        'memories/aa/toString.json': record('toString'),
      }),
    ),
    row(
      'keys of Object',
      memory(
        '{"id":"odd","content":"x","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"meta":{"extra":{"__proto__":{"polluted":true}}}}',
      ),
    ),
    row(
      'a strength of a huge number',
      memory('{"id":"odd","content":"x","strength":1e400,"use_count":123456789012345678901234567890}'),
    ),
    row(
      'a strength that is no number',
      memory('{"id":"odd","content":"x","strength":NaN,"review_priority":-Infinity}'),
    ),
    row('a negative strength', memory({ strength: -5, use_count: -1, review_count: -1 })),
    row('a strength in words', memory({ strength: 'strong', entities: 'none', meta: [] })),
    ...['null', '[]', '5', '"text"', '', '{', '{}', '[{"id":"odd"}]'].map((text) =>
      row(`a record that is ${text === '' ? 'empty' : text}`, memory(text)),
    ),
    row(
      'a record of 100,000 tags',
      memory({ meta: { tags: Array.from({ length: 100_000 }, (_, at) => `t${at}`) } }),
      large,
    ),
    row('a record of 9 MB', memory({ content: 'word '.repeat(1_900_000) }), large),
    row(
      'memories that replace each other',
      files({
        'memories/aa/one.json': record('one', { status: 'superseded', superseded_by: 'two', supersedes: 'two' }),
        'memories/aa/two.json': record('two', { status: 'superseded', superseded_by: 'one', supersedes: 'one' }),
      }),
    ),
    row(
      'relations in a circle, and of one with itself',
      files({
        'memories/aa/one.json': record('one'),
        'relations/aa/r-known-one.json': relation('known', 'one', { relation_type: 'causes' }),
        'relations/aa/r-one-known.json': relation('one', 'known', { relation_type: 'causes' }),
        'relations/aa/r-one-one.json': relation('one', 'one'),
      }),
    ),
    row(
      'relations of nobody',
      files({
        'relations/aa/r-x-y.json': relation('x', 'y', { strength: 99 }),
        'relations/aa/bad.json': '{"id":"bad"}',
      }),
    ),
    row(
      'boxes on one trace that hold each other',
      files({
        'boxes/2026-02-10/box-b1.md': box('b1', 'trace_id: b2'),
        'boxes/2026-02-10/box-b2.md': box('b2', 'trace_id: b1').replace('known', 'b1'),
      }),
    ),
    row(
      'one box in two files',
      files({
        'boxes/2026-02-10/box-b1.md': box('b1', 'trace_id: x'),
        'boxes/2026-02-11/box-b1.md': box('b1', 'trace_id: x'),
      }),
    ),
    row(
      'events that replace and close each other',
      ledger(
        ledgerLine('EVT-20260210-001', {
          supersedes: 'EVT-20260210-002',
          closes: 'EVT-20260210-002',
          related: ['EVT-20260210-001'],
        }) + ledgerLine('EVT-20260210-002', { supersedes: 'EVT-20260210-001', closes: 'EVT-20260210-001' }),
      ),
    ),
    row('one event thrice', ledger(ledgerLine('EVT-20260210-001').repeat(3))),
    row('an event that replaces itself', ledger(ledgerLine('EVT-20260210-001', { supersedes: 'EVT-20260210-001' }))),
    row('lines of a ledger that are none', ledger('null\n[]\n5\n{}\nword\n\n{"id":\n')),
    row(
      'changes that refer to each other',
      page(
        `# Changelog\n\n## Event Log\n${change('evt-001', 'evt-002')}${change('evt-002', 'evt-001')}${change('evt-003', 'evt-003')}`,
        'CHANGELOG.md',
      ),
    ),
    row(
      'a number of a change beyond all numbers',
      page(`# Changelog\n\n## Event Log\n${change(`evt-${'9'.repeat(400)}`)}`, 'CHANGELOG.md'),
    ),
    row(
      'a transcript whose session leads elsewhere',
      page(transcript(2).replace('ses_odd', '../../../ses'), 'raw/conversations/2026/02/10/0900-ses_odd-odd.md'),
    ),
    row(
      'a session in two transcripts',
      files({
        'raw/conversations/2026/02/10/0900-ses_odd-odd.md': transcript(2),
        'raw/conversations/2026/02/10/1000-ses_odd-odd.md': transcript(2),
      }),
    ),
    row(
      'topics that want each other',
      files({
        'topics/a.md':
          '---\ntype: topic\ndescription: A\ntriggers: []\nsubscriptions: [topics/b.md]\nactivation: always\n---\n# A\n',
        'topics/b.md':
          '---\ntype: topic\ndescription: B\ntriggers: []\nsubscriptions: [topics/a.md, ../../../etc/passwd, /etc/passwd]\nactivation: always\n---\n# B\n',
      }),
    ),
    row(
      'pages that link in a circle',
      files({
        'knowledge/people/a.md': '# A\n\n- [[b]]\n',
        'knowledge/people/b.md': '# B\n\n- [[a]] [x](../../../../etc/passwd)\n',
      }),
    ),
    row('counts of extractions that are none', page('{"a":1}', 'state/extractions.json')),
    row(
      'a storage version of the future',
      page('{"storage_version":999}\n', '.meta.json'),
      stops('UNSUPPORTED_REPOSITORY|INVALID_RECORD'),
    ),
  ],
};

const first = (dir: string): string => t.read(dir, '.git/refs/heads/main').trim();

function many(count: number) {
  return (dir: string): void => {
    const blob = t.putBlob(dir, '# Page\n');
    const oid = t.putLoose(
      dir,
      t.rawTree(
        Array.from({ length: count }, (_, at) => ['100644', `p${String(at).padStart(6, '0')}.md`, blob] as const),
      ),
    );
    commit(dir, { 'knowledge/many': ['40000', oid] });
  };
}

function bomb(): string {
  const letters = [...'abcdefghij'];
  const lines = letters
    .slice(1)
    .map((letter, at) => `${letter}: &${letter} [${Array(9).fill(`*${letters[at]}`).join(',')}]`);
  return `a: &a [x,x,x,x,x,x,x,x,x]\n${lines.join('\n')}`;
}

function transcript(turns: number): string {
  const told = Array.from({ length: turns }, (_, at) => `## 09:00 — user\nWe decided on number ${at}.\n`);
  return `---\nsession_id: ses_odd\nstarted: 2026-02-10T09:00:00Z\nended: 2026-02-10T09:05:00Z\ntopic: odd\n---\n\n# Odd\n\n${told.join('\n')}`;
}

function tagOf(dir: string, oid: string, type: string, message: string, name = 'memory/milestone/odd'): string {
  const text = `object ${oid}\ntype ${type}\ntag ${name}\ntagger M <m@x> 1771500000 +0000\n\n${message}\n`;
  const object = newObject('tag', Buffer.from(text));
  t.putLoose(dir, object);
  t.put(dir, `.git/refs/tags/${name}`, `${object.oid}\n`);
  return object.oid;
}

function tagChain(depth: number) {
  return (dir: string): void => {
    let oid = tagOf(dir, t.present(dir).tip, 'commit', 'x');
    for (let level = 1; level < depth; level++) oid = tagOf(dir, oid, 'tag', 'x');
  };
}

function badName(dir: string): void {
  const blob = t.putBlob(dir, 'x');
  const name = Buffer.from([0x61, 0xff, 0xfe, 0x2e, 0x6d, 0x64]);
  const data = Buffer.concat([Buffer.from('100644 '), name, Buffer.from('\0'), Buffer.from(blob, 'hex')]);
  commit(dir, { 'knowledge/odd': ['40000', t.putLoose(dir, newObject('tree', data))] });
}

/** A pack in which each object copies the one before many times over, made by native git from a base and deltas of ours. */
function deltaBomb(dir: string): void {
  const varint = (value: number) => {
    const bytes: number[] = [];
    for (let left = value; ; left >>>= 7) {
      bytes.push(left > 127 ? (left & 127) | 128 : left);
      if (left <= 127) return Buffer.from(bytes);
    }
  };
  const base = Buffer.alloc(65_536, 'word ');
  const copies = 900;
  const delta = Buffer.concat([
    varint(base.length),
    varint(base.length * copies),
    // Copy 65,536 bytes from the beginning: no offset and no size is written down.
    Buffer.alloc(copies, 0x80),
  ]);
  const whole = newObject('blob', base);
  const grown = newObject('blob', Buffer.concat(Array(copies).fill(base)));
  const head = (type: number, size: number) => {
    const bytes = [(type << 4) | (size & 15) | (size > 15 ? 128 : 0)];
    for (let left = size >>> 4; left > 0; left >>>= 7) bytes.push((left & 127) | (left > 127 ? 128 : 0));
    return Buffer.from(bytes);
  };
  const start = Buffer.alloc(12);
  start.write('PACK');
  start.writeUInt32BE(2, 4);
  start.writeUInt32BE(2, 8);
  const pack = t.withChecksum(
    Buffer.concat([
      start,
      head(3, base.length),
      deflateSync(base),
      head(7, delta.length),
      Buffer.from(whole.oid, 'hex'),
      deflateSync(delta),
      Buffer.alloc(20),
    ]),
  );
  execFileSync('git', ['-C', dir, 'index-pack', '--stdin', '--fix-thin'], {
    input: pack,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  commit(dir, { 'knowledge/people/odd.md': ['100644', grown.oid] });
}

let root: string;
let template: string;
let place: string;
let asker: Asker;
const mostRssBytes = 300 * 2 ** 20;
const longestCpuMs = 5_000;
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

beforeAll(async () => {
  await buildProgram();
  root = temporaryFolder();
  template = path.join(root, 'template');
  place = path.join(root, 'case');
  const clock = new ManualClock();
  const memory = await openMemory({ dir: template, create: true, durability: 'fast', clock });
  await memory.capture({
    session: 'ses_tea',
    started: clock.now(),
    topic: 'tea',
    messages: [{ role: 'user', text: 'I prefer tea.', time: clock.now() }],
  });
  await memory.write(ana, '# Ana\n\n- lives in Porto\n');
  await memory.commit();
  await memory.snapshots.create('first');
  await memory.remember({ id: 'known', content: 'Ana prefers letters over calls.' });
  await memory.commit();
  await memory.close();
  asker = new Asker(Date.now());
}, 600_000);

afterAll(() => asker?.stop());

/** What is wrong with an answer, whatever was asked. */
function complaintOf(reply: Reply): string | null {
  const shown = `${reply.text}${reply.notes}`;
  if (reply.broken !== undefined) return `breaks: ${reply.broken.slice(0, 600)}`;
  if (reply.error !== undefined && !(reply.error.code in errorCodes)) return `has no known code: ${reply.error.code}`;
  if (reply.ms.cpu > longestCpuMs) return `takes ${Math.round(reply.ms.cpu)} ms`;
  if (control.test(shown))
    return `commands a terminal: ${JSON.stringify(control.exec(shown))} in ${JSON.stringify(shown.slice(0, 200))}`;
  if (shown.includes('[object Object]')) return `says nonsense: ${shown.slice(0, 200)}`;
  return null;
}

async function visit(
  make: () => string,
  asked: readonly Asked[],
): Promise<{ replies: readonly Reply[]; complaints: string[] }> {
  const complaints: string[] = [];
  let { replies, maxRssBytes } = await asker.visit(make(), asked);
  if (maxRssBytes > mostRssBytes) {
    // What others left in the process is not this one's.
    asker.stop();
    ({ replies, maxRssBytes } = await asker.visit(make(), asked));
    if (maxRssBytes > mostRssBytes) complaints.push(`it takes ${Math.round(maxRssBytes / 2 ** 20)} MB`);
    asker.stop();
  }
  for (const [at, reply] of replies.entries()) {
    const complaint = complaintOf(reply);
    if (complaint !== null) complaints.push(`${nameOf(asked[at]!)} ${complaint}`);
  }
  return { replies, complaints };
}

/** A quarter of a list, another one for each row, and what shows that the rest is whole. */
function quarterOf(asked: readonly Asked[], row: string): readonly Asked[] {
  const turn = row.length % 4;
  return asked.filter(
    (one, at) => isFull || at % 4 === turn || ['show known', 'recall letters over calls'].includes(nameOf(one)),
  );
}

describe.each(Object.entries(rows))('%s of a stranger', (_kind, all) => {
  const chosen = all.filter(({ name, isLarge }) => name.includes(process.env.STRANGER ?? '') && (isFull || !isLarge));
  it.each(chosen)(
    '$name',
    async ({ name: row, build, stops: stopped, past, refuses }) => {
      const make = () => {
        execFileSync('sh', ['-c', 'rm -rf "$1" && mkdir "$1" && cp -a "$0" "$1/memory"', template, place]);
        const dir = path.join(place, 'memory');
        build(dir);
        return dir;
      };
      const put = quarterOf(questions, row);
      const asked = await visit(make, put);
      const complaints = [...asked.complaints];
      const told = new Map(put.map((question, at) => [nameOf(question), asked.replies[at]!]));
      if (stopped === undefined) {
        const known = told.get('show known')!;
        if (!wordsOf(known).includes('letters over calls'))
          complaints.push(`what is whole is gone: ${known.error?.message}`);
        const found = told.get('recall letters over calls')!;
        if (!wordsOf(found).includes('"known"')) complaints.push(`what is whole is not found: ${found.error?.message}`);
        for (const [name, { error }] of told) {
          if (error !== undefined && error.code !== past)
            complaints.push(`${name} is refused: ${error.code} ${error.message.slice(0, 300)}`);
        }
      } else {
        for (const [name, { error }] of told)
          if (error !== undefined && !stopped.split('|').includes(error.code))
            complaints.push(`${name}: ${error.code} ${error.message.slice(0, 300)}`);
      }
      const written = quarterOf(writes, row);
      const wrote = await visit(make, written);
      complaints.push(...wrote.complaints.map((complaint) => `then ${complaint}`));
      const isRefused = stopped !== undefined || refuses !== undefined;
      const allowed = `${stopped ?? ''}|${refuses ?? ''}`.split('|');
      for (const [at, { error }] of wrote.replies.entries()) {
        if (
          error !== undefined &&
          !allowed.includes(error.code) &&
          !(isRefused && error.code === 'NOT_FOUND') &&
          // An undo that takes much asks first.
          error.code !== 'MASS_REMOVAL'
        ) {
          complaints.push(`then ${nameOf(written[at]!)} is refused: ${error.code} ${error.message.slice(0, 300)}`);
        }
      }
      if (fs.existsSync('/tmp/git-memory-written')) complaints.push('a program ran');
      expect(complaints.join('\n')).toBe('');
    },
    600_000,
  );
});
