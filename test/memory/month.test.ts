// A month of talks about a made-up project, and what its pages say in the end: journal, MEMORY.md, the lists, people, dangling links.

import { expect, it } from 'vitest';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { newTestMemory } from '../helpers/memories.ts';

const talks: Readonly<Record<number, readonly string[]>> = {
  1: [
    'I started a project called Kittiwake. Kittiwake is a booking tool for small harbours.',
    'We decided to write Kittiwake in Elixir because Ravi Menon knows it well.',
  ],
  3: [
    'Today Dr. Helene Aubert-Lindqvist signed the contract for the harbour of Visby. That was the big moment.',
    'ok thanks',
    'It was raining all day.',
  ],
  5: ['Ravi Menon prefers short messages in the morning and no calls after five.', 'ha nice'],
  8: [
    'The staging server of Kittiwake has 16 GB of memory.',
    'Lesson learned: never migrate the tide tables on a Friday.',
  ],
  10: ['Today our beta went live with 14 harbours, the proudest day of the year for us.', 'ok'],
  12: ['I must send Helene Aubert-Lindqvist the insurance papers by February 27.'],
  15: ['We decided to drop the SMS reminders, because nobody reads them.'],
  22: [
    'Visby had an outage for three hours this morning because the certificate expired.',
    'We decided to renew certificates two weeks before they run out.',
  ],
};

it('leaves pages that say what happened, what holds, who likes what, and what a project is', async () => {
  const { memory, clock, directory } = await newTestMemory();
  await memory.write('knowledge/reference/berths.md', '# Berths\n\nSee [[harbour-guide]] for the depths.\n');
  for (let day = 0; day < 30; day += 1) {
    const messages = (talks[day] ?? []).map((text) => ({ role: 'user' as const, text }));
    if (messages.length > 0) await memory.capture({ session: `s${day}`, messages });
    for (let part = 0; part < 4; part += 1) {
      clock.advance({ hours: 6 });
      await memory.maintenance.runDue();
    }
  }
  const journal = async (day: string) => memory.read(`knowledge/journal/${day}.md`);
  // The main event of a day, with its date and whole names; small talk beside it is none.
  expect(await journal('2026-02-19')).toMatch(
    /- 2026-02-19 the user: Today Dr\. Helene Aubert-Lindqvist signed the contract for the harbour of Visby\./,
  );
  expect(await journal('2026-02-19')).not.toMatch(/user: (?:It was|ok)/);
  expect(await journal('2026-02-26')).toContain('- 2026-02-26 the user: Today our beta went live with 14 harbours');
  expect(await journal('2026-03-10')).toContain('Visby had an outage for three hours');
  expect(await journal('2026-03-10')).toContain('renew certificates two weeks before');
  const core = await memory.read('knowledge/memory/MEMORY.md');
  expect(core).toMatch(/## Key Decisions\n(?:.*\n)*- 2026-03-03 the user: We decided to drop the SMS reminders/);
  expect(core).toMatch(/## Lessons Learned\n(?:.*\n)*- 2026-02-24 the user: Lesson learned: never migrate/);
  expect(core).toMatch(/## Active Context\n(?:.*\n)*- 2026-02-26 the user: Today our beta went live/);
  expect(await memory.read('knowledge/projects/_active.md')).toContain(
    '- **kittiwake** — a booking tool for small harbours.',
  );
  expect(await memory.read('knowledge/people/ravi-menon.md')).toMatch(
    /## Communication\n(?:.*\n)*- .*prefers short messages in the morning/,
  );
  const { findings } = await doctor({ dir: directory });
  expect(findings.map(({ what }) => what).join('\n')).toContain('harbour-guide');
}, 300_000);
