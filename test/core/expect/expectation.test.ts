// Files of expectations as people write them, and the judgement of a text by one.

import { describe, expect, it } from 'vitest';
import { parseExpectations } from '../../../src/core/expect/expectation.ts';
import { judge } from '../../../src/core/expect/judge.ts';

const path = 'expect/first.yaml';

async function problemsOf(text: string) {
  const { expectations, problems } = await parseExpectations(text, path);
  return { names: expectations.map(({ name }) => name), problems };
}

/** Judges a text by one expectation, and gives the kinds of its failures. */
async function faultsOf(conditions: string, text: string) {
  const { expectations, problems } = await parseExpectations(`it:\n  pack: true\n${conditions}`, path);
  expect(problems).toEqual([]);
  return judge(expectations[0]!, { text, tokens: 10 }).map(({ wrong: _, ...fault }) => fault);
}

describe('a file of expectations', () => {
  it('loses what has a mistake, which is named with line and hint, and keeps the rest', async () => {
    const { names, problems } = await problemsOf(
      [
        'good one:',
        '  recall: where is the key',
        '  must: under the mat',
        'misspelt:',
        '  recal: where',
        '  must: x',
        'two questions:',
        '  pack: true',
        '  loops: true',
        '  must: x',
        'nothing wanted:',
        '  context: hello',
        'no pattern:',
        '  pack: true',
        '  must: /(unclosed/',
        'must: without a name',
      ].join('\n'),
    );
    expect(names).toEqual(['good one']);
    expect(problems.map(({ line }) => line)).toEqual([4, 7, 11, 13, 16]);
    expect(problems[0]).toMatchObject({
      name: 'misspelt',
      path,
      why: '"misspelt" has the unknown key recal',
      hint: 'Did you mean recall?',
    });
    expect(problems[1]!.why).toBe('"two questions" asks more than one thing: pack or loops');
    expect(problems[2]!.hint).toMatch(/must, must_not/);
    expect(problems[3]!.why).toMatch(/cannot be read/);
    expect(problems[4]!.hint).toMatch(/Put a name above it/);
  });

  it('that is no YAML costs itself alone', async () => {
    const { names, problems } = await problemsOf('good:\n  pack: [true\n');
    expect(names).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.why).toMatch(/expect\/first.yaml:\d+ is not valid YAML/);
    expect(problems[0]!.hint).toMatch(/quotes/);
  });
});

describe('a text that is judged', () => {
  it('has words whatever their case and white space, and patterns as they are', async () => {
    expect(await faultsOf('  must: [the  KEY, "/m[aA]t/"]', 'The\nkey is under the mat')).toEqual([]);
    expect(await faultsOf('  must: /MAT/', 'under the mat')).toHaveLength(1);
    expect(await faultsOf('  must: /MAT/i', 'under the mat')).toEqual([]);
  });

  it('is told what is missing with the nearest lines, and what is there and must not be', async () => {
    const text = 'Ada lives in Bern.\nThe mat is red.';
    expect(await faultsOf('  must: Ada lives in Rome', text)).toEqual([
      { kind: 'missing', wanted: 'Ada lives in Rome', found: ['Ada lives in Bern.'] },
    ]);
    expect(await faultsOf('  must_not: bern', text)).toEqual([
      { kind: 'forbidden', wanted: 'bern', found: ['Ada lives in Bern.'] },
    ]);
  });

  it('says a thing once, first, in order, with what belongs to it, and what is over as over', async () => {
    const text = 'Rule: no glass (Ruth)\nAda lived in Bern until 2026-03-01.\nRule: no glass\nDue: the report';
    const kinds = async (conditions: string) => (await faultsOf(conditions, text)).map(({ kind }) => kind);
    expect(await kinds('  once: no glass')).toEqual(['repeated']);
    expect(await kinds('  once: report')).toEqual([]);
    expect(await kinds('  first: no glass')).toEqual([]);
    expect(await kinds('  first: report')).toEqual(['not first']);
    expect(await kinds('  order: [rule, bern, report]')).toEqual([]);
    expect(await kinds('  order: [[no glass, ruth], [report, bern]]')).toEqual(['order']);
    expect(await kinds('  lines: { no glass: Ruth }')).toEqual(['apart']);
    expect(await kinds('  lines: { Bern: until }')).toEqual([]);
    expect(await kinds('  not_current: Bern')).toEqual([]);
    expect(await kinds('  not_current: report')).toEqual(['stale']);
    expect(await kinds('  tokens: 9')).toEqual(['too long']);
  });
});
