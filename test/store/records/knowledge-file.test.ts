import { expect, test } from 'vitest';
import { countLines, parseKnowledge } from '../../../src/store/records/knowledge-file.ts';

test('sections begin at headings outside of fences, with their lines', () => {
  const text = [
    '---',
    'type: memory',
    '---',
    '',
    'intro',
    '',
    '# Core Memory',
    '## Key Decisions ##',
    '- 2026-02-14: files',
    '',
    '```sh',
    '# not a heading',
    '~~~',
    '```',
    '#hashtag',
    '####### seven',
    '### Deep\r',
    'x',
    '##',
    '',
  ].join('\n');
  const { data, sections } = parseKnowledge(text, 'a.md');
  expect(data).toEqual({ type: 'memory' });
  expect(sections).toEqual([
    { heading: '', level: 0, line: 5, textLine: 5, text: 'intro' },
    { heading: 'Core Memory', level: 1, line: 7, textLine: 8, text: '' },
    {
      heading: 'Key Decisions',
      level: 2,
      line: 8,
      textLine: 9,
      text: '- 2026-02-14: files\n\n```sh\n# not a heading\n~~~\n```\n#hashtag\n####### seven',
    },
    { heading: 'Deep', level: 3, line: 17, textLine: 18, text: 'x' },
    { heading: '', level: 2, line: 19, textLine: 21, text: '' },
  ]);
});

test('a fence that is never closed hides the rest, and inline code does not open one', () => {
  expect(parseKnowledge('```\n# a\n', 'a.md').sections).toHaveLength(1);
  expect(parseKnowledge('``` x ``` y\n# a\n', 'a.md').sections.map(({ heading }) => heading)).toEqual(['', 'a']);
});

test('an empty file has no sections', () => {
  expect(parseKnowledge('', 'a.md')).toEqual({ data: {}, body: '', sections: [] });
  expect(parseKnowledge('\n \n', 'a.md').sections).toEqual([]);
});

test('lines are counted as wc counts them, and a torn last line too', () => {
  expect(['', 'a', 'a\n', 'a\nb', 'a\n\n'].map(countLines)).toEqual([0, 1, 1, 2, 2]);
});
