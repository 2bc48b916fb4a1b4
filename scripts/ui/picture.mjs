// Makes the picture of the page that README opens with, of a story that is made up: node scripts/ui/picture.mjs [FILE] [ADDRESS]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serveUi } from '../../dist/apps/ui/server.js';
import { openMemory } from '../../dist/index.js';
import { makePage } from '../page.mjs';
import { tellStory } from './story.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [file = join(root, 'docs/ui.png'), address = '#/today'] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'git-memory-picture-'));
const { memory } = await tellStory(openMemory, directory);
const server = await serveUi({ memory, page: await makePage(root), port: 0, isReadOnly: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 });
page.setDefaultTimeout(240_000);
// It is the evening of the last day that the story tells.
await page.clock.setFixedTime('2026-10-26T18:00:00Z');
await page.goto(server.url);
await page.waitForSelector('.lead');
await page.evaluate((wanted) => {
  globalThis.location.hash = wanted;
}, address);
await page.waitForFunction(
  () =>
    globalThis.document.querySelector('main .section') !== null &&
    !globalThis.document.body.innerText.includes('Reading the memory…'),
);
// What is fetched behind the first answer, such as who said it.
await page.waitForTimeout(2000);
await page.screenshot({ path: file });
await browser.close();
await server.close();
await memory.close();
rmSync(directory, { recursive: true, force: true });
