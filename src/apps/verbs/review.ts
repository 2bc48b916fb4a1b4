// The verb of a review: what waits for a person, one by one, and what is decided about it.

import { z } from 'zod';
import { defined, MemoryError } from '../../base/errors.ts';
import { singleSpaced } from '../../base/text.ts';
import { reviewReasons, verdictKinds } from '../../base/types/review-types.ts';
import type { ReviewCard, ReviewResult, ReviewSide, UndoResult, VerdictKind, VerdictResult } from '../../base/types.ts';
import { hang, type Style, shortOid } from './style.ts';
import { undo } from './undo.ts';
import { actionOf, defineVerb, flag, maybe, optional } from './verb.ts';

const actions = ['list', ...verdictKinds, 'undo'] as const;

export const review = defineVerb({
  name: 'review',
  summary: 'Go through what waits for a person, and decide',
  help:
    'The review shows memories that came with low trust, contradict, look double, are new or fade, each with its reason ' +
    'and its source. It also shows pages with an unfinished merge, and lines that a merge kept in two wordings. "keep" ' +
    'with one line drops the other; with both it keeps both. In a terminal it is a deck of cards. The keys: → keep, ← ' +
    'forget, ↓ later, e edit, m merge, c ' +
    'close, u undo, q quit. Each verdict is one commit in your name. A judged memory comes back only if it fades again. ' +
    'The verdicts show how often each extractor was right.',
  input: z.strictObject({
    action: actionOf(actions),
    id: maybe('the id of the memory that is judged, or the beginning of it'),
    other: maybe('the id of a second memory: merge joins them, close replaces by it, keep keeps both'),
    content: maybe('the new words'),
    limit: optional(z.int().min(1).max(100_000), 'how many at most; 20 if left out'),
    only: optional(z.array(z.enum(reviewReasons)), `only for these reasons: ${reviewReasons.join(', ')}`),
    since: maybe('only what was extracted since this day or time; two weeks ago if left out'),
    weak: flag('all weak memories, weakest first, each with a suggestion'),
  }),
  positional: ['action', 'id', 'other', 'content'],
  words: 'content',
  actions: {
    list: {
      summary: 'Go through what waits, one by one in a terminal',
      takes: ['limit', 'only', 'since', 'weak'],
      example: 'review',
    },
    keep: {
      summary: 'Confirm a memory: it gets stronger',
      takes: ['id', 'other'],
      example: 'review keep 01k9',
    },
    edit: {
      summary: 'Give a memory other words',
      takes: ['id', 'content'],
      example: 'review edit 01k9 "Ada lives in Rome"',
    },
    merge: { summary: 'Make two memories one', takes: ['id', 'other'], example: 'review merge 01k9 01m2' },
    close: {
      summary: 'End a memory that no longer holds, or replace it',
      takes: ['id', 'other'],
      example: 'review close 01k9 01m2',
    },
    forget: { summary: 'Drop what was never worth knowing', takes: ['id'], example: 'review forget 01k9' },
    undo: { summary: 'Take back the last verdict', takes: [], example: 'review undo' },
  },
  flags: { writes: 'now', asks: ({ action = 'list' }) => action === 'list' },
  example: { command: 'review', shows: 'what waits, and why' },
  async run(
    context,
    { action = 'list', id, other, content, ...options },
  ): Promise<ReviewResult | VerdictResult | UndoResult> {
    const memory = await context.whole();
    if (action === 'list') return memory.review(options);
    if (action === 'undo') return memory.undo({ verdict: true });
    if (id?.startsWith('quarantine/')) {
      throw new MemoryError('INVALID_ARGUMENT', 'a conversation in quarantine is accepted or dropped as a whole', {
        where: id,
        hint: `\`git memory quarantine accept ${id}\` or \`drop\``,
      });
    }
    return memory.verdict(action, id ?? '', defined({ other, content }));
  },
  text(output, style) {
    if ('cards' in output) return describeDeck(output, style);
    return 'undone' in output ? undo.text(output, style) : describeVerdict(output, style);
  },
  refusal: (output) => ('undone' in output ? undo.refusal?.(output) : undefined),
});

const done: Readonly<Record<VerdictKind, string>> = {
  keep: 'kept',
  edit: 'worded anew',
  merge: 'merged',
  close: 'closed',
  forget: 'forgot',
};

/** Says in one line what was decided. */
export function describeVerdict({ verdict, ids, into, commit }: VerdictResult, style: Style): string {
  const what = [...ids, ...(into === undefined ? [] : ['→', into])]
    .map((id) => (id.startsWith('line:') ? id : id.slice(0, 10)))
    .join(' ');
  const by = commit === null ? style.faint('(pending)') : style.reference(shortOid(commit));
  return `${style.good(done[verdict])}  ${what}  ${by}`;
}

function describeDeck({ cards, more, precision }: ReviewResult, style: Style): string {
  const lines = cards.flatMap((card) => [...describeCard(card, style), '']);
  if (cards.length === 0) lines.push('Nothing waits for you.', '');
  if (more > 0) lines.push(style.faint(`… and ${more} more`));
  lines.push(...describePrecision(precision, style));
  if (cards.length > 0)
    lines.push(
      style.faint(`${style.command('review keep ID')}, or edit, merge, close, forget; undo takes the last one back.`),
    );
  return lines.join('\n').trimEnd();
}

/** Says how often each extractor was right. */
export function describePrecision(precision: ReviewResult['precision'], style: Style): string[] {
  return precision.map(({ extractor, kept, judged }) => style.faint(`${extractor}: ${kept} of ${judged} kept`));
}

/** Shows a card: why it is asked about, the words, and where they come from; ids in full for a program. */
export function describeCard(card: ReviewCard, style: Style, isFull = false): string[] {
  const { why, because, other, brings = [], action } = card;
  const fits = action === undefined ? '' : `; fits: ${action}`;
  return [
    `${style.strong(why.replace('_', ' '))}  ${style.faint(because + fits)}`,
    ...describeSide(card, style, isFull),
    ...brings.flatMap((content) => hang(`  ${style.good('+')} `, content, style, 4)),
    ...(other === undefined ? [] : [style.faint('  before:'), ...describeSide(other, style, isFull)]),
  ];
}

function describeSide(
  { id, content, statement, subject, category, sources, agent }: ReviewSide,
  style: Style,
  isFull: boolean,
): string[] {
  const [source] = sources;
  const about = [subject, category, agent].filter((word) => word !== undefined).join(' · ');
  const isSaid = source?.text !== undefined && source.text.trim() !== content.trim();
  const who = source?.speaker ?? source?.role ?? '';
  return [
    ...hang(`  ${style.reference(isFull || /[/:]/.test(id) ? id : id.slice(0, 10))}  `, content, style, 14),
    ...(statement === undefined ? [] : hang('    ', statement, style, 4)),
    ...(about === '' ? [] : hang('    ', about, style, 4).map(style.faint)),
    ...(isSaid ? hang(`    ${who}: `, singleSpaced(source.text!.slice(0, 400)), style, 6).map(style.faint) : []),
    ...(source === undefined || id.startsWith('quarantine/')
      ? []
      : [style.faint(`    ${source.path}${source.turn === undefined ? '' : `#${source.turn}`}`)]),
  ];
}
