// Triggers: words of a question call for knowledge files, whole words only, and what is not there is not named.

import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';

const shop = 'knowledge/entities/dress-like-mommy.md';
const rules = 'knowledge/principles/budget-rules.md';

async function withTriggers(triggers: unknown) {
  const { memory } = await newTestMemory();
  await memory.write(shop, '# Dress Like Mommy\n\n## Key Facts\n- It sells dresses\n');
  await memory.write(rules, '# Principle: Budget\n\n## Rule\nNothing extra.\n');
  await memory.write('recall/triggers.json', JSON.stringify(triggers));
  return memory;
}

describe('triggers', () => {
  it('name the files that the words of a question call for', async () => {
    const memory = await withTriggers({
      triggers: [
        { patterns: ['shopify', 'store', 'dress like mommy'], load: [shop] },
        { patterns: ['cost'], load: [rules, shop, 'knowledge/entities/gone.md'] },
      ],
    });
    expect((await memory.recall('What does the Store cost?')).triggered).toEqual([
      { path: shop, pattern: 'store' },
      { path: rules, pattern: 'cost' },
    ]);
    expect((await memory.recall('tell me about dress-like-mommy')).triggered).toEqual([
      { path: shop, pattern: 'dress like mommy' },
    ]);
    expect((await memory.recall('it was restored')).triggered).toBeUndefined();
    await memory.close();
  });

  it('that cannot be read call for nothing', async () => {
    const memory = await withTriggers({ triggers: [{ patterns: 'store' }] });
    expect((await memory.recall('store')).triggered).toBeUndefined();
    await memory.close();
  });
});
