// The deck of a review in a terminal: a card, a key, a verdict.

import { createInterface, emitKeypressEvents, type Key } from 'node:readline';
import { defined, MemoryError } from '../../base/errors.ts';
import { singleSpaced } from '../../base/text.ts';
import type { ReviewCard, ReviewOptions, VerdictKind } from '../../base/types.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { wholeOf } from '../../memory/whole.ts';
import { describeCard, describePrecision, describeVerdict } from '../verbs/review.ts';
import { cleaned, styleFor, type Terminal } from './terminal.ts';

/** Where keys come from, and where cards go. */
export interface DeckTerminal {
  readonly input: NodeJS.ReadableStream & { setRawMode?(isRaw: boolean): unknown };
  readonly output: NodeJS.WritableStream & Terminal;
}

const verdictOf: Readonly<Record<string, VerdictKind>> = {
  right: 'keep',
  left: 'forget',
  e: 'edit',
  m: 'merge',
  c: 'close',
};
const keyOf: Readonly<Record<VerdictKind, string>> = {
  keep: '→ keep',
  forget: '← forget',
  edit: 'e reword',
  merge: 'm merge',
  close: 'c close',
};

/** Names a card: the same two memories are the same question. */
export const questionOf = ({ id, other }: Pick<ReviewCard, 'id' | 'other'>): string => `${id} ${other?.id ?? ''}`;

/** Goes through what waits until nothing does, or the person has enough. */
export async function goThrough(part: MemoryPart, options: ReviewOptions, terminal: DeckTerminal): Promise<void> {
  const memory = wholeOf(part, 'review');
  const { output } = terminal;
  const style = { ...styleFor(output), timeZone: memory.timeZone };
  const say = (text: string) => output.write(`${cleaned(text)}\n`);
  const later = new Set<string>();
  const given: string[] = [];
  const keys = keysOf(terminal);
  try {
    for (;;) {
      const { cards, more, precision } = await memory.review({ ...options, limit: (options.limit ?? 20) + later.size });
      const card = cards.find((one) => !later.has(questionOf(one)));
      const left = cards.length + more - later.size;
      if (card === undefined) {
        say(
          [
            later.size === 0 ? 'Nothing waits for you.' : `${later.size} left for later.`,
            ...describePrecision(precision, style),
          ].join('\n'),
        );
      } else {
        const choices = [...card.verdicts.map((verdict) => keyOf[verdict]), '↓ later'];
        say(`\n${describeCard(card, style).join('\n')}`);
        say(
          style.faint(`${[...choices, ...(given.length > 0 ? ['u undo'] : []), 'q end'].join('  ')}   ${left} to go`),
        );
      }
      if (card === undefined && given.length === 0) return;
      const key = await keys.next(
        card === undefined ? ['u', 'q', 'return'] : [...Object.keys(verdictOf), 'down', 'u', 'q'],
      );
      if (key === 'q' || key === 'return') return;
      try {
        if (key === 'down') later.add(questionOf(card!));
        else if (key === 'u') {
          const commit = given.pop();
          const { conflicts } = commit === undefined ? { conflicts: [] } : await memory.undo(commit);
          if (commit === undefined) say('Nothing is left to take back here; `git memory review undo` goes on.');
          else if (conflicts.length === 0) say(style.good('taken back'));
          else say(`${style.bad('Nothing was changed:')} later changes stand in the way of ${conflicts.join(', ')}`);
        } else {
          const verdict = verdictOf[key]!;
          if (!card!.verdicts.includes(verdict)) continue;
          const content = verdict === 'edit' ? await keys.line('New words: ', card!.content) : undefined;
          if (content?.trim() === '' || content === card!.content) continue;
          const commit = await decide(card!, verdict, content);
          if (commit !== null) given.push(commit);
        }
      } catch (error) {
        // The card stands; another verdict may do.
        if (!(error instanceof MemoryError)) throw error;
        say(`${style.bad('error:')} ${error.message}`);
      }
    }
  } finally {
    keys.end();
  }

  async function decide(card: ReviewCard, verdict: VerdictKind, content: string | undefined): Promise<string | null> {
    if (card.why === 'low_trust') {
      if (verdict !== 'keep') {
        say(`${style.good('dropped')}  kept as ${(await memory.quarantine.drop(card.id)).tag}`);
        return null;
      }
      const { commit } = await memory.quarantine.accept(card.id, defined({ commit: card.commit }));
      say(`${style.good('let in')}  ${card.id}`);
      return commit;
    }
    const [id, other] = judged(card, verdict);
    const result = await memory.verdict(verdict, id, defined({ other, content }));
    say(describeVerdict(result, style));
    return result.commit;
  }
}

/** Which memory a verdict on a card is about, and which other: to close a pair is to end what was known before. */
function judged({ id, other }: ReviewCard, verdict: VerdictKind): readonly [string, string?] {
  if (other === undefined || verdict === 'edit' || verdict === 'forget') return [id];
  return verdict === 'close' ? [other.id, id] : [id, other.id];
}

/** Reads single keys, and now and then a line. */
function keysOf({ input, output }: DeckTerminal) {
  emitKeypressEvents(input);
  const raw = (isRaw: boolean) => input.setRawMode?.(isRaw);
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  const hear = (text: string | undefined, { name = text, ctrl = false }: Key) => {
    waiting.push(ctrl && (name === 'c' || name === 'd') ? 'q' : (name ?? ''));
    wake?.();
  };
  const over = () => hear('q', {});
  const listen = () => {
    raw(true);
    input.on('keypress', hear);
    input.resume();
  };
  const rest = () => {
    raw(false);
    input.off('keypress', hear);
  };
  input.once('end', over);
  listen();
  return {
    async next(wanted: readonly string[]): Promise<string> {
      for (;;) {
        const key = waiting.shift();
        if (key !== undefined && wanted.includes(key)) return key;
        if (key === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
    /** Lets a person edit a line; it comes back as it was where they only press return. */
    async line(question: string, text: string): Promise<string> {
      rest();
      const reader = createInterface({ input, output, terminal: true });
      try {
        return await new Promise<string>((resolve) => {
          reader.on('close', () => resolve(text));
          reader.question(question, (answer) => resolve(answer));
          reader.write(singleSpaced(text));
        });
      } finally {
        reader.close();
        listen();
      }
    },
    end(): void {
      rest();
      input.off('end', over);
      input.pause();
    },
  };
}
