// The page of `git memory ui` in a real browser: how soon it is there, how fast the thread of days moves. It also tells how large the page is, and how
// long a task takes while somebody scrolls. The memory has 300 days of 34 memories each.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { exportPage } from '../../dist/apps/ui/write-copy.js';
import { openMemory } from '../../dist/index.js';
import { makePage } from '../page.mjs';
import { heading, median, ms, slowness, table, tellSlowness, time, verdict } from './measure.mjs';
import { textOf } from './repositories.mjs';

const days = 300;
const aDay = 34;
const dayMs = 86_400_000;
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(0)} KB`;

export async function benchUi({ root }) {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  heading(`The page of ${(days * aDay).toLocaleString('en')} memories in ${days} days`);
  if (!existsSync(executablePath)) return console.log('  needs chromium, or CHROMIUM_PATH');
  const dir = path.join(root, 'ui');
  await fill(dir);
  const page = await makePage(path.join(import.meta.dirname, '../..'));
  const { url, stop } = await serve(dir);
  const browser = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
  });
  const slow = [await slowness()];
  const firsts = [];
  let tab;
  for (let round = 0; round < 6; round++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    tab = await context.newPage();
    await tab.addInitScript(tellWhenThere);
    await tab.goto(url);
    firsts.push(await readyAt(tab));
    // What is asked behind the first view is over.
    await tab.waitForTimeout(3000);
    if (round < 5) await context.close();
  }
  slow.push(await slowness());
  const moved = await slide(tab, '#/search?q=harbour', false);
  const answered = await slide(tab, '#/search?q=harbour', true);
  const dayPages = await slide(tab, '#/today', true);
  const scrolling = await scroll(tab);
  await browser.close();
  stop();
  const memory = await openMemory({ dir, readOnly: true });
  const judging = [];
  for (let round = 0; round < 4; round++) judging.push(await time(() => memory.review({ limit: 50 })));
  const copy = await exportPage(memory, page, false);
  await memory.close();
  table([
    ['first page, the server new', ms(firsts[0]), 'ms'],
    ['first page, median of 5 fresh browsers', ms(median(firsts.slice(1))), 'ms'],
    ['thread on a search, drawn', moved.toFixed(1), 'positions/s'],
    ['thread on a search, each day answered', answered.toFixed(1), 'positions/s'],
    ['thread on the page of a day, each day answered', dayPages.toFixed(1), 'positions/s'],
    ['longest task while scrolling all that came', scrolling.longest === 0 ? 'below 50' : ms(scrolling.longest), 'ms'],
    ['longest gap between two frames there', ms(scrolling.gap), 'ms'],
    ['the page', kilobytes(Buffer.byteLength(page)), `${kilobytes(gzipSync(page, { level: 9 }).length)} gzipped`],
    ['a copy of it all', kilobytes(Buffer.byteLength(copy.html)), `${copy.claims} claims, ${copy.days} days`],
    ['the deck of a review, first', ms(judging[0]), 'ms'],
    ['the deck of a review, again', ms(median(judging.slice(1))), 'ms'],
  ]);
  const by = tellSlowness(slow);
  verdict(
    median(firsts.slice(1)) <= 300 * by,
    `the first page takes ${ms(median(firsts.slice(1)))} ms, ${ms(300 * by)} at most`,
  );
  verdict(
    Math.min(moved, answered, dayPages) >= 15,
    `${Math.min(moved, answered, dayPages).toFixed(1)} positions a second, 15 or more`,
  );
}

async function fill(dir) {
  const start = Date.now() - days * dayMs;
  const clock = { time: start, now: () => clock.time };
  const memory = await openMemory({ dir, create: true, clock, durability: 'fast' });
  for (let day = 0; day < days; day++) {
    clock.time = start + day * dayMs;
    const claims = Array.from({ length: aDay }, (_, number) => ({
      content: `${textOf(day * aDay + number, 8)}${number === 0 ? ` harbour ${day % 17}` : ''}`,
      category: 'fact',
      subject: `thing ${number}`,
    }));
    await memory.rememberAll(claims);
    await memory.commit();
  }
  await memory.close();
}

/** Starts the program as a person does. */
async function serve(dir) {
  const program = path.join(import.meta.dirname, '../../dist/program/main.js');
  const child = spawn(process.execPath, [program, 'ui', '--no-open', '--read-only', '--dir', dir]);
  const url = await new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())));
  return { url, stop: () => child.kill() };
}

/** Notes in the page when its first rows are drawn, from the beginning of the navigation. */
function tellWhenThere() {
  new MutationObserver((_, observer) => {
    if (document.querySelector('main .row') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      globalThis.thereAt ??= performance.now();
    });
  }).observe(document, { childList: true, subtree: true });
}

async function readyAt(tab) {
  await tab.waitForFunction(() => globalThis.thereAt !== undefined, undefined, { timeout: 120_000 });
  return tab.evaluate(() => globalThis.thereAt);
}

/** Moves the thread over every day, and gives positions a second; `waits`: until the page tells of the day. */
async function slide(tab, hash, waits) {
  await tab.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);
  await tab.waitForTimeout(3000);
  return tab.evaluate(
    async ({ waits: isWaiting }) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const input = document.querySelector('.thread input');
      const most = Number(input.max);
      const isTold = () =>
        !document.body.innerText.includes('Reading the memory…') &&
        document.querySelector('main .row, main .hit, main .meta') !== null;
      const started = performance.now();
      for (let value = most - 1; value >= 0; value--) {
        input.value = String(value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        do await frame();
        while (isWaiting && !isTold());
      }
      return (1000 * most) / (performance.now() - started);
    },
    { waits },
  );
}

/** Scrolls through all claims that ever came, window by window. */
async function scroll(tab) {
  await tab.evaluate(
    (between) => {
      location.hash = `#/days/${between}`;
    },
    `${new Date(Date.now() - (days + 2) * dayMs).toISOString().slice(0, 10)}..${new Date().toISOString().slice(0, 10)}`,
  );
  await tab.waitForSelector('main .row', { timeout: 120_000 });
  await tab.waitForTimeout(2000);
  return tab.evaluate(async () => {
    let longest = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    });
    observer.observe({ type: 'longtask' });
    let gap = 0;
    let before = performance.now();
    const until = before + 8000;
    while (before < until) {
      scrollBy(0, 240);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      gap = Math.max(gap, now - before);
      before = now;
    }
    observer.disconnect();
    return { longest, gap };
  });
}
