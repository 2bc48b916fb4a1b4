import { describe, expect, it } from 'vitest';
import { appendItem, setFrontKey } from '../../../src/store/records/knowledge-edit.ts';
import { lineSaying } from '../../../src/store/records/knowledge-marks.ts';

const file = `---
type: journal
---

## 2026-02-16

### autopoiesis
- Decided on files
  and on git

\`\`\`
### ops
\`\`\`

### ops

Prose.

## Notes
`;

describe('appending an item', () => {
  it('puts it at the end of its section, behind what stands there, and leaves every other byte', () => {
    expect(appendItem(file, ['## 2026-02-16', '### ops'], '- Three mails')).toBe(
      file.replace('Prose.\n', 'Prose.\n\n- Three mails\n'),
    );
    expect(appendItem(file, ['## Notes'], '- One')).toBe(`${file}\n- One\n`);
  });

  it('puts it above the sections within its own', () => {
    expect(appendItem(file, ['## 2026-02-16'], '- First')).toBe(
      file.replace('## 2026-02-16\n', '## 2026-02-16\n\n- First\n'),
    );
  });

  it('makes the sections that are missing, within their parent', () => {
    expect(appendItem(file, ['## 2026-02-16', '### people'], '- Jo came')).toBe(
      file.replace('Prose.\n', 'Prose.\n\n### people\n\n- Jo came\n'),
    );
    expect(appendItem('# Title\n', ['## A'], '- x')).toBe('# Title\n\n## A\n\n- x\n');
    expect(appendItem('', ['## A'], '- x')).toBe('## A\n\n- x\n');
    expect(appendItem('- old\n', [], '- x')).toBe('- old\n- x\n');
  });

  it('goes on with a list without a gap', () => {
    const once = appendItem('# T\n', ['## A'], '- x');
    expect(appendItem(once, ['## A'], '- y')).toBe('# T\n\n## A\n\n- x\n- y\n');
  });
});

describe('setting a key', () => {
  it('replaces a value on one line, adds a missing one, and leaves lists and files without front matter alone', () => {
    expect(setFrontKey('---\na: 1\nupdated: old\n---\nx', 'updated', 'new')).toBe('---\na: 1\nupdated: new\n---\nx');
    expect(setFrontKey('---\na: 1\n---\nx', 'updated', 'new')).toBe('---\na: 1\nupdated: new\n---\nx');
    expect(setFrontKey('---\nupdated:\n  - 1\n---\nx', 'updated', 'new')).toBe('---\nupdated:\n  - 1\n---\nx');
    expect(setFrontKey('x', 'updated', 'new')).toBe('x');
  });
});

it('items are read without their marks', () => {
  const text = '- 2026-02-16: A [[b|B]] [source: x#1] [verified: 2026-02-16]\n1. C (due 2026-03-01)\nd\n  * D.\n';
  expect(['a b', 'C', 'd', 'e'].map((words) => lineSaying(text, words))).toEqual([0, 1, 3, undefined]);
});
