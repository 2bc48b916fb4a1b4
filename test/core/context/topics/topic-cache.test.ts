// Topics that were read before: the same answers with them as without, and nothing of them where paths are private.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../src/base/hash.ts';
import type { KeyStore } from '../../../../src/base/ports.ts';
import { profileOf } from '../../../../src/core/context/topics/similarity.ts';
import { topicsVersion } from '../../../../src/core/context/topics/topic-cache.ts';
import { openMemory } from '../../../../src/memory/open-memory.ts';
import { parseTopic } from '../../../../src/store/records/topic-file.ts';
import { newTestMemory } from '../../../helpers/memories.ts';

const topicText = (at: number) => `---
type: topic
description: All about matter ${at}, for those who ask
triggers:
  - {type: pattern, match: "matter ${at}\\\\b"}
  - {type: pattern, match: "wrong("}
  - {type: keywords, words: [soup${at}, salad]}
subscriptions: [knowledge/a.md]
activation: gated
max_context_kb: 2
---

# Matter ${at}

Cook the soup ${at} slowly, and tell nobody.
`;

async function many() {
  const { memory, directory, clock } = await newTestMemory({ model: null });
  for (let at = 0; at < 20; at++) await memory.write(`topics/t${at}.md`, topicText(at));
  await memory.commit();
  await memory.close();
  return { directory, clock, file: path.join(directory, '.git/git-memory/cache/topics') };
}

async function answers(
  dir: string,
  clock: Awaited<ReturnType<typeof newTestMemory>>['clock'],
  keys: KeyStore = { place: '/elsewhere', read: () => [], add: () => {} },
): Promise<string> {
  const memory = await openMemory({ dir, clock, keys, model: null, readOnly: true });
  const found = await memory.topics.test('is matter 7 a soup7, or salad?');
  const listed = await memory.topics.list();
  await memory.close();
  return JSON.stringify({ found, listed });
}

describe('topics that were read before', () => {
  it('answer as those that are read anew, faults and their lines included', async () => {
    const { directory, clock, file } = await many();
    const first = await answers(directory, clock);
    expect(first).toContain('topics/t7.md');
    expect(first).toContain('wrong(');
    const kept = fs.readFileSync(file, 'utf8');
    expect(kept).toContain('Cook the soup 7 slowly');
    expect(await answers(directory, clock)).toBe(first);
    const other = await openMemory({ dir: directory, clock, model: null });
    await other.write('topics/t7.md', topicText(7).replace('matter 7', 'matter 77'));
    await other.commit();
    await other.close();
    const changed = await answers(directory, clock);
    fs.rmSync(file);
    expect(await answers(directory, clock)).toBe(changed);
    expect(changed).not.toBe(first);
  });

  it('are on no disk in the clear where paths are private', async () => {
    const { directory, clock, file } = await many();
    await answers(directory, clock);
    expect(fs.existsSync(file)).toBe(true);
    const texts: string[] = [];
    const keys: KeyStore = { place: '/elsewhere', read: () => texts, add: (text) => void texts.push(text) };
    const memory = await openMemory({ dir: directory, clock, keys });
    await memory.keys.new({ paths: ['topics/**'] });
    await memory.close();
    expect(await answers(directory, clock, keys)).toContain('topics/t7.md');
    expect(fs.existsSync(file)).toBe(false);
  });
});

it('whoever changes what a topic is read as raises the version', () => {
  const texts = [topicText(1), '---\ntype: topic\nactivation: manual\n---\n# By name\n', 'no front matter, Größe 7\n'];
  const read = texts.map((text) => {
    const { lineOfTrigger, ...file } = parseTopic(text, 'topics/a.md');
    const { terms, length, sketch } = profileOf(text);
    return { file, lines: [0, 1, 2].map(lineOfTrigger), terms: [...terms], length, sketch: [...sketch] };
  });
  const hash = sha256Hex(JSON.stringify(read)).slice(0, 16);
  // When this fails: raise topicsVersion, and write the new hash here.
  expect({ topicsVersion, hash }).toEqual({ topicsVersion: 2, hash: '044aad69d1bf2153' });
});
