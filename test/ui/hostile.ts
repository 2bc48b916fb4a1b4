// A memory full of texts that want to be more than text.

import type { Memory } from '../../src/memory/memory.ts';
import type { ManualClock } from '../helpers/memories.ts';

const script = `<script>window.hit = 1; alert('hit')</script>`;
const picture = `<img src=x onerror="window.hit = 2; fetch('https://evil.example/')"><svg onload="window.hit = 3">`;
const links = `[click](javascript:window.hit=4) [data](data:text/html,<script>window.hit=5</script>) ![see](https://evil.example/pixel.png) <https://evil.example/auto>`;
const turned = 'a\u202Etxt.exe\u202C and \u0007 bells, مرحبا بالعالم, שלום, 👩‍👩‍👧‍👦 and é';
const long = `${'x'.repeat(300_000)} ${'word '.repeat(140_000)}`;

export const hostilePage = 'knowledge/people/hostile.md';
export const longPage = 'knowledge/reference/long.md';

/** Fills it; gives the id of a claim and the path of a conversation. */
export async function fillHostile(memory: Memory, clock: ManualClock): Promise<{ id: string; talk: string }> {
  const words = `${script} ${picture} ${links} ${turned} </script><!-- {{constructor}} \${7*7}`;
  const [captured] = [
    await memory.capture({
      session: 'hostile',
      topic: `${script} ${turned}`,
      agent: '<b>agent</b>',
      messages: [
        { role: 'user', speaker: '<i>Eve</i>', text: words },
        { role: 'assistant', text: `## 10:00 — user\n${picture}\n${long.slice(0, 40_000)}` },
        { role: 'user', text: 'I prefer <script>window.hit = 6</script> to tea.' },
      ],
    }),
  ];
  await memory.extract();
  clock.advance({ days: 1 });
  const { id } = await memory.remember({
    content: words,
    subject: script,
    agent: '"><script>window.hit=7</script>',
    tags: ['__proto__', '<b>'],
    entities: [picture],
  });
  await memory.remember({ content: long.slice(0, 60_000), due: '2026-03-01', category: 'commitment' });
  await memory.commit(`about ${script}`);
  await memory.write(
    hostilePage,
    [
      `# ${script}`,
      '',
      words,
      '',
      '```html',
      script,
      '```',
      '',
      `| ${script} | b |`,
      '| --- | --- |',
      `| ${picture} | [x](vbscript:hit) |`,
      '',
      `- ${links}`,
      '  - [deep](//evil.example)',
      '> quoted',
      '',
      '<iframe src="https://evil.example"></iframe>',
      '',
      '[up](../../../../etc/passwd) [[people/ada|<b>Ada</b>]] [ref]: x',
      '',
      turned,
      '',
    ].join('\n'),
  );
  await memory.write(longPage, `# Long\n\n${long}\n`);
  await memory.commit();
  const again = await memory.remember({ content: `${words} again`, replaces: [id] });
  await memory.commit();
  clock.advance({ days: 1 });
  await memory.forget(again.id!);
  await memory.commit();
  return { id, talk: captured!.path };
}
