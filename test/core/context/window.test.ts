import { expect, it } from 'vitest';
import { meterOf } from '../../../src/core/context/compile/meter.ts';
import { windowOf } from '../../../src/core/context/compile/window.ts';

const said = [
  ['user', 'When do we ship?'],
  ['assistant', 'We ship on Tuesday.'],
  ['user', 'Actually we moved the ship date to Friday the 13th.'],
  ['assistant', 'Noted, Friday the 13th.'],
  ['user', 'Who signs for the parcels?'],
  ['assistant', 'Grace signs.'],
].map(([role, text]) => ({ role: role!, text: text! }));

it.each([24, 32, 40, 48])('a small window keeps no turn whose correction it drops: %i tokens', (room) => {
  const { pieces, evicted } = windowOf(said, room, 0.25, meterOf(undefined));
  const text = pieces.map((piece) => piece.text).join('\n');
  expect(evicted).toBeGreaterThan(0);
  expect(text).toContain('Grace signs.');
  expect(text).not.toContain('…');
  if (text.includes('Tuesday')) expect(text).toContain('Friday the 13th');
});
