// doctor and what people rely on: the ledger line by line, its checkpoint, and knowledge files that cannot be read.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { git, hasGit } from '../../helpers/native-git.ts';

it.runIf(hasGit)(
  'tells damaged lines of the ledger, a checkpoint that is behind, and front matter that is none',
  async () => {
    const { memory, directory, clock } = await newTestMemory();
    await memory.ledger.add({ content: 'one' });
    await memory.maintenance.night();
    await memory.close();
    const codes = async () =>
      (await doctor({ dir: directory, clock })).findings.map(({ code, where }) => [code, where]);
    expect((await codes()).filter(([code]) => code === 'LEDGER' || code === 'CHECKPOINT_OLD')).toEqual([]);
    fs.appendFileSync(path.join(directory, 'ledger/2026/02/2026-02-16.jsonl'), 'not json\n');
    fs.mkdirSync(path.join(directory, 'knowledge/people'), { recursive: true });
    fs.writeFileSync(path.join(directory, 'knowledge/people/ada.md'), '---\nname: [unclosed\n---\n');
    fs.mkdirSync(path.join(directory, 'recall'), { recursive: true });
    const triggers = path.join(directory, 'recall/triggers.json');
    fs.writeFileSync(triggers, '{"triggers": [{"patterns": ["shop"], "load": ["knowledge/entities/shop.md"]}]}');
    git(directory, 'add', '-A');
    git(directory, '-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-q', '--no-verify', '-m', 'by hand');
    expect(await codes()).toEqual(
      expect.arrayContaining([
        ['LEDGER', 'ledger/2026/02/2026-02-16.jsonl:2'],
        ['INVALID_RECORD', 'knowledge/people/ada.md'],
        ['TRIGGER_EMPTY', 'recall/triggers.json'],
      ]),
    );
    fs.writeFileSync(triggers, '{"triggers": [');
    git(directory, '-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-qa', '--no-verify', '-m', 'by hand');
    expect(await codes()).toContainEqual(['INVALID_RECORD', 'recall/triggers.json']);
  },
);
