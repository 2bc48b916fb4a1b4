import { describe, expect, it } from 'vitest';

import { type Fate, followedText, memoriesNamedIn, rewordedLines } from '../../../src/core/lifecycle/memory-lines.ts';
import { principleFile } from '../../../src/store/records/knowledge-templates.ts';

const was = 'The harbour office opens at seven.';
const line = `- ${was} [source: raw/a.md#1] [memory: m1]`;
const follow = (path: string, text: string, fate: Fate) =>
  followedText(path, text, { of: new Map([['m1', fate]]), day: '2026-03-10' });
const page = 'knowledge/reference/2026-03.md';
const gone: Fate = { kind: 'gone', was };
const over: Fate = { kind: 'over', was, until: '2026-03-09' };

describe('a line that names a memory', () => {
  it('goes with it, and with it the heading that was its own', () => {
    const text = `# Facts\n\n## Office\n\n${line}\n\n## Other\n\n- Mine\n`;
    expect(follow(page, text, gone)).toBe('# Facts\n\n## Other\n\n- Mine\n');
  });

  it('takes its words out of a heading that others stand under', () => {
    const text = `# Facts\n\n## The harbour office opens at\n\n${line}\n- Mine\n`;
    expect(follow(page, text, gone)).toBe('# Facts\n\n## General\n\n- Mine\n');
    // The heading may have the words that were said, and the line the statement that was made of them.
    const stated: Fate = { kind: 'gone', was: `Bo says it is open.\n${was}` };
    expect(follow(page, text, stated)).toBe('# Facts\n\n## General\n\n- Mine\n');
  });

  it('leaves no page of the engine without a line, and every page on which somebody wrote', () => {
    const head = '---\ntype: reference\nupdated: 2026-03-01\n---\n\n# Facts of 2026-03\n';
    expect(follow(page, `${head}\n## Office\n\n${line}\n`, gone)).toBeNull();
    expect(follow(page, `${head}\nAsk Bo.\n\n## Office\n\n${line}\n`, gone)).toBe(`${head}\nAsk Bo.\n`);
    expect(follow('knowledge/memory/MEMORY.md', `${head}\n## Office\n\n${line}\n`, gone)).toBe(head);
  });

  it('leaves no journal of its day alone, once conversations of that day are told', () => {
    const day = (more = '') => `---\ntype: journal\ndate: 2026-02-20\nsessions: [s1]\n---\n\n## 2026-02-20\n${more}`;
    const talk = `\n### Office\n\n${line}\n`;
    expect(follow('knowledge/journal/2026-02-20.md', day(talk), gone)).toBeNull();
    expect(follow('knowledge/journal/2026-03-08.md', day(talk), gone)).toBe(day());
    expect(follow('knowledge/journal/2026-02-20.md', day(`\nRain.\n${talk}`), gone)).toBe(day('\nRain.\n'));
  });

  it('is dated where days are kept, and leaves pages of what is so now', () => {
    const dated = `- ${was} (until 2026-03-09) [source: raw/a.md#1] [memory: m1]`;
    expect(follow('knowledge/journal/2026-03-02.md', `## Day\n\n${line}\n`, over)).toBe(`## Day\n\n${dated}\n`);
    expect(follow(page, `# Facts\n\n- Mine\n${line}\n`, over)).toBe('# Facts\n\n- Mine\n');
    expect(follow('knowledge/entities/office.md', `# Office\n\n## History\n\n${line}\n`, over)).toContain(dated);
    // Open again, it says so again.
    expect(follow('knowledge/journal/2026-03-02.md', `${dated}\n`, { kind: 'stands', was })).toBe(`${line}\n`);
    expect(follow(page, `${line}\n`, { kind: 'stands', was, until: '2026-03-09' })).toBe(`${dated}\n`);
  });

  it('gets new words between its day and its marks, and keeps its links', () => {
    const linked =
      '- 2026-03-01: The [[office|harbour office]] opens at seven. (due 2026-03-08) [verified: 2026-03-01] [memory: m1]\r';
    expect(
      follow(page, `${linked}\n`, { kind: 'stands', was, words: 'The harbour office opens at [memory: x] nine.' }),
    ).toBe(
      '- 2026-03-01: The [[office|harbour office]] opens at (memory: x] nine. (due 2026-03-08) [verified: 2026-03-01] [memory: m1]\r\n',
    );
  });

  it('becomes that of what the memory became part of, once in a file', () => {
    const fate: Fate = { kind: 'became', was, heirs: [{ id: 'm2', words: 'The office opens at seven.' }] };
    expect(follow(page, `${line}\n`, fate)).toBe('- The office opens at seven. [source: raw/a.md#1] [memory: m2]\n');
    expect(follow(page, `- Both [memory: m2]\n${line}\n`, fate)).toBe('- Both [memory: m2]\n');
  });

  it('goes when one of several memories that made it is gone', () => {
    const text = `- Opening hours were talked of. [memory: m1] [memory: m2]\n- Mine\n`;
    expect(follow(page, text, gone)).toBe('- Mine\n');
    expect(follow(page, text, over)).toBe(text);
  });

  it('has a page of its own that follows it, but for what somebody wrote there', () => {
    const rule = 'Never open the sluice at night unless the warden is there.';
    const text = principleFile({ rule, priority: 'P1', day: '2026-03-01', source: 'EVT-1', memory: 'm1' });
    const path = 'knowledge/principles/sluice.md';
    expect([...memoriesNamedIn(text)]).toEqual(['m1']);
    expect(follow(path, text, { kind: 'gone', was: rule })).toBeNull();
    const kept = follow(path, `${text}\nAsk Bo before Easter.\n`, { kind: 'gone', was: rule })!;
    expect(kept).toContain('Ask Bo before Easter.');
    expect(kept).not.toMatch(/sluice|warden/i);
    const renewed = follow(path, text, { kind: 'stands', was: rule, words: 'Keep the sluice shut.' })!;
    expect(renewed).toContain('# Principle: Keep the sluice shut\n');
    expect(renewed).toContain('## Rule\n\nKeep the sluice shut.\n');
    expect(renewed).not.toContain('warden');
  });

  it('in a box goes with what the box is about because of it', () => {
    const box = [
      '---\ntype: box\nid: 4b0f7c21a9d83e56\nstatus: open\ntopics: [harbour, sluice]\nstarted: 2026-03-02T09:00:00Z\n---\n',
      '# Harbour, sluice\n\n## Memories\n',
      `- 2026-03-02 09:00:00 fact: ${was} [memory: m1] [source: raw/a.md#1]`,
      '- 2026-03-02 09:01:00 fact: The sluice is new. [memory: m2]\n',
    ].join('\n');
    const path = 'boxes/2026-03-02/box-4b0f7c21a9d83e56.md';
    const left = follow(path, box, gone)!;
    expect(left).toContain('topics: [sluice]');
    expect(left).not.toMatch(/harbour/i);
    expect(follow(path, left.replace('memory: m2', 'memory: m1'), gone)).toBeNull();
    expect(follow(path, box, over)).toContain(`fact: ${was} (until 2026-03-09) [memory: m1]`);
  });

  it('says what somebody made of it, unless nobody can tell', () => {
    const after = line.replace('seven', 'nine');
    expect([...rewordedLines(line, after)]).toEqual([['m1', 'The harbour office opens at nine.']]);
    for (const [one, other] of [
      [line, line.replace('[source: raw/a.md#1]', '[verified: 2026-03-02]')],
      [line, `${after}\n${line}`],
      [line, '- The harbour office opens at nine.'],
      [line.replace('seven.', 'sev…'), after],
      [`${line} [memory: m2]`, `${after} [memory: m2]`],
    ] as const)
      expect([...rewordedLines(one, other)]).toEqual([]);
  });
});
