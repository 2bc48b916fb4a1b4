// What holds whatever is asked: rules, corrections, how somebody likes things, and what was promised and is not done. It comes before what
// fits the message, has a share of the room, and stays the same from one message to the next.

import type { MemoryRecord } from '../../records/types.ts';
import { asContent, indented } from './data-text.ts';
import type { Meter } from './meter.ts';
import type { Piece } from './part.ts';

/** A claim that stands, or a promise. */
export interface StandingClaim {
  readonly kind: 'constraint' | 'principle' | 'correction' | 'preference' | 'commitment';
  readonly text: string;
  /** The file with its line, or the path of the memory. */
  readonly source: string;
  /** 0 to 1. */
  readonly importance: number;
  /** Seconds since the Unix epoch: since when it stands. */
  readonly since: number;
  /** `YYYY-MM-DD`. */
  readonly due?: string;
  /** The id of the memory, and of the event that tells of it. */
  readonly ids: readonly string[];
}

/** How much of what remains it may have, and how many tokens at most. */
const shareOfRest = 0.15;
/** Of a small rest more, for constraints alone: nothing that fits the message outweighs them. */
const shareOfConstraints = 0.5;
const mostTokens = 1000;
/** A rule longer than this is a document, which the message may find. */
const longest = 400;

const headings = { rules: 'What always holds:', promises: 'Open commitments:' } as const;
const order: readonly StandingClaim['kind'][] = ['constraint', 'principle', 'correction', 'preference', 'commitment'];

/** Gives how many tokens standing claims may have of those that are left. */
export function standingRoom(left: number): number {
  return roomWithin(left, shareOfRest);
}

const roomWithin = (left: number, share: number): number => Math.max(0, Math.floor(Math.min(mostTokens, left * share)));

/**
 * Chooses the claims that fit the room and writes a line for each. Constraints and overdue promises come first, then the rest by kind and
 * importance, the newest first. The text has them by kind, oldest first, so that a new one changes as little of it as can be.
 */
export function standingPieces(
  claims: readonly StandingClaim[],
  { left, meter, today }: { readonly left: number; readonly meter: Meter; readonly today: string },
): { readonly pieces: readonly Piece[]; readonly claims: readonly StandingClaim[]; readonly left: number } {
  const headingTokens = Math.max(...Object.values(headings).map((heading) => meter.count(`${heading}\n`)));
  const chosen: { readonly claim: StandingClaim; readonly text: string; readonly tokens: number }[] = [];
  const [room, most] = [standingRoom(left), roomWithin(left, shareOfConstraints)];
  let spent = headingTokens;
  const open = new Set<boolean>();
  const ranked = claims
    .filter(({ text }) => text.length <= longest)
    .sort(
      (a, b) => rankOf(a, today) - rankOf(b, today) || b.importance - a.importance || b.since - a.since || byId(a, b),
    );
  for (const claim of ranked) {
    const text = lineOf(claim, today);
    const isPromise = claim.kind === 'commitment';
    const tokens = meter.count(`${text}\n`);
    const cost = tokens + (open.size === 1 && !open.has(isPromise) ? headingTokens : 0);
    if (spent + cost > (claim.kind === 'constraint' ? most : room)) continue;
    spent += cost;
    open.add(isPromise);
    chosen.push({ claim, text, tokens });
  }
  chosen.sort(
    ({ claim: a }, { claim: b }) =>
      order.indexOf(a.kind) - order.indexOf(b.kind) || byDue(a, b) || a.since - b.since || byId(a, b),
  );
  const pieces = chosen.map(({ claim, text, tokens }, at): Piece => {
    const isPromise = claim.kind === 'commitment';
    const isFirst = at === 0 || (chosen[at - 1]!.claim.kind === 'commitment') !== isPromise;
    const heading = isPromise ? headings.promises : headings.rules;
    return {
      source: claim.source,
      path: claim.source.replace(/[:#]\d+$/, ''),
      text: isFirst ? `${heading}\n${text}` : text,
      tokens: tokens + (isFirst ? meter.count(`${heading}\n`) : 0),
      why: isPromise ? 'an open commitment' : `a ${claim.kind}: it holds whatever is asked`,
      ...(claim.ids[0] === undefined ? {} : { id: claim.ids[0] }),
    };
  });
  return { pieces, claims: chosen.map(({ claim }) => claim), left: claims.length - chosen.length };
}

/** What must not be missed comes first. */
function rankOf({ kind, due }: StandingClaim, today: string): number {
  if (kind === 'constraint') return 0;
  if (kind === 'commitment') return due === undefined ? 5 : due <= today ? 1 : 4;
  return kind === 'principle' ? 2 : 3;
}

/** The overdue first, then the next; those without a day last. */
function byDue(a: StandingClaim, b: StandingClaim): number {
  const [one, other] = [a.due ?? '9999', b.due ?? '9999'];
  return one < other ? -1 : one > other ? 1 : 0;
}

const byId = (a: StandingClaim, b: StandingClaim): number => ((a.ids[0] ?? '') < (b.ids[0] ?? '') ? -1 : 1);

function lineOf({ kind, text, due }: StandingClaim, today: string): string {
  const words = indented(asContent(text)).replace(/\n\s*/g, ' ');
  const day = due === undefined ? '' : due < today ? ` (was due ${due}, overdue)` : ` (due ${due})`;
  // The statement may say the day itself.
  const when = due !== undefined && due >= today && words.includes(due) ? '' : day;
  return `- ${kind === 'constraint' ? '[P0] ' : ''}${words}${when}`;
}

/** What somebody's body cannot bear: nobody asks for it before it is too late. */
const bodily =
  /\b(?:is|am|are|'m|'s|'re) (?:also |both |badly |severely |highly |deathly )?(?:allergic|intolerant) to\b|\b(?:has|have|with) (?:an? )?(?:\p{L}+ ){0,2}(?:allergy|allergies)\b|\b(?:has|have) co?eliac\b|\bon blood thinners\b/iu;

/** Tells as what a memory holds whatever is asked, by its category; undefined where it does not. */
export function standingKindOf({ category, meta, content }: MemoryRecord): StandingClaim['kind'] | undefined {
  if (meta.tags.includes('P0') || bodily.test(content)) return 'constraint';
  return category === 'principle' || category === 'correction' || category === 'preference' ? category : undefined;
}
