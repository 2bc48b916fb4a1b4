// The page in a real browser: every view with good and with hostile texts, by mouse and by keyboard, alone and beside others.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
// @ts-expect-error a script without types
import { tellStory } from '../../scripts/ui/story.mjs';
import type { UiServer } from '../../src/apps/ui/server.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { waiting } from '../helpers/waiting.ts';
import { browserPath, launch, serve, Tab } from './browser.ts';
import { fillHostile, hostilePage, longPage } from './hostile.ts';

interface Story {
  readonly memory: Memory;
  readonly claims: Readonly<Record<string, string>>;
}

const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });
let browser: Browser;
beforeAll(async () => {
  if (browserPath !== undefined) browser = await launch();
});
afterAll(async () => browser?.close());

async function story(): Promise<Story & { directory: string }> {
  const directory = temporaryFolder();
  return { ...((await tellStory(openMemory, directory)) as Story), directory };
}

/** Each view of the page, for a memory with these things in it. */
function routes(things: {
  claim: string;
  gone?: string;
  talk: string;
  page: string;
  operation: string;
  day: string;
}): Record<string, string> {
  const { claim, gone, talk, page, operation, day } = things;
  return {
    today: '#/today',
    'a day': `#/day/${day}`,
    'another day': `#/today?at=${day}`,
    'two days': `#/days/2026-01-01..${day}`,
    claim: `#/claim/${claim}`,
    'a claim in the past': `#/claim/${claim}?at=${day}`,
    ...(gone === undefined ? {} : { 'a claim that is gone': `#/claim/${gone}` }),
    search: '#/search?q=what+do+we+prefer',
    'search in the past': `#/search?q=what+do+we+prefer&at=${day}`,
    conversation: `#/talk/${talk}?turn=1`,
    pages: '#/pages',
    page: `#/page/${page}`,
    context: '#/context?m=what+do+we+prefer&tokens=1000',
    review: '#/review',
    operations: '#/operations',
    operation: `#/operation/${operation}`,
    'no page': '#/nowhere/at/%all',
    'no claim': '#/claim/%3Cscript%3E',
  };
}

describe.skipIf(browserPath === undefined)('the page', () => {
  let told: Story & { directory: string };
  let server: UiServer;
  let views: Record<string, string>;
  beforeAll(async () => {
    told = await story();
    server = await serve(told.memory);
    const { commits } = await told.memory.log({ limit: 100 });
    const talk = (await told.memory.files('raw')).find((path) => path.includes('rack'))!;
    views = routes({
      claim: told.claims.delivery!,
      gone: told.claims.tubes!,
      talk,
      page: 'knowledge/people/people.md',
      operation: commits.find(({ operation }) => operation === 'extract')!.oid,
      day: '2026-10-06',
    });
  });
  afterAll(async () => {
    await server?.close();
    await told?.memory.close();
  });

  it.each([
    ['light', 'a desk', desk],
    ['dark', 'a phone', phone],
  ] as const)('is sound and accessible on every view, %s on %s', async (colorScheme, _name, viewport) => {
    const context = await browser.newContext({ colorScheme, viewport });
    const tab = await Tab.open(context, server.url);
    for (const [name, hash] of Object.entries(views)) {
      await tab.go(hash);
      await tab.expectSound(name);
      await tab.expectAccessible(name);
    }
    expect(tab.faults).toEqual([]);
    await context.close();
  });

  it('takes the token out of the address, and finds it again behind a reload and in a second tab', async () => {
    const context = await browser.newContext();
    const tab = await Tab.open(context, server.url);
    expect(tab.page.url()).not.toContain('token');
    await tab.go(`#/claim/${told.claims.opens2}`);
    await tab.page.reload();
    await tab.rest();
    expect(await tab.page.innerText('h1')).toBe('The workshop opens at ten until spring.');
    const second = await Tab.open(context, tab.page.url());
    expect(await second.page.innerText('h1')).toBe('The workshop opens at ten until spring.');
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(tab.page.url());
    await stranger.waitForSelector('text=This page needs its token');
    expect(await stranger.content()).not.toContain('until spring');
    await stranger.context().close();
    await context.close();
  });

  it('tells a day by claim: what was closed stands beside what took its place', async () => {
    const context = await browser.newContext();
    const tab = await Tab.open(context, server.url);
    await tab.go('#/day/2026-09-25');
    await tab.page.waitForSelector('h2:has-text("Closed by something newer")');
    const row = tab.page.locator('section:has(h2:has-text("Closed")) li').first();
    expect(await row.locator('del').innerText()).toBe('There are thirty spare tubes.');
    expect(await row.locator('ins').innerText()).toBe('There are twelve spare tubes.');
    await tab.go('#/day/2026-10-20');
    await tab.page.waitForSelector('h2:has-text("Forgotten")');
    expect(await tab.text()).toContain('There are thirty spare tubes.');
    expect(await tab.page.innerText('.lead')).toBe('One was forgotten.');
    await context.close();
  });

  it('shows a claim down to the turn in which it was said, and what is gone as it was', async () => {
    const { memories } = await told.memory.list({ category: 'decision' });
    const claim = memories.find(({ content }) => content.includes('lend no bike'))!;
    const context = await browser.newContext();
    const tab = await Tab.open(context, server.url);
    await tab.go(`#/claim/${claim.id}`);
    await tab.page.waitForSelector('.chain blockquote');
    expect(await tab.page.innerText('.chain blockquote')).toContain('we lend no bike without a lamp');
    await tab.page.click('.chain a:has-text("turn 4")');
    await tab.page.waitForSelector('#turn-4[aria-current]');
    expect(await tab.page.innerText('#turn-4 .words')).toContain('we lend no bike');
    await tab.page.goBack();
    await tab.page.waitForSelector('.curve');
    await tab.go(`#/claim/${told.claims.tubes}`);
    await tab.page.waitForSelector('text=forgotten on');
    expect(await tab.page.innerText('h1')).toBe('There are thirty spare tubes.');
    await context.close();
  });

  it('finds with reasons, and on any day what was found then', async () => {
    const context = await browser.newContext();
    const tab = await Tab.open(context, server.url);
    await tab.page.keyboard.press('/');
    await tab.page.waitForSelector('#question:focus');
    await tab.page.keyboard.type('when does Velofix deliver brake pads');
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForSelector('.hit .parts');
    expect(await tab.page.innerText('.hits')).toContain('Velofix delivers brake pads on Wednesdays.');
    expect(await tab.page.locator('.parts').first().innerText()).toContain('words');
    await tab.page.waitForSelector('.aside:has-text("the answer turned")');
    await tab.go('#/search?q=when+does+Velofix+deliver+brake+pads&at=2026-09-20');
    await tab.page.waitForSelector('h2:has-text("What was found on 20 Sept 2026")');
    expect(await tab.page.innerText('.hits')).toContain('Velofix delivers brake pads on Tuesdays.');
    expect(await tab.page.innerText('.hits')).not.toContain('Wednesdays');
    expect(await tab.page.evaluate(() => document.documentElement.dataset.past)).toBe('true');
    await tab.page.focus('.thread input');
    await tab.page.keyboard.press('ArrowRight');
    await tab.page.waitForFunction(() => location.hash.includes('at=2026-09-21'));
    await tab.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await tab.page.keyboard.press('n');
    await tab.page.waitForFunction(() => !location.hash.includes('at='));
    await context.close();
  });

  it('shows a page with its blame, and an operation with what taking it back would do', async () => {
    const context = await browser.newContext();
    const tab = await Tab.open(context, server.url);
    await tab.go('#/page/knowledge/people/people.md');
    await tab.page.waitForSelector('.block .margin a');
    const choir = tab.page.locator('.block:has-text("The choir comes again")');
    expect(await choir.locator('.margin').innerText()).toContain('26 Oct 2026');
    await tab.page.click('.block a:has-text("the blue book")');
    await tab.page.waitForSelector('table');
    expect(await tab.text()).toContain('120 kgf');
    const [last] = (await told.memory.log({ path: 'knowledge/reference/blue-book.md', limit: 1 })).commits;
    await tab.go(`#/operation/${last!.oid}`);
    await tab.page.waitForSelector('button:has-text("Take it back")');
    expect(await tab.page.innerText('.plan')).toContain('sets back one page');
    await context.close();
  });

  it('is walked by keys alone', async () => {
    const context = await browser.newContext();
    const tab = await Tab.open(context, server.url);
    for (const [key, heading] of [
      ['o', 'Operations'],
      ['k', 'Knowledge'],
      ['c', 'What an agent gets'],
      ['t', 'Monday 26 October 2026'],
    ]) {
      await tab.page.keyboard.press(key!);
      await tab.page.waitForSelector(`h1:has-text("${heading}")`);
      // What is typed next is the message, and no key of the page.
      if (key === 'c') await tab.page.waitForSelector('#message:focus');
      await tab.page.keyboard.press('Escape');
    }
    await tab.page.waitForSelector('.row a');
    await tab.page.keyboard.press('j');
    await tab.page.keyboard.press('j');
    expect(await tab.page.evaluate(() => document.activeElement?.closest('.row') !== null)).toBe(true);
    await tab.page.keyboard.press('[');
    await tab.page.waitForSelector('h1:has-text("Saturday 24 October 2026")');
    await tab.page.keyboard.press('?');
    await tab.page.waitForSelector('dialog[open]');
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.press('Shift+L');
    await tab.page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    await tab.expectSound('after keys');
    await context.close();
  });
});

it.skipIf(browserPath === undefined)(
  'verdicts in the page are one commit each, are taken back by a key, and appear in another tab and from other programs',
  async () => {
    const told = await story();
    const server = await serve(told.memory);
    const context = await browser.newContext();
    const tab = await Tab.open(context, server.url);
    const beside = await Tab.open(context, tab.page.url());
    const commits = async () => (await told.memory.log({ limit: 1000 })).commits.length;
    const id = told.claims.opens2!;
    await beside.go(`#/claim/${id}`);
    await tab.go(`#/claim/${id}`);
    const press = async (key: string, toast: string): Promise<void> => {
      const before = await commits();
      await tab.page.keyboard.press(key);
      await tab.page.waitForSelector(`.toast:has-text("${toast}")`);
      expect([toast, await commits()]).toEqual([toast, before + 1]);
    };
    await tab.page.waitForSelector('button:has-text("Keep")');
    await press('+', 'Kept');
    await press('x', 'Closed');
    await beside.page.waitForSelector('.lead:has-text("Held from")');
    await press('u', 'Taken back');
    await beside.page.waitForSelector('.lead:has-text("Holds since")');
    await press('-', 'Forgotten');
    await beside.page.waitForSelector('.lead:has-text("forgotten on")');
    await tab.page.waitForSelector('button:has-text("Bring back")');
    await press('b', 'Brought back');
    await beside.page.waitForSelector('.lead:has-text("Holds since")');
    await tab.page.waitForSelector('button:has-text("Reword")');
    await tab.page.keyboard.press('e');
    await tab.page.waitForSelector('#new-words:focus');
    await tab.page.fill('#new-words', 'The workshop opens at half past nine until spring.');
    const before = await commits();
    await tab.page.click('button:has-text("Write")');
    await tab.page.waitForSelector('h1:has-text("half past nine")');
    expect(await commits()).toBe(before + 1);
    await beside.page.waitForSelector('.replaced:has-text("half past nine")');
    // Another program writes, and both tabs show it.
    const other = await openMemory({ dir: told.directory });
    await beside.go('#/operations');
    await other.remember({ content: 'The bell at the door is new.', agent: 'other' });
    await other.commit();
    await other.close();
    await beside.page.waitForSelector('text=The bell at the door is new');
    for (const one of [tab, beside]) await one.expectSound('after verdicts');
    await context.close();
    await server.close();
    await told.memory.close();
  },
);

it.skipIf(browserPath === undefined)(
  'the review goes card by card by keys, each verdict one commit, on a desk and on a phone, beside who judges elsewhere',
  async () => {
    const { memory, directory, clock } = await waiting();
    const server = await serve(memory);
    const context = await browser.newContext({ colorScheme: 'dark', viewport: phone, hasTouch: true });
    const tab = await Tab.open(context, server.url);
    const beside = await Tab.open(await browser.newContext({ viewport: desk }), server.url);
    const commits = async () => (await memory.log({ limit: 1000 })).commits.length;
    const left = Object.values((await memory.review()).counts).reduce((sum, count) => sum + count, 0);
    for (const one of [tab, beside]) {
      await one.go('#/review');
      await one.page.waitForSelector('.card');
      await one.expectSound('a card');
      await one.expectAccessible('a card');
    }
    const card = (words: string) => tab.page.waitForSelector(`.card h2:has-text("${words}")`);
    const press = async (key: string, toast: string): Promise<void> => {
      const before = await commits();
      await tab.page.keyboard.press(key);
      await tab.page.waitForSelector(`.toast:has-text("${toast}")`);
      expect([toast, await commits()]).toEqual([toast, before + 1]);
    };
    await card('a mail');
    expect(await tab.page.innerText('.card')).toContain('Nora keeps the keys of the boathouse.');
    // A merge, which brings the commit of the mail along.
    await tab.page.keyboard.press('ArrowRight');
    await tab.page.waitForSelector('.toast:has-text("Let in")');
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({
      operation: 'accept',
    });
    await card('Tea is served at five');
    expect(await tab.page.innerText('.card')).toContain('Nobody drinks anything hot');
    await press('ArrowRight', 'Kept');
    await card('The gate of the workshop has the code 5522');
    await press('x', 'Closed');
    expect(await memory.get('code1')).toMatchObject({ status: 'superseded', replacedBy: 'code2' });
    const decided = await tab.page.innerText('section:has(h2:has-text("Decided")) li');
    expect(decided).toContain((await memory.get('code1')).content);
    await card('at night');
    await press('m', 'Merged');
    await tab.page.waitForSelector('.card .why:has-text("Extracted")');
    const first = await tab.page.innerText('.card h2');
    await tab.page.keyboard.press('ArrowDown');
    await tab.page.waitForFunction((words) => document.querySelector('.card h2')!.textContent !== words, first);
    const second = await tab.page.innerText('.card h2');
    await press('ArrowLeft', 'Forgotten');
    await tab.page.waitForFunction((words) => document.querySelector('.card h2')!.textContent !== words, second);
    await press('u', 'Taken back');
    await card(second);
    await tab.page.keyboard.press('e');
    await tab.page.waitForSelector('#new-words:focus');
    await tab.page.keyboard.type(' Indeed.');
    const before = await commits();
    await tab.page.click('button:has-text("Write")');
    await tab.page.waitForSelector('.toast:has-text("Worded anew")');
    expect(await commits()).toBe(before + 1);
    // What was judged here is not asked about there; nor what another program judged here.
    await beside.page.waitForSelector(`.lead:has-text("wait")`);
    await beside.page.waitForSelector('.card .why:has-text("Extracted")');
    expect(await beside.page.innerText('.card h2')).toBe(first);
    const [next] = (await memory.review({ only: ['extracted'] })).cards;
    const other = await openMemory({ dir: directory, clock });
    await other.verdict('keep', next!.id);
    await other.close();
    await beside.page.waitForFunction((words) => document.querySelector('.card h2')?.textContent !== words, first);
    await beside.page.waitForSelector('.history:has-text("1 of 2 kept")');
    await tab.expectSound('after verdicts');
    await beside.expectSound('after verdicts');
    expect(left).toBeGreaterThan(7);
    await beside.page.context().close();
    await context.close();
    await server.close();
    await memory.close();
  },
);

it.skipIf(browserPath === undefined)(
  'hostile texts stay texts on every view: no script runs, no request leaves',
  async () => {
    const { memory, clock } = await newTestMemory();
    const { id, talk } = await fillHostile(memory, clock);
    const { commits } = await memory.log({ limit: 100 });
    const day = commits[2]!.time.slice(0, 10);
    const server = await serve(memory);
    const context = await browser.newContext({ viewport: phone });
    const tab = await Tab.open(context, server.url);
    const views: Record<string, string> = {
      ...routes({ claim: id, talk, page: hostilePage, operation: commits.at(-2)!.oid, day }),
      'a long page': `#/page/${longPage}`,
      ...Object.fromEntries(commits.map(({ oid }) => [oid, `#/operation/${oid}`])),
      ...Object.fromEntries((await memory.list()).memories.map((one) => [one.id, `#/claim/${one.id}`])),
      'a search for it': `#/search?q=${encodeURIComponent('<script>window.hit</script> "unclosed')}`,
      'a message of it': `#/context?m=${encodeURIComponent('<script>window.hit=9</script>')}&tokens=2000`,
    };
    for (const [name, hash] of Object.entries(views)) {
      await tab.go(hash);
      await tab.expectSound(name);
      expect([name, await tab.page.evaluate(() => 'hit' in window)]).toEqual([name, false]);
      expect([
        name,
        await tab.page.locator('main script, main iframe, main img, main [onerror], main [onload]').count(),
      ]).toEqual([name, 0]);
      const addresses = await tab.page.evaluate(() =>
        [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')),
      );
      expect([name, addresses.filter((address) => !address?.startsWith('#/'))]).toEqual([name, []]);
    }
    expect(tab.faults).toEqual([]);
    await context.close();
    await server.close();
  },
);
