import { describe, expect, it } from 'vitest';
import { crc32, tableCrc32 } from '../../../src/store/git/crc32.ts';

describe('CRC-32', () => {
  it('is the standard one, with zlib and without', () => {
    for (const compute of [crc32, tableCrc32]) {
      expect(compute(Buffer.from('123456789'))).toBe(0xcbf43926);
      expect(compute(Buffer.alloc(0))).toBe(0);
    }
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256));
    expect(tableCrc32(bytes)).toBe(crc32(bytes));
  });
});
