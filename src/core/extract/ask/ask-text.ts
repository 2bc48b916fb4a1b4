// The question to an agent as a text of few tokens. It states what is there and asks for nothing twice: an agent takes orders from its person.

import { oneLine } from '../../../base/text.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';
import type { Proposal, ProposedClaim } from '../../../base/types/ask-types.ts';

/** How it is said. */
export interface AskTextOptions {
  /** What the text may cost, as estimated. */
  readonly tokens: number;
  readonly session: string;
  handleOf(id: string): string;
}

/** So much of a turn, and of a claim beside it, is shown. */
const maxText = 160;
const maxClaim = 90;
/** A claim that is one of fewer says too little of what it could be. */
const leastRoom = 12;

const opening = (session: string): string =>
  `git-memory has recorded this conversation as session ${session}. As its rules read it, these turns tell something lasting:`;
const closing = (hasNear: boolean): string =>
  [
    `What holds beyond this task can be kept by memory_add: claims of {says, t, quote, kind, subject${hasNear ? ', replaces' : ''}} with that session.`,
    ...(hasNear ? ['"replaces" takes the ids in [] that no longer hold.'] : []),
    'Where nothing is new, nothing needs to be said.',
  ].join(' ');

/**
 * Says what an agent is asked, or undefined where there is nothing to ask.
 *
 * What sounds like a change comes first, then what is not kept yet. Claims that may be meant are named as the budget allows: one for each
 * change, then the next for each. What was kept by rules and changes nothing is left out.
 */
export function askText(proposals: readonly Proposal[], options: AskTextOptions): string | undefined {
  const { tokens, session, handleOf } = options;
  const changes = proposals
    .filter(({ near = [] }) => near.length > 0)
    .sort((one, other) => other.change! - one.change! || one.turn - other.turn);
  const others = proposals.filter((one) => !changes.includes(one) && one.id === undefined);
  const hasNear = changes.length > 0;
  let room = tokens - estimateTokens(opening(session)) - estimateTokens(closing(hasNear));
  const shown: { readonly proposal: Proposal; readonly line: string; readonly near: string[] }[] = [];
  const take = (line: string): boolean => {
    const cost = estimateTokens(line) + 1;
    if (cost > room) return false;
    room -= cost;
    return true;
  };
  const nearLine = ({ id, day, content }: ProposedClaim): string =>
    `   [${handleOf(id)}] ${day} ${oneLine(content, maxClaim)}`;
  for (const proposal of [...changes, ...others]) {
    const [first] = proposal.near ?? [];
    const line = lineOf(proposal);
    // A change without a claim beside it cannot be settled.
    if (!take(first === undefined || !changes.includes(proposal) ? line : `${line}\n${nearLine(first)}`)) continue;
    shown.push({ proposal, line, near: changes.includes(proposal) ? [nearLine(first!)] : [] });
  }
  for (let at = 1, isFull = false; !isFull && room >= leastRoom; at++) {
    isFull = true;
    for (const { proposal, near } of shown) {
      const claim = near.length === at ? proposal.near?.[at] : undefined;
      if (claim === undefined || !take(nearLine(claim))) continue;
      near.push(nearLine(claim));
      isFull = false;
    }
  }
  if (shown.length === 0) return undefined;
  const lines = shown
    .sort((one, other) => one.proposal.turn - other.proposal.turn)
    .flatMap(({ line, near }) => [line, ...near]);
  return [opening(session), ...lines, closing(hasNear)].join('\n');
}

function lineOf({ turn, speaker, text, change, near = [] }: Proposal): string {
  const known = change !== undefined && near.length > 0 ? ' Perhaps a change of what is known:' : '';
  return `- turn ${turn}, ${oneLine(speaker, 40)}: "${oneLine(text, maxText)}"${known}`;
}
