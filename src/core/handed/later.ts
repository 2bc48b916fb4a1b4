// What was said after a standing claim and is nearest to it. It is found when a context or the beginning of a session is asked for.

import { defined, orElse } from '../../base/errors.ts';
import { oncePerValue } from '../../base/once-per.ts';
import { dayOf } from '../../base/time.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import { withoutTimes } from '../../language/index.ts';
import type { Follower, FollowingOptions, SearchDocument } from '../../search/index.ts';
import { speakerOf } from '../../store/claims/speaker.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { isTurn, saidBy } from '../../store/records/knowledge-marks.ts';
import { parseTranscriptWithLines, type TranscriptWithLines } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { FindsLater, Later, StandingClaim } from '../context/compile/standing-claims.ts';
import type { Origins } from '../context/compile/told.ts';
import { mayRule, trustOfTurn } from '../extract/trust.ts';
import { leadOf } from '../lifecycle/quoted.ts';
import type { Searcher } from '../recall/searcher.ts';

/** Gives the conversation of a path; none where it cannot be read. */
export type TranscriptAt = (path: string) => readonly [TranscriptWithLines] | readonly [];

/** Makes what parses each conversation of a state once. */
export const transcriptsIn = (snapshot: Snapshot): TranscriptAt =>
  oncePerValue((path) => {
    const read = () => [parseTranscriptWithLines(snapshot.textIfWhole(path) ?? '', path)] as const;
    return orElse(read, [], 'INVALID_RECORD', 'INVALID_DATE', 'TOO_LARGE');
  });

/** Where it is looked for. */
export interface LaterSources extends Pick<FollowingOptions, 'likeness'> {
  readonly snapshot: Snapshot;
  readonly configuration: Pick<Configuration, 'timezone' | 'owner' | 'trust'>;
  readonly searcher: Pick<Searcher, 'turnAt' | 'followersOf'>;
  readonly origins: Origins;
  /** Default: each conversation is read once for all claims. */
  readonly transcriptAt?: TranscriptAt;
  /** Tells whether a turn may be shown, with the memories that quote it; default: each may. */
  isShown?(path: string, ids: readonly string[]): boolean;
}

/** So near to a claim is what stands beside it. Of three writers nine in ten such turns were about the same. */
const leastLink = 0.3;
const mostLooked = 3;
/** In characters: a longer turn has its place among what fits the message. */
const mostOfLater = 400;

/** Of what is near to a promise, what has a word of it, the newest first: by that it may be kept. */
const newestSharing = (words: ReadonlySet<string>, near: readonly Follower[]): Follower[] =>
  near
    .filter(({ document: { text, language } }) => tokensOf(withoutTimes(text), language).some((one) => words.has(one)))
    .sort((one, other) => other.document.time! - one.document.time!);

/** Makes what finds for each standing claim the turn that was said after it and is nearest. */
export function laterIn({
  snapshot,
  configuration: { timezone, owner, trust },
  searcher,
  origins,
  transcriptAt = transcriptsIn(snapshot),
  isShown = () => true,
  ...likeness
}: LaterSources): FindsLater {
  const turnsOf = ({ ids, source }: StandingClaim): string[] =>
    isTurn(source) ? [source] : ids.flatMap((id) => origins.turnsOf(id).map(({ turn }) => turn));
  const saidIn = (claim: StandingClaim): SearchDocument | undefined => {
    const [, path = '', turn] = /^(.*)#(\d+)$/.exec(turnsOf(claim).at(-1) ?? '') ?? [];
    const document = turn === undefined ? undefined : searcher.turnAt(snapshot, path, Number(turn));
    if (document === undefined || claim.kind !== 'commitment') return document;
    return { ...document, text: withoutTimes(saidBy(claim.text)) };
  };
  const laterOf = (
    { document }: Follower,
    listed: ReadonlyMap<string, number>,
    there: ReadonlySet<string>,
  ): Later | undefined => {
    const { path, turn, text: words, role = 'user', speaker, time } = document;
    const source = `${path}#${turn}`;
    const claim = listed.get(source);
    if (claim !== undefined) return { source, words, text: words, ids: [], claim };
    if (turn === undefined || time === undefined || words.length > mostOfLater || there.has(source)) return undefined;
    // What an agent or a page says stands with no rule, and nor does what somebody hands on or quotes.
    const [transcript] = transcriptAt(path);
    const own = transcript?.turns[turn - 1];
    const ids = origins.claimsOf(source);
    if (own === undefined || trustOfTurn(transcript!, own, trust) !== 'person' || !mayRule(own)) return undefined;
    if (!isShown(path, ids)) return undefined;
    const lead = leadOf(dayOf(time, timezone), speakerOf({ role, ...defined({ speaker }) }, owner ?? undefined));
    return { source, words, text: `${lead}${words}`, ids };
  };
  return (claims, shown = []) => {
    const listed = new Map(claims.flatMap((claim, at) => turnsOf(claim).map((turn) => [turn, at] as const)));
    const there = new Set(shown.flatMap(turnsOf));
    const said = claims.map(saidIn);
    const known = said.filter((document) => document !== undefined);
    const near = searcher.followersOf(snapshot, known, '', { most: mostLooked, least: leastLink, ...likeness });
    const followersOf = new Map(known.map((document, at) => [document, near[at]!]));
    return said.map((document, at) => {
      const near = (document && followersOf.get(document)) ?? [];
      const words = claims[at]!.kind === 'commitment' ? new Set(tokensOf(document?.text ?? '')) : undefined;
      for (const follower of words === undefined ? near : newestSharing(words, near)) {
        const later = laterOf(follower, listed, there);
        if (later !== undefined) return later;
      }
      return undefined;
    });
  };
}
