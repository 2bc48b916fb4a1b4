// A life of 153 mornings: what fills the recall pack of each, where 21 weekly figures are much alike and only two claims are rivals.

import { describe, expect, it } from 'vitest';
import type { PackResult } from '../../../src/base/types.ts';
import { countWords } from '../../../src/core/context/pack/sections.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { random } from '../../helpers/random.ts';

const mornings = 153;
const weeks = 21;
const lines = 165;

const things = ['kiln', 'roof', 'ferry', 'orchard', 'archive', 'choir', 'canteen'];
const kinds = ['decision', 'fact', 'preference', 'procedure', 'commitment'] as const;

/** The share of the words and of the lines of CONTEXT that is no conflict, the smaller of both; 1 where it has no line. */
function shareOf({ lines: all }: PackResult): number {
  const texts = all.filter(({ section }) => section === 'context').map(({ text }) => text);
  const others = texts.filter((text) => !text.includes('CONFLICT'));
  if (texts.length === 0) return 1;
  return Math.min(others.length / texts.length, countWords(others.join(' ')) / countWords(texts.join(' ')));
}

describe.runIf(hasGit)('a shop that notes its figures each week', () => {
  it('has a pack of which most is no conflict on each morning, and one line for two rivals', async () => {
    const { memory, clock, directory } = await newTestMemory();
    const draw = random(7);
    const given = { subject: 'kiln', attribute: 'temperature' };
    let [figures, others] = [0, 0];
    const shares: number[] = [];
    const rivals: number[] = [];
    for (let morning = 0; morning < mornings; morning++) {
      clock.set(new Date(Date.UTC(2026, 0, 5 + morning, 6)).toISOString());
      if (morning % 7 === 0 && figures < weeks) {
        figures += 1;
        const content = `Week ${figures}: the shop sold ${40 + draw(60)} jars for ${900 + draw(800)} euros`;
        await memory.ledger.add({ type: 'fact', entity: 'shop', content });
      }
      while (others < Math.ceil(((lines - weeks) * (morning + 1)) / mornings)) {
        const entity = things[draw(things.length)]!;
        const content = `The ${entity} gets shelf ${draw(90)} as agreed with number ${others}`;
        await memory.ledger.add({ type: kinds[others % kinds.length]!, entity, content });
        others += 1;
      }
      if (morning === 60) {
        await memory.remember({ content: 'The kiln fires at 1,240 degrees', ...given });
        await memory.remember({ content: 'The kiln fires at 1,190 degrees', ...given, validFrom: '2026-01-02' });
      }
      // Pages get lines that are copied from events.
      if (morning % 56 === 55) await memory.maintenance.run({ tasks: ['knowledge'] });
      if (morning % 7 === 6) await memory.commit();
      const pack = await memory.pack();
      shares.push(shareOf(pack));
      rivals.push(pack.text.split('⚠️ CONFLICT').length - 1);
    }
    const { events } = await memory.ledger.list();
    expect([events.length, figures]).toEqual([lines, weeks]);
    expect(shares.filter((share) => share < 0.6)).toEqual([]);
    expect(rivals).toEqual(Array.from({ length: mornings }, (_, morning) => (morning < 60 ? 0 : 1)));
    expect(git(directory, 'rev-list', '--count', 'HEAD').trim()).not.toBe('0');
    await memory.close();
    expect(git(directory, 'fsck', '--strict')).toBe('');
  });
});
