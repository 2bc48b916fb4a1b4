// The reference of the library: made of the source, and whole.

import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script, without types
import { pages, undocumented, unnamed } from '../../scripts/api-reference.mjs';

const made: { readonly api: string; readonly types: string } = pages();

describe('the public names', () => {
  it('each say what they are', () => {
    expect(undocumented()).toEqual([]);
  });

  it('name no type that a program could not import', () => {
    expect(unnamed()).toEqual([]);
  });

  it('stand in the reference, with what a class inherits', () => {
    for (const heading of [
      '### openMemory',
      '#### memory.remember',
      '#### memory.commit',
      '#### view.recall',
      '#### session.end',
    ]) {
      expect(made.api).toContain(`\n${heading}\n`);
    }
    expect(made.types).toContain('\n## RecallOptions\n');
    // What a view answers is told once, and nothing that is no part of the surface is told at all.
    expect(made.api).not.toContain('#### memory.recall\n');
    expect(made.api).not.toMatch(/^\s*(?:private|protected)\s+(?:readonly\s+)?\w+[(:?]|@internal\b/m);
  });
});
