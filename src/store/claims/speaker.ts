// The speaker of a turn: its name where it has one, else its role.

import type { MemoryRecord, Turn } from '../../base/types/stored-types.ts';

/** Names the speaker of a turn: by name, else the owner of the memory or `the user`; `the assistant` for an agent without a name. */
export function speakerOf({ role, speaker }: Pick<Turn, 'role' | 'speaker'>, owner?: string): string {
  if (speaker !== undefined) return speaker;
  if (role === 'user') return owner ?? 'the user';
  return role === 'agent' || role === 'assistant' ? 'the assistant' : role;
}

/** Names the speaker of a claim that quotes. Undefined where somebody put it in words of their own, or nobody is named. */
export function speakerOfQuote({
  statement,
  subject,
  sources = [],
}: Pick<MemoryRecord, 'statement' | 'subject' | 'sources'>): string | undefined {
  return statement === undefined && sources.some(({ turn }) => turn !== undefined) ? subject : undefined;
}
