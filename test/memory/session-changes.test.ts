// What a transcript says of the knowledge that changed while it was recorded, what it never holds, and the day on which a page was changed.

import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';

const path = 'knowledge/projects/mill/context.md';
const page =
  '---\ntype: project_context\nproject: mill\nupdated: 2026-01-01\n---\n\n# Mill\n\n## Key Decisions\n- The wheel stays.\n';

describe('a session', () => {
  it('says in a turn of the memory and in its front matter what it changed, also when another process ends it', async () => {
    const { memory } = await newTestMemory();
    await memory.write(path, page);
    const session = await memory.startSession({ session: 'ses_mill' });
    await session.message('user', 'The sluice is new, please note that.');
    await memory.edit(path, '- The wheel stays.', '- The wheel stays.\n- The sluice is new.');
    await memory.remove(path);
    await memory.remember('The mill grinds on Fridays.');
    const again = await memory.startSession({ session: 'ses_mill' });
    await again.end({ knowledgeChanges: [{ path: 'knowledge/x.md', action: 'updated', summary: 'by hand' }] });
    const text = await memory.read(session.path);
    expect(text).toContain(`agent [memory]\n> [knowledge:appended] ${path} — The sluice is new.\n`);
    expect(text).toContain(`knowledge_changes:\n`);
    const { transcript } = { transcript: text.slice(0, text.indexOf('# Session')) };
    expect(transcript.match(/action: \w+/g)).toEqual(['action: updated', 'action: appended', 'action: removed']);
    await memory.extract();
    expect((await memory.list()).memories.some(({ content }) => content.includes('knowledge:'))).toBe(false);
    await memory.close();
  });

  it('keeps no reasoning, and says which field asked for it', async () => {
    const { memory } = await newTestMemory();
    const session = await memory.startSession();
    const refused = (where: string) => expect.objectContaining({ code: 'INVALID_ARGUMENT', where });
    await expect(session.message('thinking', 'Hm.')).rejects.toEqual(refused('role'));
    await expect(session.message('agent', 'Hm.', { flag: 'thinking' })).rejects.toEqual(refused('flag'));
    const messages = [
      { role: 'user', text: 'Hello there.' },
      { role: 'thinking', text: 'Secretly hm.' },
    ];
    await expect(memory.capture({ messages })).rejects.toEqual(refused('message 2, role'));
    const [kept] = await memory.captureText(JSON.stringify(messages));
    expect(await memory.read(kept!.path)).not.toContain('Secretly');
    await memory.close();
  });
});

describe('`updated` of a page', () => {
  it('is brought up to date by every write that leaves it alone, in its form', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.write(path, page);
    clock.advance({ days: 3 });
    await memory.edit(path, 'The wheel stays.', 'The wheel goes.');
    expect(await memory.read(path)).toContain('updated: 2026-02-19\n');
    await memory.write(path, page.replace('2026-01-01', '2026-02-01'));
    expect(await memory.read(path)).toContain('updated: 2026-02-01\n');
    await memory.write(
      'knowledge/identity/SOUL.md',
      '---\ntype: identity\nupdated: 2026-01-01T10:00:00Z\n---\n\n# Soul\n',
    );
    await memory.edit('knowledge/identity/SOUL.md', '# Soul', '# The soul');
    expect(await memory.read('knowledge/identity/SOUL.md')).toContain('updated: 2026-02-19T09:00:00Z\n');
    await memory.close();
  });
});

/** Lists the pages that a commit changed, and whose `updated` is not the day of that commit. */
async function datedOtherwise(memory: Memory): Promise<string[]> {
  const { commits } = await memory.log({ limit: 10_000 });
  const wrong: string[] = [];
  const dayIn = (text: string | null) => /^updated: (\S+)/m.exec(text ?? '')?.[1]?.slice(0, 10);
  for (const [at, { oid, time, paths, operation }] of commits.slice(0, -1).entries())
    for (const path of paths.filter((one) => one.startsWith('knowledge/'))) {
      const [was, is] = await Promise.all(
        [commits[at + 1]!.oid, oid].map(async (commit) =>
          (await memory.at(commit)).read(path).then(dayIn, () => undefined),
        ),
      );
      if (was !== undefined && is !== undefined && is !== time.slice(0, 10))
        wrong.push(`${operation} ${path}: ${is}, not ${time}`);
    }
  return wrong;
}

it('keeps `updated` of each page that names it, whoever writes: verbs, extraction, tasks of five weeks', async () => {
  const { memory, clock } = await newTestMemory();
  const dated = (title: string, lines: string, keys = 'type: reference') =>
    `---\n${keys}\nupdated: 2020-01-01T00:00:00Z\n---\n\n# ${title}\n\n${lines}\n`;
  const pages: Record<string, string> = {
    'knowledge/memory/MEMORY.md': dated('Core Memory', '## Key Decisions\n', 'type: memory'),
    'knowledge/projects/_active.md': dated('Active Projects', '', 'type: project_index'),
    'knowledge/projects/mill/context.md': dated('Mill', '## Key Decisions\n', 'type: project_context\nproject: mill'),
    'knowledge/people/_index.md': dated('People', ''),
    'knowledge/people/torunn.md': dated('Torunn', '## Key Facts\n- See [[wheel]]\n', 'type: person\nname: Torunn'),
    'knowledge/entities/birch-hall.md': dated('Birch Hall', '## Key Facts\n'),
    'knowledge/reference/wheel.md': dated('Wheel', '- The wheel stays.\n- The wheel stays.\n'),
  };
  for (const [path, text] of Object.entries(pages)) await memory.write(path, text);
  await memory.commit();
  const ids: string[] = [];
  for (let day = 0; day < 35; day += 1) {
    clock.advance({ days: 1 });
    if (day % 4 === 0) {
      const said = [
        `We decided for the mill project to set wheel ${day} beside the sluice because the old one rots.`,
        `Torunn prefers letters of ${day + 3} lines to calls.`,
      ];
      const messages = said.map((text) => ({ role: 'user' as const, text }));
      await memory.capture({ session: `s${day}`, messages });
      await memory.extract();
      ids.push((await memory.list()).memories[0]!.id);
      await memory.ledger.add({ type: 'fact', priority: 'P1', entity: 'Birch Hall', content: `It seats ${90 + day}` });
    }
    if (day === 5) await memory.edit('knowledge/reference/wheel.md', '# Wheel', '# The wheel');
    if (day === 6) await memory.move('knowledge/reference/wheel.md', 'knowledge/reference/wheels.md');
    if (day === 9) await memory.forget(ids[0]!);
    if (day === 13) await memory.knowledge.verify('knowledge/people/torunn.md');
    if (day === 17) await memory.edit(ids[3]!, 'letters', 'cards').catch(() => memory.forget(ids[3]!));
    if (day % 3 === 2) await memory.commit();
    await memory.maintenance.runDue();
  }
  await memory.commit();
  const read = await Promise.all(
    Object.keys(pages).map(async (one) => [one, await memory.read(one).catch(() => 'gone')] as const),
  );
  expect(await datedOtherwise(memory)).toEqual([]);
  expect(read.flatMap(([page, text]) => (text.includes('2020-01-01') ? [page] : []))).toEqual([]);
  await memory.close();
}, 600_000);
