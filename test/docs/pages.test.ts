// What README and guides show, run as it stands there and compared with what they say it prints; and their lists, compared with the program.

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { verbGroups } from '../../src/apps/verbs/groups.ts';
import { parseConfiguration } from '../../src/store/records/configuration.ts';
import { hasGit } from '../helpers/native-git.ts';
import { blocksOf, differenceOf, runToEnd } from '../helpers/pages.ts';
import { buildProgram, programEnvironment, projectRoot } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

beforeAll(buildProgram);

const guides = ['README.md', 'docs/guide-people.md', 'docs/guide-agents.md', 'docs/guide-git.md'];
const read = (page: string) => readFileSync(join(projectRoot, page), 'utf8');
const blocksIn = (page: string, language: string) =>
  blocksOf(read(page)).filter((block) => block.language === language);

describe.concurrent('the pages', () => {
  it.skipIf(!hasGit).for(guides)('show commands that work, one after the other: %s', async (page, { expect }) => {
    const blocks = blocksIn(page, 'sh');
    expect(blocks.length).toBeGreaterThan(2);
    const folder = temporaryFolder();
    // One shell for a page, as a reader has one; a line of its own ends what each block prints.
    const end = (number: number) => `--- end of block ${number} ---\n`;
    const script = blocks.map(({ text }, number) => `${text}\nprintf '%s' '${end(number)}'\n`).join('');
    writeFileSync(join(folder, 'page.sh'), script);
    const { status, stdout, stderr } = await runToEnd(
      'bash',
      ['--norc', '-euo', 'pipefail', 'page.sh'],
      folder,
      programEnvironment(),
    );
    expect({ stderr, status }, stdout.slice(-2_000)).toEqual({ stderr: '', status: 0 });
    let rest = stdout;
    for (const [number, { text, output }] of blocks.entries()) {
      const at = rest.indexOf(end(number));
      const printed = rest.slice(0, at);
      rest = rest.slice(at + end(number).length);
      if (output === undefined) continue;
      const difference = differenceOf(printed, output, folder);
      expect.soft(difference?.printed, text).toBe(difference?.shown);
    }
  });

  it.for(guides)('show programs that work: %s', async (page, { expect }) => {
    for (const { text, output } of blocksIn(page, 'js')) {
      const folder = temporaryFolder();
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(projectRoot, join(folder, 'node_modules/git-memory'));
      writeFileSync(join(folder, 'example.mjs'), text);
      const { status, stdout, stderr } = await runToEnd(
        process.execPath,
        ['example.mjs'],
        folder,
        programEnvironment(),
      );
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      const difference = differenceOf(stdout, output!, folder);
      expect.soft(difference?.printed, text).toBe(difference?.shown);
    }
  });
});

describe('the pages', () => {
  it('show configurations that hold', () => {
    const shown = guides
      .flatMap((page) => blocksIn(page, 'yaml'))
      .filter(({ text }) => text.startsWith('# memory.yaml'));
    expect(shown.length).toBeGreaterThan(2);
    for (const { text } of shown) expect(() => parseConfiguration(text, 'memory.yaml'), text).not.toThrow();
  });

  it('open with the two commands, and both are scripts', () => {
    const [first] = blocksIn('README.md', 'text');
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect([...first!.text.matchAll(/^npm (\w+)/gm)].map((match) => match[1])).toEqual(['start', 'test']);
    expect(scripts).toMatchObject({ start: expect.any(String), test: expect.any(String) });
  });

  it('list exactly the verbs there are', () => {
    const page = read('docs/guide-people.md');
    const table = page.slice(page.indexOf('| verb |'), page.indexOf('`git memory help <verb>`'));
    const named = [...table.matchAll(/^\| ((?:`[\w-]+` ?)+)\|/gm)].flatMap((row) =>
      [...row[1]!.matchAll(/`([\w-]+)`/g)].map((match) => match[1]),
    );
    // The server is a front end like the command line itself, and no verb.
    expect(named.sort()).toEqual(verbGroups.flatMap((group) => group.verbs).sort());
  });

  it('link to files and headings that exist', () => {
    const all = [
      'README.md',
      'ARCHITECTURE.md',
      ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => `docs/${name}`),
    ];
    for (const page of all) {
      for (const [, target, , anchor] of read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(#([^)\s]+))?\)/g)) {
        const path = target === '' ? page : join(dirname(page), target!);
        expect(existsSync(join(projectRoot, path)), `${page}: ${target}`).toBe(true);
        if (anchor === undefined) continue;
        const anchors = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
          heading!
            .toLowerCase()
            .replace(/[^\p{L}\p{N} _-]/gu, '')
            .replaceAll(' ', '-'),
        );
        expect(anchors, `${page}: ${path}#${anchor}`).toContain(anchor);
      }
    }
  });
});
