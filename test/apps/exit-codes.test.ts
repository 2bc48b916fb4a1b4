import { describe, expect, it } from 'vitest';
import { exitMeanings, exitNumberOf, exitNumberOfError } from '../../src/apps/exit-codes.ts';
import { type ErrorCode, errorCodes, MemoryError } from '../../src/base/errors.ts';

describe('exit numbers', () => {
  it.each(Object.keys(errorCodes) as ErrorCode[])('tell %s from success and from a bug', (code) => {
    const number = exitNumberOf(code);
    expect(number).toBeGreaterThan(1);
    expect(exitMeanings[number]).toBeTypeOf('string');
    expect(exitNumberOfError(new MemoryError(code, 'what'))).toBe(number);
  });

  it('are 1 for whatever is not expected', () => {
    expect(exitNumberOfError(new TypeError('what'))).toBe(1);
    expect(exitNumberOfError('what')).toBe(1);
  });
});
