// The speaker of a turn: its name where it has one, else its role.

import type { Turn } from '../types/stored.ts';

/** Names the speaker of a turn: by name, else the owner of the memory or `the user`; `the assistant` for an agent without a name. */
export function speakerOf({ role, speaker }: Pick<Turn, 'role' | 'speaker'>, owner?: string): string {
  if (speaker !== undefined) return speaker;
  if (role === 'user') return owner ?? 'the user';
  return role === 'agent' || role === 'assistant' ? 'the assistant' : role;
}
