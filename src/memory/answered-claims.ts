// Claims of an agent that names the turns they rest on. They are held to those turns, and take the place of what rules have kept of them.

import { defined, MemoryError } from '../base/errors.ts';
import { normaliseForHash, oneLine } from '../base/text.ts';
import type { Transcript } from '../base/types/stored-types.ts';
import type { ClaimInput, ListResult, RememberResult } from '../base/types.ts';
import { findTranscript } from '../core/capture/recorder.ts';
import { verify } from '../core/extract/model/verify.ts';
import { parseCapture } from '../core/extract/plan-transcript.ts';
import { ConfigurationReader } from '../store/configuration-reader.ts';
import type { MemoryPart } from './memory.ts';

/** A claim with what it rests on. */
export interface AnsweredClaim {
  readonly claim: ClaimInput;
  /** 1-based numbers of turns, the main one first; none where it names none. */
  readonly turns: readonly number[];
  /** Words of these turns, to the letter. */
  readonly quote?: string;
}

type Known = ListResult['memories'][number];

/**
 * Remembers claims, all or none. Those that name turns of a session must bear out there.
 *
 * What rules kept of the same words becomes the memory of the claim, with its statement; so an answer leaves no double. What it replaces is over,
 * and no review asks about the pair again. Throws as `rememberAll` does; INVALID_ARGUMENT for a claim that its turns do not bear out.
 */
export async function rememberAnswered(
  memory: MemoryPart,
  answered: readonly AnsweredClaim[],
  session: string | undefined,
): Promise<RememberResult[]> {
  const options = session === undefined ? {} : { session };
  const rests = answered.some(({ turns }) => turns.length > 0);
  if (!rests || session === undefined)
    return memory.rememberAll(
      answered.map(({ claim }) => claim),
      options,
    );
  const snapshot = memory.store.snapshot(true);
  const path = findTranscript(snapshot, session);
  if (path === undefined) {
    throw new MemoryError('INVALID_ARGUMENT', 'no recorded conversation has this session id', {
      where: session,
      hint: 'Leave t and quote out, or name a session that memory_capture or the hook has recorded',
    });
  }
  const transcript = parseCapture(snapshot.readText(path)!, path);
  const { owner, timezone: timeZone } = new ConfigurationReader().of(snapshot);
  const { memories } = await memory.list();
  const claims = answered.map((one, at) => {
    if (one.turns.length === 0) return one.claim;
    const replaced = memories.filter(({ id }) =>
      [one.claim.replaces ?? []].flat().some((given) => id.startsWith(given)),
    );
    const beside = [owner ?? '', ...replaced.map(({ content, statement = '' }) => `${content} ${statement}`)].join(
      '\n',
    );
    checkBorneOut(one, transcript, { where: `claim ${at + 1}`, beside, timeZone });
    return inPlaceOf(keptOf(memories, path, one), { ...one.claim, source: `${path}#${one.turns[0]}` });
  });
  return memory.rememberAll(claims, options);
}

/**
 * Holds a claim to its turns, as an answer of a model is. They exist, one has the quote, and they say the claim's numbers, names and denials. It
 * is the one place where an answer of an agent is verified.
 */
function checkBorneOut(
  { turns, quote = '', claim }: AnsweredClaim,
  { turns: said }: Transcript,
  { where, beside, timeZone }: { readonly where: string; readonly beside: string; readonly timeZone: string },
): void {
  const missing = turns.find((turn) => said[turn - 1] === undefined);
  const shown = said.map((turn, at) => ({ t: at + 1, turn }));
  const item = { number: 1, says: claim.content, t: turns, quote, kind: 'fact', confidence: 1 } as const;
  const refuse = (what: string, key: string, hint?: string): never => {
    throw new MemoryError('INVALID_ARGUMENT', `${where}: ${what}`, { where: key, ...defined({ hint }) });
  };
  if (missing !== undefined) refuse(`the conversation has ${said.length} turns, and no ${missing}`, 't');
  const ground = { turns: shown, beside, timeZone, claimOf: () => undefined };
  const verified = verify({ ...item, tags: [], entities: [], changes: [] }, ground);
  if ('why' in verified ? quote !== '' : !turns.includes(verified.t[0]!)) {
    refuse(
      `turn ${turns[0]} does not say "${oneLine(quote, 80)}"`,
      'quote',
      'Quote the words of the turn to the letter, or leave the quote out',
    );
  } else if ('faults' in verified && verified.faults.length > 0) {
    refuse(verified.faults[0]!, 'says', 'Say what the turn says, with its numbers, names and denials');
  }
}

/** Finds what was kept of the same words of the same turn, and holds. */
function keptOf(memories: readonly Known[], path: string, { turns, quote, claim }: AnsweredClaim): Known | undefined {
  const words = normaliseForHash(quote ?? claim.content);
  return memories.find(({ content, status, sources = [] }) => {
    const isThere = sources.some((source) => source.path === path && turns.includes(source.turn ?? 0));
    const kept = normaliseForHash(content);
    return isThere && status === 'active' && (kept.includes(words) || words.includes(kept));
  });
}

/** Lets a claim confirm what was kept, and say it in its own words; where it is another kind of thing, it takes its place. */
function inPlaceOf(kept: Known | undefined, claim: ClaimInput): ClaimInput {
  if (kept === undefined) return claim;
  const { category, due, subject, content: says } = claim;
  const isSame = <Value>(one: Value | undefined, other: Value | undefined): boolean =>
    one === undefined || one === other;
  // Rules take the speaker for the subject; an agent that names another knows better.
  if (!isSame(category, kept.category) || !isSame(due, kept.due) || !isSame(subject, kept.subject))
    return { ...claim, replaces: [...new Set([...[claim.replaces ?? []].flat(), kept.id])] };
  return {
    ...claim,
    content: kept.content,
    ...(says === kept.content ? {} : { statement: claim.statement ?? says }),
    ...(kept.due === undefined ? {} : { due: kept.due }),
    ...(kept.category === undefined ? {} : { category: kept.category }),
  };
}
