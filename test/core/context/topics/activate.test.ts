// From messages to topics: every way to wake one, the table of the gate, and what goes wrong in one file.

import { describe, expect, it } from 'vitest';
import type { TextModel } from '../../../../src/base/ports.ts';
import type { TopicsOptions, TopicsResult } from '../../../../src/base/types.ts';
import { askGate, GateCache, routeOf } from '../../../../src/core/context/topics/gate.ts';
import { parseTopic } from '../../../../src/store/records/topic-file.ts';
import { newTestMemory, writeFiles } from '../../../helpers/memories.ts';

const emailTriage = `---
type: topic
triggers:
  - type: webhook
    source: email
    event: new_message
  - type: pattern
    match: "email|inbox|mail"
    scope: input
subscriptions:
  - knowledge/procedures/email-workflow.md
  - knowledge/people/_index.md
activation: gated          # auto | gated | manual
priority: high             # low | medium | high | critical
max_context_kb: 4
---

# Email Triage

## Instructions

When a new email arrives:
1. Classify: urgent / actionable / informational / spam
2. If urgent: notify user immediately
`;

async function memoryWith(files: Readonly<Record<string, string>>, options: { model?: TextModel } = {}) {
  const opened = await newTestMemory({ model: null, ...options });
  await writeFiles(opened.memory, files);
  return opened;
}

/** A topic that is woken by these triggers, in YAML, one a line. */
function topic(
  triggers: readonly string[],
  keys = 'activation: auto',
  body = '# It\n\nSomething else altogether.\n',
): string {
  return `---\ntype: topic\ntriggers:\n${triggers.map((line) => `  - ${line}\n`).join('')}${keys}\n---\n\n${body}`;
}

async function ask(trigger: string, message: string, options: TopicsOptions = {}): Promise<TopicsResult> {
  const { memory } = await memoryWith({ 'topics/it.md': topic([trigger]) });
  const result = await memory.topics.test(message, options);
  await memory.close();
  return result;
}

const names = ({ active }: TopicsResult): string[] => active.map(({ name }) => name);

describe('a topic', () => {
  it('of the form of the spec is woken by its pattern and let in by the gate', async () => {
    const { memory } = await memoryWith({ 'topics/email-triage.md': emailTriage });
    const { active, considered, problems } = await memory.topics.test('Can you classify the urgent email in my Inbox?');
    expect(problems).toEqual([]);
    expect(active).toEqual([
      {
        path: 'topics/email-triage.md',
        name: 'email-triage',
        priority: 3,
        by: 'pattern',
        score: expect.closeTo(0.5, 0.3),
        confidence: expect.any(Number),
        reasons: ['the pattern "email|inbox|mail" found "email"'],
        subscriptions: ['knowledge/procedures/email-workflow.md', 'knowledge/people/_index.md'],
        maxContextBytes: 4096,
      },
    ]);
    expect(considered[0]).toMatchObject({ isActive: true, tier1: true, why: 'it is sure enough to need no gate' });
    expect((await memory.topics.test('What is for lunch?')).considered).toEqual([]);
  });

  it.each<[string, string, string | null, TopicsOptions?]>([
    ['{type: pattern, match: "\\\\bPR\\\\b|pull request"}', 'Review the pr please', 'found "pr"'],
    ['{type: pattern, match: "\\\\bPR\\\\b"}', 'my approach', null],
    [
      '{type: keywords, words: [deploy, production, roll back]}',
      'Roll back the Production!',
      'it says "production", "roll back"',
    ],
    ['{type: keywords, words: [store]}', 'it was restored', null],
    ['{type: glob, match: "*.py"}', 'look at src/app.py:12, please', 'fits "src/app.py"'],
    [
      '{type: glob, match: "*.py"}',
      'look at it',
      'fits "src/main.py"',
      { turns: [{ role: 'tool', text: 'read src/main.py' }] },
    ],
    ['{type: glob, match: "src/**/*.ts"}', 'look at test/app.ts', null],
    ['{type: code}', 'Fix this:\n```py\nprint(1)\n```', 'python'],
    ['{type: code, languages: [js]}', 'const x = require(1);\nlet y = [1];\nconst z = { a };', 'javascript'],
    ['{type: code, languages: [rust]}', 'Fix this:\n```py\nprint(1)\n```', null],
    ['{type: code}', 'Buy milk, eggs, and: bread', null],
    ['{type: language, languages: [German]}', 'Kannst du bitte die Mail an den Kunden schreiben?', 'written in de'],
    ['{type: language, languages: [de]}', 'Can you write the mail to the customer?', null],
    ['{type: language, languages: [ja, zh]}', '会議の議事録を書いてください', 'written in ja'],
    ['{type: mention, names: [David, "@silas"]}', 'ask David about it', 'it names "David"'],
    ['{type: mention, names: [David, "@silas"]}', 'cc @Silas.', 'it names "@silas"'],
    ['{type: mention, names: ["@silas"]}', 'mail silas@example.org or Silas', null],
    ['{type: url, hosts: [github.com]}', 'see https://github.com/a/b/pull/3.', 'links to "github.com/a/b/pull/3"'],
    ['{type: url, hosts: [github.com], match: "*/*/pull/*"}', 'see https://api.github.com/a/b/pull/3', 'links to'],
    ['{type: url, hosts: [github.com], match: "*/*/pull/*"}', 'see https://github.com/a/b/issues/3', null],
    ['{type: url, hosts: [github.com]}', 'see https://github.com.evil.org/a', null],
    ['{type: sentiment_shift}', 'This is broken again!!!', 'the mood turned: !!!'],
    ['{type: sentiment_shift}', 'URGENT: the site', 'the mood turned: URGENT'],
    ['{type: sentiment_shift}', 'It is on the NATO list!', null],
    [
      '{type: sentiment_shift}',
      'I hate this, it is horrible',
      'the mood turned: from 0.',
      { turns: [{ role: 'user', text: 'Great, thanks, I love it' }] },
    ],
    ['{type: sentiment, below: -0.5}', 'I am very angry and sad about this terrible mess', 'its sentiment is -0.'],
    ['{type: sentiment, below: -0.2}', 'kill the process, it failed with an error', null],
    ['{type: sentiment, above: 0.5}', 'not good at all', null],
    ['{type: similarity, threshold: 0.3}', 'Something else', 'it is like the topic (tfidf'],
    ['{type: similarity, algorithm: bm25, threshold: 0.3}', 'Something else', 'it is like the topic (bm25'],
    [
      '{type: similarity, algorithm: jaccard, examples: ["deploy to production"]}',
      'deploy production',
      '(jaccard 1.00)',
    ],
    [
      '{type: similarity, algorithm: ngram, examples: ["deploy to production"], threshold: 0.4}',
      'deplyo to prodution',
      '(ngram',
    ],
    ['{type: similarity}', 'Nothing of it', null],
  ])('with %s and %j is woken: %j', async (trigger, message, reason, options) => {
    const { active, problems } = await ask(trigger, message, options);
    expect(problems).toEqual([]);
    expect(active.map(({ reasons }) => reasons.join()).join()).toContain(reason ?? '');
    expect(active).toHaveLength(reason === null ? 0 : 1);
  });

  it('is woken by a webhook, and by words that come with it', async () => {
    const trigger = '{type: webhook, source: email, event: new_message}';
    const event = { type: 'webhook', source: 'email', event: 'new_message', text: 'An offer' } as const;
    expect((await ask(trigger, '', { events: [event] })).active[0]).toMatchObject({ by: 'event' });
    expect((await ask(trigger, '', { events: [{ ...event, event: 'deleted' }] })).active).toEqual([]);
    expect((await ask('{type: pattern, match: offer}', '', { events: [event] })).active[0]).toMatchObject({
      by: 'pattern',
    });
  });

  it('is woken by its schedule, in the time zone of the memory', async () => {
    const files = {
      'topics/it.md': topic(['{type: cron, schedule: "0 8 * * *"}']),
      'memory.yaml': 'timezone: Europe/Berlin\n',
    };
    const { memory, clock } = await memoryWith(files);
    const struck = async (event: object) =>
      names(await memory.topics.test('', { events: [{ type: 'cron', ...event }] })).length;
    clock.set('2026-02-17T07:00:20Z');
    expect(await struck({})).toBe(1);
    expect(await struck({ time: '2026-02-17T08:00:00Z' })).toBe(0);
    expect(await struck({ since: '2026-02-16T20:00:00Z', time: '2026-02-17T12:00:00Z' })).toBe(1);
    expect(await struck({ since: '2026-02-17T07:30:00Z', time: '2026-02-17T12:00:00Z' })).toBe(0);
    await expect(struck({ since: '2026-02-18' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(struck({ time: 'soonish' })).rejects.toMatchObject({ code: 'INVALID_DATE' });
  });

  it('that is manual is woken by its name alone', async () => {
    const { memory } = await memoryWith({
      'topics/it.md': topic(['{type: pattern, match: lunch}'], 'activation: manual'),
    });
    const found = await memory.topics.test('lunch');
    expect(found.active).toEqual([]);
    expect(found.considered[0]).toMatchObject({ why: 'only its name wakes it' });
    expect((await memory.topics.test('', { activeTopics: ['it'] })).active[0]).toMatchObject({
      by: 'manual',
      confidence: 1,
    });
    expect(names(await memory.topics.test('', { activeTopics: ['topics/it.md'] }))).toEqual(['it']);
    await expect(memory.topics.test('', { activeTopics: ['its'] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: 'Did you mean it',
    });
  });

  it('that is pending is there, and a past view has those of then', async () => {
    const { memory, clock } = await memoryWith({ 'topics/it.md': topic(['{type: pattern, match: lunch}']) });
    expect(names(await memory.topics.test('lunch'))).toEqual(['it']);
    await memory.commit();
    clock.advance({ days: 2 });
    await memory.remove('topics/it.md');
    await memory.commit();
    expect(names(await memory.topics.test('lunch'))).toEqual([]);
    const then = await memory.at('2026-02-16');
    expect(names(await then.topics.test('lunch'))).toEqual(['it']);
    expect((await then.topics.list()).topics.map(({ name }) => name)).toEqual(['it']);
  });

  it('stands behind what is more urgent', async () => {
    const { memory } = await memoryWith({
      'topics/b.md': topic(['{type: pattern, match: lunch}'], 'activation: auto\npriority: low'),
      'topics/a.md': topic(['{type: pattern, match: lunch}'], 'activation: auto'),
      'topics/c.md': topic(['{type: pattern, match: lunch}', '{type: keywords, words: [lunch]}'], 'activation: auto'),
      'topics/z.md': topic(['{type: pattern, match: lunch}'], 'activation: auto\npriority: critical'),
    });
    expect(names(await memory.topics.test('lunch'))).toEqual(['z', 'c', 'a', 'b']);
  });
});

describe('words of recall/triggers.json', () => {
  it('call for their files as a topic does', async () => {
    const file = 'knowledge/entities/store.md';
    const triggers = { triggers: [{ patterns: ['shopify', 'store'], load: [file, 'knowledge/gone.md'] }] };
    const { memory } = await memoryWith({ 'recall/triggers.json': JSON.stringify(triggers), [file]: '# Store\n' });
    expect((await memory.topics.test('the Store')).active).toEqual([
      expect.objectContaining({ path: 'recall/triggers.json', name: 'shopify', by: 'pattern', subscriptions: [file] }),
    ]);
    await memory.write('recall/triggers.json', '{"triggers": [{"patterns": 3}]}');
    const broken = await memory.topics.test('the store');
    expect(broken.active).toEqual([]);
    expect(broken.problems[0]).toMatchObject({ path: 'recall/triggers.json' });
  });
});

describe('the gate', () => {
  it.each([
    ['critical', 0, 'open'],
    ['high', 0.3, 'open'],
    ['high', 0.29, 'ask'],
    ['medium', 0.2, 'ask'],
    ['medium', 0.9, 'ask'],
    ['medium', 0.19, 'drop'],
    ['low', 0.3, 'ask'],
    ['low', 0.29, 'drop'],
    ['medium', null, 'ask'],
  ] as const)('for %s priority and a likeness of %s says %s', (priority, score, route) => {
    expect(routeOf({ priority, similarityThreshold: null }, true, score)).toBe(route);
  });

  it('takes the threshold of the topic in place of those, and asks about what likeness alone has found', () => {
    expect(routeOf({ priority: 'high', similarityThreshold: 0.5 }, true, 0.4)).toBe('ask');
    expect(routeOf({ priority: 'low', similarityThreshold: 0.1 }, true, 0.1)).toBe('ask');
    expect(routeOf({ priority: 'critical', similarityThreshold: null }, false, 0.9)).toBe('ask');
  });

  function scripted(answer: (prompt: string) => Promise<string> | string) {
    const asked: { system: string; prompt: string; maxOutputTokens?: number }[] = [];
    const model: TextModel = {
      name: 'test/gate',
      async complete(request) {
        asked.push(request);
        return answer(request.prompt);
      },
    };
    return { asked, model };
  }

  const gated = topic(
    ['{type: pattern, match: lunch}'],
    'activation: gated\npriority: high',
    '# Food\n\nAbout meals.\n',
  );

  it('asks a model, once for the same words, with what the spec says', async () => {
    const { asked, model } = scripted((prompt) => (prompt.includes('skip') ? 'No.' : ' yes'));
    const { memory } = await memoryWith({ 'topics/it.md': gated }, { model });
    const first = await memory.topics.test(`lunch ${'x'.repeat(600)}`);
    expect(first.active[0]).toMatchObject({ by: 'gate' });
    expect(first.considered[0]!.gate).toEqual({ isOpen: true, judge: 'test/gate' });
    expect((await memory.topics.test(`lunch ${'x'.repeat(600)}`)).considered[0]!.gate).toMatchObject({
      isCached: true,
    });
    expect((await memory.topics.test('skip lunch')).active).toEqual([]);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ maxOutputTokens: 1 });
    expect(asked[0]!.prompt).toContain('Description: "About meals."');
    expect(asked[0]!.prompt).not.toContain('x'.repeat(500));
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no server')), 'test/gate: no server'],
    ['says something else', () => 'Perhaps', 'neither YES nor NO'],
  ])('falls back to the rule where the model %s', async (_, answer, note) => {
    const { model } = scripted(answer);
    const { memory } = await memoryWith({ 'topics/it.md': gated }, { model });
    const { considered } = await memory.topics.test('what to have for lunch');
    expect(considered[0]!.gate).toMatchObject({ judge: 'rule' });
    expect(considered[0]!.gate!.note).toContain(note);
  });

  it('waits for a model so long and no longer', async () => {
    const model: TextModel = {
      name: 'test/slow',
      complete: ({ signal }) =>
        new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
    };
    const question = { file: parseTopic(gated, 'topics/it.md'), oid: '0', message: 'lunch', confidence: 0.9 };
    const verdict = await askGate(question, { model, cache: new GateCache(), maxTokens: 1, waitMs: 30 });
    expect(verdict).toEqual({ isOpen: true, judge: 'rule', note: 'test/slow took longer than 30 ms' });
  });

  it('tells no model elsewhere where something is private', async () => {
    const { asked, model } = scripted(() => 'YES');
    const files = { 'topics/it.md': gated, 'memory.yaml': 'private: [knowledge/people/**]\n' };
    const { memory } = await memoryWith(files, { model });
    expect((await memory.topics.test('lunch')).considered[0]!.gate!.note).toContain('would be told what is private');
    expect(asked).toEqual([]);
  });

  it('asks a model about so many topics of a message', async () => {
    const { asked, model } = scripted(() => 'YES');
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`topics/t${at}.md`, gated]));
    const { memory } = await memoryWith(files, { model });
    const { considered } = await memory.topics.test('lunch');
    expect(asked).toHaveLength(5);
    expect(considered.filter(({ gate }) => gate!.judge === 'rule')).toHaveLength(3);
  });

  it('without a model opens for more than one kind of evidence', async () => {
    const { memory } = await memoryWith({
      'topics/it.md': topic(['{type: pattern, match: lunch}'], 'priority: high', '# A\n\nNothing alike.\n'),
    });
    expect((await memory.topics.test('lunch')).considered[0]).toMatchObject({
      isActive: false,
      confidence: 0.5,
      why: 'the gate kept it out',
      gate: { isOpen: false, judge: 'rule' },
    });
    await memory.write(
      'topics/it.md',
      topic(['{type: pattern, match: lunch}', '{type: keywords, words: [hungry]}'], 'priority: high', '# A\n\nNone.\n'),
    );
    expect((await memory.topics.test('hungry for lunch')).active[0]).toMatchObject({ by: 'gate', confidence: 0.7 });
  });
});

describe('steering by what the agent says', () => {
  const python = topic(
    ['{type: pattern, match: "print [^(]", scope: output, correction_hint: Use Python 3 syntax}'],
    'activation: auto',
  );

  it('gives the correction of a topic and makes it active', async () => {
    const { memory } = await memoryWith({ 'topics/python.md': python });
    const { corrections, active } = await memory.topics.test('go on', { output: 'Then `print "hello"` shows it.' });
    expect(corrections).toEqual([
      {
        path: 'topics/python.md',
        name: 'python',
        hint: 'Use Python 3 syntax',
        reason: 'in the output, the pattern "print [^(]" found "print \\""',
      },
    ]);
    expect(active[0]).toMatchObject({ name: 'python', by: 'pattern' });
    // The same words of a person are no matter of it.
    expect((await memory.topics.test('print "hello"')).active).toEqual([]);
  });

  it('gives a correction whatever the gate says, unless the topic is manual', async () => {
    const { memory } = await memoryWith({ 'topics/python.md': python.replace('auto', 'gated') });
    const gated = await memory.topics.test('', { output: 'print "x"' });
    expect([gated.active, gated.corrections.length]).toEqual([[], 1]);
    await memory.write('topics/python.md', python.replace('auto', 'manual'));
    expect((await memory.topics.test('', { output: 'print "x"' })).corrections).toEqual([]);
    expect((await memory.topics.test('', { output: 'print "x"', activeTopics: ['python'] })).corrections).toHaveLength(
      1,
    );
  });
});

describe('a topic file that is wrong', () => {
  it('is told by line, and all that is right in it and in others works', async () => {
    const { memory } = await memoryWith({
      'topics/bad.md': [
        '---',
        'type: topic',
        'triggers:',
        '  - type: pattern',
        '    match: "(lunch"',
        '  - type: patern',
        '    match: a',
        '  - {type: keywords, words: [dinner]}',
        '  - {type: cron, schedule: "99 * * * *"}',
        '  - {type: sentiment}',
        '  - {type: keywords, words: [x], scpe: input}',
        'activation: sometimes',
        'priorty: high',
        'subscriptions: [knowledge/gone.md]',
        '---',
        '# Bad',
        '',
      ].join('\n'),

      'topics/good.md': topic(['{type: pattern, match: dinner}']),
      'topics/_index.md': 'no topic',
    });
    const { problems, topics } = await memory.topics.list();
    expect(problems.map(({ path, line, why }) => `${path}:${line ?? ''} ${why}`.slice(0, 90))).toEqual([
      expect.stringMatching(/^topics\/bad\.md: subscribes to knowledge\/gone\.md, which is not there/),
      expect.stringMatching(/^topics\/bad\.md:4 the pattern "\(lunch" has a \( that is never closed/),
      expect.stringMatching(/^topics\/bad\.md:6 "patern" is no type of a trigger; did you mean pattern\?/),
      expect.stringMatching(/^topics\/bad\.md:9 the schedule "99 \* \* \* \*" cannot be read/),
      expect.stringMatching(/^topics\/bad\.md:10 the sentiment trigger: .*needs below or above/),
      expect.stringMatching(/^topics\/bad\.md:11 the keywords trigger: scpe/),
      expect.stringMatching(/^topics\/bad\.md:12 activation: /),
      expect.stringMatching(/^topics\/bad\.md:13 priorty is no key of a topic; did you mean priority\?/),
    ]);
    expect(topics.map(({ name }) => name)).toEqual(['bad', 'good']);
    expect(names(await memory.topics.test('dinner'))).toEqual(['good']);
    expect((await memory.topics.test('dinner')).considered.map(({ name }) => name)).toEqual(['good', 'bad']);
  });

  it('that is no YAML is woken by nothing, and told', () => {
    const { triggers, activation, faults } = parseTopic('---\ntype: topic\ntriggers: [\n---\n', 'topics/x.md');
    expect([triggers, activation]).toEqual([[], 'manual']);
    expect(faults).toEqual([{ line: 4, why: expect.stringContaining('is not valid YAML') }]);
  });

  it('with patterns made to hang us takes no longer than it may, and is told', async () => {
    const evil = ['[ab]*a[ab]{90}[cd]', '(.{0,40}a){4}[^ab]', '.*a.{180}!'].map(
      (match) => `{type: pattern, match: "${match}"}`,
    );
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`topics/evil${at}.md`, topic([...evil, ...evil])]),
    );
    const { memory } = await memoryWith({ ...files, 'topics/a-good.md': topic(['{type: pattern, match: "[ab]ab"}']) });
    const text = Array.from({ length: 2000 }, (_, at) => ((at * 7919) % 31 < 15 ? 'a' : 'b')).join('');
    const { active, problems } = await memory.topics.test(text);
    expect(names({ active } as TopicsResult)).toContain('a-good');
    expect(problems.length).toBeGreaterThan(100);
    expect(problems[0]).toEqual({
      path: 'topics/evil0.md',
      line: 5,
      why: 'was not looked for: it takes too long on this text',
    });
  });
});

describe('a question about topics that is wrong', () => {
  it.each<[unknown, unknown, string]>([
    [3, {}, 'INVALID_ARGUMENT'],
    ['x'.repeat((1 << 20) + 1), {}, 'TOO_LARGE'],
    ['x', null, 'INVALID_ARGUMENT'],
    ['x', { turns: [{ role: 'user' }] }, 'INVALID_ARGUMENT'],
    ['x', { turns: 'x' }, 'INVALID_ARGUMENT'],
    ['x', { activeTopics: [3] }, 'INVALID_ARGUMENT'],
    ['x', { events: [{ type: 'mail' }] }, 'INVALID_ARGUMENT'],
    ['x', { events: [{ type: 'webhook' }] }, 'INVALID_ARGUMENT'],
    ['x', { output: 3 }, 'INVALID_ARGUMENT'],
  ])('%j, %j: %s', async (message, options, code) => {
    const { memory } = await newTestMemory();
    await expect(memory.topics.test(message as string, options as TopicsOptions)).rejects.toMatchObject({ code });
  });
});
