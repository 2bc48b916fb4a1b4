// Two clones whose logs went on apart, merged by native git with our driver and hooks, or without and finished by `resolve`, against the engine's merge.

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { countingIds, ManualClock } from '../../helpers/memories.ts';
import { fsck, git, hasGit, tryGit } from '../../helpers/native-git.ts';
import { buildProgram, programEnvironment } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const open = (dir: string, prefix: string, start: string) =>
  openMemory({ dir, create: true, clock: new ManualClock(start), ids: countingIds(prefix), durability: 'fast' });

/** What one side does: events that name each other by ids which the other side gives, too, and a page that cites them. */
async function live(folder: string, side: string, start: string): Promise<void> {
  const memory = await open(folder, side, start);
  const made = await memory.project.change({
    type: 'create',
    agent: side,
    scope: side,
    summary: `${side} makes ${side}-api`,
    details: { entity: `${side}-api`, path: `src/${side}.ts`, purpose: 'serve' },
  });
  await memory.project.change({
    type: 'modify',
    agent: side,
    scope: side,
    summary: `${side} mends ${side}-api`,
    details: { entity: `${side}-api`, path: `src/${side}.ts`, changes: 'faster' },
    refs: [made.id],
  });
  const promise = await memory.ledger.add({ type: 'commitment', content: `${side} sends the keys` });
  const kept = await memory.ledger.add({ type: 'commitment', content: `${side} writes the report` });
  await memory.ledger.add({ content: `${side} wrote it`, closes: kept.id });
  await memory.write(`knowledge/reference/${side}.md`, `# ${side}\n\n- see ${promise.id} and ${made.id}\n`);
  await memory.knowledge.verify(page, { day: side === 'ana' ? '2026-02-16' : '2026-02-15' });
  await memory.close();
}

const page = 'knowledge/entities/mill.md';

/** The logs as a reader knows them, whatever the ids are: each event by its words, with the words of those that it names. */
async function told(memory: Memory) {
  const { events: changes } = await memory.project.changes();
  const { events } = await memory.ledger.list({ superseded: true });
  const words = new Map([
    ...changes.map(({ id, summary }) => [id, summary] as const),
    ...events.map(({ id, content }) => [id, content] as const),
  ]);
  const named = (ids: readonly string[] = []) => ids.map((id) => words.get(id) ?? `nothing under ${id}`);
  return {
    changes: changes.map(({ id, summary, refs }) => [id, summary, named(refs)]),
    events: events.map(({ id, content, related }) => [id, content, named(related)]).sort(),
    loops: (await memory.ledger.loops()).loops.map(({ content }) => content),
    cited: await Promise.all(
      ['ana', 'rui'].map(async (side) =>
        named((await memory.read(`knowledge/reference/${side}.md`)).match(/(?:EVT|evt)-[\d-]*\d/g) ?? []),
      ),
    ),
  };
}

describe.runIf(hasGit)('logs that two clones went on with', () => {
  let environment: Record<string, string>;
  beforeAll(async () => {
    await buildProgram();
    environment = programEnvironment();
  }, 240_000);

  it.each(['with the driver', 'without it'])(
    'are one after a native merge %s: nothing is lost, ids are in a row, references and what follows too',
    async (way) => {
      const home = temporaryFolder();
      const [ana, rui] = [path.join(home, 'ana'), path.join(home, 'rui')];
      const memory = await open(ana, 'base', '2026-02-16T08:00:00Z');
      await memory.project.deploy(5);
      await memory.project.change({
        type: 'milestone',
        agent: 'ana',
        scope: 'all',
        summary: 'begun',
        details: { name: 'm1' },
      });
      await memory.ledger.add({ content: 'The project began.' });
      await memory.write(page, '# Mill\n\n## Key Facts\n- Grinds rye [verified: 2026-01-01]\n');
      await memory.close();
      git(home, 'clone', '-q', 'ana', 'rui');
      const other = await open(rui, 'r', '2026-02-16T08:30:00Z');
      await other.git.installHooks();
      await other.close();
      await live(ana, 'ana', '2026-02-16T09:00:00Z');
      await live(rui, 'rui', '2026-02-16T10:00:00Z');
      git(rui, 'fetch', '-q', ana, 'main:refs/heads/theirs');
      fs.cpSync(rui, path.join(home, 'engine'), { recursive: true });
      const engine = await open(path.join(home, 'engine'), 'e', '2026-02-17T09:00:00Z');
      const { conflicts } = await engine.merge('theirs');
      const expected = await told(engine);
      await engine.close();

      if (way === 'without it') git(rui, 'config', '--remove-section', 'merge.git-memory');
      const { status } = tryGit(rui, ['merge', '-q', '--no-edit', 'theirs'], undefined, environment);
      expect(status).toBe(way === 'without it' ? 1 : 0);
      const isMarked = (file: string) => fs.readFileSync(path.join(rui, file), 'utf8').includes('<<<<<<<');
      if (way === 'without it')
        expect(isMarked('CHANGELOG.md') && isMarked('ledger/2026/02/2026-02-16.jsonl')).toBe(true);
      if (way === 'without it') {
        const resolving = await open(rui, 's', '2026-02-17T09:00:00Z');
        const outcome = await resolving.git.resolveMerge();
        expect(outcome.remaining).toEqual([]);
        expect(outcome.conflicts).toEqual(conflicts);
        await resolving.close();
        expect(git(rui, 'ls-files', '-u')).toBe('');
        git(rui, 'commit', '-q', '--no-verify', '--no-edit');
      }

      const merged = await open(rui, 't', '2026-02-17T10:00:00Z');
      const is = await told(merged);
      expect(is).toEqual(expected);
      expect(is.changes.map(([id]) => id)).toEqual(['evt-001', 'evt-002', 'evt-003', 'evt-004', 'evt-005']);
      expect(is.changes.map(([, summary]) => summary)).toEqual([
        'begun',
        'rui makes rui-api',
        'rui mends rui-api',
        'ana makes ana-api',
        'ana mends ana-api',
      ]);
      expect(is.changes.at(-1)![2]).toEqual(['ana makes ana-api']);
      expect([...is.loops].sort()).toEqual(['ana sends the keys', 'rui sends the keys']);
      expect(is.cited).toEqual([
        ['ana sends the keys', 'ana makes ana-api'],
        ['rui sends the keys', 'rui makes rui-api'],
      ]);
      expect((await merged.ledger.check()).ok).toBe(true);
      expect(await merged.read(page)).toContain('- Grinds rye [verified: 2026-02-16]\n');
      expect(conflicts).not.toContain(page);
      // Graph and narrative are those of the merged log, and have no line of a marker.
      const graph = await merged.read('.memory/graph.md');
      expect(graph).toMatch(/ana-api[\s\S]*rui-api/);
      expect((await merged.maintenance.run({ tasks: ['graph'] })).runs[0]!.result!.commits).toEqual([]);
      await merged.close();
      const treeOf = (folder: string) => git(folder, 'rev-parse', 'HEAD^{tree}');
      expect(treeOf(rui)).toBe(treeOf(path.join(home, 'engine')));
      expect([git(rui, 'status', '--porcelain'), fsck(rui)]).toEqual(['', '']);
    },
    600_000,
  );
});
