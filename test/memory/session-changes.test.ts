// What a transcript says of the knowledge that changed while it was recorded, what it never holds, and the day on which a page was changed.

import { describe, expect, it } from 'vitest';
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
