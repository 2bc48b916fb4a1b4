import { describe, expect, test } from 'vitest';
import { defaultConfiguration, parseConfiguration } from '../../../src/store/records/configuration.ts';
import { formatConfiguration } from '../../../src/store/records/configuration-text.ts';

const parse = (text: string) => parseConfiguration(text, 'memory.yaml');
const invalid = expect.objectContaining({ code: 'INVALID_CONFIG' });

describe('parseConfiguration', () => {
  test.each(['', '# nothing\n', '---\n', 'version: 1\n', 'decay: {}\n'])('gives the defaults for %j', (text) => {
    expect(parse(text)).toEqual({ configuration: defaultConfiguration(), warnings: [] });
  });

  test('has the defaults of the specs', () => {
    expect(defaultConfiguration()).toMatchObject({
      timezone: 'UTC',
      language: 'en',
      flushMinutes: 30,
      autoPush: false,
      exploreDays: 7,
      recall: { limit: 10 },
      decay: { model: 'power_law', halfLifeDays: 3, forget: 0.05 },
      memoryMd: { capLines: 200 },
    });
  });

  test('changes one key and keeps its neighbours', () => {
    const { configuration } = parse(
      'timezone: Europe/Berlin\ndecay:\n  model: exponential\nprivate: ["knowledge/people/**"]\n',
    );
    expect(configuration).toMatchObject({
      timezone: 'Europe/Berlin',
      decay: { model: 'exponential', halfLifeDays: 3 },
      private: ['knowledge/people/**'],
    });
  });

  test.each([
    ['flush_minute: 3', /memory\.yaml:1 .*flush_minute\b.*Did you mean flush_minutes/],
    ['name: x\nrecall:\n  limt: 3', /memory\.yaml:3 .*recall\.limt.*Did you mean recall\.limit/],
    ['halflife_days: 3', /Did you mean decay\.half_life_days/],
    ['colour: red', /Known keys are version/],
  ])('answers the unknown key in %j', (text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).toThrow(invalid);
  });

  test.each([
    'timezone: Mars/Olympus',
    'flush_minutes: soon',
    'recall: {limit: 0}',
    'decay: 3',
    'decay: {model: linear}',
    'author: {name: Ada}',
    'version: 0',
    'private: knowledge/',
    'a: [1',
    '- a',
  ])('refuses %j', (text) => {
    expect(() => parse(text)).toThrow(invalid);
  });

  test.each([
    ['name: x\n\nrecall:\n  # how many\n  limit: 0\n', /memory\.yaml:5 recall\.limit: /],
    ['bundles:\n  - name: a\n    schemas: [x]\n  - name: b\n', /memory\.yaml:4 bundles\.1\.schemas: /],
    [
      'extract:\n  model:\n    name: a/b\n    nam: c\n',
      /memory\.yaml:4 .*extract\.model\.nam. Did you mean extract\.model\.name/,
    ],
  ])('names the line of what is wrong in %j', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  test('ignores times of tasks that earlier versions had, and warns', () => {
    const text =
      'maintain:\n  every_hours: { commitments: 24, gist: 5 }\nschedule:\n  tasks:\n    archive-facts: off\n';
    const { configuration, warnings } = parse(text);
    expect(configuration.maintain.everyHours).toEqual({ gist: 5 });
    expect(configuration.schedule.tasks).toEqual({});
    expect(warnings).toEqual([
      expect.stringMatching(/memory\.yaml:2 the task commitments is part of expire/),
      expect.stringMatching(/memory\.yaml:5 the task archive-facts is part of expire/),
    ]);
  });

  test('ignores keys that earlier versions had, and warns', () => {
    const text =
      'decay:\n  half_life_days: 5\n  alpha: 2\nreinforce: { max_strength: 3 }\nextract:\n  importance: { base: 1 }\n';
    const { configuration, warnings } = parse(text);
    expect(configuration).toEqual({
      ...defaultConfiguration(),
      decay: { ...defaultConfiguration().decay, halfLifeDays: 5 },
    });
    expect(warnings).toEqual([
      expect.stringMatching(/memory\.yaml:3 the key decay\.alpha has no effect any more/),
      expect.stringMatching(/memory\.yaml:6 the key extract\.importance has/),
      expect.stringMatching(/memory\.yaml:4 the key reinforce has/),
    ]);
  });

  test('takes unknown keys of a newer version for warnings', () => {
    const { configuration, warnings } = parse('version: 2\nglow: 1\nrecall:\n  limit: 3\n  glow: 2\n');
    expect(configuration.recall.limit).toBe(3);
    expect(warnings.join('\n')).toMatch(/version 2.*\bglow\b/s);
    expect(warnings.join('\n')).toContain('recall.glow');
    expect(() => parse('version: 2\nrecall: {limit: many}\n')).toThrow(invalid);
  });
});

test('the memory-config.yaml of the spec is read as far as its keys mean the same', () => {
  const text = [
    'context_compiler: {token_budget: 4096, journal_budget_kb: 5, topic_budget_kb: 9, glow: 1}',
    'lifecycle: {commit_interval_minutes: 10, extraction_trigger: on_session_end, memory_line_cap: 150}',
    'schedule: {prune: off}',
    'git: {auto_push: true, auto_tag_daily: false, commit_message_model: haiku}',
  ].join('\n');
  const { configuration, warnings } = parseConfiguration(text, 'memory-config.yaml');
  expect(configuration).toMatchObject({
    flushMinutes: 10,
    extract: { trigger: 'on_session_end' },
    autoPush: true,
    context: { tokens: 4096, journalKb: 5, instructionsKb: 3, subscriptionsKb: 6, memoryKb: 3 },
    memoryMd: { capLines: 150 },
    tags: { daily: false },
    schedule: { prune: 'off', condense: '0 23 * * *' },
  });
  expect(configuration.commitMessage.model).toBe(true);
  expect(warnings).toEqual([expect.stringContaining('context_compiler')]);
  expect(() => parseConfiguration('flush_minutes: x', 'memory-config.yaml')).toThrow(invalid);
  const wrong = 'context_compiler: {topic_budget_kb: many}';
  expect(() => parseConfiguration(wrong, 'memory-config.yaml')).toThrow(invalid);
  const weighed = 'search: {bm25_weight: 0.5, vector_weight: 0.5, embedding_model: some}\ngit: {auto_commit: false}';
  expect(parseConfiguration(weighed, 'memory-config.yaml')).toMatchObject({
    configuration: { search: { bm25Weight: 0.5, vectorWeight: 0.5 }, autoCommit: false },
    warnings: [expect.stringContaining('search.embedding_model')],
  });
});

test('what init writes is read back, and says what the keys do', () => {
  const given = { name: 'Silas: notes', author: { name: 'Ada', email: 'ada@example.org' }, timezone: 'Europe/Berlin' };
  const text = formatConfiguration(given);
  expect(parse(text)).toEqual({ configuration: { ...defaultConfiguration(), ...given }, warnings: [] });
  expect(text.split('\n').length).toBeLessThan(40);
  expect(parse(formatConfiguration()).configuration).toEqual(defaultConfiguration());
});
