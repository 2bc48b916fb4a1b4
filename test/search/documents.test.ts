import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentsOf as indexedOf, isSearchedPath } from '../../src/search/documents.ts';
import { formatBox } from '../../src/store/records/box-file.ts';
import { memoryFile, noon, transcriptFile } from './corpus.ts';

const documentsOf = (path: string, text: string) => indexedOf(path, text).map(({ document }) => document);

describe('a memory record', () => {
  const [path, text] = memoryFile('m1', 'We use Postgres 16', {
    tags: ['stack'],
    entities: ['Postgres'],
    category: 'decision',
  });

  it('is one document with its content, tags, status and time', () => {
    expect(documentsOf(path, text)).toMatchObject([
      {
        path,
        category: 'memory',
        id: 'm1',
        line: 1,
        text: 'We use Postgres 16',
        tags: ['stack'],
        entities: ['Postgres'],
        status: 'active',
        time: noon,
        record: { useCount: 0, category: 'decision' },
      },
    ]);
  });
});

describe('a conversation', () => {
  const [path, text] = transcriptFile('ses_1', [
    { text: 'first' },
    { text: '\n> [tool:x] y\n\nsecond' },
    { text: 'third', speaker: 'CDR' },
    { text: 'fourth' },
    { text: 'fifth' },
    { text: '## 10:00 — user is no heading here' },
  ]);
  const documents = documentsOf(path, text);

  it('is one document per turn, on the lines where they stand', () => {
    const lines = text.split('\n');
    expect(documents).toHaveLength(6);
    for (const [at, document] of documents.entries()) {
      expect(document).toMatchObject({
        category: 'conversation',
        session: 'ses_1',
        turn: at + 1,
        time: noon + at * 60_000,
      });
      expect(lines[document.line - 1]).toMatch(/^## \d\d:\d\d/);
    }
    expect(lines[documents[2]!.textLine! - 1]).toBe('third');
    expect(documents[2]).toMatchObject({ role: 'user', speaker: 'CDR' });
    expect(documents[5]!.text).toBe('## 10:00 — user is no heading here');
  });

  it('is indexed by its own words, its speaker, topic and day, and not by those of its neighbours', () => {
    const { terms } = indexedOf(path, text)[2]!;
    expect(terms.text).toEqual(['third']);
    expect(terms.speaker).toEqual(['cdr']);
    expect(terms.context).toEqual(expect.arrayContaining(['ses_1', '2026', 'februari', 'mondai']));
  });
});

describe('a markdown file', () => {
  const text = `---
type: memory
updated: 2026-02-10T00:00:00Z
tags: [core]
---

# Core Memory

## Key Decisions

- 2026-02-14: Switched to files
- Adopted pull requests

## Lessons

### Testing
Test with real data.
`;

  it('is one document per section that has text, titled by the headings above', () => {
    const documents = documentsOf('knowledge/memory/MEMORY.md', text);
    expect(documents.map(({ line, textLine, title, text: body }) => ({ line, textLine, title, body }))).toEqual([
      {
        line: 9,
        textLine: 11,
        title: 'Core Memory\nKey Decisions\nMEMORY',
        body: '- 2026-02-14: Switched to files\n- Adopted pull requests',
      },
      { line: 16, textLine: 17, title: 'Core Memory\nLessons\nTesting\nMEMORY', body: 'Test with real data.' },
    ]);
    expect(documents[0]).toMatchObject({ category: 'core', tags: ['core'], time: Date.parse('2026-02-10') });
  });

  it('is several documents where a section is long, each on its line', () => {
    const items = Array.from({ length: 60 }, (_, at) => `- Lesson ${at}: always keep a spare ${'bolt '.repeat(8)}nut`);
    const long = `# Lessons\n\n${items.join('\n')}\n`;
    const documents = documentsOf('knowledge/memory/MEMORY.md', long);
    expect(documents.length).toBeGreaterThan(3);
    expect(documents.map(({ text }) => text).join('\n')).toBe(items.join('\n'));
    for (const { line, text, title } of documents.slice(1)) {
      expect(long.split('\n')[line - 1]).toBe(text.split('\n')[0]);
      expect(title).toBe('Lessons\nMEMORY');
    }
  });

  it('takes its day from a heading, the path or the front matter, in this order', () => {
    const time = (path: string, body: string) => documentsOf(path, body)[0]?.time;
    expect(time('knowledge/journal/2026-01-05.md', '## 2026-01-06\nx')).toBe(Date.parse('2026-01-06'));
    expect(time('raw/daily/2026-01-05.md', 'x')).toBe(Date.parse('2026-01-05'));
    expect(time('topics/a.md', '---\nupdated: 2026-01-04\n---\nx')).toBe(Date.parse('2026-01-04'));
    expect(time('topics/a.md', 'x')).toBeUndefined();
  });

  it('is not found by the name of the conversation that its lines came from', () => {
    const lines = [
      '- The key is in the drawer. [due: 2026-02-20] [source: raw/conversations/the-move-to-porto.md#3] [verified: 2026-02-16]',
      '- It is small. [memory: 0a1b]',
    ];
    const found = (file: string) =>
      documentsOf(file, `# Notes\n\n${lines.join('\n')}\n`).map(({ text: words }) => words);
    expect(found('knowledge/journal/2026-02-16.md')).toEqual([
      '- The key is in the drawer. [due: 2026-02-20]\n- It is small.',
    ]);
    // What people captured is theirs, word for word.
    expect(found('raw/daily/2026-02-16.md')).toEqual([lines.join('\n')]);
  });

  it('that is a heading alone is found by it', () => {
    expect(documentsOf('topics/empty.md', '# Deployment\n')).toMatchObject([
      { text: 'Deployment', line: 1, category: 'topic' },
    ]);
    const journal = '---\ntype: journal\n---\n\n## 2026-02-16\n';
    expect(documentsOf('knowledge/journal/2026-02-16.md', journal)).toEqual([]);
    expect(documentsOf('knowledge/journal/2026-02-16.md', `${journal}\n- Rain.\n`)).toHaveLength(1);
  });
});

describe('the ledger', () => {
  it('is one document per event, broken lines left out', () => {
    const event = {
      ts: '2026-02-16T12:00:00Z',
      id: 'EVT-20260216-001',
      type: 'decision',
      content: 'Ship it',
      tags: ['x'],
      priority: 'P1',
      entity: 'app',
    };
    const documents = documentsOf('ledger/2026/02/2026-02-16.jsonl', `{"torn\n${JSON.stringify(event)}\n\n[1]\n`);
    expect(documents).toMatchObject([
      {
        category: 'ledger',
        id: 'EVT-20260216-001',
        line: 2,
        text: 'Ship it',
        entities: ['app'],
        tags: ['P1', 'x'],
        time: noon,
      },
    ]);
  });
});

describe('the project log', () => {
  const text = `# Changelog

## Event Log

### evt-007 | 2026-02-16 18:45 | silas | decision

**Scope**: storage
**Summary**: Files instead of SQLite

**Refs**: none
**Tags**: storage, git

### A heading of somebody's own

We met at noon.
`;

  it('is one document per event, with its id, time, agent, type and tags', () => {
    const [event, other] = documentsOf('CHANGELOG.md', text);
    expect(event).toMatchObject({
      category: 'event',
      line: 5,
      id: 'evt-007',
      time: Date.parse('2026-02-16T18:45:00Z'),
      tags: ['decision', 'storage', 'git'],
      entities: ['silas'],
    });
    expect(event!.text).toContain('Files instead of SQLite');
    expect(other).toMatchObject({ category: 'event', text: 'We met at noon.' });
    expect(other).not.toHaveProperty('id');
  });

  it('is found in the archive, too', () => {
    expect(documentsOf('CHANGELOG-archive.md', text)[0]).toMatchObject({ id: 'evt-007', status: 'archived' });
  });
});

it('the project log of a project whose CHANGELOG.md is of another kind is found, its views are not', () => {
  const text = '# Changelog\n\n## Event Log\n\n### evt-001 | 2026-02-16 18:45 | silas | note\n\nMet at noon.\n';
  expect(documentsOf('.memory/changelog.md', text)).toMatchObject([{ category: 'event', id: 'evt-001' }]);
  expect(documentsOf('.memory/graph.md', text)).toEqual([]);
});

describe('a memory box', () => {
  const box = (words: string[]) =>
    formatBox({
      id: '4b0f7c21a9d83e56',
      status: 'sealed',
      started: noon,
      topics: ['billing', 'postgres'],
      memories: words.map((one, at) => ({
        id: `0a1b2c3d4e5f60${at + 10}`,
        time: noon + at * 1000,
        category: 'decision',
        words: one,
        source: `raw/conversations/2026/02/16/1845-ses_a-x.md#${at + 1}`,
      })),
      notes: 'Talk to Ada before the move.',
    });
  const path = 'boxes/2026-02-16/box-4b0f7c21a9d83e56.md';

  it('is one document of what its memories say, with its topics and its day', () => {
    const documents = documentsOf(path, box(['We use Postgres.', 'Invoices go out on Monday.']));
    expect(documents).toMatchObject([
      {
        category: 'box',
        id: '4b0f7c21a9d83e56',
        line: 1,
        title: 'billing, postgres',
        tags: ['billing', 'postgres'],
        time: noon,
      },
    ]);
    expect(documents[0]!.text).toBe('We use Postgres.\n\nInvoices go out on Monday.\n\nTalk to Ada before the move.');
  });

  it('that is long is several, and one that people broke is found by its words', () => {
    expect(
      documentsOf(path, box(Array.from({ length: 40 }, (_, at) => `Decision ${at}: ${'word '.repeat(30)}`))).length,
    ).toBeGreaterThan(3);
    expect(documentsOf(path, '# Billing\n\nWe use Postgres.\n')).toMatchObject([
      { category: 'box', text: expect.stringContaining('Postgres') },
    ]);
  });
});

describe('any file', () => {
  it('that is archived says so', () => {
    expect(documentsOf('archive/knowledge/journal/2025-01-01.md', '## A\nold')).toMatchObject([
      { status: 'archived', category: 'journal', path: 'archive/knowledge/journal/2025-01-01.md' },
    ]);
  });

  it('that breaks its format is one plain document', () => {
    expect(documentsOf('memories/ab/x.json', '{"id": 7, broken words')).toMatchObject([
      { category: 'memory', line: 1, text: '{"id": 7, broken words' },
    ]);
    expect(documentsOf('raw/conversations/2026/x.md', 'no front matter')).toMatchObject([{ text: 'no front matter' }]);
    expect(documentsOf('knowledge/people/x.md', '---\n: [\n---\ntext')).toHaveLength(1);
  });

  it('that is binary, derived or empty has none', () => {
    for (const [path, text] of [
      ['raw/artifacts/a.txt', 'a\0b'],
      ['raw/artifacts/a.png', 'x'],
      ['recall/pack.md', '# Pack\nx'],
      ['.memory/context.md', '# C\nx'],
      ['relations/ab/x.json', '{}'],
      ['memory.yaml', 'timezone: UTC'],
      ['topics/a.md', ' \n'],
    ] as const) {
      expect(documentsOf(path, text), path).toEqual([]);
    }
    expect(isSearchedPath('relations/ab/x.json')).toBe(false);
    expect(isSearchedPath('knowledge/people/x.md')).toBe(true);
    // They list what other files say; a project's own first page does not.
    for (const list of ['people/_index', 'projects/_index', 'projects/_active'])
      expect(isSearchedPath(`knowledge/${list}.md`)).toBe(false);
    expect(isSearchedPath('knowledge/projects/atlas/_index.md')).toBe(true);
  });

  it('never throws, and every document has text, a line and a key', () => {
    const paths = [
      'memories/ab/x.json',
      'raw/conversations/2026/01/01/1200-s-x.md',
      'knowledge/people/x.md',
      'ledger/2026/01/2026-01-01.jsonl',
      'raw/artifacts/x.log',
    ];
    const pieces = fc.constantFrom(
      '---\n',
      '# A\n',
      '## 12:00 — user\n',
      '{"id":"x","content":"y"}',
      'text',
      '\n',
      '```\n',
      '\u0000',
      '\\',
      'tags: [a]\n',
    );
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.array(pieces, { maxLength: 12 }), (path, parts) => {
        const text = parts.join('');
        for (const document of documentsOf(path, text)) {
          expect(document.text.trim()).not.toBe('');
          expect(document.line).toBeGreaterThan(0);
          expect(document.line).toBeLessThanOrEqual(text.split('\n').length);
        }
      }),
    );
  });
});
