// The table of keys: none means two things where it is pressed, and none that writes is a way to a place.

import { expect, it } from 'vitest';
import { keys } from '../../ui/keys.ts';

const all = Object.values(keys);

it('no key stands twice in what is pressed at one place', () => {
  const scopes = [...new Set(all.map(({ scope }) => scope))];
  expect(scopes).toContain('review');
  for (const scope of scopes) {
    const pressed = all.filter((one) => one.scope === 'frame' || one.scope === scope).map(({ key }) => key);
    expect([scope, pressed.filter((key, at) => pressed.indexOf(key) !== at)]).toEqual([scope, []]);
  }
});

it('no key that writes goes to a place, or does something harmless anywhere', () => {
  const writing = new Set(all.filter(({ writes }) => writes).map(({ key }) => key));
  expect(writing.size).toBeGreaterThan(5);
  expect(all.filter(({ key, writes }) => !writes && writing.has(key)).map(({ what }) => what)).toEqual([]);
});
