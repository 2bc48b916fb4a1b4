// The verb that shows memory boxes: memories that came together, and what else there is about a subject that comes back.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import type { BoxesResult, BoxResult, ListedBox } from '../../base/types.ts';
import { hang, type Style, shortTime } from './style.ts';
import { defineVerb, maybe, oneOf, optional } from './verb.ts';

export const boxes = defineVerb({
  name: 'boxes',
  summary: 'List memory boxes, or show one and its trace',
  help:
    'A box holds memories about one subject that extraction found together. It stays open until the subject changes, ' +
    'nobody speaks for a while, or it is full. If a subject comes back, its sealed boxes form one trace. When you show ' +
    'one box, you see the others of its trace.',
  input: z.strictObject({
    id: maybe('the id of a box, or its beginning: show what is in it'),
    day: maybe('only boxes begun on this day, such as 2026-02-16'),
    topic: maybe('only boxes with this topic'),
    trace: maybe('only boxes on this trace'),
    status: oneOf(['open', 'sealed'], 'only boxes that are open, or sealed'),
    memory: maybe('only the box that holds this memory'),
    limit: optional(z.int().min(1).max(1_000_000), 'how many at most, the newest'),
  }),
  positional: ['id'],
  flags: { reads: true },
  example: { command: 'knowledge boxes --topic postgres', shows: 'when people spoke of it, and how much came of that' },
  async run(context, { id, ...filter }) {
    const view = await context.view();
    if (id === undefined) return view.knowledge.boxes(filter);
    const box = await view.knowledge.box(id);
    const { memories: _, notes: __, trace: ___, ...entry } = box;
    return { boxes: [entry], box };
  },
  text({ boxes: listed, box }: BoxesResult & { readonly box?: BoxResult }, style) {
    if (box !== undefined) return describeBox(box, style).join('\n');
    if (listed.length === 0) return 'No box fits.';
    return listed.flatMap((one) => describeEntry(one, style)).join('\n');
  },
});

function describeEntry(box: ListedBox, style: Style): string[] {
  const state = box.status === 'open' ? 'open' : `sealed (${box.reason ?? 'by hand'})`;
  const trace = box.traceId === undefined ? '' : `, trace ${box.traceId.slice(0, 8)}`;
  const about = `${box.topics.join(', ') || 'no topic'}: ${count(box.count, 'memory', 'memories')}, ${state}${trace}`;
  return hang(`${style.reference(box.id.slice(0, 10))}  ${shortTime(box.started, style)}`, about, style, 30, 3);
}

function describeBox(box: BoxResult, style: Style): string[] {
  const memories = box.memories.flatMap(({ id, time, category, words, state }) => {
    const mark = state === 'active' || state === 'promoted' ? '' : ` (${state})`;
    const label = `${id.slice(0, 10)}  ${shortTime(time, style)}`;
    const lines = hang(label, `${category === undefined ? '' : `${category}: `}${words}${mark}`, style, 30, 3);
    return mark === '' ? lines : lines.map(style.faint);
  });
  const notes = box.notes === '' ? [] : ['', ...box.notes.split('\n')];
  const trace =
    box.trace.length === 0
      ? []
      : ['', style.strong('On the same trace'), ...box.trace.flatMap((other) => describeEntry(other, style))];
  return [...describeEntry(box, style), '', ...memories, ...notes, ...trace];
}
