import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../src/adapters/configured-model.ts';
import { languageModel } from '../../src/adapters/language-model.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { defaultConfiguration } from '../../src/store/records/configuration.ts';
import { answerItem, honestAnswer, shownIn } from '../helpers/honest-reader.ts';
import { type LanguageServer, serveLanguage } from '../helpers/language-server.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';

const honest: LanguageServer['answer'] = ({ prompt }) => honestAnswer(prompt);

async function newRead(yaml = '', answer: LanguageServer['answer'] = honest) {
  const server = await serveLanguage(answer);
  const model = await languageModel({
    model: 'openai/gpt-5-mini',
    baseUrl: server.url,
    apiKey: 'k',
    environment: {},
    retries: 1,
    pause: async () => {},
  });
  const made = await newTestMemory({ model });
  await writeConfiguration(made.memory, `version: 1\n${yaml}`);
  await made.memory.commit();
  return { ...made, server, model };
}

const gatedTopic = `---
title: Paint
triggers:
  - {type: pattern, match: paint}
activation: gated
---

# Paint

About colours.
`;

const talk = (memory: Memory, session: string, ...texts: string[]) =>
  memory.capture({ session, messages: texts.map((text) => ({ role: 'user', text, time: '2026-02-16T08:00:00Z' })) });

describe('extraction with a model', () => {
  it('is one commit for each conversation, which names model and turn, at a price that is told', async () => {
    const prices = '[{ model: openai/gpt-5-mini, input: 1000, output: 2000 }]';
    const { memory, server } = await newRead(`extract: { model: { prices: ${prices} } }\n`, (question, count) => ({
      text: honest(question, count) as string,
      usage: { input: 100, output: 10 },
    }));
    await talk(memory, 'one', 'The fence gets painted green.', 'The gate gets painted blue.');
    await talk(memory, 'two', 'The roof gets painted red.');
    const result = await memory.extract();
    expect(result).toMatchObject({
      extractor: 'model@4',
      model: { name: 'openai/gpt-5-mini', calls: 1, inputTokens: 100, outputTokens: 10 },
    });
    expect(result.model!.cost).toBeCloseTo(0.12);
    expect(result.transcripts.map(({ created }) => created.length)).toEqual([2, 1]);
    const { trailers } = (await memory.log({ limit: 1 })).commits[0]!;
    expect(trailers).toContainEqual({ key: 'Extractor', value: 'model@4' });
    expect(trailers).toContainEqual({ key: 'Model', value: 'openai/gpt-5-mini' });
    const { memories } = await memory.list({ category: 'decision' });
    expect(memories.map(({ sources }) => sources![0]!.turn).sort()).toEqual([1, 1, 2]);

    expect(await memory.extract()).toMatchObject({ extractor: 'model@4', transcripts: [] });
    expect(server.questions).toHaveLength(1);
  });

  it('is summed with what other verbs asked models, for a month', async () => {
    const { memory, clock } = await newRead('', (question, count) => ({
      text: question.system.includes('topic') ? 'YES' : (honest(question, count) as string),
      usage: { input: 100, output: 10 },
    }));
    expect((await memory.status()).models).toBeUndefined();
    await talk(memory, 'one', 'The fence gets painted green.');
    await memory.extract();
    await memory.write('topics/paint.md', gatedTopic);
    await memory.commit();
    clock.advance({ days: 1 });
    await memory.topics.test('Which paint do we take?');
    expect((await memory.status()).models).toEqual([
      {
        day: '2026-02-17',
        by: 'topics',
        model: 'openai/gpt-5-mini',
        calls: 1,
        input: expect.any(Number),
        output: expect.any(Number),
      },
      { day: '2026-02-16', by: 'extract', model: 'openai/gpt-5-mini', calls: 1, input: 100, output: 10 },
    ]);
    clock.advance({ days: 31 });
    await talk(memory, 'two', 'The roof gets painted red.');
    await memory.extract();
    expect((await memory.status()).models).toEqual([
      { day: '2026-03-20', by: 'extract', model: 'openai/gpt-5-mini', calls: 1, input: 100, output: 10 },
    ]);
  });

  it('is shown the claims that a conversation may change, and closes those it names', async () => {
    const { memory, server } = await newRead();
    await talk(memory, 'one', 'The gate gets painted blue.', 'The roof gets painted red.');
    await memory.extract();
    const { memories } = await memory.list();
    const [gate, roof] = ['gate', 'roof'].map((word) => memories.find(({ content }) => content.includes(word))!);
    server.answer = ({ prompt }) => {
      const { k } = shownIn(prompt).claims.find(({ says }) => says.includes('gate'))!;
      const says = 'From 2026-03-02 on the gate is green.';
      // What was not shown is no claim of which it could know.
      const changes = [k, 'k99', roof!.id].map((one) => ({ k: one, how: 'replaces', quote: 'the gate is green' }));
      const told = { subject: 'the gate', attribute: 'Colour!', from: '2026-03-02', changes };
      return JSON.stringify({ items: [answerItem({ says, t: [1], quote: 'the gate is green', ...told })] });
    };
    await talk(memory, 'two', 'As of March 2nd the gate is green.');
    const result = await memory.extract();
    const [green] = result.transcripts[0]!.created;
    const from = Date.parse('2026-03-02') / 1000;
    expect(await memory.get(green!.id)).toMatchObject({ subject: 'the gate', attribute: 'colour', validFrom: from });
    expect(await memory.get(gate!.id)).toMatchObject({ validUntil: from, replacedBy: green!.id });
    expect((await memory.get(roof!.id)).replacedBy).toBeUndefined();
    const { trailers } = (await memory.log({ limit: 1 })).commits[0]!;
    expect(trailers.filter(({ key }) => key === 'Closes')).toEqual([{ key: 'Closes', value: gate!.id }]);

    await memory.undo(result.transcripts[0]!.commit!);
    expect((await memory.get(gate!.id)).replacedBy).toBeUndefined();
  });

  it('ends before anything is written where the model cannot be had, and leaves the rest where it goes away', async () => {
    const { memory, server } = await newRead('', () => ({ status: 401 }));
    await talk(memory, 'one', 'We decided to paint the fence green.');
    await expect(memory.extract()).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect((await memory.list()).memories).toEqual([]);
    server.answer = (question, count) => (question.prompt.includes('gate') ? { status: 401 } : honest(question, count));
    const long = 'The list of colours is long, and nobody is to read all of it. '.repeat(190);
    await talk(memory, 'two', `We decided to paint the gate blue. ${long}`);
    const part = await memory.extract();
    expect(part).toMatchObject({ left: 1, notes: [expect.stringContaining('answers 401')] });
    expect(part.transcripts).toMatchObject([{ path: expect.stringContaining('one'), created: [{}] }]);
    server.answer = honest;
    const last = await memory.extract();
    expect(last.transcripts).toMatchObject([{ path: expect.stringContaining('two'), created: [{}, {}] }]);
  });

  it('leaves the rest for later when a limit is reached, and pays for nothing twice', async () => {
    const { memory, server, clock } = await newRead('extract: { model: { run_calls: 2, day_calls: 3 } }\n');
    // Each fills a request of its own.
    const long = 'The list of colours is long, and nobody is to read all of it. '.repeat(140);
    for (const name of ['a', 'b', 'c', 'd']) await talk(memory, name, `The ${name} fence gets painted green. ${long}`);
    const first = await memory.extract();
    expect(first).toMatchObject({ left: 2, notes: [expect.stringContaining('2 questions of this run')] });
    expect(await memory.extract()).toMatchObject({
      left: 1,
      notes: [expect.stringContaining('3 questions of this day')],
    });
    expect(server.questions).toHaveLength(3);
    clock.advance({ days: 1 });
    const { left, transcripts } = await memory.extract();
    expect([left, transcripts.length]).toEqual([undefined, 1]);
    expect(server.questions).toHaveLength(4);
  });

  it('shows with a dry run what a run then gives for nothing', async () => {
    const { memory, server } = await newRead();
    await talk(memory, 'one', 'The fence gets painted green.');
    const shown = await memory.extract({ dryRun: true });
    const done = await memory.extract();
    expect(done.transcripts[0]!.created).toEqual(shown.transcripts[0]!.created);
    expect(done.model).toMatchObject({ calls: 0, windows: { asked: 0, kept: 1 } });
    expect(server.questions).toHaveLength(1);
  });

  it('leaves unread what a model gives no usable answer for, and asks again with the next run', async () => {
    const { memory, server } = await newRead('', () => 'I cannot help with that.');
    for (const name of ['a', 'b', 'c']) await talk(memory, name, `We decided to paint the ${name} fence green.`);
    const { notes, transcripts, left } = await memory.extract();
    expect(notes!.slice(0, 2)).toEqual(['a', 'b'].map(() => expect.stringContaining('unread by the model')));
    expect(notes![0]).toContain('I cannot help with that.');
    expect(left).toBe(1);
    // Nobody reads in its place.
    expect(transcripts.flatMap(({ created }) => created)).toEqual([]);
    server.answer = honest;
    const again = await memory.extract();
    expect(again.transcripts.map(({ created }) => created.length)).toEqual([1, 1, 1]);
  });

  it('marks the turns that are unread in the commit of the others', async () => {
    const long = (what: string) => `The ${what} gets painted green. ${'Nobody is to read all of this. '.repeat(300)}`;
    const { memory, server } = await newRead('', (question, count) =>
      shownIn(question.prompt).turns.some(({ text }) => text.includes('gate')) ? 'No.' : honest(question, count),
    );
    await talk(memory, 'one', long('fence'), long('gate'));
    const first = await memory.extract();
    expect(first.transcripts).toMatchObject([{ created: [{}] }]);
    const { trailers } = (await memory.log({ limit: 1 })).commits[0]!;
    expect(trailers).toContainEqual({ key: 'Unread', value: `${first.transcripts[0]!.path}#2-2` });
    server.answer = honest;
    const { length } = server.questions;
    expect((await memory.extract()).transcripts).toMatchObject([{ created: [{}] }]);
    expect(server.questions).toHaveLength(length + 1);
    expect((await memory.extract()).transcripts).toEqual([]);
  });

  it('says what the words mean that were kept without it: the claim stays one', async () => {
    const { memory, server } = await newRead();
    await talk(memory, 'one', 'We decided that Mo waters the palms every Monday.');
    await memory.extract({ model: null });
    const id = (await memory.list()).memories[0]!.id;
    server.answer = ({ prompt }) => honestAnswer(prompt, () => ({ says: 'Mo waters the palms on Mondays.' }));
    await memory.extract();
    const { memories } = await memory.list();
    expect(memories).toMatchObject([{ id, category: 'decision', statement: 'Mo waters the palms on Mondays.' }]);
  });

  it('asks for the new turns only while a conversation goes on', async () => {
    const { memory, server } = await newRead();
    const session = await memory.startSession({ session: 'long' });
    await session.message('user', 'The fence gets painted green.');
    await memory.extract({ from: session.path });
    await session.message('user', 'The gate gets painted blue.');
    await session.end();
    await memory.extract({ from: session.path });
    expect(server.questions).toHaveLength(2);
    const { before, turns } = shownIn(server.questions[1]!.prompt);
    expect(before.join()).toContain('fence');
    expect(turns.map(({ text }) => text)).toEqual(['The gate gets painted blue.']);
    expect((await memory.list()).memories).toHaveLength(2);
  });

  it('keeps what is private from a model elsewhere', async () => {
    const { memory, server, model } = await newRead('private: ["raw/**"]\n');
    await memory.keys.new();
    await talk(memory, 'one', 'We decided to paint the fence green.');
    const asked = memory.extract({ model: { ...model, isRemote: true } });
    await expect(asked).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', where: 'private' });
    expect(server.questions).toEqual([]);
  });
});

describe('the trigger', () => {
  const decide = (what: string) => `We decided to paint the ${what} green.`;

  it('on_session_end needs no auto_extract, and manual wins over it', async () => {
    const { memory, server } = await newRead('extract: { trigger: on_session_end }\n');
    expect((await talk(memory, 'one', decide('fence'))).extraction!.created).toHaveLength(1);
    await writeConfiguration(memory, 'version: 1\nauto_extract: true\nextract: { trigger: manual }\n');
    expect(await talk(memory, 'two', decide('gate'))).not.toHaveProperty('extraction');
    expect(server.questions).toHaveLength(1);
  });

  it('hourly waits for an hour, and is a task of maintenance', async () => {
    const { memory, clock } = await newRead('extract: { trigger: hourly }\n');
    expect((await talk(memory, 'one', decide('fence'))).extraction!.created).toHaveLength(1);
    expect(await talk(memory, 'two', decide('gate'))).not.toHaveProperty('extraction');
    const open = await memory.startSession({ session: 'open' });
    await open.message('user', decide('roof'));
    clock.advance({ minutes: 61 });
    const { runs } = await memory.maintenance.run();
    expect(runs.find(({ task }) => task === 'extract')).toMatchObject({ state: 'done', result: { items: [{}] } });
    expect((await memory.list()).memories).toHaveLength(2);
    await open.end();
    clock.advance({ minutes: 61 });
    expect((await talk(memory, 'three', decide('door'))).extraction!.created).toHaveLength(2);
  });

  it('makes a capture wait for a model no longer than it may', async () => {
    const yaml = 'extract: { trigger: on_session_end, model: { wait_seconds: 0.3 } }\n';
    const { memory } = await newRead(yaml, () => ({ fault: 'silence' }));
    const { extraction, commit } = await talk(memory, 'one', decide('fence'));
    expect(commit).not.toBeNull();
    expect(extraction!.error).toContain('wait_seconds');
  });
});

describe('the choice of a model', () => {
  const settings = { ...defaultConfiguration().extract.model, name: 'openai/from-the-file' };
  const at = { name: 'at hand', complete: async () => '' };
  const nameOf = (...parameters: Parameters<typeof chooseModel>) => chooseModel(...parameters).choice?.name;

  it('is a person’s: asked for, given, or of the environment, and never of a file alone', () => {
    const environment = { GIT_MEMORY_MODEL: 'ollama/llama3.2' };
    expect(nameOf(settings, 'anthropic/x', at, environment)).toBe('anthropic/x');
    expect(nameOf(settings, undefined, at, environment)).toBe('at hand');
    expect(nameOf(settings, undefined, undefined, environment)).toBe('ollama/llama3.2');
    expect(nameOf(settings, undefined, undefined, { GIT_MEMORY_MODEL: 'memory.yaml' })).toBe('openai/from-the-file');
    for (const none of [null, 'none']) expect(nameOf(settings, none, at, environment)).toBeUndefined();
    expect(nameOf(settings, undefined, null, environment)).toBeUndefined();
    expect(nameOf(settings, undefined, undefined, { GIT_MEMORY_MODEL: 'none' })).toBeUndefined();
    const alone = chooseModel(settings, undefined, undefined, {});
    expect(alone.choice).toBeNull();
    expect(alone.note).toContain('openai/from-the-file');
    expect(chooseModel({ ...settings, name: undefined }, undefined, undefined, {})).toEqual({ choice: null });
  });
});
