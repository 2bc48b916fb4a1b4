// Binary files in patches: git's own form, both versions deflated and in base 85, so that the patch can be applied either way.
//
//     literal 6                       size of the bytes
//     NcmZSh&&2XPU                    lines of up to 52 deflated bytes; the first letter says how many (A…Z 1…26, a…z 27…52)

import { deflateSync } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const lineBytes = 52;

/** Formats what stands below the header of a binary file, from `GIT binary patch` to the empty line at the end. */
export function binaryPatch(before: Uint8Array, after: Uint8Array): string {
  return `GIT binary patch\n${literal(after)}\n${literal(before)}\n`;
}

function literal(bytes: Uint8Array): string {
  const deflated = deflateSync(bytes);
  const lines = [`literal ${bytes.length}\n`];
  for (let start = 0; start < deflated.length; start += lineBytes) {
    const line = deflated.subarray(start, start + lineBytes);
    const { length } = line;
    const mark = String.fromCharCode(length <= 26 ? 64 + length : 96 + length - 26);
    lines.push(`${mark}${base85(line)}\n`);
  }
  return lines.join('');
}

function base85(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 4) {
    let value = 0;
    for (let place = 0; place < 4; place++) value = value * 256 + (bytes[start + place] ?? 0);
    let group = '';
    for (let place = 0; place < 5; place++) {
      group = alphabet.charAt(value % 85) + group;
      value = Math.floor(value / 85);
    }
    text += group;
  }
  return text;
}
