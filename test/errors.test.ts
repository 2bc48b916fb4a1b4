import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ephemeralFileSystem } from '../src/adapters/ephemeral.ts';
import { isSystemError, MemoryError } from '../src/base/errors.ts';
import { destructive } from './helpers/error-manners.ts';

const source = fileURLToPath(new URL('../src', import.meta.url));

describe('what errors advise', () => {
  it('never is a command that takes something away for good', () => {
    const dangerous: string[] = [];
    for (const name of fs.readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      // Whoever is told something by a purge has asked for one.
      if (!name.endsWith('.ts') || /(?:^|[\\/])purge(?:-record)?(?:[\\/]|\.ts$)/.test(name)) continue;
      const text = fs.readFileSync(path.join(source, name), 'utf8');
      for (const [, advice] of text.matchAll(/\bhint:\s*((?:'[^']*'|`(?:[^`\\]|\\.)*`))/g)) {
        // A dry run takes nothing away.
        if (destructive.test(advice!.replace(/`[^`]*--dry-run`/g, ''))) dangerous.push(`${name}: ${advice}`);
      }
    }
    expect(dangerous).toEqual([]);
  });
});

describe('an error of a file system', () => {
  it('is one of a disk as well as of a memory, and no other error', () => {
    for (const system of [fs, ephemeralFileSystem()]) {
      let thrown: unknown;
      try {
        system.openSync('/there/is/nothing', 'r');
      } catch (error) {
        thrown = error;
      }
      expect([isSystemError(thrown), isSystemError(thrown, 'ENOENT'), isSystemError(thrown, 'EACCES')]).toEqual([
        true,
        true,
        false,
      ]);
    }
    expect(isSystemError(new MemoryError('NOT_FOUND', 'nothing'))).toBe(false);
    expect(isSystemError(new TypeError('no'))).toBe(false);
  });
});
