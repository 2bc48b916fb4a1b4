// A real browser for the page, headless; and what holds of every view.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
// @ts-expect-error a script without types
import { makePage } from '../../scripts/page.mjs';
import { serveUi } from '../../src/apps/ui/server.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { projectRoot } from '../helpers/program.ts';

/** The browser of this machine; undefined where none is installed. */
export const browserPath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));
if (browserPath === undefined) {
  console.warn(
    'No Chromium is installed here, so the page is not looked at: install the package `chromium`, or set CHROMIUM_PATH.',
  );
}

let page: Promise<string> | undefined;

/** The page as the build makes it. */
export function pageText(): Promise<string> {
  page ??= makePage(projectRoot) as Promise<string>;
  return page;
}

export function launch(): Promise<Browser> {
  // Playwright gives each browser a folder of its own, which goes with it.
  return chromium.launch({
    executablePath: browserPath!,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export async function serve(memory: Memory, isReadOnly = false) {
  return serveUi({ memory, page: await pageText(), port: 0, isReadOnly });
}

/** A tab that keeps what went wrong in it. */
export class Tab {
  readonly problems: string[] = [];
  /** Questions that ended in a fault of the engine; the page shows what it has beside. */
  readonly faults: string[] = [];
  readonly page: Page;
  private readonly origin: string;

  private constructor(page: Page, url: string) {
    this.page = page;
    // A file asks for itself alone.
    this.origin = url.startsWith('file:') ? url : new URL(url).origin;
    page.on('pageerror', (error) => this.problems.push(`error: ${error.message}`));
    page.on('console', (message) => {
      // A page may ask for what is not there; it then says so.
      if (message.type() === 'error' && !/status of (?:40[04]|500)/.test(message.text()))
        this.problems.push(`console: ${message.text()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 500) this.faults.push(`${response.status()}: ${decodeURIComponent(response.url())}`);
    });
    page.on('dialog', (dialog) => {
      this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(this.origin) && !request.url().startsWith('data:'))
        this.problems.push(`request: ${request.url()}`);
    });
  }

  static async open(context: BrowserContext, url: string): Promise<Tab> {
    const tab = new Tab(await context.newPage(), url);
    // No test waits for a machine that is slow, but for one that hangs.
    tab.page.setDefaultTimeout(240_000);
    // Rows out of sight, and for a frame all new ones, are not drawn and have no text; a colour on its way to another is neither.
    await tab.page.addInitScript(() => {
      const drawn = new CSSStyleSheet();
      drawn.replaceSync('* { content-visibility: visible !important; transition: none !important; }');
      document.adoptedStyleSheets = [drawn];
    });
    await tab.page.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
    await tab.page.goto(url);
    await tab.rest();
    return tab;
  }

  /** Goes to an address of the page, such as `#/today`, and waits until it has said all. */
  async go(hash: string): Promise<void> {
    await this.page.evaluate((wanted) => {
      location.hash = wanted;
    }, hash);
    await this.rest();
  }

  /** Waits until nothing is being read any more. */
  async rest(): Promise<void> {
    await this.page.waitForFunction(
      () => document.querySelector('main h1') !== null && !document.body.innerText.includes('Reading the memory…'),
    );
  }

  text(): Promise<string> {
    return this.page.evaluate(() => document.body.innerText);
  }

  /** What holds of every view, whatever the memory holds. */
  async expectSound(name: string): Promise<void> {
    const { text, overflow, headings } = await this.page.evaluate(() => ({
      text: document.body.innerText,
      overflow: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
      headings: document.querySelectorAll('h1').length,
    }));
    expect([name, this.problems]).toEqual([name, []]);
    expect([name, /\bundefined\b|\bnull\b|\[object|\bNaN\b/.exec(text)?.[0]]).toEqual([name, undefined]);
    expect([name, overflow]).toEqual([name, 0]);
    expect([name, headings]).toEqual([name, 1]);
  }

  /** What screen readers, keyboards and weak eyes need, by axe-core. */
  async expectAccessible(name: string): Promise<void> {
    const found = (await this.page.evaluate(async () => {
      const { violations } = await (
        window as unknown as {
          axe: {
            run: () => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
          };
        }
      ).axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
    })) as string[];
    expect([name, found]).toEqual([name, []]);
  }
}
