// What an extraction keeps to the letter beside memories.

import { expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, hasGit } from '../helpers/native-git.ts';

const query =
  'SELECT account,\n       sum(amount)  -- in cents\nFROM   postings\nGROUP BY account\nHAVING sum(amount) <> 0;\n';
const fenced = (text: string, language = 'sql') => `\`\`\`${language}\n${text}\`\`\``;

it('keeps a block of a turn that is remembered, byte for byte, and tells where it was said', async () => {
  const { memory, directory } = await newTestMemory();
  const { path } = await memory.capture({
    messages: [
      { role: 'agent', text: `This finds accounts that are off:\n\n${fenced(query)}` },
      { role: 'user', text: 'We decided to run the balance query every night.' },
      { role: 'user', text: `Can you run this?\n\n${fenced(query.replaceAll('account', 'customer'))}` },
    ],
  });
  const [read] = (await memory.extract()).transcripts;
  expect(read!.created.length).toBeGreaterThan(0);
  const files = await memory.files('raw/artifacts/');
  expect(files).toEqual([expect.stringMatching(/^raw\/artifacts\/extracted\/2026-02-16\/[0-9a-f]{16}\.sql$/)]);
  expect(await memory.read(files[0]!)).toBe(query);

  const { sources, extractor, commits } = await memory.provenance(files[0]!);
  expect(sources).toMatchObject([{ path, turn: 1, role: 'agent' }]);
  expect([extractor, commits.length]).toEqual([(await memory.extract({ dryRun: true })).extractor, 1]);
  expect((await memory.recall('postings having sum')).hits.map((hit) => hit.path)).toEqual(
    expect.not.arrayContaining(files),
  );

  await memory.undo(read!.commit!);
  expect(await memory.files('raw/artifacts/')).toEqual([]);
  if (hasGit) expect(fsck(directory)).toBe('');
});

it('keeps a block once, and none that is short, long, unfinished, from outside, or not wanted', async () => {
  const { memory } = await newTestMemory();
  const say = async (...texts: string[]) => {
    await memory.capture({ messages: texts.map((text) => ({ role: 'user', text })) });
    await memory.extract();
    return (await memory.files('raw/artifacts/')).length;
  };
  const decided = (what: string) => `We decided to use ${what} for the ledger.`;
  expect(await say(`${decided('Postgres')}\n\n${fenced(query)}`)).toBe(1);
  expect(await say(`${decided('pgvector')}\n\n${fenced(query, 'text')}`)).toBe(2);
  expect(await say(`${decided('Redis')}\n\n${fenced(query)}`)).toBe(2);
  expect(await say(`${decided('Kafka')}\n\n${fenced('one line\n')}`)).toBe(2);
  expect(await say(`${decided('S3')}\n\n${fenced('x\n'.repeat(40_000))}`)).toBe(2);
  expect(await say(`${decided('Spanner')}\n\n\`\`\`sql\n${query}and no end`)).toBe(2);
  await memory.capture({
    trust: 'low',
    messages: [{ role: 'user', text: `The capital of France is Paris.\n\n${fenced(`-- outside\n${query}`)}` }],
  });
  await memory.extract();
  expect(await memory.files('raw/artifacts/')).toHaveLength(2);
  await memory.configure({ 'artifacts.enabled': false });
  expect(await say(`${decided('DuckDB')}\n\n${fenced(`-- unwanted\n${query}`)}`)).toBe(2);
});
