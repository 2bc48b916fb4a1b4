import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSiv, sealSiv } from '../../src/base/aes-siv.ts';

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex');

describe('AES-SIV', () => {
  // https://www.rfc-editor.org/rfc/rfc5297#appendix-A
  it('gives the bytes of RFC 5297, A.1: one text of associated data', () => {
    const key = hex('fffefdfc fbfaf9f8 f7f6f5f4 f3f2f1f0 f0f1f2f3 f4f5f6f7 f8f9fafb fcfdfeff');
    const associated = [hex('10111213 14151617 18191a1b 1c1d1e1f 20212223 24252627')];
    const plain = hex('11223344 55667788 99aabbcc ddee');
    const sealed = hex('85632d07 c6e8f37f 950acd32 0a2ecc93 40c02b96 90c4dc04 daef7f6a fe5c');
    expect(sealSiv(key, associated, plain)).toEqual(sealed);
    expect(openSiv(key, associated, sealed)).toEqual(plain);
  });

  it('gives the bytes of RFC 5297, A.2: three texts and more than a block', () => {
    const key = hex('7f7e7d7c 7b7a7978 77767574 73727170 40414243 44454647 48494a4b 4c4d4e4f');
    const associated = [
      hex('00112233 44556677 8899aabb ccddeeff deaddada deaddada ffeeddcc bbaa9988 77665544 33221100'),
      hex('10203040 50607080 90a0'),
      hex('09f91102 9d74e35b d84156c5 635688c0'),
    ];
    const plain = hex(
      '74686973 20697320 736f6d65 20706c61 696e7465 78742074 6f20656e 63727970 74207573 696e6720 5349562d 414553',
    );
    const sealed = hex(
      '7bdb6e3b 432667eb 06f4d14b ff2fbd0f cb900f2f ddbe4043 26601965 c889bf17 dba77ceb 094fa663 b7a3f748 ba8af829 ea64ad54 4a272e9c 485b62a3 fd5c0d',
    );
    expect(sealSiv(key, associated, plain)).toEqual(sealed);
    expect(openSiv(key, associated, sealed)).toEqual(plain);
  });

  it('opens what it sealed, and nothing of which a bit, the length, the key or the associated data are others', () => {
    const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
    const key = fc.uint8Array({ minLength: 64, maxLength: 64 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(key, key, bytes(40), bytes(100), fc.nat(), (own, other, associated, plain, at) => {
        fc.pre(!own.equals(other));
        const sealed = sealSiv(own, [associated], plain);
        expect(sealed.length).toBe(plain.length + 16);
        expect(openSiv(own, [associated], sealed)).toEqual(plain);
        const flipped = Buffer.from(sealed);
        flipped[at % sealed.length]! ^= 1 << (at % 8);
        expect(openSiv(own, [associated], flipped)).toBeNull();
        expect(openSiv(own, [associated], sealed.subarray(0, at % sealed.length))).toBeNull();
        expect(openSiv(other, [associated], sealed)).toBeNull();
        expect(openSiv(own, [associated, Buffer.from('x')], sealed)).toBeNull();
      }),
      { numRuns: 50 },
    );
  });
});
