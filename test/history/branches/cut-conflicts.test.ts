// Logs that native git merges as plain text, in a clone without our driver. Events of both sides begin and end with the same lines, and git cuts
// them there. `resolve` makes whole events of that, in whatever style git writes it down.

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { formatChangelogEvent } from '../../../src/store/records/changelog.ts';
import { countingIds, ManualClock } from '../../helpers/memories.ts';
import { commitAll, fsck, git, hasGit, tryGit } from '../../helpers/native-git.ts';
import { random } from '../../helpers/random.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const log = 'CHANGELOG.md';
const styles = ['merge', 'diff3', 'zdiff3'] as const;
const ways = {
  merge: [['merge', 'theirs']],
  rebase: [['rebase', 'theirs']],
  'cherry-pick': [['cherry-pick', 'theirs']],
  stash: [['reset', '-q', '--soft', 'HEAD~'], ['stash'], ['reset', '-q', '--hard', 'theirs'], ['stash', 'pop']],
} as const;

describe.runIf(hasGit)('events that git cuts at common lines', () => {
  const project = path.join(temporaryFolder(), 'project');
  const clock = new ManualClock('2026-02-16T08:00:00Z');
  const open = (dir: string) => openMemory({ dir, clock, ids: countingIds('c'), durability: 'fast' });
  beforeAll(async () => {
    git('.', 'init', '-q', '-b', 'main', project);
    fs.writeFileSync(path.join(project, 'main.c'), 'int main(void) { return 0; }\n');
    commitAll(project, 'code');
    const memory = await openMemory({ dir: project, create: true, placement: 'project', clock, durability: 'fast' });
    await memory.project.deploy(3);
    await memory.project.change({
      type: 'create',
      scope: 'all',
      summary: 'begun',
      agent: 'ana',
      details: { entity: 'all' },
    });
    await memory.commit();
    await memory.close();
  }, 60_000);

  /** One to three events, each with words of its own between lines that others have, too, and a third that names the one before. */
  function eventsOf(side: string, chance: (below: number) => number): string[] {
    return Array.from({ length: 1 + chance(3) }, (_, at) => {
      const details = ['x', 'y', `${side}${at}`].slice(chance(3)).map((value) => ({ key: 'entity', value }));
      const id = `evt-00${at + 2}`;
      const words = { scope: ['all', side][chance(2)]!, summary: `${side} ${at}`, details, tags: [] };
      const common = { agent: 'ana', type: 'modify', time: '2026-02-16 09:00', number: at + 2 } as const;
      const refs = at === 2 ? ['evt-003'] : [];
      return formatChangelogEvent({ id, ...common, ...words, refs, value: {} } as never);
    });
  }

  const cloneOf = (chance: (below: number) => number) => {
    const dir = path.join(temporaryFolder(), 'clone');
    git('.', 'clone', '-q', project, dir);
    git(dir, 'remote', 'remove', 'origin');
    const written = ['theirs', 'ours'].flatMap((side) => {
      git(dir, 'switch', '-q', ...(side === 'theirs' ? ['-c', side] : ['main']));
      const events = eventsOf(side, chance);
      fs.appendFileSync(path.join(dir, log), events.join(''));
      git(dir, 'commit', '-qam', side);
      return events;
    });
    return { dir, written };
  };
  const withoutIds = (text: string) => text.trim().replace(/evt-\d+/g, 'evt');

  it.each(styles.flatMap((style) => (Object.keys(ways) as (keyof typeof ways)[]).map((way) => [style, way] as const)))(
    'are whole after resolve, as %s shows a %s',
    async (style, way) => {
      for (const seed of [1, 2, 3]) {
        const { dir, written } = cloneOf(random(seed));
        git(dir, 'config', 'merge.conflictStyle', style);
        if (seed === 3) fs.writeFileSync(path.join(dir, '.git/info/attributes'), `${log} conflict-marker-size=20\n`);
        const outcomes = ways[way].map((words) => tryGit(dir, [...words]).status);
        expect([outcomes.at(-1), git(dir, 'ls-files', '-u').includes(log)]).toEqual([1, true]);
        const memory = await open(dir);
        const { remaining } = await memory.git.resolveMerge();
        expect({ seed, remaining }).toEqual({ seed, remaining: [] });
        await memory.close();
        const pieces = fs
          .readFileSync(path.join(dir, log), 'utf8')
          .split(/^(?=### )/m)
          .filter((one) => one.includes('| modify'));
        expect(pieces.map(withoutIds).sort()).toEqual(written.map(withoutIds).sort());
        const ids = pieces.map((piece) => /evt-\d+/.exec(piece)![0]);
        expect(ids).toEqual(written.map((_, at) => `evt-00${at + 2}`));
        for (const piece of pieces.filter((one) => /^\*\*Refs\*\*: evt/m.test(one))) {
          const named = pieces[ids.indexOf(/Refs\*\*: (evt-\d+)/.exec(piece)![1]!)]!;
          expect(/Summary\*\*: (\w+) 1/.exec(named)![1]).toBe(/Summary\*\*: (\w+) 2/.exec(piece)![1]);
        }
        expect([git(dir, 'ls-files', '-u'), fsck(dir)]).toEqual(['', '']);
      }
    },
    300_000,
  );

  it('stand whole in the conflict itself in the style diff3 alone', () => {
    const { dir, written } = cloneOf(random(1));
    const whole = (style: string) => {
      expect(tryGit(dir, ['-c', `merge.conflictStyle=${style}`, 'merge', 'theirs']).status).toBe(1);
      const text = withoutIds(fs.readFileSync(path.join(dir, log), 'utf8'));
      git(dir, 'merge', '--abort');
      return written.every((event) => text.includes(withoutIds(event)));
    };
    expect(styles.map(whole)).toEqual([false, true, false]);
  });
});
