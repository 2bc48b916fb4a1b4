// What rules found in a conversation that an agent has just recorded, for it to complete.

import { defined } from '../base/errors.ts';
import type { CaptureResult, Proposal } from '../base/types.ts';
import type { MemoryPart } from '../memory/open-memory.ts';
import { cut } from './verbs/style.ts';

/** One thing that rules found, in the fields of memory_add; with an id it is kept already. */
export interface Found {
  readonly id?: string;
  readonly content: string;
  readonly category?: string;
  readonly source: string;
}

/** Words that may end claims, and these. */
export interface FoundChange {
  readonly content: string;
  readonly source: string;
  readonly near: readonly { readonly id: string; readonly day: string; readonly content: string }[];
}

const mostFound = 40;
const mostChanges = 8;
/** Claims beside a change; see core/extract/ask/proposals.ts. */
const mostNear = 8;

/** What is proposed of a capture; nothing of a stranger's words, or of what went to a branch of its own. */
export async function foundIn(
  memory: MemoryPart,
  { path, commit, branch, extraction }: CaptureResult,
  isLow: boolean,
): Promise<readonly Proposal[]> {
  if (isLow || branch !== undefined || (commit === null && extraction === undefined)) return [];
  const { proposalsIn } = await import('../memory/proposals.ts');
  return proposalsIn(memory, path);
}

/** Says proposals in the fields of an answer; empty fields are left out. */
export function changesAmong(
  proposals: readonly Proposal[],
  session: string,
): { found?: readonly Found[]; changes?: readonly FoundChange[] } {
  const sourceOf = ({ turn }: Proposal): string => `${session}#${turn}`;
  const found = proposals.slice(0, mostFound).map(
    (one): Found => ({
      ...defined({ id: one.id, category: one.category }),
      content: one.text,
      source: sourceOf(one),
    }),
  );
  const changes = proposals
    .filter(({ near = [] }) => near.length > 0)
    .sort((one, other) => other.change! - one.change!)
    .slice(0, mostChanges)
    .map((one): FoundChange => ({ content: one.text, source: sourceOf(one), near: one.near!.slice(0, mostNear) }));
  return { ...(found.length === 0 ? {} : { found }), ...(changes.length === 0 ? {} : { changes }) };
}

/** The same for whoever reads text alone. */
export function describeChanges(changes: readonly FoundChange[]): string[] {
  return changes.flatMap(({ content, near }) => [
    `perhaps a change: ${cut(content, 200)}`,
    ...near.map(({ id, day, content: known }) => `  of ${id}, ${day}: ${cut(known, 120)}`),
  ]);
}
