// The operations that are driven over a failing file system, as steps of a caller; a new one is one line of the table.
// What is broken under them stands in sweep-case.ts.

import fs from 'node:fs';
import path from 'node:path';
import { MemoryError } from '../../src/base/errors.ts';
import type { Placement } from '../../src/base/types.ts';
import type { Session } from '../../src/core/capture/session.ts';
import { type Memory, type OpenOptions, openMemory } from '../../src/memory/open-memory.ts';
import { memoryPath } from '../../src/store/records/memory-record.ts';
import { isSealed, newKey, openText } from '../../src/store/records/private-text.ts';
import { writeConfiguration } from '../helpers/memories.ts';
import { hasGit, tryGit } from '../helpers/native-git.ts';
import { changelog, changelogText } from '../logs/changelogs.ts';

export const now = Date.parse('2026-02-16T09:30:00Z');

/** What a base folder holds that steps refer to. */
export interface Base {
  readonly folder: string;
  /** Commits by what made them. */
  readonly commits: Readonly<Record<string, string>>;
}

/** A caller at work: one memory that is open, and what it started there. */
export interface Caller {
  readonly base: Base;
  readonly memory: Memory;
  /** The session of the steps below, begun or resumed. */
  session(): Promise<Session>;
}

/** One awaited call; acknowledged when it returns. Gives the commits it was told of. */
export interface Step {
  readonly run: (caller: Caller) => Promise<readonly (string | null)[]>;
  /**
   * Doing it twice does it twice, so after a failure the caller looks before repeating it; a session that is still open knows
   * by itself, so there only somebody `else` has to look.
   */
  readonly looksFirst?: 'always' | 'else';
  /** The branch its commits stand on; default: the open one. */
  readonly branch?: string;
}

export interface SweptOperation {
  readonly name: string;
  readonly base: BaseName;
  readonly steps: readonly Step[];
  /** Default: both. */
  readonly placements?: readonly Placement[];
  /** What others do to the folder between the failure and the next attempt. */
  readonly meanwhile?: (folder: string) => void;
  /** Words that nothing holds once the last step has happened: no object, ref, log, journal, cache or file. */
  readonly erases?: readonly string[];
  /** Words that never lie open: in no object, ref, log, journal or cache, at no time. */
  readonly hides?: readonly string[];
}

const sweep = (
  name: string,
  base: BaseName,
  steps: readonly Step[],
  more: Omit<SweptOperation, 'name' | 'base' | 'steps'> = {},
): SweptOperation => ({ name, base, steps, ...more });

type BaseName =
  | 'nothing'
  | 'memory'
  | 'two branches'
  | 'stopped merge'
  | 'many packs'
  | 'hand edit'
  | 'busy index'
  | 'told'
  | 'private';

const sessionId = 'ses_swept';
/** A commit on top of so many packs makes fewer of them; see `store/git/pack-keeper.ts`. */
const mostPacks = 40;

/** More lines than MEMORY.md may have without a warning. */
const longCoreMemory = `# Core Memory\n\n## Key Decisions\n${Array.from({ length: 203 }, (_, at) => `- 2026-01-01: Door ${at} is number ${at * 7} [source: EVT-20260101-001]\n`).join('')}`;

const step = (run: Step['run'], looksFirst?: Step['looksFirst']): Step => ({ run, ...(looksFirst && { looksFirst }) });
/** Does something that tells of no commit. */
const doing = (act: (memory: Memory) => Promise<unknown>, looksFirst?: Step['looksFirst']): Step =>
  step(({ memory }) => act(memory).then(() => []), looksFirst);
const capture = (session: string, text: string) =>
  step(async ({ memory }) => {
    const messages = [{ role: 'user', text, time: now }];
    return [(await memory.capture({ session, started: now, messages })).commit];
  });
const move = doing((memory) => memory.move('knowledge/people', 'knowledge/friends'), 'always');
const remember = (id: string) =>
  doing((memory) => memory.remember({ id, content: `The content of ${id}.`, tags: ['swept'] }));
const write = (file: string, text: string) => doing((memory) => memory.write(file, text));
const configure = (text: string) => doing((memory) => writeConfiguration(memory, text));
const edit = (file: string, before: string, after: string) =>
  doing((memory) => memory.edit(file, before, after), 'always');
const remove = (file: string) => doing((memory) => memory.remove(file), 'always');
const change = (what: 'touch' | 'archive' | 'forget' | 'restore', id: string, looksFirst?: Step['looksFirst']) =>
  doing((memory) => (what === 'forget' ? memory.forget(id) : memory.records[what](id)), looksFirst);
const relate = doing((memory) => memory.records.relate('old-one', 'old-two'), 'always');
const maintain = (task: string) =>
  step(async ({ memory }) =>
    (await memory.maintenance.run({ tasks: [task] })).runs.flatMap(({ result, error }) => {
      if (error !== undefined) throw new MemoryError(error.code, error.what, error);
      return result!.commits;
    }),
  );
const touchAll = doing((memory) => memory.records.touchAll(['old-one', 'old-two']), 'always');
const expand = doing((memory) => memory.records.expand('old-one'), 'always');
const commit = step(async ({ memory }) => (await memory.commit()).commits);
const begin = step(async (caller) => {
  await caller.session();
  return [];
});
const message = (role: string, text: string) =>
  step(async (caller) => {
    await (await caller.session()).message(role, text, { time: now });
    return [];
  }, 'else');
const end = step(async (caller) => [(await (await caller.session()).end({ time: now })).commit], 'else');
const undo = (what: string) => step(async ({ memory, base }) => [(await memory.undo(base.commits[what]!)).commit]);
/** Lets the work tree catch up with what is pending, which it does a moment after the call. */
const idle = step(async () => {
  await new Promise((resolve) => setTimeout(resolve, 30));
  return [];
});
const redo = step(async ({ memory }) => [(await memory.undo({ redo: true })).commit], 'always');
const hasBranch = async (memory: Memory, name: string) =>
  (await memory.branches.list()).some((branch) => branch.name === name);
const beginBranch = step(async ({ memory }) => {
  if (!(await hasBranch(memory, 'new'))) await (await memory.branches.open('new', { create: true })).close();
  return [];
});
const drop = step(async ({ memory }) => {
  if (await hasBranch(memory, 'side')) await memory.branches.drop('side', { force: true });
  return [];
});
const merge = step(async ({ memory }) => [(await memory.merge('side')).commit]);
const resolve = step(async ({ memory }) => {
  await memory.git.resolveMerge().catch((error) => {
    // It had been resolved before the failure.
    if (!(error instanceof MemoryError) || error.code !== 'NOT_FOUND') throw error;
  });
  return [];
});
const snapshot = (name: string) => step(async ({ memory }) => [(await memory.snapshots.create(name)).commit]);
const extract = step(async ({ memory }) =>
  (await memory.extract({ from: 'ses_base' })).transcripts.flatMap((transcript) => transcript.commit ?? []),
);

const event = (content: string, more: { closes?: string; memory?: string } = {}) =>
  step(async ({ memory }) => [(await memory.ledger.add({ type: 'commitment', content, ...more })).commit], 'always');
const deploy = doing((memory) => memory.project.deploy(5));
const logChange = (summary: string, type: 'create' | 'modify') =>
  step(async ({ memory }) => {
    const details = { entity: 'auth', path: 'src/auth.ts', [type === 'create' ? 'purpose' : 'changes']: summary };
    return [(await memory.project.change({ type, agent: 'builder', scope: 'auth', summary, details })).commit];
  }, 'always');
/** A changelog that is due for its archive, and a segment of events of which some are over. */
const longChangelog = changelogText(changelog(...Array.from({ length: 60 }, () => ({ type: 'test' }) as const)));
const oldSegment = ['P1', 'P2', 'P3', 'P3']
  .map((priority, at) => {
    const id = `EVT-20260101-00${at + 1}`;
    const ts = '2026-01-01T10:00:00Z';
    return `${JSON.stringify({ ts, id, type: 'fact', priority, content: `What ${at} says.`, source: 'live' })}\n`;
  })
  .join('');

const note = (text: string) =>
  step(async ({ memory }) => [(await memory.note({ text, extracts: [{ priority: 'P1', text }] })).commit], 'always');

const consolidate = step(async ({ memory }) => {
  const ids = ['old-one', 'old-two'];
  if ((await memory.list()).memories.filter(({ id }) => ids.includes(id)).length < 2) return [];
  return (await memory.records.consolidate({ ids })).commits;
});
const experiment: Step = {
  run: async ({ memory }) => (await memory.experiments.run('swept', { checkpoint: 1 })).commits,
  branch: 'extract/swept',
};
const adopt = step(async ({ memory }) => [(await memory.experiments.adopt('swept')).commit]);
const importText = (path: string, text: string) =>
  step(async ({ memory }) => (await memory.import([{ path, text }])).commits);
const storeLine = (id: string) => `{"id":"${id}","content":"The content of ${id}."}\n`;

const longWinded =
  'I think that we have really decided to move the whole archive of the office to the town of Braga, '.repeat(3);
const rememberWithout = doing((memory) => memory.remember({ id: 'long-one', content: longWinded, gist: 'Moving.' }));
const gist = step(async ({ memory }) => (await memory.records.gist({ all: true })).commits);

const split = step(async ({ memory }) => {
  if (!(await memory.list()).memories.some(({ id }) => id === 'old-one')) return [];
  return (await memory.records.split('old-one', ['Ana prefers letters.', 'Ana does not like calls.'])).commits;
});

const promote = (id: string) =>
  step(async ({ memory }) => {
    const isOver = (await memory.get(id)).status === 'promoted';
    return isOver ? [] : (await memory.knowledge.promote({ ids: [id] })).commits;
  });
const distil = step(async ({ memory }) => {
  if ((await memory.list({ status: 'schema' })).memories.length > 0) return [];
  return (await memory.knowledge.distil({ ids: ['old-one', 'old-two'] })).commits;
});

/** What is told on both branches of the base of that name, and purged. */
export const secret = 'the blue heron sleeps by the weir';
const purge = step(async ({ memory }) => {
  const once = async () => (await memory.purge({ text: secret })).commit;
  try {
    return [
      await once().catch((error) => {
        // What an earlier attempt had begun was finished first.
        if (!(error instanceof MemoryError) || error.code !== 'PURGED') throw error;
        return once();
      }),
    ];
  } catch (error) {
    // Nothing holds it any more.
    if (!(error instanceof MemoryError) || error.code !== 'NOT_FOUND') throw error;
    return [];
  }
}, 'always');

/** The key of the private texts of these tests. */
const key = newKey(Buffer.alloc(32, 7));
/** As `GIT_MEMORY_KEY` brings it to the filter of native git. */
export const keyText = key.text;
const keys = { place: 'nowhere', read: () => [keyText], add: () => undefined };
const configurationOf = (...paths: readonly string[]) =>
  `timezone: UTC\nprivate_under: ${key.id}\nprivate:\n${paths.map((path) => `  - ${path}\n`).join('')}`;
const privatePaths = ['raw/conversations/**', 'memories/**', 'knowledge/people/**'];

/** Gives the text of a file or blob, decrypted where it is private. */
export const plainOf = (bytes: Uint8Array, path: string): string => {
  const stored = Buffer.from(bytes);
  return (isSealed(stored) ? openText(key, stored, path) : stored).toString('utf8');
};

const notes = 'knowledge/projects/atlas.md';
const decision = 'We decided to keep the archive in Lisbon. I will send the contract to Ana by Friday.';

export const sweptOperations: readonly SweptOperation[] = [
  sweep('begin', 'nothing', []),
  sweep('capture', 'memory', [capture('ses_new', decision)]),
  sweep('flush', 'memory', [
    remember('new-one'),
    write(notes, '# Atlas\n\n- begun\n'),
    edit('knowledge/people/ana.md', 'lawyer', 'notary'),
    remove('knowledge/people/old.md'),
    commit,
  ]),
  sweep('close', 'memory', [remember('new-one'), remember('new-two')]),
  sweep('session end', 'memory', [begin, message('user', decision), message('agent', 'Noted.'), end]),
  sweep(
    'session in step with its file',
    'memory',
    [begin, message('user', decision), idle, message('agent', 'Noted.'), idle, end],
    { placements: ['repository'] },
  ),
  sweep(
    'growing file in step with its file',
    'memory',
    [write(notes, '# Atlas\n\n- begun\n'), idle, write(notes, '# Atlas\n\n- begun\n- goes on in May\n'), idle, commit],
    { placements: ['repository'] },
  ),
  sweep(
    'file that comes and goes before the flush',
    'memory',
    [write(notes, '# Atlas\n\n- begun\n'), idle, remove(notes), remember('new-one'), commit],
    { placements: ['repository'] },
  ),
  sweep('changes of one record', 'memory', [
    change('touch', 'old-one', 'always'),
    change('archive', 'old-one'),
    change('forget', 'old-two', 'always'),
    commit,
  ]),
  sweep('relation of two records, and one of them back from history', 'memory', [
    relate,
    commit,
    change('forget', 'old-one', 'always'),
    commit,
    change('restore', 'old-one', 'always'),
    commit,
  ]),
  sweep('maintenance that archives and forgets', 'memory', [
    write(memoryPath('over'), `{"id": "over", "content": "For a day.", "expires_at": 7, "last_used": ${now / 1000}}\n`),
    write(
      memoryPath('weak'),
      '{"id": "weak", "content": "Long ago.", "status": "archived", "expires_at": 7, "importance": 0.1, "last_used": 0}\n',
    ),
    commit,
    maintain('expire'),
    maintain('gc'),
  ]),
  sweep('maintenance that moves', 'memory', [
    write('memories/flat.json', `{"id": "flat", "content": "Elsewhere.", "last_used": ${now / 1000}}\n`),
    commit,
    maintain('layout'),
  ]),
  sweep('uses of several records', 'memory', [touchAll, expand, commit]),
  sweep('undo', 'memory', [undo('capture')]),
  sweep('undo of a batch', 'memory', [remember('new-one'), undo('batch')]),
  sweep('redo', 'memory', [undo('batch'), redo]),
  sweep('merge', 'two branches', [remember('new-one'), merge]),
  ...(hasGit
    ? ([{ name: 'resolve', base: 'stopped merge', placements: ['repository'], steps: [resolve] }] as const)
    : []),
  sweep('branch', 'memory', [remember('new-one'), beginBranch]),
  sweep('end of a branch', 'two branches', [drop]),
  sweep('snapshot', 'memory', [remember('new-one'), snapshot('before/sweep')]),
  sweep('consolidation', 'memory', [remember('new-one'), consolidate]),
  sweep('gists', 'memory', [rememberWithout, gist]),
  sweep('split', 'memory', [remember('new-one'), split]),
  sweep('promotion and schema', 'memory', [promote('old-one'), promote('old-two'), distil]),
  sweep('extract', 'memory', [extract]),
  sweep('experiment', 'memory', [experiment, adopt]),
  sweep('daily notes', 'memory', [note('Ana called.'), note('And again.')]),
  sweep('small files of the ledger', 'memory', [event('Send.'), maintain('ledger'), maintain('pack')]),
  sweep('events', 'memory', [event('Send the keys.'), event('Sent.', { closes: 'EVT-20260216-002' })]),
  sweep('memories that the ledger tells of', 'memory', [
    event('Ana prefers letters over calls.', { memory: 'old-one' }),
    change('archive', 'old-one'),
    change('restore', 'old-one', 'always'),
    change('forget', 'old-one', 'always'),
    commit,
  ]),
  sweep('changelog with what follows from it', 'memory', [
    deploy,
    commit,
    logChange('Sign in.', 'create'),
    logChange('Sign out.', 'modify'),
  ]),
  sweep('days, weeks and months of knowledge', 'memory', [
    write('knowledge/journal/2025-10-01.md', '## 2025-10-01\n\n- Rui painted the door [source: EVT-20251001-001]\n'),
    write(
      'knowledge/journal/2026-02-12.md',
      '## 2026-02-12\n\n- Decision: the door stays blue [source: EVT-20260212-001]\n',
    ),
    write('knowledge/memory/MEMORY.md', longCoreMemory),
    write(
      'knowledge/projects/door/context.md',
      `# Door\n\n## Context\n\n${'- It is blue [source: EVT-20260212-001]\n'.repeat(2)}`,
    ),
    commit,
    maintain('condense'),
    maintain('rollup'),
    // The name that a pass gives to the state before it stands already: it is a ref of its own, and stays when the pass fails.
    ...['distil', 'memory-md', 'journals', 'evict'].flatMap((task) => [
      snapshot(`before/${task}-2026-02-16`),
      maintain(task),
    ]),
    maintain('lists'),
  ]),
  sweep('archival of changelog and ledger', 'memory', [
    write('CHANGELOG.md', longChangelog),
    write('ledger/2026/01/2026-01-01.jsonl', oldSegment),
    commit,
    maintain('changelog-archive'),
    maintain('ledger-prune'),
  ]),
  {
    // The tags that an import makes first stand already: they are refs of their own, and stay when the import fails.
    name: 'import',
    base: 'memory',
    steps: [
      snapshot('before/import-jsonl'),
      importText('memories.jsonl', storeLine('new-one') + storeLine('new-two')),
      snapshot('before/import-conversations'),
      importText('chat.jsonl', '{"role":"user","content":"We moved to Braga.","time":"2026-02-01T10:00:00Z"}\n'),
    ],
  },
  sweep('purge', 'told', [remember('new-one'), purge], { erases: ['blue heron'] }),
  sweep(
    'private texts',
    'private',
    [
      doing((memory) => memory.remember({ id: 'new-one', content: `Nobody else knows that ${secret}.` })),
      write('knowledge/people/rui.md', `# Rui\n\n- says that ${secret}\n`),
      begin,
      message('user', `Between us, ${secret}.`),
      end,
      edit('knowledge/people/rui.md', 'says', 'whispers'),
      commit,
    ],
    { hides: ['blue heron', 'blue-heron'] },
  ),
  sweep('paths that become private', 'private', [
    configure(configurationOf(...privatePaths, 'knowledge/projects/**')),
    commit,
  ]),
  sweep('move of a folder', 'memory', [move, commit]),
  sweep('capture that joins packs', 'many packs', [capture('ses_new', decision)]),
  sweep('flush of a hand edit', 'hand edit', [remember('new-one'), commit], { placements: ['repository'] }),
  sweep('capture beside a busy index', 'busy index', [capture('ses_new', decision)], {
    placements: ['repository'],
    meanwhile: (folder) => fs.rmSync(path.join(folder, '.git/index.lock'), { force: true }),
  }),
];

/** Opens a memory as a caller of these tests does: fixed clock and ids, short waits. */
export function openForTest(options: Omit<OpenOptions, 'scope'>): Promise<Memory> {
  let count = 0;
  return openMemory({
    clock: { now: () => now },
    ids: { next: () => `01jm0000000000000000${String(count++).padStart(6, '0')}` },
    lockWaitMs: 300,
    indexWaitMs: 0,
    keys,
    configuration: {},
    ...options,
  });
}

export function callerOf(base: Base, memory: Memory): Caller {
  let session: Session | null = null;
  return {
    base,
    memory,
    async session() {
      session ??= await memory.startSession({ session: sessionId, topic: 'the swept session', started: now });
      return session;
    },
  };
}

export const gitDirectoryOf = (folder: string, placement: Placement) =>
  placement === 'bare' ? folder : path.join(folder, '.git');

/** Makes the folder in which an operation begins. */
export async function makeBase(folder: string, name: BaseName, placement: Placement): Promise<Base> {
  fs.mkdirSync(folder, { recursive: true });
  if (name === 'nothing') return { folder, commits: {} };
  const memory = await openForTest({ dir: folder, create: true, placement, configuration: { timezone: 'UTC' } });
  if (name === 'private') {
    await writeConfiguration(memory, configurationOf(...privatePaths));
    await memory.write('knowledge/projects/atlas.md', '# Atlas\n\n- begun\n');
    await memory.commit();
  }
  const captured = await memory.capture({
    session: 'ses_base',
    started: now - 3_600_000,
    messages: [
      {
        role: 'user',
        text: 'Ana said the office in Porto closes. We decided to move the archive to Braga.',
        time: now,
      },
      { role: 'agent', text: 'I will tell Rui by Thursday. You prefer short letters.', time: now },
    ],
  });
  await memory.remember({ id: 'old-one', content: 'Ana prefers letters over calls.', tags: ['people'] });
  await memory.remember({ id: 'old-two', content: 'The archive has 40 boxes.', tags: ['archive'] });
  const batch = await memory.commit();
  await memory.write('knowledge/people/ana.md', '# Ana\n\n- lawyer\n- lives in Porto\n');
  await memory.write('knowledge/people/old.md', '# Old\n\n- gone\n');
  await memory.commit();
  if (name === 'told') {
    await memory.capture({
      session: 'ses_told',
      topic: 'the blue heron',
      started: now,
      messages: [{ role: 'user', text: `Between us, ${secret}.`, time: now }],
    });
    await memory.write('knowledge/people/rui.md', `# Rui\n\n- says that ${secret}\n- baker\n`);
    await memory.snapshots.create('before/sweep');
    const side = await memory.branches.open('side', { create: true });
    await side.remember({ id: 'side-one', content: `On the side, ${secret}.` });
    await side.commit();
    // What waits on a branch that nobody has open at the purge, and what caches keep.
    await side.write('knowledge/people/eva.md', `# Eva\n\n- heard that ${secret}\n`);
    side.dispose();
    await memory.recall('heron');
    await memory.learned('heron');
    await memory.log();
  }
  if (name === 'two branches') {
    const side = await memory.branches.open('side', { create: true });
    await side.remember({ id: 'side-one', content: 'Said on the side.', tags: ['side'] });
    await side.edit('knowledge/people/ana.md', '- lawyer\n', '- lawyer\n- plays chess\n');
    await side.remove('knowledge/people/old.md');
    await side.close();
    await memory.edit('knowledge/people/ana.md', 'Porto', 'Braga');
    await memory.commit();
  }
  if (name === 'stopped merge') {
    const side = await memory.branches.open('side', { create: true });
    await side.remove('knowledge/people/old.md');
    await side.close();
    await memory.edit('knowledge/people/old.md', 'gone', 'back again');
    await memory.commit();
  }
  if (name === 'hand edit') await memory.ledger.add({ content: 'The archive has 40 boxes.', memory: 'old-two' });
  await memory.close();
  if (name === 'many packs') {
    const packs = path.join(gitDirectoryOf(folder, placement), 'objects/pack');
    const count = () => fs.readdirSync(packs).filter((file) => file.endsWith('.pack')).length;
    // Each process leaves its join behind unfinished, until there are as many as may be: the next commit has to finish one.
    for (let number = 0; count() < mostPacks; number++) {
      const process = await openForTest({ dir: folder });
      const content = `# Note ${number}\n\n- ${'word '.repeat(number)}\n`;
      await process.write(`knowledge/reference/note-${number}.md`, content);
      await process.commit();
      await process.close();
    }
  }
  if (name === 'hand edit') {
    const file = path.join(folder, memoryPath('old-two'));
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('40 boxes', '41 boxes'));
    fs.appendFileSync(path.join(folder, 'knowledge/people/ana.md'), '- plays chess\n');
    fs.writeFileSync(path.join(folder, 'knowledge/people/rui.md'), '# Rui\n\n- by hand\n');
  }
  if (name === 'stopped merge') {
    if (tryGit(folder, ['merge', 'side']).status !== 1) throw new Error('native git did not stop');
    // As after `git stash pop`: only the index tells of it.
    for (const left of ['AUTO_MERGE', 'MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'ORIG_HEAD']) {
      fs.rmSync(path.join(folder, '.git', left), { force: true });
    }
    fs.rmSync(path.join(folder, 'knowledge/people/old.md'));
  }
  if (name === 'busy index') fs.writeFileSync(path.join(folder, '.git/index.lock'), '');
  return { folder, commits: { capture: captured.commit!, batch: batch.commits[0]! } };
}
