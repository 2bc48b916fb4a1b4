// What an extraction by a model costs, said before it is paid. A person is asked where it is much; a program goes so far and no further.

import { count, grouped } from '../../base/count.ts';
import { defined } from '../../base/errors.ts';
import type { ModelLimit, ReadingCost } from '../../base/types.ts';
import type { Memory } from '../../memory/open-memory.ts';
import type { RunContext } from './verb.ts';

/** Whether a model may read, and how far. */
export type Leave =
  | { readonly isGiven: true; readonly limit?: ModelLimit; readonly note?: string }
  | { readonly isGiven: false; readonly note: string; readonly conversations: number };

interface Wanted {
  readonly model?: string;
  readonly from?: readonly string[];
  readonly yes?: boolean;
}

/** Tells what reading would take, and asks where that is above the limit of memory.yaml. */
export async function leaveToRead(context: RunContext, memory: Memory, { model, from, yes }: Wanted): Promise<Leave> {
  const cost = await memory.readingCost(defined({ model, from: from?.length === 0 ? undefined : from }));
  if (cost === null || cost.requests === 0) return { isGiven: true };
  const said = describeCost(cost);
  if (!cost.isAbove || yes === true) {
    context.tell?.(said);
    return { isGiven: true };
  }
  const { limit, conversations } = cost;
  if (context.confirm === undefined) {
    const most = `${count(limit.requests, 'question')} and ${grouped(limit.tokens)} tokens`;
    return { isGiven: true, limit, note: `${said}. It goes as far as ${most}; --yes lets it read all` };
  }
  if (await context.confirm(`${said}. Go on?`)) return { isGiven: true };
  return { isGiven: false, note: `${said}. Nothing was asked`, conversations };
}

/** Says it in a line. */
export function describeCost({ model, conversations, requests, tokens, cost }: ReadingCost): string {
  const price = cost === null ? '' : `, for about ${cost.toPrecision(2)}`;
  const times = requests === 1 ? 'once' : `some ${grouped(requests)} times`;
  return `${model} would be asked ${times} about ${count(conversations, 'conversation')}, some ${grouped(tokens)} tokens${price}`;
}
