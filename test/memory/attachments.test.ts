// Files that come with words: in the commit of the capture, once, under a name of their bytes.

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';

const picture = Uint8Array.from({ length: 3000 }, (_, at) => (at * 7) % 256);

describe('an attachment', () => {
  it('is stored once, in the commit of the capture, and comes back byte for byte', async () => {
    const { memory, directory } = await newTestMemory();
    const first = await memory.capture({
      messages: [
        { role: 'user', text: 'Look at this.', attachments: [{ name: '../../evil/Photo [1].PNG', bytes: picture }] },
        { role: 'agent', text: 'I see.' },
      ],
    });
    const [path] = first.attachments!;
    expect(path).toMatch(/^attachments\/([0-9a-f]{2})\/\1[0-9a-f]{30}\.png$/);
    expect(Buffer.from(await memory.readBytes(path!)).equals(Buffer.from(picture))).toBe(true);
    expect(await memory.read(first.path)).toContain(`Look at this.\n\n> [attachment:${path}] ../../evil/Photo 1 .PNG`);
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({ oid: first.commit, paths: [path, first.path] });
    const second = await memory.capture({ text: 'Again.', attachments: [{ name: 'copy.png', bytes: picture }] });
    expect(second.attachments).toEqual([path]);
    expect((await memory.files('attachments')).length).toBe(1);
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: directory }).toString()).toBe('');
    await expect(memory.write(path!, 'x')).rejects.toMatchObject({ code: 'IMMUTABLE' });
    await memory.undo(second.commit!);
    expect(await memory.files('attachments')).toEqual([path]);
    await memory.close();
  });

  it('of text loses its secrets, and other bytes stay', async () => {
    const { memory } = await newTestMemory();
    const secret = ['ghp', `_${'a1B2c3D4e5F6'.repeat(3)}`].join('');
    const { attachments } = await memory.capture({
      text: 'The log.',
      attachments: [{ name: 'run.log', bytes: Buffer.from(`token ${secret}\n`) }],
    });
    expect(Buffer.from(await memory.readBytes(attachments![0]!)).toString()).not.toContain(secret);
    await memory.close();
  });

  it('that is too large, too many or none is answered, and nothing is written', async () => {
    const { memory } = await newTestMemory();
    await memory.write('memory.yaml', 'attachments:\n  max_bytes: 1000\n  most: 2\n');
    await memory.commit();
    const tip = memory.tip;
    const small = { name: 'a.bin', bytes: picture.subarray(0, 10) };
    for (const [attachments, code] of [
      [[{ name: 'a.png', bytes: picture }], 'TOO_LARGE'],
      [[small, small, small], 'TOO_LARGE'],
      [[{ name: 'a.png' }], 'INVALID_ARGUMENT'],
      [[{ bytes: picture }], 'INVALID_ARGUMENT'],
      [[null], 'INVALID_ARGUMENT'],
      ['a.png', 'INVALID_ARGUMENT'],
    ] as const) {
      await expect(memory.capture({ text: 'x', attachments: attachments as never })).rejects.toMatchObject({ code });
    }
    expect(memory.tip).toBe(tip);
    await memory.close();
  });
});
