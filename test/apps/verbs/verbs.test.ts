// Every verb against a real memory: its output has the promised shape, and its text fits on a terminal.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { outputSchemaOf } from '../../../src/apps/verbs/index.ts';
import { plainStyle } from '../../../src/apps/verbs/style.ts';
import { Bench, transcript, verbNamed } from './context.ts';

const day = 86_400_000;
let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

/** Runs a verb, checks its output against the schema it publishes, and renders it. */
async function answer(name: string, input: unknown = {}, options: { at?: string; dryRun?: boolean } = {}) {
  const verb = verbNamed(name);
  const output = await bench.run(name, input, options);
  const published = z.fromJSONSchema((await outputSchemaOf(name)) as Parameters<typeof z.fromJSONSchema>[0]);
  expect(published.safeParse(JSON.parse(JSON.stringify(output))).error, name).toBeUndefined();
  const text = verb.text(output, plainStyle);
  // A path or an id is never broken, so a line may be as long as one of them.
  for (const line of text.split('\n')) if (!/\S{40}/.test(line)) expect([...line].length, line).toBeLessThanOrEqual(80);
  return { output: output as Record<string, unknown>, text };
}

describe('a memory repository', () => {
  it('is made by init and described by status', async () => {
    const { text: told } = await answer('init');
    expect(told).toContain('Ready: a memory in /memory');
    expect(told).toContain('Next: `git memory remember WORDS`');
    const { output, text } = await answer('status');
    expect(output).toMatchObject({ branch: 'main', memories: 0, pending: [] });
    expect(text).toContain('Nothing waits for a commit.');
  });

  it('commits removals by hand of what is named, as words or as paths; other words are the summary', async () => {
    for (let i = 0; i < 8; i++) await answer('write', { path: `knowledge/projects/p${i}.md`, text: `# ${i}\n` });
    await answer('commit', { message: 'eight projects' });
    for (let i = 0; i < 8; i++) bench.fs.unlinkSync(`/memory/knowledge/projects/p${i}.md`);
    expect((await answer('commit', { message: 'what is left' })).text).toMatch(/Nothing to commit\.\nleft .*p0\.md/);
    await answer('commit', { message: 'knowledge/projects/p1.md knowledge/projects/p2.md' });
    await answer('commit', { paths: ['knowledge/projects/p3.md'] });
    expect(await (await bench.memory()).files('knowledge/projects/')).toHaveLength(5);
    await answer('commit', { message: 'knowledge/projects' });
    expect(await (await bench.memory()).files('knowledge/projects/')).toEqual([]);
  });

  it('shows what waits for the next commit', async () => {
    const kept = await answer('remember', { content: 'tea is served at five', category: 'fact' });
    expect(kept.text).toMatch(/^remembered .*\.json {2}fact/);
    expect((await answer('status')).text).toContain('1 write waits for the next commit:\n  remember  memories/');
    for (const text of ['# A\n', '# B\n']) await answer('write', { path: 'knowledge/people/a.md', text });
    expect((await answer('status')).text).toMatch(
      /3 writes wait for the next commit:\n {2}remember {2}memories\/\S+\n {2}write +knowledge\/people\/a\.md {2}2 times\n/,
    );
    const { output } = await answer('commit');
    // The first page stands in a commit of its own before the second takes its place.
    const oid = expect.stringMatching(/^[0-9a-f]{40}$/);
    expect(output).toMatchObject({ commits: [oid, oid], skipped: [] });
    expect((await answer('commit')).text).toBe('Nothing to commit.');
  });
});

describe('capture', () => {
  it('answers with one session for one file, and with a list for several', async () => {
    bench.inputs.set('tea.md', transcript).set('note.txt', 'just a note');
    const one = await answer('capture', { files: ['tea.md'] });
    expect(one.output).toMatchObject({ session: 'ses_tea', turns: 3, path: expect.stringContaining('0900-ses_tea-') });
    const many = await answer('capture', { files: ['tea.md', 'note.txt'], topic: 'twice' });
    expect(many.output).toMatchObject({ captures: [{ turns: 3 }, { turns: 1 }] });
    expect(many.text).toContain('Captured 2 sessions with 4 turns.');
  });

  it('records a note and messages', async () => {
    const note = await answer('capture', { text: 'a thought', time: '2026-11-01T10:00:00Z' });
    expect(note.output.path).toContain('raw/conversations/2026/11/01/1000-');
    const messages = [
      { role: 'user', text: 'hello', time: '2026-11-01T11:00:00Z' },
      { role: 'agent', text: 'hi', time: '2026-11-01T11:01:00Z', speaker: 'Ada' },
    ];
    const talk = await answer('capture', { messages, topic: 'greetings' });
    expect(talk.output).toMatchObject({ turns: 2, path: expect.stringMatching(/1100-.*-greetings\.md$/) });
  });

  it('reads every file before it records the first', async () => {
    bench.inputs.set('tea.md', transcript);
    await expect(bench.run('capture', { files: ['tea.md', 'gone.md'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await answer('status')).output).toMatchObject({ conversations: 0 });
  });

  it('names the file that is wrong', async () => {
    bench.inputs.set('chat.jsonl', '{"role": "user"\n');
    await expect(bench.run('capture', { files: ['chat.jsonl'] })).rejects.toMatchObject({
      code: 'INVALID_RECORD',
      message: expect.stringContaining('chat.jsonl'),
    });
  });

  it('says what of several files is recorded when a later one cannot be read', async () => {
    bench.inputs.set('tea.md', transcript).set('chat.jsonl', '{"role": "user"\n');
    await expect(bench.run('capture', { files: ['tea.md', 'chat.jsonl'] })).rejects.toMatchObject({
      where: expect.stringContaining('chat.jsonl'),
      hint: expect.stringContaining('What stands before it is captured: 1 session'),
    });
  });

  it('refuses fields that would do nothing', async () => {
    bench.inputs.set('a', 'x').set('b', 'y');
    for (const input of [
      {},
      { files: [] },
      { files: ['a'], text: 'x' },
      { text: 'x', format: 'text' },
      { text: 'x', pauseMinutes: 5 },
      { text: 'x', session: 'ses_1' },
      { files: ['a', 'b'], session: 'ses_1' },
      { messages: [{ role: 'user', text: 'x' }], time: '2026-11-01' },
    ]) {
      await expect(bench.run('capture', input), JSON.stringify(input)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    }
  });

  it('is cut at pauses by import', async () => {
    const line = (time: string) =>
      JSON.stringify({ role: 'user', content: `said at ${time}`, time: `2026-11-01T${time}:00Z` });
    bench.inputs.set('chat.jsonl', [line('10:00'), line('10:20'), line('11:00')].join('\n'));
    const dry = await answer('import', { files: ['chat.jsonl'] }, { dryRun: true });
    expect(dry.text).toMatch(/^planned {2}raw\//);
    expect(dry.text).toContain('Would capture 2 sessions with 3 turns.');
    expect(dry.text).toContain('2 conversations would be added (nothing is committed).');
    expect(dry.text).not.toMatch(/pending|journal/);
    const { output } = await answer('import', { files: ['chat.jsonl'] });
    expect(output).toMatchObject({ captures: [{ turns: 2 }, { turns: 1 }] });
    expect(bench.progress.at(-1)).toBe('Importing 215/215');
    const again = await answer('import', { files: ['chat.jsonl'] });
    expect(again.output).toMatchObject({ captures: [], imports: [{ form: 'conversations', unchanged: 2 }] });
  });
});

describe('a memory that moves', () => {
  const line = (id: string) => `{"id":"${id}","content":"The build needs Node ${id}","use_count":1}\n`;

  it('comes in by import, which says what it took the source for, and goes out by export', async () => {
    bench.inputs.set('memories.jsonl', `${line('a')}${line('b')}{"torn`);
    const dry = await answer('import', { files: ['jsonl', 'memories.jsonl'] }, { dryRun: true });
    expect(dry.text).toContain('2 memories would be added, 1 left (nothing is committed).');
    const { output, text } = await answer('import', { files: ['memories.jsonl'] });
    expect(output).toMatchObject({ imports: [{ form: 'jsonl', isDetected: true, added: 2 }], captures: [] });
    expect(text).toContain('memories.jsonl is taken for jsonl');
    expect(text).toContain('memories.jsonl:3 breaks off in the middle');
    expect(text).toContain('The state before is memory/before/import-jsonl.');
    expect((await answer('import', { files: ['memories.jsonl'] })).text).toContain('no memory added, 2 here already');
    const out = await answer('export', { as: 'jsonl', target: 'out' });
    expect(out.output).toMatchObject({ records: 2, target: '/out' });
    const past = await answer('export', { as: 'facts', target: 'past' }, { at: 'memory/before/import-jsonl' });
    expect(past.output).toMatchObject({ records: 0, files: [] });
    const lists = await answer('export', { as: 'memories', target: 'lists' }, { dryRun: true });
    expect(lists.output).toMatchObject({ files: [{ path: 'remembered/memory.md', action: 'write' }] });
  });

  it('names the source that is missing, once', async () => {
    await expect(bench.run('import', { files: ['gone'] })).rejects.toMatchObject({ code: 'NOT_FOUND', where: 'gone' });
  });
});

describe('records', () => {
  it('are remembered, shown, listed, touched, archived and forgotten', async () => {
    expect((await answer('list', { category: 'preferense' })).output).toMatchObject({
      hints: ['No memory has the category “preferense”; did you mean preference?'],
    });
    const { output } = await answer('remember', {
      content: 'Ada prefers green tea',
      category: 'preference',
      tags: ['tea'],
    });
    const id = output.id as string;
    expect((await answer('show', { what: id })).text).toContain('Ada prefers green tea');
    expect((await answer('list', { tag: 'tea' })).output).toMatchObject({ memories: [{ id }] });
    expect((await answer('list', { tag: 'coffee' })).text).toBe(
      'No memories.\nNo memory has the tag “coffee”; there is tea.',
    );
    expect((await answer('list', { category: 'preferense' })).output).toEqual({
      memories: [],
      hints: ['No memory has the category “preferense”; did you mean preference?'],
    });
    await answer('touch', { id });
    expect((await answer('show', { what: id })).output).toMatchObject({ useCount: 1 });
    await answer('archive', { id });
    expect((await answer('list')).text).toContain('[archived] Ada prefers');
    expect((await answer('forget', { id })).text).toContain('forgot');
    await expect(bench.run('show', { what: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are forgotten with a word about what else is known of the same turn', async () => {
    const said =
      "My daughter Mia is moving to Oslo!!! The flat is on Elm Street. I'm going to sell the house in spring.";
    await answer('capture', { text: said });
    await answer('extract');
    const { memories } = (await answer('list')).output as { memories: { id: string; content: string }[] };
    const [gone, ...others] = memories;
    expect(others.length).toBeGreaterThan(0);
    const { output, text } = await answer('forget', { id: gone!.id });
    expect(new Set(output.others as never)).toEqual(new Set(others.map(({ id, content }) => ({ id, content }))));
    for (const { id, content } of others) expect(text.replace(/\s+/g, ' ')).toContain(`${id.slice(0, 10)} ${content}`);
  });

  it('have no ids in the context that a shell shows, where tools and JSON have them', async () => {
    const { output: kept } = await answer('remember', {
      content: 'The spare key lies at the bakery',
      category: 'fact',
    });
    await bench.run('remember', { content: 'The log says [id0000] key error', category: 'fact' });
    const { output, text } = await answer('context', { message: 'where is the key' });
    const listed = (handle: string) => `- ${handle}The spare key lies at the bakery (2026-11-02)`;
    expect(text).toContain(listed(''));
    expect(text).toContain('- The log says [id0000] key error');
    const tools = { ...plainStyle, hasIds: true as const };
    for (const whole of [output.text as string, verbNamed('context').text(output, tools)])
      expect(whole).toContain(listed(`[${kept.id as string}] `));
  });

  it('that quote are listed behind who says it', async () => {
    await bench.run('capture', {
      messages: [{ role: 'user', speaker: 'Ruth', text: 'I always take the night train to Vienna.' }],
      session: 's1',
    });
    await bench.run('extract');
    expect((await answer('list')).text).toMatch(/ Ruth: I always take the night train to Vienna\.$/m);
  });

  it('and files are written, edited, listed and removed', async () => {
    const path = 'knowledge/people/ada.md';
    await answer('write', { path, text: '# Ada\n\nLives in Paris.\n' });
    await answer('edit', { path, old: 'Paris', new: 'Rome' });
    expect((await answer('show', { what: path })).output).toEqual({ path, text: '# Ada\n\nLives in Rome.\n' });
    expect((await answer('show', { what: path })).text).toBe('# Ada\n\nLives in Rome.');
    expect((await answer('list', { folder: './knowledge/' })).text).toBe(path);
    expect((await answer('list', { folder: '/' })).text).toContain('memory.yaml');
    await answer('rm', { path });
    expect((await answer('list', { folder: 'knowledge' })).text).toBe('No files there.');
  });

  it('shows a file at the root by its name, and says what an unknown id is', async () => {
    expect(await bench.run('show', { what: 'memory.yaml' })).toMatchObject({ path: 'memory.yaml' });
    await bench.run('write', { path: 'knowledge/people/ada.md', text: '# Ada' });
    for (const [name, input, hint] of [
      ['rm', { path: 'knowledge' }, '--recursive'],
      ['show', { what: 'knowledge' }, '`git memory list knowledge`'],
      ['show', { what: 'knowledge/people/' }, '`git memory list knowledge/people`'],
      ['edit', { path: 'knowledge/people', old: 'a', new: 'b' }, '`git memory list knowledge/people`'],
    ] as const) {
      await expect(bench.run(name, input)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        what: expect.stringContaining('is a folder'),
        hint: expect.stringContaining(hint),
      });
    }
    await expect(bench.run('show', { what: 'nothing' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      what: expect.stringContaining('no memory'),
    });
  });

  it('does not filter files by what only memories have', async () => {
    await expect(bench.run('list', { folder: 'knowledge', tag: 'x' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('is written only if nobody changed the file', async () => {
    const input = { path: 'knowledge/a.md', text: 'x', ifBlob: '0'.repeat(40) };
    await expect(bench.run('write', input)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('questions', () => {
  it('are answered from turns, with speaker, time and commit', async () => {
    bench.inputs.set('tea.md', transcript);
    const captured = (await answer('capture', { files: ['tea.md'] })).output as unknown as {
      path: string;
      commit: string;
    };
    const { output, text } = await answer('recall', { query: 'green tea', limit: 1 });
    expect(output).toMatchObject({
      query: 'green tea',
      hits: [{ path: captured.path, turn: 3, commit: captured.commit }],
    });
    expect(text).toContain(`${captured.path}#3`);
    expect(text).toContain(`user, 2026-11-02 09:04  ${captured.commit.slice(0, 7)}`);
    expect((await answer('recall', { query: 'zeppelin' })).text).toBe('Nothing found for “zeppelin”.');
  });

  it('are answered once where a memory says what its turn says', async () => {
    bench.inputs.set('db.md', 'user: We decided to use Postgres for the store.\n\nagent: Fine.\n');
    await answer('capture', { files: ['db.md'], format: 'dialogue' });
    await answer('extract');
    const { output, text } = await answer('recall', { query: 'which store did we decide to use' });
    const { hits } = output as { hits: { path: string; turn?: number; also?: { path: string; turn?: number }[] }[] };
    const told = hits.find(({ also }) => also !== undefined)!;
    const places = [told, ...told.also!].map(({ path }) => path.slice(0, path.indexOf('/'))).sort();
    expect(places).toEqual(['boxes', 'knowledge', 'ledger', 'memories', 'raw']);
    expect(text).toMatch(/\n {4}also (raw|memories|ledger)\//);
    expect(hits.filter(({ path }) => path.startsWith('memories/'))).toHaveLength(told.turn === undefined ? 1 : 0);
    const memory = (await answer('recall', { query: 'category:memory store' })).output as typeof output;
    expect(memory.hits).toMatchObject([{ sources: [{ path: expect.stringContaining('raw/'), turn: 1 }] }]);
  });

  it('whose filters are misspelt are answered with what was probably meant', async () => {
    await answer('remember', { content: 'tea is served at five', tags: ['kitchen'] });
    const { output, text } = await answer('recall', { query: 'tag:kitchn tea' });
    expect(output).toMatchObject({ hits: [], hints: ['Nothing here has the tag “kitchn”; did you mean kitchen?'] });
    expect(text).toContain('did you mean kitchen?');
    expect((await answer('recall', { query: 'tea', category: 'memry' })).output).toMatchObject({
      hints: [expect.stringContaining('did you mean memory?')],
    });
    expect((await answer('recall', { query: 'tea' })).output).not.toHaveProperty('hints');
  });

  it('are answered as of another day', async () => {
    const path = 'knowledge/a.md';
    await answer('write', { path, text: 'tea\n' });
    await answer('commit');
    bench.clock.time += 3 * day;
    await answer('edit', { path, old: 'tea', new: 'coffee' });
    await answer('commit');
    expect((await answer('show', { what: path }, { at: '2026-11-03' })).text).toBe('tea');
    expect((await answer('show', { what: path })).text).toBe('coffee');
    expect((await answer('recall', { query: 'tea' }, { at: '2026-11-03' })).output.hits).toHaveLength(1);
  });

  it('cannot be put to another time where that has no meaning', async () => {
    await expect(bench.run('remember', { content: 'x' }, { at: '2026-11-02' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      where: 'at',
    });
    await expect(bench.run('remember', { content: 'x' }, { dryRun: true })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      where: 'dryRun',
    });
  });
});

describe('history', () => {
  it('is listed page by page', async () => {
    expect((await answer('log', { operation: 'nosuch' })).text).toMatch(/^No commits\.\nOperations here: \w+/);
    for (const word of ['one', 'two', 'three']) {
      await answer('remember', { content: word });
      await answer('commit', { message: `keep ${word}` });
    }
    const first = await answer('log', { limit: 2 });
    expect(first.output.commits).toMatchObject([
      { subject: expect.stringContaining('keep three') },
      { operation: expect.anything() },
    ]);
    expect(first.text).toContain('… more after');
    const rest = await answer('log', { after: first.output.next });
    expect(rest.output.commits).toHaveLength(2);
    expect((await answer('log', { path: 'knowledge' })).text).toBe('No commits.');
  });

  it('leads from an extracted memory to the words it was taken from', async () => {
    bench.inputs.set('tea.md', transcript);
    await answer('capture', { files: ['tea.md'] });
    const planned = await answer('extract', {}, { dryRun: true });
    expect(planned.output.transcripts).toMatchObject([{ commit: null, created: expect.any(Array) }]);
    expect((await answer('status')).output).toMatchObject({ memories: 0 });
    const { output, text } = await answer('extract');
    const [made] = output.transcripts as {
      created: { id: string; content: string; category: string }[];
      commit: string;
    }[];
    expect(made!.created.map(({ category }) => category)).toEqual(expect.arrayContaining(['decision', 'commitment']));
    expect(text).toMatch(/memories from 1 conversation, by rules@/);
    const decision = made!.created.find(({ category }) => category === 'decision')!;
    const origin = await answer('provenance', { what: decision.id });
    expect(origin.output).toMatchObject({
      alive: true,
      commits: [{ oid: made!.commit, change: 'added' }],
      sources: [{ turn: 1 }],
    });
    expect(origin.text).toContain('we serve tea at the meeting');
    const [hit] = (await answer('recall', { query: 'serve tea' })).output.hits as { path: string; turn: number }[];
    const spot = `${hit!.path}#${hit!.turn}`;
    const shown = await answer('show', { what: spot });
    expect(shown.text).toBe(
      '## 09:00 — user\nDecision: we serve tea at the meeting, because most people asked for it.',
    );
    expect((await answer('show', { what: `${hit!.path}:2` })).text).toBe('session_id: ses_tea');
    const said = await answer('provenance', { what: spot });
    expect(said.output).toMatchObject({ path: hit!.path, sources: [{ turn: 1 }] });
    const beyond = bench.run('show', { what: `${hit!.path}#7` });
    await expect(beyond).rejects.toMatchObject({ code: 'NOT_FOUND', hint: 'It has 3' });
    expect((await answer('extract')).text).toBe('No conversation is new to the extractor.');
  });

  it('keeps snapshots, of now and of another time', async () => {
    expect((await answer('snapshot')).text).toBe('No snapshots yet.');
    await answer('init');
    bench.clock.time += 3 * day;
    await answer('remember', { content: 'later' });
    await answer('commit');
    const now = await answer('snapshot', { name: 'now' });
    const then = await answer('snapshot', { name: 'then' }, { at: '2026-11-03' });
    expect(now.output.commit).not.toBe(then.output.commit);
    expect((await answer('snapshot')).output.snapshots).toMatchObject([
      { tag: 'memory/milestone/then' },
      { tag: 'memory/milestone/now' },
    ]);
    await expect(bench.run('snapshot', {}, { at: '2026-11-03' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('undo', () => {
  const path = 'knowledge/a.md';
  async function write(text: string): Promise<string> {
    await answer('write', { path, text });
    return ((await answer('commit')).output.commits as string[])[0]!;
  }

  it('takes back a commit, and takes back that', async () => {
    await write('right\n');
    const wrong = await write('wrong\n');
    const { output, text } = await answer('undo', { revision: wrong });
    expect(output).toMatchObject({ undone: [wrong], conflicts: [] });
    expect(text).toMatch(new RegExp(`took back {2}${wrong.slice(0, 7)} {2}[-\\d]+ [:\\d]+ {2}memory: ${path}`));
    expect(text).toContain(`by commit  ${(output.commit as string).slice(0, 7)}`);
    expect((await answer('show', { what: path })).text).toBe('right');
    await answer('undo', { revision: output.commit });
    expect((await answer('show', { what: path })).text).toBe('wrong');
  });

  it('names the paths that stand in the way and changes nothing', async () => {
    await write('one\n');
    const second = await write('two\n');
    await write('three\n');
    const { output, text } = await answer('undo', { revision: second });
    expect(output).toMatchObject({ undone: [], commit: null, conflicts: [path] });
    expect(text).toContain(`Nothing was changed: later changes to 1 path stand in the way.\n  ${path}`);
    expect(verbNamed('undo').refusal?.(output)).toBe('CONFLICT');
    expect((await answer('show', { what: path })).text).toBe('three');
  });

  it('only says what it would do in a dry run', async () => {
    const commit = await write('one\n');
    const { output, text } = await answer('undo', { revision: commit }, { dryRun: true });
    expect(output).toMatchObject({ undone: [commit], commit: null, conflicts: [] });
    expect(text).toContain('would take back');
    expect((await answer('show', { what: path })).text).toBe('one');
  });

  it('names what all went, and says how somebody is named whose work is meant', async () => {
    await write('one\n');
    for (const content of ['tea at five', 'cake at six']) await answer('remember', { content, agent: 'nightbot' });
    await answer('commit');
    await expect(bench.run('undo', { revision: 'nightbot' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('--agent nightbot'),
    });
    const { output, text } = await answer('undo', { agent: 'nightbot' });
    expect(output.subjects).toHaveLength((output.undone as string[]).length);
    expect(text).toMatch(/^took back {2}[0-9a-f]{7} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}memory: 2 memories/);
  });

  it('needs exactly one thing to take back', async () => {
    for (const input of [
      {},
      { revision: 'HEAD', agent: 'x' },
      { from: 'HEAD' },
      { to: 'HEAD' },
      { revision: 'HEAD', onto: 'HEAD' },
    ]) {
      await expect(bench.run('undo', input), JSON.stringify(input)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });
});

it('what native git is answered says which wording stands where both sides changed the same, within 80 columns', () => {
  const told = (disputes: string[], isConflict = false) =>
    verbNamed('merge-driver').text({ path: 'knowledge/plans.md', disputes, isConflict }, { ...plainStyle, width: 80 });
  expect(told([])).toBe('');
  expect(told(['- Buy a boat'])).toBe(
    'settled  knowledge/plans.md: both sides changed - Buy a boat; each wording\n         stands, ours first',
  );
  expect(told(['content']).replace(/\s+/g, ' ')).toMatch(/; ours stands$/);
  expect(told(['1. Rest', 'a line']).replace(/\s+/g, ' ')).toMatch(/; of items each wording stands, of the rest ours$/);
  expect(told(['line'], true)).toBe('conflict  knowledge/plans.md: both sides changed line');
});

it("config knows git's way, too: a key shows itself, and a value behind it changes it", async () => {
  await answer('init');
  const keysOf = async (input: unknown) => (await answer('config', input)).output.keys as { value: unknown }[];
  expect(await keysOf({ action: 'timezone' })).toMatchObject([{ key: 'timezone', value: 'UTC' }]);
  expect(await keysOf({ action: 'timezone', key: 'Europe/Rome' })).toMatchObject([{ value: 'Europe/Rome' }]);
  expect(await keysOf({ action: 'timezone' })).toMatchObject([{ value: 'Europe/Rome', isSet: true }]);
  for (const [input, code] of [
    [{ action: 'timezone', key: 'Europe/Rome', value: 'UTC' }, 'INVALID_ARGUMENT'],
    [{ action: 'timezon' }, 'NOT_FOUND'],
    [{ action: 'timezon', key: 'UTC' }, 'NOT_FOUND'],
  ] as const) {
    await expect(bench.run('config', input), JSON.stringify(input)).rejects.toMatchObject({ code });
  }
});

it('shutdown takes events as a list, as JSON and line by line', async () => {
  await answer('init');
  const event = (name: string) => ({
    type: 'fix',
    scope: name,
    summary: `Mended ${name}`,
    details: { entity: name },
  });
  const lines = [event('c'), event('d')].map((one) => JSON.stringify(one)).join('\n');
  for (const [events, ids] of [
    [[event('a')], ['evt-001']],
    [JSON.stringify([event('b')]), ['evt-002']],
    [lines, ['evt-003', 'evt-004']],
  ] as const) {
    const { output } = await answer('shutdown', { events });
    expect((output.events as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  }
  for (const events of ['{', [{ type: 'fix' }], [{}]]) {
    await expect(bench.run('shutdown', { events })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  }
});

it('says whose an event is, that nothing is known of a file, and of a night what there was', async () => {
  const event = { content: 'I will buy the straw', type: 'commitment', entity: 'Oluchi Eze' };
  await bench.run('event', event);
  expect((await answer('events')).text).toContain('commitment (oluchi eze, open): I will buy');
  expect((await answer('loops')).text).toContain('I will buy the straw (oluchi eze, 0 days)');
  expect((await answer('about', { target: 'src/straw.ts' })).text).toBe('Nothing is known of src/straw.ts.');
  const { text } = await answer('nightly');
  expect(text).toMatch(/\n1 new event, the ledger is whole\n/);
  expect((await answer('nightly')).text).toMatch(/\nthe ledger is whole$/);
});

it('finds what a session did by the id that it was given', async () => {
  await (await bench.memory()).capture({ session: 'day-13', messages: [{ role: 'user', text: 'The straw came.' }] });
  expect((await answer('log', { session: 'day-13' })).output).toMatchObject({ commits: [{ operation: 'capture' }] });
  expect((await answer('undo', { session: 'day-13' }, { dryRun: true })).output).toMatchObject({ undone: [{}] });
});

it('an event of the ledger is shown by its id, as the line that it is, and so is where it comes from', async () => {
  const { id, path } = (await bench.run('event', { content: 'We use git', type: 'decision' })) as Record<
    string,
    string
  >;
  await bench.run('event', { content: 'We use git alone', type: 'decision', supersedes: id });
  expect((await answer('show', { what: id })).output).toMatchObject({
    path: `${path}:1`,
    text: expect.stringContaining('"content":"We use git"'),
  });
  expect((await answer('provenance', { what: id })).output).toMatchObject({
    path,
    line: { line: 1 },
    commits: [{ change: 'added' }],
  });
  await expect(bench.run('provenance', { what: 'EVT-20200101-001' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    hint: expect.stringContaining('ledger list'),
  });
});
