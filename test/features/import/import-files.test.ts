// Folders of notes and fact files in and out: bytes kept, names made safe, nothing of here replaced without being asked.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { parseFact } from '../../../src/store/records/fact-file.ts';
import { formatStoreLine } from '../../../src/store/records/jsonl-store.ts';
import { formatMemory } from '../../../src/store/records/memory-record.ts';
import { newTestMemory, writeConfiguration } from '../../helpers/memories.ts';
import { temporaryFolder, writeDeep } from '../../helpers/temporary.ts';
import { anyMemory } from '../../store/records/arbitraries.ts';

function write(name: string, files: Readonly<Record<string, string | Buffer>>): string {
  const folder = path.join(temporaryFolder(), name);
  for (const [file, content] of Object.entries(files)) {
    writeDeep(path.join(folder, file), content);
  }
  return folder;
}

function read(folder: string): Record<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names
      .filter((name) => fs.statSync(path.join(folder, name)).isFile())
      .map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]),
  );
}

async function filesOf(memory: Memory, prefix: string): Promise<Record<string, string>> {
  const paths = await memory.files(prefix);
  return Object.fromEntries(await Promise.all(paths.map(async (one) => [one, await memory.read(one)])));
}

describe('a folder of markdown', () => {
  const ada = '---\ntags: [people]\naliases: ["Countess"]\n---\n\n# Ada\r\n\n- lives in Rome';
  const vault = {
    'people/ada.md': ada,
    'Meeting: what now?.md': '# Meeting\n',
    'todo.txt': 'buy tea\n',
    'broken.md': '---\nkey: [unclosed\n---\n# Broken\n',
    'picture.png': Buffer.from([0x89, 0x50, 0, 1]),
    '.obsidian/app.json': '{}',
  };

  it('keeps the bytes of notes, and puts what is laid out as we are in its place', async () => {
    const { memory } = await newTestMemory();
    const result = await memory.import(write('My Vault', vault));
    expect(result).toMatchObject({ form: 'markdown', added: 4, backup: 'memory/before/import-markdown' });
    expect(result.left).toEqual([{ source: 'picture.png', why: 'is no markdown or text' }]);
    expect(await filesOf(memory, 'knowledge/')).toEqual({
      'knowledge/people/ada.md': ada,
      'knowledge/reference/my-vault/Meeting- what now-.md': '# Meeting\n',
      'knowledge/reference/my-vault/todo.txt.md': '---\nimported_from: todo.txt\n---\nbuy tea\n',
      'knowledge/reference/my-vault/broken.md': `---\nimported_from: broken.md\n---\n${vault['broken.md']}`,
    });
    expect((await memory.recall('Rome')).hits[0]).toMatchObject({ path: 'knowledge/people/ada.md' });
  });

  it('changes nothing the second time, takes what changed there, and leaves what changed here', async () => {
    const { memory } = await newTestMemory();
    const folder = write('vault', { 'a.md': 'one\n', 'b.md': 'one\n', 'c.md': 'one\n', 'd.md': 'one\n' });
    await memory.import(folder);
    const { tip } = memory;
    expect(await memory.import(folder)).toMatchObject({ added: 0, changed: 0, unchanged: 4, commits: [] });
    expect(memory.tip).toBe(tip);
    for (const name of ['b', 'c']) await memory.edit(`knowledge/reference/vault/${name}.md`, 'one', 'here');
    await memory.remove('knowledge/reference/vault/d.md');
    await memory.commit();
    for (const name of ['a', 'c']) fs.writeFileSync(path.join(folder, `${name}.md`), 'there\n');
    const result = await memory.import(folder);
    expect(result).toMatchObject({ added: 0, changed: 1, unchanged: 1 });
    expect(result.left).toEqual([
      { source: 'c.md', why: 'was changed here and there since it was imported' },
      { source: 'd.md', why: 'was taken out here since it was imported' },
    ]);
    expect(Object.values(await filesOf(memory, 'knowledge/'))).toEqual(['there\n', 'here\n', 'here\n']);
    await memory.import(folder, { overwrite: true });
    expect(Object.values(await filesOf(memory, 'knowledge/'))).toEqual(['there\n', 'one\n', 'there\n', 'one\n']);
  });

  it('never replaces a note that was here before, and names twins', async () => {
    const { memory } = await newTestMemory();
    await memory.write('knowledge/people/ada.md', '# Ada\n');
    await memory.commit();
    const result = await memory.import(write('vault', { 'people/ada.md': 'another\n', 'people/ADA.md': 'a twin\n' }));
    expect(result).toMatchObject({ added: 0, commits: [], backup: null });
    expect(result.left.map(({ source, why }) => [source, why.slice(0, 20)])).toEqual([
      ['people/ADA.md', 'would be one file wi'],
      ['people/ada.md', 'something else is he'],
    ]);
    expect(await memory.read('knowledge/people/ada.md')).toBe('# Ada\n');
  });

  it('goes where it is told, below knowledge/ only, and follows no link', async () => {
    const { memory } = await newTestMemory();
    const folder = write('vault', { 'a.md': 'one\n' });
    fs.symlinkSync('/etc', path.join(folder, 'etc'));
    const result = await memory.import(folder, { into: 'knowledge/projects/old/' });
    expect(await memory.files('knowledge/')).toEqual(['knowledge/projects/old/a.md']);
    expect(result.left).toEqual([{ source: 'etc', why: 'is a link' }]);
    for (const into of ['raw/conversations', '../outside', 'knowledge/../raw']) {
      const refused = await memory.import(folder, { into });
      expect([refused.added, refused.left.length], into).toEqual([0, 2]);
    }
  });

  it('keeps secrets and texts that are too large out', async () => {
    const { memory } = await newTestMemory();
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const folder = write('vault', { 'a.md': `# Keys\n\n- ${secret}\n`, 'b.md': 'x'.repeat((1 << 20) + 1) });
    const result = await memory.import(folder);
    expect(result.redacted).toEqual([{ kind: 'github-token', path: 'knowledge/reference/vault/a.md', line: 3 }]);
    expect(result.left).toEqual([{ source: 'b.md', why: 'is too large for a note' }]);
    expect((await memory.import(folder)).commits).toEqual([]);
  });
});

describe('a folder of texts that an agent keeps', () => {
  const kept = {
    'progress.xml': '<progress>\n  <done>tests</done>\n</progress>\n',
    'notes/plan.md': '# Plan\n\n- ship\n',
    'notes/raw.txt': '---\nlooks like front matter',
    'state.json': '{"step": 3}',
  };

  it('comes in as notes, and goes out as it was', async () => {
    const { memory } = await newTestMemory();
    const folder = write('memories', kept);
    expect(await memory.import(folder)).toMatchObject({ form: 'memories', added: 4, left: [] });
    expect((await memory.recall('ship')).hits[0]).toMatchObject({ path: 'knowledge/reference/memories/notes/plan.md' });
    expect((await memory.recall('done tests')).hits[0]!.path).toContain('progress.xml.md');
    expect((await memory.import(folder)).commits).toEqual([]);
    const out = path.join(temporaryFolder(), 'out');
    await memory.export(out, { as: 'markdown', path: 'knowledge/reference/memories' });
    expect(read(out)).toEqual(kept);
  });

  it('goes out with the memories as lists', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.write('knowledge/people/ada.md', '# Ada\n');
    await memory.remember({ id: 'd1', content: 'We take the train.', category: 'decision' });
    clock.advance({ minutes: 1 });
    await memory.remember({ id: 'd2', content: 'Two\nlines.', category: 'decision' });
    await memory.remember({ id: 'c1', content: 'Call Ana.', category: 'commitment', due: '2026-03-01' });
    await memory.remember({ id: 'old', content: 'Gone.', category: 'decision' });
    await memory.records.archive('old');
    await memory.write('knowledge/consolidation-reports/2026-02-16.md', '# Consolidation of 2026-02-16\n');
    const said = 'I prefer invoices as plain text without any logo.';
    await memory.capture({ messages: [{ role: 'user', speaker: 'Odile', text: said }] });
    await memory.configure({ extract: { knowledge: false } });
    await memory.extract();
    const out = path.join(temporaryFolder(), 'out');
    expect(await memory.export(out, { as: 'memories' })).toMatchObject({ records: 5 });
    expect(read(out)).toEqual({
      'people/ada.md': '# Ada\n',
      'remembered/commitment.md': '# Commitment\n\n- 2026-02-16: Call Ana. (due 2026-03-01)\n',
      'remembered/decision.md': '# Decision\n\n- 2026-02-16: We take the train.\n- 2026-02-16: Two\n  lines.\n',
      'remembered/preference.md':
        '# Preference\n\n- 2026-02-16 Odile: I prefer invoices as plain text without any logo.\n',
    });
  });

  it('never goes out under a name that leads elsewhere', async () => {
    const { memory } = await newTestMemory();
    await memory.write('knowledge/a.md', '---\nimported_from: ..\n---\nx\n');
    await memory.write('knowledge/b.md', '---\nimported_from: .git\n---\nx\n');
    const out = path.join(temporaryFolder(), 'out');
    await memory.export(out, { as: 'markdown' });
    expect(Object.keys(read(out))).toEqual(['a.md', 'b.md']);
  });
});

describe('the fact layout', () => {
  const fact = (id: string, category: string, content: string, more = '') =>
    `---\nid: ${id}\ncategory: ${category}\ncreated: 2025-02-14T16:00:00.000Z\nupdated: 2025-02-14T16:00:00.000Z\nsource: extraction\nconfidence: 0.9\nconfidenceTier: implied\ntags: ["a"]\n${more}---\n\n${content}\n`;
  const store = {
    'facts/2025-02-14/decision-1739548800000-aa11.md': fact('decision-1739548800000-aa11', 'decision', 'The train.'),
    'facts/2025-02-14/fact-1739548800000-bb22.md': fact(
      'fact-1739548800000-bb22',
      'fact',
      'It rains.',
      'lineage: ["x"]\n',
    ),
    'corrections/correction-1739548800000-cc33.md': fact('correction-1739548800000-cc33', 'correction', 'Not Monday.'),
    'facts/2025-02-14/broken.md': 'no front matter\n',
    'entities/person-ada.md': '# Ada\n\n**Type:** person\n\n## Facts\n\n- lives in Rome\n',
    'entities/tool-git.md': '# git\n',
    'profile.md': '# Profile\n\n- likes tea\n',
    'state/fact-hashes.txt': 'abc\n',
  };

  it('becomes records and knowledge, once', async () => {
    const { memory, clock } = await newTestMemory();
    const folder = write('engram', store);
    const result = await memory.import(folder);
    expect(result).toMatchObject({ form: 'facts', added: 6 });
    expect(result.left).toEqual([
      { source: 'facts/2025-02-14/broken.md', why: expect.stringContaining('no front matter') },
      { source: 'state/fact-hashes.txt', why: 'is state of its program, or no text' },
    ]);
    expect(await memory.files('knowledge/')).toEqual([
      'knowledge/entities/tool-git.md',
      'knowledge/people/ada.md',
      'knowledge/reference/engram/profile.md',
    ]);
    expect(await memory.get('decision-1739548800000-aa11')).toMatchObject({
      category: 'decision',
      confidence: 0.9,
      createdAt: 1_739_548_800,
      lastUsed: Math.floor(clock.now() / 1000),
    });
    clock.advance({ days: 2 });
    expect(await memory.import(folder)).toMatchObject({ added: 0, changed: 0, unchanged: 6, commits: [] });
  });

  it('goes out under the names it had', async () => {
    const { memory } = await newTestMemory();
    await memory.import(write('engram', store), { keepLastUsed: true });
    await memory.records.relate('decision-1739548800000-aa11', 'fact-1739548800000-bb22', 'supports');
    const out = path.join(temporaryFolder(), 'out');
    const told = await memory.export(out, { as: 'facts' });
    expect(told.left).toEqual([{ path: expect.stringMatching(/^relations\//), why: 'fact files know no relations' }]);
    const { 'profile.md': _, 'state/fact-hashes.txt': __, 'facts/2025-02-14/broken.md': ___, ...kept } = store;
    expect(Object.keys(read(out))).toEqual(Object.keys(kept).sort());
    expect(read(out)['entities/person-ada.md']).toBe(store['entities/person-ada.md']);
    const name = 'facts/2025-02-14/fact-1739548800000-bb22.md';
    expect(parseFact(read(out)[name]!, name)).toEqual(parseFact(store[name], name));
  });

  it('gives every record back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyMemory, { selector: ({ id }) => id, minLength: 1, maxLength: 4 }),
        async (records) => {
          const [first, second] = [await newTestMemory(), await newTestMemory()];
          for (const { memory } of [first, second]) await writeConfiguration(memory, 'secrets:\n  mode: "off"\n');
          const text = records.map((record) => formatStoreLine(formatMemory(record))).join('');
          await first.memory.import([{ path: 'memories.jsonl', text }], { keepLastUsed: true });
          const out = path.join(temporaryFolder(), 'out');
          await first.memory.export(out, { as: 'facts' });
          await second.memory.import(out, { as: 'facts', keepLastUsed: true });
          expect(await filesOf(second.memory, 'memories/')).toEqual(await filesOf(first.memory, 'memories/'));
          await first.memory.close();
          await second.memory.close();
        },
      ),
      { numRuns: 8 },
    );
  });
});
