// Two thousand memories of one day: every list comes a page at a time. And a page that only reads, which offers nothing that writes.

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { foldDiff } from '../../src/apps/ui/changes.ts';
import type { PagedDiff, PagedLog } from '../../src/apps/ui/lists.ts';
import { joined, pageLength, pageOf } from '../../src/apps/ui/lists.ts';
import type { UiServer } from '../../src/apps/ui/server.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { actsPathOf } from '../../src/store/records/acts-file.ts';
import { kindOf } from '../../src/store/records/kind.ts';
import { memoryPath } from '../../src/store/records/memory-record.ts';
import { keys } from '../../ui/keys.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { writeDeep } from '../helpers/temporary.ts';
import { waiting } from '../helpers/waiting.ts';
import { browserPath, launch, serve, Tab } from './browser.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const many = 2_000;
let memory: Memory;
let server: UiServer;
let browser: Browser | undefined;
beforeAll(async () => {
  const made = await newTestMemory();
  memory = made.memory;
  const { path } = await memory.remember({ content: 'Crate 0 came in', category: 'fact' });
  const first = await memory.read(path);
  const { id } = JSON.parse(first) as { id: string };
  for (let at = 1; at < many; at++) {
    const own = `${id.slice(0, -5)}${String(at).padStart(5, 'x')}`;
    const file = join(made.directory, memoryPath(own));
    writeDeep(file, first.replaceAll(id, own).replace('Crate 0', `Crate ${at}`));
  }
  await memory.write('knowledge/crates.md', '# Crates\n');
  await memory.commit();
  server = await serve(memory);
  if (browserPath !== undefined) browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await server.close();
  await memory.close();
});

interface Asked<Answer> {
  readonly status: number;
  readonly bytes: number;
  readonly answer: Answer & { readonly next?: string; readonly totals?: Readonly<Record<string, number>> };
}

async function asked<Answer>(verb: string, input: object, page: Record<string, string> = {}): Promise<Asked<Answer>> {
  const { origin, hash } = new URL(server.url);
  const query = new URLSearchParams({ input: JSON.stringify(input), ...page });
  const headers = { Authorization: `Bearer ${hash.replace('#token=', '')}` };
  const response = await fetch(`${origin}/api/${verb}?${query}`, { headers });
  const text = await response.text();
  return { status: response.status, bytes: text.length, answer: JSON.parse(text) };
}

it('count as a conversation what people said in one, and nothing else that a session or a note leaves', () => {
  const file = (path: string) => ({ path, kind: kindOf(path), change: 'added' as const, before: null, after: null });
  const files = [
    'raw/conversations/2026/02/16/0900-a-tea.md',
    actsPathOf('raw/conversations/2026/02/16/0900-a-tea.md')!,
    'raw/daily/2026-02-16.md',
    'raw/artifacts/extracted/2026-02-16.json',
  ].map((path) => ({ ...file(path), binary: false, added: 1, removed: 0 }));
  const { talks, pages, others } = foldDiff({ files });
  expect([talks, pages].map((list) => list.map(({ path }) => path))).toEqual([[files[0]!.path], [files[2]!.path]]);
  expect(others).toBe(2);
});

describe('the lists of the server', () => {
  const day = { from: '2026-02-15..2026-02-16', stat: true };

  it('come by pages that are small, and together are all of a day', async () => {
    const { bytes, answer } = await asked<PagedDiff>('diff', day);
    expect(answer.files).toHaveLength(pageLength);
    expect(answer.counts).toMatchObject({ came: many, pages: expect.any(Number) });
    expect(bytes).toBeLessThan(200_000);
    const paths = new Set(answer.files.map(({ path }) => path));
    for (let { next } = answer; next !== undefined; ) {
      const page = await asked<PagedDiff>('diff', day, { cursor: next });
      expect(page.bytes).toBeLessThan(200_000);
      for (const { path } of page.answer.files) paths.add(path);
      next = page.answer.next;
    }
    expect(paths.size).toBe(answer.totals?.files);
    expect(paths.size).toBeGreaterThan(many);
  });

  it('have a limit and a cursor on every route that lists', async () => {
    for (const [verb, input, name] of [
      ['list', {}, 'memories'],
      ['list', { limit: 5000 }, 'memories'],
      ['diff', day, 'files'],
      ['recall', { query: 'crate', limit: 500 }, 'hits'],
    ] as const) {
      const first = await asked<Record<string, unknown[]>>(verb, input, { limit: '7' });
      expect([verb, first.answer[name]?.length, first.answer.next]).toEqual([verb, 7, '7']);
      const whole = await asked<Record<string, unknown[]>>(verb, input, { limit: '100000' });
      expect([verb, whole.answer[name]?.length]).toEqual([verb, pageLength]);
    }
    expect((await asked('list', {}, { cursor: 'x' })).status).toBe(400);
    const log = await asked<PagedLog>('log', { limit: 100_000 }, { limit: '1', only: '{}' });
    expect(log.answer.commits).toHaveLength(1);
    expect(log.answer.days.length).toBeGreaterThan(0);
  });

  it('are joined to what they were cut from', () => {
    const whole = { one: Array.from({ length: 250 }, (_, at) => at), other: [1, 2], word: 'same' };
    let answer = pageOf(whole, {});
    expect([answer.one.length, answer.other]).toEqual([100, [1, 2]]);
    while (answer.next !== undefined) answer = joined(answer, pageOf(whole, { cursor: answer.next }));
    expect(answer).toEqual({ ...whole, totals: { one: 250 } });
  });
});

describe.skipIf(browserPath === undefined)('the page', () => {
  it('shows a day of thousands, a page at a time as it is read', async () => {
    const context = await browser!.newContext();
    const tab = await Tab.open(context, server.url);
    await tab.go('#/day/2026-02-16');
    await tab.page.waitForSelector('.lead:has-text("2000 claims came")');
    const rows = () => tab.page.evaluate(() => document.querySelectorAll('main .row').length);
    expect(await rows()).toBeLessThanOrEqual(pageLength);
    for (let round = 0; round < 4; round++) {
      const before = await rows();
      await tab.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await tab.page.waitForFunction((known) => document.querySelectorAll('main .row').length > known, before);
    }
    expect(await rows()).toBeGreaterThan(pageLength);
    if (process.env.UI_PICTURES !== undefined)
      await tab.page.screenshot({ path: `${process.env.UI_PICTURES}/day.png` });
    await tab.expectSound('a day of thousands');
    await context.close();
  });

  it('offers no verb that writes where it only reads, and writes nothing by any key', async () => {
    const { memory: judged } = await waiting();
    const claim = (await judged.review()).cards.find(({ why }) => why !== 'low_trust')!;
    const { commits } = await judged.log({ limit: 5 });
    const reader = await serve(judged, true);
    const writer = await serve(judged);
    const context = await browser!.newContext();
    const writing = Object.values(keys).filter(({ writes }) => writes);
    const shown = async (tab: Tab): Promise<string[]> =>
      tab.page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('main button[data-key], .toast button')].map(
          (one) => one.dataset.key ?? one.innerText,
        ),
      );
    const found: string[] = [];
    for (const [name, { url }] of Object.entries({ reader, writer })) {
      const tab = await Tab.open(context, url);
      const posts: string[] = [];
      tab.page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
      for (const hash of ['#/review', `#/claim/${claim.id}`, `#/operation/${commits[0]!.oid}`]) {
        await tab.go(hash);
        await tab.page.waitForFunction(() => document.querySelector('main section, main .card') !== null);
        await tab.page.waitForTimeout(300);
        const verbs = (await shown(tab)).filter((key) => writing.some((one) => one.key === key));
        if (name === 'writer') found.push(...verbs);
        else expect([hash, verbs]).toEqual([hash, []]);
        if (name === 'reader') for (const { key } of writing) await tab.page.keyboard.press(key);
        if (process.env.UI_PICTURES !== undefined) {
          await tab.page.screenshot({ path: `${process.env.UI_PICTURES}/${name}${hash.split('/')[1]}.png` });
        }
      }
      expect(posts).toEqual([]);
      await tab.page.keyboard.press('?');
      const list = await tab.page.waitForSelector('dialog[open]');
      expect((await list.innerText()).includes('forget a claim')).toBe(name === 'writer');
      await tab.page.close();
    }
    expect(found.length).toBeGreaterThan(5);
    await context.close();
    await reader.close();
    await writer.close();
    await judged.close();
  });
});
