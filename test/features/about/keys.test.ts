import { expect, it } from 'vitest';
import {
  codesIn,
  commandKeys,
  covers,
  isSameCommand,
  likenessOf,
  signatureOf,
  stepsOf,
} from '../../../src/features/about/keys.ts';

it.each([
  ['cd /w && npm test 2>&1 | tail -20', ['npm test'], ['npm test']],
  [
    'FOO=1 npx vitest run test/a.test.ts -t "x && y"',
    ['npx vitest run'],
    ['FOO=1 npx vitest run test/a.test.ts -t "x && y"'],
  ],
  ['npm run build && npm test', ['npm run build', 'npm test'], ['npm run build', 'npm test']],
  ['git commit -m "a; b | c"', ['git commit'], ['git commit -m "a; b | c"']],
  ['npm test || true', ['npm test', 'true'], ['npm test', 'true']],
  ['  ', [], []],
])('%s has its keys and its steps', (command, keys, steps) => {
  expect(commandKeys(command)).toEqual(keys);
  expect(stepsOf(command)).toEqual(steps);
});

it('knows a command with more arguments, and not another script of the same runner', () => {
  expect(isSameCommand('npm test', 'npm test auth')).toBe(true);
  expect(isSameCommand('npm run build', 'npm run flash')).toBe(false);
  expect(isSameCommand('make', 'make door')).toBe(false);
});

it('takes a command for done where a broader one went well, and not where a narrower one did', () => {
  expect(covers('npm test', 'npm test -- pump')).toBe(true);
  expect(covers('npm test -- pump', 'npm test')).toBe(false);
  expect(covers('npm run build && npm test 2>&1 | tail -4', 'cd /w; npm test')).toBe(true);
  expect(covers('npm test', 'npm run build && npm test')).toBe(false);
});

it('knows an error by what does not differ from run to run', () => {
  const one = signatureOf('/home/ana/shed/src/door.ts(12,31): error TS2345: at 0x7ff3 of 10.0.0.1:5432, deadbeef1');
  expect(one).toBe('door.ts(#): error ts2345: at # of #, #');
  expect(codesIn('error TS2345: ENOSPC ERR_BAD_ARG E0308 Error HTML')).toEqual([
    'ts2345',
    'enospc',
    'err_bad_arg',
    'e0308',
  ]);
  const reading = (name: string) => signatureOf(`TypeError: Cannot read properties of undefined (reading '${name}')`);
  expect(likenessOf(reading('hinge'), reading('hinge'))).toBe(1);
  expect(likenessOf(reading('hinge'), reading('latch'))).toBe(0);
  expect(
    likenessOf(
      'input buffers must have the same byte length',
      'rangeerror [x]: input buffers must have the same byte length',
    ),
  ).toBeGreaterThan(0.5);
  expect(likenessOf('no such door', 'no such roof')).toBeLessThan(0.5);
});
