// The summary of a memory for an agent: how much is known, what is promised and what needs a person. Its size does not grow with the memory.

import { z } from 'zod';
import { defined } from '../base/errors.ts';
import type { StatusResult } from '../base/types.ts';
import { countPromises } from '../logs/index.ts';
import type { MemoryPart } from '../memory/open-memory.ts';
import { describePlace } from './verbs/repository.ts';
import { cut, type Style } from './verbs/style.ts';

const text = z.string();
const number = z.number();
const listed = 3;

/** The first of many, and how many there are. */
const someOf = <One extends z.ZodType>(one: One) => z.object({ count: number, first: z.array(one) });

/** The shape of a summary. */
export const summary = z.object({
  commit: text.nullable(),
  memories: number,
  conversations: number,
  pending: someOf(text),
  promises: someOf(z.unknown()),
  attention: someOf(text),
});
type LoopShown = { readonly id: string; readonly content: string; readonly due?: string; readonly speaker?: string };
/** A summary with the place that it is about. */
export type Summary = z.output<typeof summary> & { readonly place: StatusResult; readonly left: string };

/** Sums up a memory. */
export async function summaryOf(memory: MemoryPart): Promise<Summary> {
  const place = await memory.status();
  const { loops } = await memory.ledger.loops();
  const edits = place.edited.map(({ path, why }) => `edited by hand: ${path}${why === undefined ? '' : ` (${why})`}`);
  const promises = loops.map(({ id, content, due, speaker }) => ({
    ...{ id, content: cut(content, 100), ...defined({ due, speaker }) },
  }));
  return {
    commit: place.commit,
    memories: place.memories,
    conversations: place.conversations,
    pending: firstOf([...new Set(place.pending.map(({ path }) => path))], place.pending.length),
    promises: firstOf(promises),
    attention: firstOf([...place.warnings, ...edits].map((warning) => cut(warning, 200))),
    place,
    left: countPromises(loops.slice(listed)),
  };
}

/** Gives the summary of a memory in its shape. */
export async function summarise(memory: MemoryPart): Promise<z.output<typeof summary>> {
  return summary.parse(await summaryOf(memory));
}

/** Says a summary in lines. */
export function describeSummary({ place, left, pending, promises, attention }: Summary, style: Style): string {
  const told = [
    ['waits for a commit', pending.count, pending.first],
    [
      'promised',
      promises.count,
      (promises.first as readonly LoopShown[]).map(
        ({ id, speaker, content, due }) =>
          `${id} ${speaker === undefined ? '' : `${speaker}: `}${content}${due ? ` (due ${due})` : ''}`,
      ),
      left,
    ],
    ['needs attention', attention.count, attention.first],
  ] as const;
  const lines = told.flatMap(([what, total, first, kinds]) =>
    total === 0
      ? []
      : [
          `${what}: ${total}`,
          ...withMore(
            first.map((one) => `  ${one}`),
            total - first.length,
            kinds,
          ),
        ],
  );
  return [...describePlace(place, style), ...lines].join('\n');
}

function firstOf<One>(all: readonly One[], total = all.length): { count: number; first: One[] } {
  return { count: total, first: all.slice(0, listed) };
}

/** Says below lines how many more there are, and their kinds. */
export function withMore(lines: readonly string[], more: number, kinds?: string): readonly string[] {
  return more === 0 ? lines : [...lines, `… and ${more} more${kinds === undefined ? '' : `: ${kinds}`}`];
}
