// What `--json` promises: every verb's real answer fits the JSON Schema that help publishes, and has no key that the schema does not name.

import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { outputSchemaOf, verbTable } from '../../../src/apps/verbs/index.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { Bench, transcript } from './context.ts';
import { undocumented } from './schema-check.ts';

/** What later steps need of an earlier answer. */
interface Output {
  readonly id?: string;
  readonly commits?: readonly string[];
  readonly memories?: readonly { readonly id: string }[];
}

const bench = new Bench();
afterAll(() => bench.close());
const seen = new Set<string>();

/** Runs a verb, and holds what `--json` would print to its published schema. */
async function run(
  name: string,
  input: unknown = {},
  options: { at?: string; dryRun?: boolean } = {},
): Promise<Output> {
  const output = JSON.parse(JSON.stringify(await bench.run(name, input, options))) as Output;
  const schema = await outputSchemaOf(name);
  const problems = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(output).error;
  expect(problems, `${name} ${JSON.stringify(input)}`).toBeUndefined();
  expect.soft([...new Set(undocumented(schema, output))], `${name} ${JSON.stringify(input)}`).toEqual([]);
  seen.add(name);
  return output;
}

const path = 'knowledge/people/ada.md';

describe('the answers of verbs', () => {
  let session = '';
  it('about recording', async () => {
    await run('hook', { event: '{"hook_event_name":"Notification"}' });
    for (const verb of ['plug', 'unplug']) await run(verb, { client: 'vscode' }, { dryRun: true });
    await run('init', { files: 5 }, { dryRun: true });
    await run('init', { files: 5, project: true, placement: 'project' }).catch(() => run('init', { files: 5 }));
    await run('status');
    bench.inputs.set('tea.md', transcript);
    bench.inputs.set('facts.md', '---\nsubject: tea\n---\n- Tea is served at five.\n');
    const { path } = (await run('capture', { files: ['tea.md'] })) as { path?: string };
    session = path!;
    await run('capture', { text: 'my key is AKIAIOSFODNN7EXAMPLE' });
    await run('note', { text: 'The kettle is broken.' });
    await run('extract', {}, { dryRun: true });
    await run('extract');
    await run('event', { content: 'The kettle will be mended', type: 'commitment', due: '2026-11-09' });
    await run('change', {
      summary: 'The parser reads tea',
      type: 'create',
      scope: 'parser',
      detail: ['entity=parser'],
    });
    await run('import', { files: ['facts.md'], as: 'markdown' }, { dryRun: true });
    await run('import', { files: ['facts.md'], as: 'markdown' });
    await run('export', { as: 'markdown', target: 'out' }, { dryRun: true });
  });

  it('about keeping', async () => {
    const { id } = await run('remember', { content: 'Ada prefers green tea', category: 'preference', tags: ['tea'] });
    const other = await run('remember', { content: 'Ada drinks her oolong with milk', entities: ['Ada'] });
    await run('remember', { content: 'Ada prefers green tea' });
    await run('write', { path, text: '# Ada\n\n- Lives in Paris. [verified: 2024-01-01]\n' });
    await run('edit', { path, old: 'Paris', new: 'Rome' });
    await run('verify', { path, text: 'Rome' });
    await run('knowledge', {});
    await run('touch', { id, boost: true });
    await run('relate', { from: id, to: other.id });
    await run('commit', { message: 'What is known' });
    await run('show', { what: id });
    await run('show', { what: path });
    await run('list');
    await run('list', { folder: '/' });
    await run('list', { tag: 'tae' });
    await run('review');
    await run('review', { action: 'keep', id });
    await run('review', { action: 'undo' });
    await run('archive', { id: other.id });
    await run('restore', { id: other.id });
    await run('mv', { from: path, to: 'knowledge/people/ada-lovelace.md' });
    await run('gist', {}, { dryRun: true });
    await run('gist');
    await run('expand', { id });
    await run('split', {});
    const long = await run('remember', { content: 'We ship on Tuesday. The kettle is red.' });
    await run('split', { id: long.id, parts: ['We ship on Tuesday.', 'The kettle is red.'] }, { dryRun: true });
    await run('split', { id: long.id, parts: ['We ship on Tuesday.', 'The kettle is red.'] });
    await run('consolidate', {}, { dryRun: true });
    await run('consolidate');
    await run('promote', { ids: [id] }, { dryRun: true });
    await run('promote', { ids: [id] });
    await run('schema', {}, { dryRun: true });
    await run('bundle', { name: 'none' }).catch(() => seen.add('bundle'));
    await run('forget', { id: other.id });
    await run('rm', { path: 'knowledge/people/ada-lovelace.md' });
  });

  it('about asking', async () => {
    await run('recall', { query: 'green tea meeting' });
    await run('recall', { query: 'tag:taa tea', group: 'session' });
    await run('boxes');
    await run('events');
    await run('loops');
    await run('changes');
    await run('integrity');
    await run('pack');
    await run('context', { message: 'when is tea served', why: true });
    await run('context', { message: 'when is tea served' });
    await run('context', { message: 'when is tea served', session, use: true });
    await run('commit');
    const { handed } = (await run('log', { handed: session })) as { handed?: { id: string }[] };
    await run('replay', { id: handed![0]!.id, message: 'when is tea served' });
    await run('test');
    await run('session-start', { why: true });
    await run('session-start');
    await run('boot');
    await run('graph');
    await run('todo');
    await run('task', { action: 'add', task: 'Mend the kettle', to: 'backlog' });
    await run('shutdown', {});
    await run('topics', { action: 'new', text: 'tea', word: ['tea'] }).catch(() =>
      run('topics', { action: 'new', text: 'tea', words: ['tea'] }),
    );
    await run('topics');
    await run('topics', { action: 'test', text: 'tea please' });
    await run('topics', { action: 'turn', text: 'tea please' });
  });

  it('about history', async () => {
    await run('commit');
    const { commits } = await run('log', { limit: 3 });
    expect(commits).toHaveLength(3);
    const kept = (await run('list')).memories![0]!;
    await run('blame', { what: 'memory.yaml' });
    await run('blame', { what: kept.id });
    await run('diff', { from: 'HEAD~3' });
    await run('diff', { from: 'HEAD~3', stat: true });
    await run('diff', { from: 'HEAD~3', words: true });
    await run('learned', { text: 'tea' });
    await run('bisect', { query: 'green tea', finds: 'meeting' }).catch(() =>
      run('bisect', { query: 'tea', finds: 'tea' }),
    );
    await run('provenance', { what: kept.id });
    await run('provenance', { what: 'memory.yaml', line: 1 });
    await run('undo', { revision: 'HEAD' }, { dryRun: true });
    await run('undo', { revision: 'HEAD' });
    await run('snapshot');
    await run('snapshot', { name: 'before' });
    await run('snapshot');
  });

  it('about branches, upkeep and the repository', async () => {
    await run('branch', { name: 'plan' });
    await run('branch');
    await run('merge', { theirs: 'plan' }, { dryRun: true });
    await run('merge', { theirs: 'plan' });
    await run('branch', { name: 'plan', drop: true }).catch(() => undefined);
    await run('quarantine');
    await run('sync', { remote: 'http://127.0.0.1:9/none' });
    await run('experiment', { action: 'list' });
    await run('experiment', { action: 'run', names: ['strict'], set: ['extract.min_confidence=0.9'] });
    await run('experiment', { action: 'list' });
    await run('experiment', { action: 'probes' });
    await run('experiment', { action: 'compare', names: ['strict', 'main'] });
    await run('experiment', { action: 'drop', names: ['strict'] });
    bench.clock.time += 40 * 86_400_000;
    await run('maintain', {}, { dryRun: true });
    await run('maintain');
    await run('nightly', {}, { dryRun: true });
    await run('nightly');
    await run('schedule');
    await run('schedule', { action: 'crontab' });
    await run('config');
    await run('config', { action: 'get', key: 'decay.half_life_days' });
    await run('config', { action: 'set', key: 'decay.half_life_days', value: '20' });
    await run('config', { action: 'decay.half_life_days' });
    await run('config', { action: 'unset', key: 'decay.alpha' });
    await run('hooks', { action: 'install' });
    await run('mount');
    await (await openMemory({ dir: '/other', fs: bench.fs, create: true })).close();
    await run('mount', { name: 'team', folder: '/other' });
    await run('recall', { query: 'tea' });
    await run('mount', { name: 'team', remove: true });
    await run('reindex');
    await run('model');
    await run('doctor');
    await run('purge', { text: 'green tea' }, { dryRun: true });
    await run('purge', { text: 'green tea', yes: true });
    for (const name of ['base', 'ours', 'theirs']) bench.files.set(name, Buffer.from('one\n'));
    await run('key');
    await run('key', { action: 'new', what: ['knowledge/secret/**'] });
    await run('key', { action: 'show' });
    await run('key', { action: 'status' });
    await run('about', { target: 'src/parser.ts' });
    await run('merge-driver', { files: ['base', 'ours', 'theirs', 'notes.md'] }).catch(() => seen.add('merge-driver'));
  });

  it('are all held to what is published', () => {
    expect(verbTable.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual(['resolve']);
  });
});
