// Files that passes keep: entities, profile, reflections, topics. Their own lines are kept up to date, people's lines stay.

import { describe, expect, it } from 'vitest';
import { entityKey, fragmentsIn, joinEntityFiles, readEntityFile } from '../../../src/core/lifecycle/entity-files.ts';
import { withOwnedLines } from '../../../src/core/lifecycle/profiles.ts';
import { shortenReflections } from '../../../src/core/lifecycle/shorter-pages.ts';
import { topicIndexOf } from '../../../src/core/lifecycle/topic-index.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';

const now = Date.parse('2026-06-01T00:00:00Z');

describe('owned lines', () => {
  const line = (id: string, words = id) => ({ id, text: () => `- 2026-02-16: ${words} [memory: ${id}]` });

  it('come in a section of their own, go with their memory, and leave everything else as it was', () => {
    const text = '---\ntype: person\n---\n\n# Jo\n\n## Context\n\n- Wrote this by hand.\n';
    const once = withOwnedLines(text, 'Known', [line('a'), line('b')]);
    expect(once).toBe(`${text}\n## Known\n\n${line('a').text()}\n${line('b').text()}\n`);
    expect(withOwnedLines(once, 'Known', [line('a'), line('b')])).toBe(once);
    const edited = once
      .replace(': a [', ': A, as Jo puts it [')
      .replace(line('b').text(), `${line('b').text()}\n- By hand, too.`);
    expect(withOwnedLines(edited, 'Known', [line('a'), line('c')])).toBe(
      `${text}\n## Known\n\n- 2026-02-16: A, as Jo puts it [memory: a]\n- By hand, too.\n${line('c').text()}\n`,
    );
    expect(withOwnedLines(once, 'Known', [])).toBe(text);
  });

  it('go before the section that follows', () => {
    const text = '# X\n\n## Known\n\n- 2026-02-16: a [memory: a]\n\n## Later\n\nProse.\n';
    expect(withOwnedLines(text, 'Known', [line('a'), line('b')])).toBe(
      '# X\n\n## Known\n\n- 2026-02-16: a [memory: a]\n- 2026-02-16: b [memory: b]\n\n## Later\n\nProse.\n',
    );
  });
});

describe('files about one thing', () => {
  const file = (path: string, text: string) => readEntityFile(path, text)!;

  it('are known by their names in any spelling, and by aliases', () => {
    expect(['GitHub', 'Git Hub', 'git-hub', 'GITHUB', "GitHub's"].map(entityKey)).toEqual(Array(5).fill('github'));
    expect(entityKey('東京')).not.toBe(entityKey('大阪'));
    const groups = fragmentsIn([
      file('a/github.md', '# GitHub\n'),
      file('a/git-hub.md', '# Git Hub\n'),
      file('a/gh.md', '---\nname: GH\naliases: [GitHub]\n---\n# GH\n'),
      file('a/gitlab.md', '# GitLab\n'),
    ]);
    expect(groups.map((group) => group.map(({ path }) => path))).toEqual([['a/gh.md', 'a/git-hub.md', 'a/github.md']]);
  });

  it('become one that has every line of each', () => {
    const one = file('a/github.md', '---\ntype: entity\nname: GitHub\n---\n\n# GitHub\n\n## Known\n\n- One.\n- Two.\n');
    const other = file(
      'a/git-hub.md',
      '# Git Hub\n\nHosts code.\n\n## Known\n\n- Two.\n- Three.\n\n## Links\n\n- A link.\n',
    );
    expect(joinEntityFiles([one, other])).toBe(
      '---\ntype: entity\nname: GitHub\naliases: [Git Hub]\n---\n\n# GitHub\n\nHosts code.\n\n## Known\n\n- One.\n- Two.\n- Three.\n\n## Links\n\n- A link.\n',
    );
  });
});

describe('reflections', () => {
  const soul = (lines: readonly string[]) =>
    `# Soul\n\nI am.\n\n## Reflections\n\n${lines.join('\n')}\n\n## Rules\n\n- Stay.\n`;

  it('of a short file stay, and so does all that is none', () => {
    expect(shortenReflections(soul(['- 2026-01-01: x']))).toBeUndefined();
    expect(shortenReflections(`# Soul\n\n${'Long prose. '.repeat(1000)}`)).toBeUndefined();
  });

  it('of a long one lose what is said again, then the oldest, and nothing else', () => {
    const lines = Array.from(
      { length: 120 },
      (_, at) =>
        `- 2026-01-01: Reflection number ${at} about${'abcdefghij'[at % 10]} word${at} thing${at} matter${at} point${at}`,
    );
    const text = soul([lines[5]!.replace('2026-01-01', '2025-12-24'), ...lines]);
    const shorter = shortenReflections(text)!;
    expect(Buffer.byteLength(shorter.text)).toBeLessThanOrEqual(8192 * 0.75);
    expect(shorter.repeated).toEqual([lines[5]!.replace('2026-01-01', '2025-12-24')]);
    expect(shorter.moved).toEqual(lines.slice(0, shorter.moved.length));
    expect(shorter.text).toContain('## Rules\n\n- Stay.\n');
    expect(shorter.text).toContain(lines.at(-1)!);
    const left = shorter.text.split('\n').length + shorter.moved.length + shorter.repeated.length;
    expect(left).toBe(text.split('\n').length);
    expect(shortenReflections(shorter.text)).toBeUndefined();
  });
});

describe('the topic index', () => {
  it('counts what memories and boxes name, with traces and the last day', () => {
    const memory = (id: string, tags: string[], entities: string[]) =>
      newMemory({ id, content: id, now, tags, entities });
    const index = topicIndexOf(
      [
        memory('a', ['Billing', 'P1'], ['Stripe']),
        memory('b', ['billing'], []),
        { ...memory('c', ['billing'], []), status: 'superseded' },
      ],
      [
        {
          id: 'x',
          status: 'sealed',
          started: now,
          traceId: 't',
          topics: ['billing', 'stripe'],
          memories: [],
          notes: '',
        },
      ],
      'UTC',
    );
    expect(index).toEqual({
      billing: { memories: 2, boxes: 1, traces: ['t'], last: '2026-06-01' },
      stripe: { memories: 1, boxes: 1, traces: ['t'], last: '2026-06-01' },
    });
  });
});
