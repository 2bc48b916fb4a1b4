// Every line that the engine writes outside raw/ has an owner, a memory or the turn it was taken from. So whatever is forgotten, ended, edited,
// purged or taken back is so in every file and in every answer about the present, in whichever order passes and extraction came.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../src/apps/mcp/host.ts';
import { createServer } from '../../src/apps/mcp/server.ts';
import { memoryTool } from '../../src/apps/memory-tool/memory-tool.ts';
import { serveUi } from '../../src/apps/ui/server.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { shownText } from '../../src/store/forgotten.ts';
import { forgottenPath, formatForgotten } from '../../src/store/records/forgotten-file.ts';
import { turnsOfLine } from '../../src/store/records/knowledge-marks.ts';
import { TestClient } from '../apps/mcp/client.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, hasGit } from '../helpers/native-git.ts';
import { runHere } from '../helpers/program.ts';

/** The turn by which the conversation is called, where it has no topic. */
const named = 2;
/** Turns of one conversation; the words behind `|` stand in no other turn. */
const turns = [
  'Decision: we pay Otto Lindqvist 6200 kronor a month from now on.|6200 kronor',
  'Lesson learned: a ladder that nobody tied is a trap for the next one.|nobody tied',
  'I prefer the minutes in one page, with the open points first. Decision: we meet under the clock tower.|clock tower',
  'I will bring Ylva the drawings of the greenhouse by 2026-02-27.|drawings of the greenhouse',
  'Nice weather today, is it not?|',
];
const words = turns.map((turn) => turn.split('|')[0]!);
const marks = turns.map((turn) => turn.split('|')[1]!);

type Step = (memory: Memory) => Promise<unknown>;
const steps: Readonly<Record<string, Step>> = {
  condense: (memory) => memory.maintenance.run({ tasks: ['condense'] }),
  rollup: (memory) => memory.maintenance.run({ tasks: ['rollup'] }),
  extract: (memory) => memory.extract(),
  night: (memory) => memory.maintenance.night(),
  tasks: (memory) => memory.maintenance.run(),
};

async function life(order: readonly string[], topic: { readonly topic?: string } = { topic: 'workshop' }) {
  const world = await newTestMemory();
  const { memory, clock } = world;
  const { path } = await memory.capture({
    session: 's1',
    ...topic,
    messages: words.map((text) => ({ role: 'user', speaker: 'Ines', text })),
  });
  for (const step of order) {
    await steps[step]!(memory);
    clock.advance({ hours: 1 });
    await memory.commit();
  }
  return { ...world, path };
}

/** The memory that says some words; every order ends with one. */
async function saying(memory: Memory, mark: string): Promise<string> {
  const { memories } = await memory.list();
  return memories.find(({ content }) => content.includes(mark))!.id;
}

/** Where some words stand outside raw/, and which answers about the present have them. */
async function homesOf(
  memory: Memory,
  mark: string,
  { isTurnKept = false, isLogKept = false } = {},
): Promise<string[]> {
  const homes: string[] = [];
  for (const file of await memory.files()) {
    if (file.startsWith('raw/') || (isLogKept && file.startsWith('ledger/'))) continue;
    if ((await memory.read(file))?.includes(mark)) homes.push(file);
  }
  const answers: Record<string, string> = {
    pack: (await memory.pack()).text,
    list: JSON.stringify(await memory.list()),
  };
  if (!isTurnKept) answers['session start'] = (await memory.sessionStart()).text;
  for (const query of [mark, 'what did we decide in the workshop', 'Ines']) {
    const { hits } = await memory.recall(query, { limit: 50 });
    const shown = hits.filter(({ path }) => !isTurnKept || !path.startsWith('raw/'));
    answers[`recall ${query}`] = JSON.stringify(shown);
    if (!isTurnKept)
      answers[`context ${query}`] = (await memory.context(`Tell me: ${query}?`)).text.split('<message>')[0]!;
  }
  return [...homes, ...Object.entries(answers).flatMap(([name, text]) => (text.includes(mark) ? [name] : []))];
}

interface Doors {
  /** What is found, listed and handed out, by the name of the door: a piece for each hit, memory or line. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** The conversation and its turns themselves. */
  readonly captures: Readonly<Record<string, string>>;
}

/** What readers outside the library are given: clients of MCP, the memory tool, and the page from its server. */
async function doorsOf(memory: Memory, path: string, query: string): Promise<Doors> {
  const answers: Record<string, readonly string[]> = {};
  const captures: Record<string, string> = {};
  // A host of this very memory, with its clock.
  const host = Object.assign(
    new MemoryHost({ start: '/', environment: {}, readOnly: true, logger: { warn: () => undefined } }),
    { memory: async () => memory },
  );
  const spots = [path, ...words.map((_, at) => `${path}#${at + 1}`)];
  const pieces = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value));
  const lines = (text: string) => text.split('<message>')[0]!.split('\n');
  for (const tools of ['everyday', 'chatgpt'] as const) {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await (await createServer({ host, tools })).connect(serverSide);
    const client = await TestClient.over(clientSide, 'legacy');
    const ask = async (name: string, input: Record<string, unknown>) => {
      const answer = await client.call(name, input);
      expect(answer.isError, answer.text).toBe(false);
      return answer.data;
    };
    if (tools === 'everyday') {
      for (const asked of [query, 'Ines']) {
        answers[`memory_search ${asked}`] = pieces((await ask('memory_search', { query: asked })).hits);
        answers[`memory_context ${asked}`] = lines((await ask('memory_context', { message: asked })).text);
      }
      answers.memory_list = pieces((await ask('memory_list', {})).memories);
      const { contents } = await client.client.readResource({ uri: `memory://files/${path}` });
      captures.resource = JSON.stringify(contents);
    } else answers.search = pieces((await ask('search', { query })).results);
    const get = tools === 'everyday' ? 'memory_get' : 'fetch';
    for (const id of spots) captures[`${get} ${id}`] = JSON.stringify(await ask(get, { id }));
    await client.close();
  }
  captures['memory tool'] = await memoryTool(memory, { folder: 'raw' }).view({
    path: path.replace('raw', '/memories'),
  });
  const { url, close } = await serveUi({ memory, page: '', port: 0, isReadOnly: true });
  const { origin, hash } = new URL(url);
  const ask = async (verb: string, input: object) => {
    const answer = await fetch(`${origin}/api/${verb}?input=${encodeURIComponent(JSON.stringify(input))}`, {
      headers: { Authorization: `Bearer ${hash.replace('#token=', '')}` },
    });
    expect(answer.status, verb).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: each verb has a shape of its own.
    return (await answer.json()) as any;
  };
  answers['page recall'] = pieces((await ask('recall', { query })).hits);
  answers['page list'] = pieces((await ask('list', { session: 's1' })).memories);
  answers['page context'] = lines((await ask('context', { message: query })).text);
  for (const what of spots) captures[`page show ${what}`] = JSON.stringify(await ask('show', { what }));
  captures['page blame'] = JSON.stringify((await ask('blame', { what: path })).lines);
  await close();
  return { answers, captures };
}

/** Pages on which a turn has several lines. */
async function doubles(memory: Memory): Promise<string[]> {
  const found: string[] = [];
  for (const page of await memory.files('knowledge/')) {
    if (!/^knowledge\/(?:journal\/|memory\/MEMORY)/.test(page)) continue;
    const named = (await memory.read(page))!.split('\n').flatMap(turnsOfLine);
    if (new Set(named).size < named.length) found.push(page);
  }
  return found;
}

/** Orders that end with the memories found: passes before, between and behind the extraction. */
const orders = fc
  .array(fc.constantFrom('condense', 'rollup', 'tasks', 'extract', 'night'), { maxLength: 4 })
  .map((before) => [...before, 'extract', 'condense', 'rollup']);
const cases = { numRuns: 4 };

describe('a line that the engine wrote', () => {
  it('stands once for its turn on each page, and in a context once beside the turn that says more', async () => {
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const { memory } = await life(order);
        expect(await doubles(memory), order.join(' ')).toEqual([]);
        const { runs } = await memory.maintenance.run({ tasks: ['fold'], dryRun: true });
        expect(runs[0]!.result!.items, order.join(' ')).toEqual([]);
        const { text } = await memory.context('What did Ines say in the workshop?');
        for (const mark of marks.filter((one) => one !== '')) expect(text.split(mark).length, mark).toBeLessThan(4);
        await memory.close();
      }),
      cases,
    );
  });

  it('goes with what is forgotten, and a later pass writes none; undo brings all of it back', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 0, max: 3 }), async (order, at) => {
        const { memory, directory, path } = await life(order);
        const before = await homesOf(memory, marks[at]!);
        const id = await saying(memory, marks[at]!);
        await memory.forget(id, { allowRemovals: true });
        const { commits } = await memory.commit();
        expect(await homesOf(memory, marks[at]!), order.join(' ')).toEqual([]);
        expect(await memory.read(path)).toContain(marks[at]);
        await memory.maintenance.run();
        await memory.maintenance.night();
        expect(await homesOf(memory, marks[at]!), order.join(' ')).toEqual([]);
        await memory.undo(commits.at(-1)!);
        expect(await homesOf(memory, marks[at]!)).toEqual(expect.arrayContaining(before));
        if (hasGit) expect(fsck(directory)).toBe('');
        await memory.close();
      }),
      cases,
    );
  });

  it('is given to no reader once its turn is forgotten, nor is the name that a conversation had from it', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 0, max: 3 }), fc.boolean(), async (order, at, isNamed) => {
        const { memory, directory, path } = await life(order, isNamed ? { topic: 'workshop' } : {});
        const had = async () => {
          const { answers, captures } = await doorsOf(memory, path, marks[at]!);
          const given = [...Object.entries(answers), ...Object.entries(captures)];
          return given.flatMap(([door, text]) => (JSON.stringify(text).includes(marks[at]!) ? [door] : []));
        };
        const before = await had();
        expect(before.length).toBeGreaterThan(6);
        const length = (await memory.read(path)).split('\n').length;
        const { paths } = await memory.forget(await saying(memory, marks[at]!), { allowRemovals: true });
        expect(paths).toEqual(!isNamed && at === named ? [path] : undefined);
        const { commits } = await memory.commit();
        expect(await had(), order.join(' ')).toEqual([]);
        expect((await memory.read(path, { hideForgotten: true })).split('\n')).toHaveLength(length);
        await memory.maintenance.night();
        expect(await had(), order.join(' ')).toEqual([]);
        expect(await homesOf(memory, marks[at]!), order.join(' ')).toEqual([]);
        await memory.undo(commits.at(-1)!);
        expect(await had()).toEqual(expect.arrayContaining(before));
        if (hasGit) expect(fsck(directory)).toBe('');
        await memory.close();
      }),
      { numRuns: 3 },
    );
  });

  it('goes with an extraction that is taken back, and no pass brings an older word for it', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 0, max: 3 }), async (order, at) => {
        const { memory, directory } = await life(order);
        expect((await memory.undo({ extractor: 'rules' })).conflicts).toEqual([]);
        expect(await homesOf(memory, marks[at]!, { isTurnKept: true, isLogKept: true }), order.join(' ')).toEqual([]);
        if (hasGit) expect(fsck(directory)).toBe('');
        await memory.close();
      }),
      cases,
    );
  });

  it('says what somebody made of its memory, and the turn that says nothing else is no answer', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.constantFrom(0, 3), async (order, at) => {
        const { memory, path } = await life(order);
        const id = await saying(memory, marks[at]!);
        const file = (await memory.files('memories/')).find((path) => path.includes(id))!;
        await memory.edit(file, `"content": "${words[at]}"`, '"content": "We put it in quite other terms."');
        await memory.commit();
        // A log has what was said before, and that another event took its place.
        expect(await homesOf(memory, marks[at]!, { isLogKept: true }), order.join(' ')).toEqual([]);
        expect((await homesOf(memory, 'quite other terms')).length).toBeGreaterThan(3);
        // Nobody wanted the turn gone: it is what the memory came from.
        expect((await memory.provenance(id)).sources.map(({ text }) => text)).toEqual([words[at]]);
        expect(await memory.read(path, { hideForgotten: true })).toBe(await memory.read(path));
        await memory.edit(file, 'We put it in quite other terms.', words[at]!);
        await memory.commit();
        expect((await memory.recall(marks[at]!)).hits.some(({ path }) => path.startsWith('raw/'))).toBe(true);
        await memory.close();
      }),
      cases,
    );
  });

  it('is in no file and no answer once its words are purged', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 0, max: 3 }), async (order, at) => {
        const { memory, directory, path } = await life(order);
        await memory.purge({ text: marks[at]! });
        expect(await homesOf(memory, marks[at]!), order.join(' ')).toEqual([]);
        expect(await memory.read(path)).not.toContain(marks[at]);
        if (hasGit) expect(fsck(directory)).toBe('');
        await memory.close();
      }),
      { numRuns: 3 },
    );
  });

  /** A turn says what it said. */
  const isOfClaim = (piece: string): boolean =>
    piece.includes('6200 kronor') &&
    !/^\{(?:"id":"raw\/|.*"category":"conversation")|^(?:user|agent|\p{Lu}\S*): /u.test(piece);

  it('says since when it is over, wherever it stays, and what took its place is no older word', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.boolean(), async (order, isForgotten) => {
        const { memory, clock, path } = await life(order);
        const old = await saying(memory, '6200 kronor');
        const { id } = await memory.remember({ content: 'Otto Lindqvist is paid by the hour.', replaces: old });
        await memory.commit();
        clock.advance({ days: 1 });
        await memory.maintenance.night();
        if (isForgotten) await memory.forget(id!, { allowRemovals: true });
        await memory.commit();
        for (const file of await memory.files()) {
          if (/^(?:raw|ledger|memories)\//.test(file)) continue;
          for (const line of (await memory.read(file))!.split('\n'))
            if (line.includes('6200 kronor'))
              expect(line, `${file} ${order.join(' ')}`).toMatch(/\(until 2026-02-\d\d\)|" is now ".+" \(EVT-/);
        }
        expect((await memory.pack()).text).not.toContain('6200 kronor');
        expect((await memory.list({ status: 'active' })).memories.map((one) => one.id)).not.toContain(old);
        const { text } = await memory.context('How is Otto Lindqvist paid?');
        for (const line of text.split('\n'))
          if (isOfClaim(line)) expect(line, order.join(' ')).toMatch(/\(until 2026-02-\d\d/);
        const { answers } = await doorsOf(memory, path, 'How is Otto Lindqvist paid?');
        for (const [door, pieces] of Object.entries(answers))
          for (const piece of pieces.filter(isOfClaim))
            expect(piece, door).toMatch(/until.{0,4}2026-02-\d\d|"validUntil":\d/);
        await memory.close();
      }),
      cases,
    );
  });
});

describe('a forgotten turn', () => {
  it('is shown by a view of the past, and by the provenance of nothing that lives', async () => {
    const { memory, clock } = await newTestMemory();
    const text = 'We agreed to meet under the clock tower. I will bring Ylva the drawings by 2026-02-27.';
    const { path } = await memory.capture({ session: 's1', messages: [{ role: 'user', text }] });
    await memory.extract();
    const kept = await saying(memory, 'drawings');
    const gone = await saying(memory, 'clock tower');
    expect(JSON.stringify(await memory.provenance(kept))).toContain('clock tower');
    clock.advance({ days: 1 });
    await memory.forget(gone, { allowRemovals: true });
    await memory.commit();
    expect(JSON.stringify((await memory.provenance(kept)).sources)).not.toContain('clock tower');
    expect(JSON.stringify((await memory.provenance(gone)).sources)).toContain('clock tower');
    const then = await memory.at('2026-02-16');
    expect(await then.read(path, { hideForgotten: true })).toBe(await memory.read(path));
    expect(JSON.stringify((await then.recall('clock tower')).hits)).toContain('clock tower');
  });

  it('of a daily note is a line in its place, with those that go on with it', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.note({
      text: 'A long talk with Ylva',
      extracts: [{ priority: 'P0', text: 'We decided to freeze\nthe budget of the shop' }],
    });
    const { path } = (await memory.extract()).transcripts[0]!;
    const whole = await memory.read(path);
    await memory.forget(await saying(memory, 'freeze'), { allowRemovals: true });
    const shown = await memory.read(path, { hideForgotten: true });
    expect(shown).toMatch(/A long talk with Ylva\n[\s\S]*\n\(forgotten\)\n/);
    expect(shown).not.toMatch(/freeze|budget/);
    expect(shown.split('\n')).toHaveLength(whole.split('\n').length);
    await memory.close();
    expect((await runHere(directory, ['show', path])).stdout.trimEnd()).toBe(shown.trimEnd());
    const output = join(directory, 'shown.md');
    await runHere(directory, ['show', path, '--output', output]);
    expect(readFileSync(output, 'utf8')).toBe(shown);
  });

  it('is hidden to its last line, though the file ends without a line feed', () => {
    const path = 'raw/conversations/2026/02/16/0900-s1-tea.md';
    const head = '---\nsession_id: s1\n---\n\n# Tea\n\n## 09:00 — user\n';
    const noted = formatForgotten(new Map([['gone', [`${path}#1`]]]));
    const files = { oidOf: (name: string) => (name === forgottenPath ? 'oid' : null), textIfWhole: () => noted };
    expect(shownText(files, path, `${head}Black tea`)).toBe(`${head}(forgotten)`);
    expect(shownText(files, path, `${head}Black tea\nwith milk\n`)).toBe(`${head}(forgotten)\n\n`);
  });

  it('leaves a conversation the topic that somebody gave it, though it says that word', async () => {
    const { memory, path } = await life(['extract'], { topic: 'clock tower' });
    const { paths } = await memory.forget(await saying(memory, 'meet under'), { allowRemovals: true });
    expect(paths).toBeUndefined();
    expect(await memory.read(path, { hideForgotten: true })).toMatch(/^topic: clock tower$/m);
    const { memories } = await memory.list();
    expect(memories.map(({ meta }) => meta.context)).toContain('clock tower');
  });
});
