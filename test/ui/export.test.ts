// A copy in one file: opened from the disk, without a server, it shows and searches by itself and asks nobody; names can be taken out.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
// @ts-expect-error a script without types
import { tellStory } from '../../scripts/ui/story.mjs';
import { anonymized } from '../../src/apps/ui/anonymize.ts';
import type { Brought } from '../../src/apps/ui/brought.ts';
import { type ExportedPage, exportPage } from '../../src/apps/ui/write-copy.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { keysOf, newTestMemory } from '../helpers/memories.ts';
import { buildProgram, runHere } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { browserPath, launch, pageText, Tab } from './browser.ts';
import { fillHostile } from './hostile.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });
let memory: Memory;
let claims: Readonly<Record<string, string>>;
let open: ExportedPage;
let veiled: ExportedPage;
let browser: Browser | undefined;
beforeAll(async () => {
  ({ memory, claims } = (await tellStory(openMemory, temporaryFolder())) as {
    memory: Memory;
    claims: Record<string, string>;
  });
  open = await exportPage(memory, await pageText(), false);
  veiled = await exportPage(memory, await pageText(), true);
  if (browserPath !== undefined) browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await memory.close();
});

/** What a copy brings along, as text. */
function within({ html }: ExportedPage): string {
  const data = /type="application\/json">([A-Za-z0-9+/=]+)</.exec(html)![1]!;
  return gunzipSync(Buffer.from(data, 'base64')).toString('utf8');
}

async function openCopy(html: string) {
  const file = join(temporaryFolder(), 'copy.html');
  writeFileSync(file, html);
  const context = await browser!.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  return Tab.open(context, pathToFileURL(file).href);
}

describe('a copy', () => {
  it('is made without keys, also of claims from private conversations, and has no private text', async () => {
    const made = await newTestMemory({ keys: keysOf() });
    await made.memory.keys.new({ paths: ['raw/**', 'knowledge/private/**'] });
    const { path } = await made.memory.capture('User: I keep the marzipan kites.\nAssistant: Noted.');
    await made.memory.remember({ content: 'Kites fly on Sunday.', source: `${path}#1` });
    await made.memory.write('knowledge/private/kites.md', '# Marzipan kites\n');
    await made.memory.write('knowledge/open.md', '# Open\n');
    await made.memory.commit();
    await made.memory.close();
    const stranger = await openMemory({ dir: made.directory, keys: keysOf(), readOnly: true });
    const copy = await exportPage(stranger, await pageText(), false);
    expect(copy).toMatchObject({ claims: 1, pages: 1 });
    expect(within(copy)).toContain('Kites fly on Sunday.');
    expect(within(copy)).not.toMatch(/marzipan/i);
    await stranger.close();
  });

  it('is small, and lets nothing in or out', () => {
    expect(open.html.length).toBeLessThan(400_000);
    expect(open).toMatchObject({ claims: expect.any(Number), pages: expect.any(Number) });
    expect(open.claims).toBeGreaterThan(10);
    expect(open.html).toContain(
      `http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-`,
    );
    expect(open.html).not.toContain('connect-src');
  });

  it('without names has none of them, in any text, path or trailer', async () => {
    const [plain, bare] = [within(open), within(veiled)];
    for (const name of ['Mira', 'Jonas', 'Oskar', 'Velofix']) {
      expect([name, plain.includes(name)]).toEqual([name, true]);
      expect([name, new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, 'iu').exec(bare)?.[0]]).toEqual([
        name,
        undefined,
      ]);
    }
    expect(bare).toMatch(/Name 1\b/);
  });

  it('names the same the same, also in small letters, in parts and in paths, and leaves words alone', () => {
    const claim = (id: string, content: string, subject: string) => ({
      id,
      content,
      subject,
      entities: [],
      createdAt: Number(id),
    });
    const told = anonymized({
      answers: { 'x ["show",{"what":"knowledge/people/mark-twain.md"}]': { text: 'ask mark or Mark, mark@river.org' } },
      log: [{ author: 'jroe' }, { author: 'git-memory' }],
      claims: [
        claim('1', 'Mark Twain hired Will. MARK paid; we will mark it, and will see.', 'Mark Twain'),
        claim('2', "Will's boat is red, will it float?", 'Will'),
        claim('3', 'the user wants tea', 'the user'),
        claim('4', 'we met in Quarx. Tea was served', 'the user'),
      ],
      origins: {},
    } as unknown as Brought);
    expect(told.claims.map(({ content, subject }) => [content, subject])).toEqual([
      ['Name 1 hired Name 2. Name 1 paid; we will name 1 it, and will see.', 'Name 1'],
      ["Name 2's boat is red, will it float?", 'Name 2'],
      ['the user wants tea', 'the user'],
      ['we met in Name 3. Tea was served', 'the user'],
    ]);
    expect(Object.entries(told.answers)).toEqual([
      ['x ["show",{"what":"knowledge/people/name-1.md"}]', { text: 'ask name 1 or Name 1, name@example.org' }],
    ]);
    expect(told.log.map(({ author }) => author)).toEqual(['name 4', 'git-memory']);
  });

  it('is written by the command, and says how large it is', async () => {
    await buildProgram();
    const folder = temporaryFolder();
    await runHere(folder, ['init']);
    await runHere(folder, ['remember', 'Ada prefers short answers']);
    const { status, stdout } = await runHere(folder, ['ui', '--export', 'copy.html', '--anonymize']);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^copy\.html {2}\d+ KB: 1 claim, \d+ pages?, 1 day\n$/),
    ]);
    expect(readFileSync(join(folder, 'copy.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect((await runHere(folder, ['ui', '--anonymize'])).status).toBe(2);
    expect((await runHere(folder, ['ui', '--export', 'no/folder/x.html'])).status).not.toBe(0);
  });
});

describe.skipIf(browserPath === undefined)('a copy in a browser', () => {
  it('shows days, claims and pages, and searches, with nobody to ask', async () => {
    const tab = await openCopy(open.html);
    const views = {
      today: '#/today',
      'a day': '#/day/2026-09-25',
      'a silent day': '#/day/2026-01-01',
      claim: `#/claim/${claims.delivery}`,
      pages: '#/pages',
      page: '#/page/knowledge/people/people.md',
      search: '#/search?q=when+does+Velofix+deliver',
      operations: '#/operations',
      nothing: '#/review',
    };
    for (const [name, hash] of Object.entries(views)) {
      await tab.go(hash);
      await tab.expectSound(name);
      await tab.expectAccessible(name);
    }
    await tab.go(views.search);
    await tab.page.waitForSelector('.hit');
    expect(await tab.page.innerText('.hits')).toContain('Velofix delivers brake pads on Wednesdays.');
    expect(await tab.page.locator('nav a').allInnerTexts()).not.toContain('Review');
    await tab.page.click('.hit a');
    await tab.page.waitForSelector('h1.claim');
    await tab.go(views['a day']);
    await tab.page.waitForSelector('h2:has-text("Closed by something newer")');
    await tab.go(views.page);
    await tab.page.waitForSelector('.block .margin a');
    await tab.page.context().close();
  });

  it('of hostile texts runs none of them', async () => {
    const { memory: hostile, clock } = await newTestMemory();
    const { id } = await fillHostile(hostile, clock);
    const { html } = await exportPage(hostile, await pageText(), false);
    const tab = await openCopy(html);
    for (const hash of [
      '#/today',
      `#/claim/${id}`,
      '#/pages',
      '#/page/knowledge/people/hostile.md',
      '#/search?q=script',
      '#/operations',
    ]) {
      await tab.go(hash);
      await tab.expectSound(hash);
      expect(await tab.page.evaluate(() => 'hit' in window)).toBe(false);
    }
    await tab.page.context().close();
  });
});
