// The two sides of the store's boundary: what git stores, and what people read.

import { describe, expect, it } from 'vitest';
import { identityCodec, type PlainBytes, type StoredBytes } from '../../src/store/codec.ts';

describe('stored and plain bytes', () => {
  it('are told apart by the compiler, and by nothing else', () => {
    const stored: StoredBytes = identityCodec.encode('a.md', Buffer.from('tea'));
    const plain: PlainBytes = identityCodec.decode('a.md', stored);
    // @ts-expect-error: what git stores may be encrypted
    const read: PlainBytes = stored;
    // @ts-expect-error: what people read may have to be encrypted
    const kept: StoredBytes = plain;
    // @ts-expect-error: it is open already
    const twice = identityCodec.decode('a.md', plain);
    expect([read, kept, twice].map((bytes) => bytes.toString())).toEqual(['tea', 'tea', 'tea']);
    expect(Object.keys(stored)).not.toContain('side');
  });
});
