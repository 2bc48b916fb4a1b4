// The verb that judges a memory by its expectations.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined } from '../../base/errors.ts';
import type { TestResult } from '../../base/types.ts';
import { describeProblem, describeResult, junitOf } from './expectation-text.ts';
import { hang, type Style } from './style.ts';
import { defineVerb, flag, several, underway } from './verb.ts';

/** How the answer is written for people, or for a program that reads JUnit. */
type Shown = TestResult & { readonly form?: 'all' | 'junit' };

export const test = defineVerb({
  name: 'test',
  summary: 'Judge what the memory says by its expectations',
  help:
    'Expectations are files: expect/*.yaml. Each has a name and a question: context, session_start, pack, recall, list, ' +
    'loops, boot, read or forgotten. It may name a day. It lists what the answer must say, must not say, or may say ' +
    'only once. --at puts the questions to a branch, a day or a commit. For each failure you see what the answer said ' +
    'instead. For a wrong line you also see its commit and turn. The exit code is 0 only if all expectations hold.',
  input: z.strictObject({
    names: several('only these: names of expectations, or files of them'),
    all: flag('also list the expectations that hold'),
    junit: flag('answer as JUnit XML, which CI reads'),
  }),
  positional: ['names'],
  flags: { reads: true },
  example: { command: 'test --at yesterday', shows: 'which expectations did not hold yesterday, and why' },
  async run(context, { names, all, junit }): Promise<Shown> {
    const result = await (await context.view()).test({ ...defined({ names }), ...underway(context, 'Asking') });
    return { ...result, ...(junit ? { form: 'junit' } : all ? { form: 'all' } : {}) };
  },
  text: (output, style) => (output.form === 'junit' ? junitOf(output) : describe(output, style)),
  refusal({ failed, problems }) {
    if (failed > 0) return 'UNMET';
    return problems.length > 0 ? 'INVALID_RECORD' : undefined;
  },
});

function describe({ total, failed, results, problems, form }: Shown, style: Style): string {
  if (total + problems.length === 0) {
    return hang(
      '',
      'This memory has no expectations. Write the first into expect/first.yaml: a name, and below it the question ' +
        '(context: a message) and what the answer must say (must: words). `git memory help test` explains more.',
      style,
      0,
    ).join('\n');
  }
  const told = results.filter(({ holds }) => form === 'all' || !holds);
  const summary =
    failed === 0
      ? style.good(total === 1 ? 'The one expectation holds.' : `All ${total} expectations hold.`)
      : style.bad(`${failed} of ${count(total, 'expectation')} ${failed === 1 ? 'does' : 'do'} not hold.`);
  return [
    ...told.flatMap((result) => describeResult(result, style)),
    ...problems.flatMap((problem) => describeProblem(problem, style)),
    summary,
  ].join('\n');
}
