// What the sweep asks of a memory: every verb of the table, as one of a reader's questions or as a write with its proof.

import type { ErrorCode } from '../../../src/base/errors.ts';
import type { Asked, Reply } from './asker.ts';
import { handed } from './memory.ts';

export interface Question extends Asked {
  /** What it is about: a path, or the id of a record; it may be refused where that is damaged. */
  readonly about?: readonly string[];
  /** It looks at earlier states, so that it may be refused where one of them is damaged. */
  readonly isHistory?: true;
}

const ana = 'knowledge/people/ana.md';
const history = { isHistory: true } as const;

/** Questions that change nothing; answers are compared with those of the sound memory. */
export const questions: readonly Question[] = [
  { verb: 'status' },
  { verb: 'list' },
  { verb: 'list', input: { folder: 'knowledge/' } },
  { verb: 'recall', input: { query: 'who sells tea' } },
  { verb: 'recall', input: { query: 'lives in Braga', mode: 'lexical' } },
  { verb: 'about', input: { target: 'src/tea.ts' } },
  { verb: 'show', input: { what: ana }, about: [ana] },
  { verb: 'show', input: { what: 'old-one' }, about: ['old-one'] },
  { verb: 'show', input: { what: 'knowledge/private/rui.md' }, about: ['knowledge/private/rui.md'] },
  { verb: 'show', input: { what: 'knowledge/projects/atlas.md' }, about: ['knowledge/projects/atlas.md'] },
  { verb: 'show', input: { what: ana }, at: 'memory/milestone/first', about: [ana], ...history },
  { verb: 'list', at: 'memory/milestone/second', ...history },
  { verb: 'review' },
  { verb: 'boxes' },
  { verb: 'events' },
  { verb: 'changes' },
  { verb: 'loops' },
  { verb: 'pack' },
  { verb: 'context', input: { message: 'Shall we serve the tea?' } },
  { verb: 'session-start' },
  { verb: 'boot' },
  { verb: 'graph' },
  { verb: 'todo' },
  { verb: 'topics' },
  { verb: 'integrity' },
  { verb: 'knowledge' },
  { verb: 'knowledge', input: { path: ana, links: true }, about: [ana] },
  { verb: 'bundle', input: { name: 'all' } },
  { verb: 'config' },
  { verb: 'config', input: { action: 'get', key: 'timezone' } },
  { verb: 'snapshot' },
  { verb: 'branch' },
  { verb: 'quarantine' },
  { verb: 'mount' },
  { verb: 'key' },
  { verb: 'schedule' },
  { verb: 'experiment', input: { action: 'list' } },
  { verb: 'log', ...history },
  { verb: 'log', input: { path: ana }, about: [ana], ...history },
  { verb: 'log', input: { session: 'ses_tea' }, ...history },
  { verb: 'blame', input: { what: ana }, about: [ana], ...history },
  { verb: 'blame', input: { what: 'old-one' }, about: ['old-one'], ...history },
  { verb: 'diff', input: { from: 'HEAD~2', to: 'HEAD' }, ...history },
  { verb: 'diff', input: { from: 'memory/milestone/first', stat: true }, ...history },
  { verb: 'learned', input: { text: 'Braga' }, ...history },
  { verb: 'learned', input: { text: 'boxes of tea' }, ...history },
  { verb: 'bisect', input: { query: 'where does Ana live', finds: 'Braga' }, ...history },
  { verb: 'provenance', input: { what: 'old-one' }, about: ['old-one'], ...history },
  { verb: 'provenance', input: { what: ana, line: 3 }, about: [ana], ...history },
  { verb: 'branch', input: { compare: 'side' }, ...history },
  { verb: 'merge', input: { theirs: 'side' }, dryRun: true, ...history },
  { verb: 'undo', input: { revision: 'HEAD' }, dryRun: true, ...history },
  { verb: 'test' },
  { verb: 'replay', input: handed, ...history },
  { verb: 'model' },
  { verb: 'export', input: { as: 'jsonl', target: '/nowhere/exported' }, dryRun: true },
  { verb: 'consolidate', dryRun: true },
  { verb: 'maintain', dryRun: true },
  { verb: 'nightly', dryRun: true },
  { verb: 'extract', dryRun: true },
  { verb: 'gist', input: { all: true }, dryRun: true },
  { verb: 'sync', dryRun: true, ...history },
  { verb: 'purge', input: { text: 'harbour was quiet' }, dryRun: true, ...history },
];

/** Those that open a memory to read, so that what waits in a journal goes on waiting. */
const readers =
  'status list recall show due boxes events changes loops pack context session-start boot graph todo topics integrity knowledge bundle config mount log blame diff learned bisect provenance export'.split(
    ' ',
  );
export const readersQuestions = questions.filter(({ verb }) => readers.includes(verb));

export interface Write extends Asked {
  /** What shows that it was done, once it was acknowledged: a question and words of its answer. */
  readonly proof?: { readonly asked: Asked; readonly says: string };
  readonly about?: readonly string[];
  readonly isHistory?: true;
  /** A sound memory refuses it with this code. */
  readonly refused?: ErrorCode;
}

const kept = (what: string, says: string) => ({ proof: { asked: { verb: 'show', input: { what } }, says } });

/** Writes, each made in a memory of its own. */
export const writes: readonly Write[] = [
  {
    verb: 'capture',
    input: { text: 'A visitor was here.', time: '2026-02-20T12:00:00Z' },
    proof: { asked: { verb: 'recall', input: { query: 'visitor was here' } }, says: 'visitor' },
  },
  { verb: 'remember', input: { id: 'visit', content: 'A visitor was here' }, ...kept('visit', 'visitor') },
  { verb: 'write', input: { path: ana, text: '# Ana\n\n- rewritten\n' }, ...kept(ana, 'rewritten') },
  {
    verb: 'write',
    input: { path: 'knowledge/people/new.md', text: '# New\n\n- fresh\n' },
    ...kept('knowledge/people/new.md', 'fresh'),
  },
  { verb: 'edit', input: { path: ana, old: 'Braga', new: 'Faro' }, about: [ana], ...kept(ana, 'Faro') },
  {
    verb: 'event',
    input: { content: 'A visitor came.', type: 'fact' },
    proof: { asked: { verb: 'events' }, says: 'A visitor came' },
  },
  {
    verb: 'change',
    input: { summary: 'Visited', type: 'decision', scope: 'auth', agent: 'builder' },
    proof: { asked: { verb: 'changes' }, says: 'Visited' },
  },
  { verb: 'note', input: { text: 'Visited the harbour.' } },
  { verb: 'forget', input: { id: 'old-two' }, about: ['old-two'] },
  { verb: 'archive', input: { id: 'old-three' }, about: ['old-three'] },
  { verb: 'touch', input: { id: 'old-one' }, about: ['old-one'] },
  { verb: 'relate', input: { from: 'old-one', to: 'old-three' }, about: ['old-one', 'old-three'] },
  { verb: 'mv', input: { from: ana, to: 'knowledge/people/anna.md' }, about: [ana] },
  { verb: 'rm', input: { path: ana }, about: [ana] },
  { verb: 'commit' },
  { verb: 'extract' },
  { verb: 'maintain', input: { force: true } },
  { verb: 'nightly', input: { force: true } },
  { verb: 'undo', input: { revision: 'HEAD' }, isHistory: true },
  { verb: 'merge', input: { theirs: 'side' }, isHistory: true },
  { verb: 'snapshot', input: { name: 'third' }, proof: { asked: { verb: 'snapshot' }, says: 'third' } },
  { verb: 'branch', input: { name: 'other' }, proof: { asked: { verb: 'branch' }, says: 'other' } },
  { verb: 'sync', isHistory: true },
  { verb: 'config', input: { action: 'set', key: 'timezone', value: 'Europe/Lisbon' } },
  { verb: 'promote', input: { ids: ['old-one'] }, about: ['old-one'] },
  { verb: 'verify', input: { path: ana, text: 'lawyer' }, about: [ana] },
  { verb: 'task', input: { action: 'done', task: 'Buy the tea' }, about: ['TODO.md'] },
  { verb: 'topics', input: { action: 'new', text: 'boats', description: 'Boats', pattern: 'boat' } },
  { verb: 'purge', input: { text: 'harbour was quiet', yes: true }, isHistory: true },
  { verb: 'topics', input: { action: 'test', text: 'more tea' } },
  { verb: 'reindex' },
  { verb: 'init' },
  { verb: 'import', input: { files: ['../chat.jsonl'] } },
  { verb: 'experiment', input: { action: 'run', names: ['second'] }, isHistory: true },
  { verb: 'expand', input: { id: 'old-one' }, about: ['old-one'] },
  { verb: 'restore', input: { id: 'old-one' }, about: ['old-one'], refused: 'ALREADY_EXISTS' },
  {
    verb: 'split',
    input: { id: 'old-one', parts: ['Ana prefers letters.', 'Ana does not like calls.'] },
    about: ['old-one'],
  },
  { verb: 'consolidate', input: { ids: ['old-one', 'old-two'] }, about: ['old-one', 'old-two'] },
  { verb: 'gist', input: { ids: ['old-one'] }, about: ['old-one'] },
  { verb: 'schema', input: { ids: ['old-one', 'old-two'] }, about: ['old-one', 'old-two'], refused: 'NOT_FOUND' },
  {
    verb: 'shutdown',
    input: { events: '{"type":"decision","scope":"auth","summary":"All is well","agent":"builder"}' },
  },
  { verb: 'resolve', refused: 'NOT_FOUND' },
  // It judges what is staged.
  { verb: 'hooks', input: { action: 'pre-commit' }, about: ['.git/index'] },
  { verb: 'hooks', input: { action: 'install' } },
];

/** Verbs that are asked elsewhere: by each case itself, upon files that are no memory or belong to others, or by programs, which get no failure. */
export const askedElsewhere: readonly string[] = ['doctor', 'merge-driver', 'hook', 'plug', 'unplug'];

/** Gives one name to a question, for reports. */
export const nameOf = ({ verb, input = {}, at, dryRun }: Asked): string =>
  [verb, ...Object.values(input).map(String), ...(at ? [`at ${at}`] : []), ...(dryRun ? ['(dry run)'] : [])]
    .join(' ')
    .replace(/\s+/g, ' ');

export const wordsOf = (reply: Reply): string => `${JSON.stringify(reply.output ?? null)}${reply.text}`;
