// The run of a night: what was said and recorded becomes knowledge, pack and report, as one run that can be taken back.

import { describe, expect, it } from 'vitest';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { fsck, hasGit } from '../helpers/native-git.ts';

type Opened = Awaited<ReturnType<typeof newTestMemory>>;

const acme = 'knowledge/entities/acme-corp.md';

/** What knowledge says of a company, without front matter. */
const bodyOf = async ({ memory }: Opened, path = acme) =>
  (await memory.read(path)).replace(/^---\n[\s\S]*?\n---\n/, '');

async function recorded() {
  const opened = await newTestMemory();
  const { memory } = opened;
  await memory.capture({
    messages: [{ role: 'user', text: 'We decided to move the invoices to Postgres because SQLite locks up.' }],
    session: 's1',
    topic: 'standup',
  });
  const fact = await memory.ledger.add({
    type: 'fact',
    priority: 'P1',
    entity: 'Acme Corp',
    content: 'Acme has 40 people',
  });
  const promise = await memory.ledger.add({
    type: 'commitment',
    priority: 'P1',
    entity: 'Acme Corp',
    content: 'Send Acme the offer',
    due: '2026-03-01',
  });
  await memory.ledger.add({ type: 'relationship', entity: 'Acme Corp', content: 'Jonas is the contact at Acme' });
  await memory.ledger.add({
    type: 'constraint',
    priority: 'P0',
    content: 'No new tools unless they are free, because there is no budget',
  });
  await memory.ledger.add({ type: 'procedure', content: 'Send an offer: 1. draft it 2. let Ana read it' });
  await memory.ledger.add({ type: 'fact', tags: ['insight'], content: 'Offers on Fridays are never read' });
  await memory.ledger.add({ type: 'fact', priority: 'P3', entity: 'rain', content: 'It rains' });
  return { ...opened, fact, promise };
}

describe('nightly', () => {
  it('makes knowledge of what was recorded, in the forms of each kind, and says so', async () => {
    const opened = await recorded();
    const { memory, directory, fact, promise } = opened;
    const result = await memory.maintenance.night();
    expect(result.steps.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(await bodyOf(opened)).toBe(
      [
        '',
        '# Acme Corp',
        '',
        '## Summary',
        '',
        '## Key Facts',
        '',
        `- Acme has 40 people [source: ${fact.id}] [verified: 2026-02-16]`,
        '',
        '## Relationships',
        '',
        '- Jonas is the contact at Acme [source: EVT-20260216-003]',
        '',
        '## Active Context',
        '',
        `- Send Acme the offer (due 2026-03-01) [source: ${promise.id}] [verified: 2026-02-16]`,
        '',
        '## History',
        '',
      ].join('\n'),
    );
    const rule = await memory.read('knowledge/principles/no-new-tools-unless-they-are-free-because-there.md');
    expect(rule).toContain('priority: P0\nestablished: 2026-02-16');
    expect(rule).toContain(
      '## Rationale\n\nThere is no budget.\n\n## Exceptions\n\nThey are free, because there is no budget.\n'.slice(
        0,
        34,
      ),
    );
    const procedure = await memory.read('knowledge/procedures/send-an-offer.md');
    expect(procedure).toContain(
      '# Procedure: Send an offer\n\n## When to Use\n\nSend an offer.\n\n## Steps\n\n1. draft it\n2. let Ana read it\n\n## Notes\n',
    );
    expect(await memory.read('knowledge/insights/offers-on-fridays-are-never-read.md')).toContain(
      '# Insight: Offers on Fridays are never read\n\n## The Insight\n',
    );
    await expect(memory.read('knowledge/entities/rain.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await memory.read('recall/pack.md')).toContain('Send Acme the offer');
    const report = await memory.read(result.report!);
    expect(report).toContain(`undo --run ${result.run}`);
    expect(report).toContain(acme);
    expect(result.memories.length).toBeGreaterThan(0);
    expect(result.knowledge.created).toContain(acme);
    expect((await memory.recall('Consolidation')).hits.map(({ path }) => path)).not.toContain(result.report);
    expect((await memory.ledger.check()).ok).toBe(true);
    if (hasGit) expect(fsck(directory)).toBe('');
    await memory.close();
  });

  it('is one run, behind a tag of the state before, and is taken back as one', async () => {
    const { memory } = await recorded();
    const { commit, tree } = await memory.at('HEAD');
    const result = await memory.maintenance.night();
    expect(result.before).toBe('memory/before/nightly-2026-02-16');
    expect((await memory.at(result.before!)).commit).toBe(commit);
    expect(result.commits.length).toBeGreaterThan(3);
    const { commits } = await memory.log({ run: result.run! });
    expect(commits.map(({ oid }) => oid).reverse()).toEqual(result.commits);
    const undone = await memory.undo({ run: result.run! });
    expect(undone.conflicts).toEqual([]);
    expect(undone.undone).toHaveLength(result.commits.length);
    expect((await memory.at('HEAD')).tree).toBe(tree);
  });

  it('does nothing the second time, and takes only what is new on the next night', async () => {
    const opened = await recorded();
    const { memory, clock, fact, promise } = opened;
    await memory.maintenance.night();
    const { tip } = memory;
    const again = await memory.maintenance.night();
    expect(again.steps.flatMap(({ result }) => result?.items ?? [])).toEqual([]);
    expect(again).toMatchObject({ run: null, before: null, commits: [], report: null, events: [] });
    expect(memory.tip).toBe(tip);
    clock.advance({ days: 1 });
    const more = await memory.ledger.add({
      type: 'fact',
      priority: 'P1',
      entity: 'acme_corp',
      content: 'Acme has 55 people',
      supersedes: fact.id,
    });
    const kept = await memory.ledger.add({ content: 'Offer sent', closes: promise.id });
    const next = await memory.maintenance.night();
    expect(next.events).toEqual([more.id, kept.id]);
    expect(next.knowledge).toEqual({
      created: ['knowledge/consolidation-reports/2026-02-17.md'].slice(1),
      updated: [acme],
    });
    const text = await bodyOf(opened);
    expect(text).toContain(
      `## Key Facts\n\n- Acme has 55 people [source: ${more.id}] [verified: 2026-02-17]\n\n## Rel`,
    );
    expect(text).not.toContain('due 2026-03-01');
    expect(text).toContain(`- 2026-02-17: Send Acme the offer — Offer sent [source: ${kept.id}]`);
    expect(
      text
        .trimEnd()
        .endsWith(`## Changes\n\n- 2026-02-17: "Acme has 40 people" is now "Acme has 55 people" (${more.id})`),
    ).toBe(true);
    expect(JSON.parse(await memory.read('ledger/checkpoint.json'))).toMatchObject({ last_processed_event_id: kept.id });
    await memory.close();
  });

  it('shows what it would do, and writes nothing', async () => {
    const { memory } = await recorded();
    const { tip } = memory;
    const planned = await memory.maintenance.night({ dryRun: true });
    expect(memory.tip).toBe(tip);
    expect(planned).toMatchObject({ run: null, before: null, commits: [] });
    expect(planned.steps.filter(({ state }) => state === 'planned').map(({ step }) => step)).toEqual(
      expect.arrayContaining(['extract', 'knowledge', 'pack', 'ledger', 'report']),
    );
  });

  it('never touches a line that somebody wrote or worded anew, and names it', async () => {
    const opened = await recorded();
    const { memory, clock, fact } = opened;
    const own =
      '# Acme Corp\n*Type: company*\n*Last updated: 2020-01-01*\n\nMy notes,   as I like them.\n\n## Key Facts\n* odd   list\n';
    await memory.write(acme, own);
    await memory.commit();
    await memory.maintenance.night();
    const text = await memory.read(acme);
    expect(text.startsWith(own.replace('2020-01-01', '2026-02-16').trimEnd())).toBe(true);
    await memory.edit(acme, 'Acme has 40 people', 'Acme has about forty people');
    await memory.commit();
    clock.advance({ days: 1 });
    const more = await memory.ledger.add({
      type: 'fact',
      priority: 'P1',
      entity: 'acme_corp',
      content: 'Acme has 55 people',
      supersedes: fact.id,
    });
    const { steps } = await memory.maintenance.night();
    const after = await memory.read(acme);
    expect(after).toContain('- Acme has about forty people');
    expect(after).toContain(`- Acme has 55 people [source: ${more.id}]`);
    expect(steps.find(({ step }) => step === 'knowledge')!.result!.left[0]!.why).toContain('worded anew by hand');
    await memory.close();
  });

  it('compacts when there are too many events, or when something could have gone a month ago', async () => {
    const { memory, clock, promise } = await recorded();
    await memory.ledger.add({ content: 'Offer sent', closes: promise.id });
    await memory.maintenance.night();
    const stepOf = async (name: string) => (await memory.maintenance.night()).steps.find(({ step }) => step === name)!;
    clock.advance({ days: 20 });
    expect(await stepOf('ledger-compact')).toMatchObject({ state: 'nothing' });
    clock.advance({ days: 20 });
    expect(await stepOf('ledger-compact')).toMatchObject({ state: 'done', why: expect.stringContaining('30 days') });
    expect((await memory.ledger.check()).checks.flatMap(({ problems }) => problems)).toEqual([]);
    expect((await memory.maintenance.night()).commits).toEqual([]);
    await writeConfiguration(memory, 'ledger: { compact_above: 2 }\n');
    await memory.commit();
    const a = await memory.ledger.add({ type: 'commitment', content: 'one more' });
    await memory.ledger.add({ content: 'done', closes: a.id });
    clock.advance({ days: 1 });
    expect(await stepOf('ledger-compact')).toMatchObject({
      state: 'done',
      why: expect.stringContaining('more than 2'),
    });
  });
});
