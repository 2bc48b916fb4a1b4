// Two people with one code repository and its log: what native git does with their events, with and without our hooks.

import { beforeAll, describe, expect, it } from 'vitest';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { fsck, hasGit } from '../../helpers/native-git.ts';
import { buildProgram, programEnvironment, runProgram } from '../../helpers/program.ts';
import { type Clone, clonesOf } from './clones.ts';

describe.runIf(hasGit)('two people who each append one event', () => {
  let environment: Record<string, string>;
  beforeAll(async () => {
    await buildProgram();
    environment = programEnvironment();
  }, 240_000);

  async function both(isHooked: boolean): Promise<[Clone, Clone]> {
    const clones = (await clonesOf(['ana', 'rui'], environment)) as [Clone, Clone];
    const [ana, rui] = clones;
    if (isHooked) for (const clone of clones) await clone.install();
    ana.clock.advance({ hours: 2 });
    expect(await ana.event('the parser reads', 'parser')).toBe('evt-002');
    ana.git('push', '-q');
    rui.clock.advance({ hours: -1 });
    expect(await rui.event('the printer prints', 'printer')).toBe('evt-002');
    await rui.task({ add: 'Mend the printer' });
    await rui.task({ complete: 'Mend the printer' });
    rui.clock.advance({ hours: 1 });
    return clones;
  }

  async function expectBoth({ read, folder, events, use, git }: Bound) {
    expect(await events()).toEqual([
      'evt-001 begun',
      'evt-002 the parser reads',
      'evt-003 the printer prints',
      'evt-004 Completed: Mend the printer',
    ]);
    expect(read('TODO.md')).toContain('evt-004');
    await use(async ({ project }) => {
      expect((await project.graph()).problems).toEqual([]);
      const { layers, text } = await project.boot();
      expect(layers.slice(1).map(({ state }) => state)).toEqual(['fresh', 'fresh']);
      const recent = ['the parser reads', 'Completed: Mend the printer', 'the printer prints', 'begun'];
      expect(recent.map((words) => text.indexOf(`— ${words} —`))).toEqual(
        recent.map((words) => text.indexOf(`— ${words} —`)).sort((a, b) => a - b),
      );
    });
    expect([git('status', '--porcelain'), git('grep', '-lE', '^(<<<<<<<|>>>>>>>)', '--', ':!main.c') || '']).toEqual([
      '',
      '',
    ]);
    expect(fsck(folder)).toBe('');
  }
  type Bound = Pick<Clone, 'read' | 'folder' | 'events' | 'use' | 'git'>;
  const bound = (clone: Clone): Bound => ({
    folder: clone.folder,
    read: (file) => clone.read(file),
    events: () => clone.events(),
    use: (act) => clone.use(act),
    git: (...words) => (words[0] === 'grep' ? clone.try(...words).stdout : clone.git(...words)),
  });

  it.each(['--no-rebase', '--rebase'] as const)(
    'need nothing but `git pull %s` with the hooks',
    async (way) => {
      const [ana, rui] = await both(true);
      expect((await rui.pull(way)).stops).toBe(0);
      await expectBoth(bound(rui));
      const subjects = rui.git('log', '--format=%s%n%b', '@{upstream}..').split('\n');
      if (way === '--rebase') expect(subjects).toContain('event: evt-003 create "the printer prints"');
      else expect(subjects).toContain('- evt-002 is evt-003 now');
      rui.git('push', '-q');
      expect((await ana.pull(way)).stops).toBe(0);
      await expectBoth(bound(ana));
    },
    600_000,
  );

  it.each(['--no-rebase', '--rebase'] as const)(
    'finish `git pull %s` by resolve without them',
    async (way) => {
      const [ana, rui] = await both(false);
      const { stops, said } = await rui.pull(way);
      expect([stops > 0, said]).toEqual([true, expect.stringContaining('Merge conflict in CHANGELOG.md')]);
      await expectBoth(bound(rui));
      if (way === '--rebase')
        expect(rui.git('log', '--format=%s')).toContain('event: evt-003 create "the printer prints"');
      rui.git('push', '-q');
      expect((await ana.pull(way)).stops).toBe(0);
      await expectBoth(bound(ana));
    },
    600_000,
  );

  it.each([true, false])(
    'read pages that know what an editor wrote and git committed, with the hooks (%s) and without',
    async (isHooked) => {
      const [ana] = (await clonesOf(['ana'], environment)) as [Clone];
      if (isHooked) await ana.install();
      const pages = ['.memory/context.md', '.memory/graph.md'];
      const written = ana.read('CHANGELOG.md');
      const entry = written.slice(written.indexOf('\n### evt-001')).replace('evt-001', 'evt-002');
      ana.write(
        'CHANGELOG.md',
        `${written}${entry.replace('begun', 'the lexer reads').replace('entity: all', 'entity: lexer')}`,
      );
      ana.git('commit', '-qam', 'lexer');
      const committed = pages.map((page) => ana.git('show', `HEAD:${page}`));
      expect(committed.map((page) => page.includes('evt-002'))).toEqual([isHooked, isHooked]);
      const shown = await ana.use((memory) =>
        Promise.all(pages.map((page) => memory.read(page, { hideForgotten: true }))),
      );
      expect(shown.map((page) => page.includes('evt-002'))).toEqual([true, true]);
      const letters = await ana.use((memory) => Promise.all(pages.map((page) => memory.read(page))));
      expect(letters).toEqual(committed);
      const past = await ana.use(async (memory) =>
        (await memory.at('HEAD~1')).read(pages[0]!, { hideForgotten: true }),
      );
      expect(past).toBe(ana.git('show', `HEAD~1:${pages[0]}`));
      await ana.use((memory) => memory.maintenance.run({ tasks: ['graph'] }).then(() => memory.commit()));
      expect(pages.map((page) => ana.git('show', `HEAD:${page}`))).toEqual(shown);
      expect([ana.git('status', '--porcelain'), fsck(ana.folder)]).toEqual(['', '']);
    },
    600_000,
  );

  it('are stopped at a cherry-pick that gives new ids, with the hooks as well, and resolve lets the rest follow', async () => {
    const [, rui] = await both(true);
    rui.git('fetch', '-q');
    expect(rui.try('cherry-pick', '@{upstream}').status).toBe(1);
    expect((await rui.use((memory) => memory.git.resolveMerge())).remaining).toEqual([]);
    rui.git('cherry-pick', '--continue');
    await expectBoth(bound(rui));
  }, 600_000);

  it('may resolve by hand, what was pushed first; the hook refuses what would change that, and says which', async () => {
    const [, rui] = await both(false);
    await rui.install();
    rui.git('config', '--remove-section', 'merge.git-memory');
    expect(rui.try('pull', '-q', '--no-rebase').status).toBe(1);
    await rui.use((memory) => memory.git.resolveMerge());
    const refusal = () => {
      const { status, stdout, stderr } = rui.try('commit', '--no-edit');
      return `${status} ${stdout}${stderr}`.replace(/\s+/g, ' ');
    };
    const pushedFirst = rui.read('CHANGELOG.md');
    rui.write('CHANGELOG.md', pushedFirst.replace('the parser reads', 'the parser sleeps'));
    rui.git('add', 'CHANGELOG.md');
    expect(refusal()).toContain('evt-002 is published and would say something else');
    const pieces = pushedFirst.split(/(?=\n### )/);
    rui.write('CHANGELOG.md', pieces.filter((piece) => !piece.startsWith('\n### evt-002')).join(''));
    rui.git('add', 'CHANGELOG.md');
    expect(refusal()).toContain('evt-002 is published and would be gone');
    // One that nobody else has may be said otherwise.
    rui.write('CHANGELOG.md', pushedFirst.replace('the printer prints', 'the printer prints well'));
    rui.git('add', 'CHANGELOG.md');
    rui.git('commit', '--no-edit', '-q');
    expect((await rui.events())[2]).toBe('evt-003 the printer prints well');
    expect((await rui.use(({ project }) => project.graph())).context).toBe('fresh');
  }, 600_000);

  it('learn in a further clone what to run once, and doctor says so until it was', async () => {
    const [, rui] = (await clonesOf(['ana', 'rui'], environment)) as [Clone, Clone];
    const { stdout } = await runProgram(rui.folder, ['init', '--project'], { env: environment });
    expect(stdout.split('\n').filter((line) => line.includes('`git memory hooks install`'))).toHaveLength(1);
    const driver = async () => (await doctor({ dir: rui.folder })).findings.find(({ code }) => code === 'MERGE_DRIVER');
    expect(await driver()).toMatchObject({ fix: expect.stringContaining('git memory hooks install') });
    await rui.install();
    expect(await driver()).toBeUndefined();
    expect(rui.read('.git/info/attributes')).toMatch(/^CHANGELOG\.md merge=git-memory$/m);
  }, 600_000);
});
