// TODO.md as people write it: what is read, and that a change is a change of lines and of no others.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { todoSections } from '../../../src/base/types/project-types.ts';
import { emptyTodo, formatItem, parseTodo, withItem, withoutItem } from '../../../src/store/records/todo-file.ts';

const text = `# TODO

Tasks of this project.

## 🔄 In Progress

- [ ] Write migrations (after: models)
  with the new column
  - and a test

## Up Next
* Release

### Completed ✅

- [x] Models — 2026-02-10, evt-003, evt-004
- [x] Plan (evt-001, 2026-02-09)

## Backlog

1. Think
- (none)
`;

describe('a list of tasks', () => {
  it('needs no sections where boxes say what is done, and takes no other line for a task', () => {
    const { items } = parseTodo('# To do\n\nFor May:\n\n- [ ] Oil the gate\n- [X] Fix the lamp\n- ask Ana\n');
    expect(items.map(({ section, task, isDone, start }) => [section, task, isDone, start])).toEqual([
      ['Up Next', 'Oil the gate', false, 4],
      ['Completed', 'Fix the lamp', true, 5],
    ]);
  });

  it('is read with its sections, boxes, days, events and what comes before', () => {
    const { items } = parseTodo(text);
    expect(
      items.map(({ section, task, isDone, completed, events, after }) => ({
        section,
        task,
        isDone,
        completed,
        events,
        after,
      })),
    ).toEqual([
      {
        section: 'In Progress',
        task: 'Write migrations (after: models)',
        isDone: false,
        completed: null,
        events: [],
        after: ['models'],
      },
      { section: 'Up Next', task: 'Release', isDone: false, completed: null, events: [], after: [] },
      {
        section: 'Completed',
        task: 'Models',
        isDone: true,
        completed: '2026-02-10',
        events: ['evt-003', 'evt-004'],
        after: [],
      },
      {
        section: 'Completed',
        task: 'Plan (evt-001, 2026-02-09)',
        isDone: true,
        completed: '2026-02-09',
        events: ['evt-001'],
        after: [],
      },
      { section: 'Backlog', task: 'Think', isDone: false, completed: null, events: [], after: [] },
    ]);
  });

  it('keeps what is below an item with it, and all other lines', () => {
    const file = parseTodo(text);
    const [first] = file.items;
    const left = withoutItem(file, first!);
    expect(left).toBe(text.replace(/- \[ \] Write[\s\S]*?test\n/, ''));
    const moved = withItem(left, 'Up Next', file.lines.slice(first!.start, first!.end).join(''), 'last');
    expect(moved).toContain(
      '* Release\n- [ ] Write migrations (after: models)\n  with the new column\n  - and a test\n',
    );
  });

  it('takes items into empty and missing sections', () => {
    expect(withItem(emptyTodo, 'Up Next', formatItem('a'), 'last')).toContain(
      '## Up Next\n\n- [ ] a\n\n## Completed\n',
    );
    expect(withItem('# Mine', 'Backlog', formatItem('a'), 'last')).toBe('# Mine\n\n## Backlog\n\n- [ ] a\n');
    expect(withItem('## Backlog\n\nOnce.\n\n- (none)\n\n## Notes\n', 'Backlog', formatItem('a'), 'last')).toBe(
      '## Backlog\n\nOnce.\n\n- [ ] a\n\n## Notes\n',
    );
  });

  it('gets an item and loses it again, whatever else stands there', () => {
    const line = fc.constantFrom(
      '## In Progress',
      '# Completed',
      '## Backlog ##',
      '- [ ] a',
      '- b — 2026-01-01, evt-001',
      '  more',
      '',
      'words',
      '2. c',
      '---',
      '\t- nested',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), fc.constantFrom(...todoSections), (lines, section) => {
        const before = lines.map((words) => `${words}\n`).join('');
        const after = withItem(before, section, formatItem('new one'), 'last');
        const file = parseTodo(after);
        const mine = file.items.filter(({ task }) => task === 'new one');
        expect(mine.map((item) => item.section)).toEqual([section]);
        const words = (content: string) =>
          content.split('\n').filter((one) => one.trim() !== '' && one !== `## ${section}`);
        expect(words(withoutItem(file, mine[0]!))).toEqual(words(before).filter((one) => one !== `## ${section}`));
      }),
    );
  });
});
