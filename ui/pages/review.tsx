// The review: one card after another, a key for each verdict, and how often who found it was right.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { upperFirst } from '../../src/base/text.ts';
import type { ReviewCard, ReviewReason, ReviewResult, ReviewSide, VerdictKind } from '../../src/base/types.ts';
import type { KeyName } from '../keys.ts';
import { Await, Button, judge, Reword, Section, SourceLink, Strength, Text, takeBack, useZone } from '../parts.tsx';
import { act, linkTo, mayWrite, takenBack, useAnswer } from '../state.ts';
import { clockOf, dayOf, many, middleDay, visible } from '../words.ts';

export const reasons: Readonly<Record<ReviewReason, { readonly words: string; readonly shade: string }>> = {
  low_trust: { words: 'low trust', shade: 'gone' },
  unfinished: { words: 'unfinished merge', shade: 'gone' },
  disputed: { words: 'disputed', shade: 'closed' },
  contradicts: { words: 'contradicts', shade: 'closed' },
  double: { words: 'sounds double', shade: 'changed' },
  unmerged: { words: 'never merged', shade: 'wait' },
  extracted: { words: 'extracted', shade: 'came' },
  fades: { words: 'fades', shade: 'wait' },
};

/** Names a question: the same two claims are the same one. */
export function keyOf({ id, other }: Pick<ReviewCard, 'id' | 'other'>): string {
  return `${id} ${other?.id ?? ''}`;
}

/** Gives what waits, and how much. */
export function useReview(isWanted = true) {
  const known = useAnswer<ReviewResult>(isWanted ? 'review' : null, { limit: 50 }, { state: null });
  const counts = Object.values(known.data?.counts ?? {});
  return { known, cards: known.data?.cards ?? [], number: counts.reduce((sum, count) => sum + count, 0) };
}

/** Where a card leads: to its claim, or to the page that it is about; nowhere for what lies in quarantine. */
export function placeOf({ why }: Pick<ReviewCard, 'why'>, { id, sources }: ReviewSide): string | null {
  if (why === 'low_trust') return null;
  if (why === 'unfinished') return linkTo('page', id);
  return why === 'disputed' ? linkTo('page', sources[0]!.path) : linkTo('claim', id);
}

/** A verdict that was given here. */
interface Given {
  readonly key: string;
  readonly verdict: VerdictKind;
  readonly words: string;
  readonly commit: string | null;
}

const buttons: readonly { readonly verdict: VerdictKind; readonly key: KeyName; readonly shade: string }[] = [
  { verdict: 'forget', key: 'forgetCard', shade: 'gone' },
  { verdict: 'keep', key: 'keepCard', shade: 'came' },
  { verdict: 'edit', key: 'editCard', shade: 'changed' },
  { verdict: 'merge', key: 'mergeCard', shade: 'changed' },
  { verdict: 'close', key: 'closeCard', shade: 'closed' },
];

/** What a verdict is called on a card. */
function nameOf(verdict: VerdictKind, { why, other }: ReviewCard): string {
  if (why === 'low_trust') return verdict === 'keep' ? 'Let in' : 'Drop';
  if (other === undefined) return verdict === 'edit' ? 'Reword' : upperFirst(verdict);
  if (why === 'disputed' && verdict === 'close') return 'Forget the old';
  return { keep: 'Keep both', edit: 'Reword', merge: 'Merge', close: 'Close the old', forget: 'Forget the new' }[
    verdict
  ];
}

export function ReviewPage(): JSX.Element {
  const { known, cards, number } = useReview();
  const given = useSignal<readonly Given[]>([]);
  const later = useSignal<ReadonlySet<string>>(new Set());
  const isRewording = useSignal(false);
  const isBusy = useRef(false);
  const standing = given.value.filter(({ commit }) => commit === null || !takenBack.value.has(commit));
  const gone = new Set(standing.map(({ key }) => key));
  const open = cards.filter((card) => !gone.has(keyOf(card)));
  const card = open.find((one) => !later.value.has(keyOf(one)));
  const left = Math.max(open.length, number - (cards.length - open.length));
  const key = card === undefined ? '' : keyOf(card);
  useEffect(() => {
    isRewording.value = false;
  }, [key]);
  const decide = async (verdict: VerdictKind, content?: string): Promise<void> => {
    if (card === undefined || !mayWrite.peek() || isBusy.current || !card.verdicts.includes(verdict)) return;
    if (verdict === 'edit' && content === undefined) {
      isRewording.value = true;
      return;
    }
    isBusy.current = true;
    const answer = await send(card, verdict, content);
    isBusy.current = false;
    if (answer !== null)
      given.value = [
        { key, verdict, words: meantBy(verdict, card).content, commit: answer.commit ?? null },
        ...given.value,
      ];
  };
  const undoable = standing.find(({ commit }) => commit !== null);
  const wait = () => {
    later.value = new Set([...later.value, key]);
  };
  const total = standing.length + left;
  return (
    <div class="two">
      <div>
        <h1>Review</h1>
        <p class="lead">
          {known.data !== undefined &&
            (left === 0
              ? 'Nothing waits for you.'
              : `${upperFirst(many(left, 'thing'))} ${left === 1 ? 'waits' : 'wait'} for you.`)}{' '}
          {mayWrite.value
            ? 'Each verdict is one commit by you.'
            : 'This page only reads: verdicts are given elsewhere.'}
        </p>
        {total > 0 && (
          <progress
            class="done"
            max={total}
            value={standing.length}
            aria-label={`${standing.length} of ${total} judged`}
          />
        )}
        <Await known={known}>
          {() => (
            <>
              {card === undefined ? (
                later.value.size > 0 && (
                  <div class="buttons">
                    <Button
                      onClick={() => {
                        later.value = new Set();
                      }}
                    >
                      What was left for later
                    </Button>
                  </div>
                )
              ) : (
                <Card key={key} card={card} onSwipe={(verdict) => void decide(verdict)} />
              )}
              <div class="buttons verdicts">
                {card !== undefined &&
                  buttons
                    .filter(({ verdict }) => card.verdicts.includes(verdict))
                    .map(({ verdict, key: keyName, shade }) => (
                      <Button key={verdict} keyName={keyName} onClick={() => void decide(verdict)}>
                        <span class={shade}>{nameOf(verdict, card)}</span>
                      </Button>
                    ))}
                {card !== undefined && (
                  <Button keyName="later" onClick={wait}>
                    Later
                  </Button>
                )}
                {undoable !== undefined && (
                  <Button keyName="undo" onClick={() => void takeBack(undoable.commit!)}>
                    Undo
                  </Button>
                )}
              </div>
              {isRewording.value && card !== undefined && (
                <Reword
                  words={card.content}
                  onWrite={(words) => void decide('edit', words)}
                  onLeave={() => {
                    isRewording.value = false;
                  }}
                />
              )}
            </>
          )}
        </Await>
      </div>
      <aside aria-label="How often who found it was right, and what was decided">
        <Precision precision={known.data?.precision ?? []} />
        {standing.length > 0 && (
          <Section title="Decided">
            <ul class="history">
              {standing.slice(0, 12).map((one) => (
                <li key={one.key}>
                  <b class={buttons.find(({ verdict }) => verdict === one.verdict)!.shade}>{one.verdict}</b>{' '}
                  {one.commit === null ? (
                    visible(one.words.slice(0, 80))
                  ) : (
                    <a href={linkTo('operation', one.commit)}>{visible(one.words.slice(0, 80))}</a>
                  )}
                </li>
              ))}
            </ul>
          </Section>
        )}
      </aside>
    </div>
  );
}

/** The side of a card that a verdict is about: only what was known before is closed. */
const meantBy = (verdict: VerdictKind, card: ReviewCard): ReviewSide =>
  verdict === 'close' ? (card.other ?? card) : card;

/** Sends a verdict; what lies in quarantine is let in or dropped as a whole. */
function send({ why, id, commit, other }: ReviewCard, verdict: VerdictKind, content: string | undefined) {
  if (why === 'low_trust') {
    return verdict === 'keep'
      ? act('quarantine', { action: 'accept', name: id, ...(commit === undefined ? {} : { commit }) }, 'Let in.')
      : act('quarantine', { action: 'drop', name: id }, 'Dropped; a tag keeps it.');
  }
  if (content !== undefined) return judge(verdict, id, { content });
  if (other === undefined || verdict === 'forget') return judge(verdict, id);
  return verdict === 'close' ? judge(verdict, other.id, { other: id }) : judge(verdict, id, { other: other.id });
}

const farEnough = 70;

/** Why it is asked about, the words, and the turns they come from. On a phone it is swiped. */
function Card({
  card,
  onSwipe,
}: {
  readonly card: ReviewCard;
  readonly onSwipe: (verdict: VerdictKind) => void;
}): JSX.Element {
  const start = useRef<Touch | undefined>(undefined);
  const { why, because, other, brings = [], action } = card;
  return (
    <article
      class="card"
      aria-live="polite"
      onTouchStart={(event) => {
        start.current = event.touches.length === 1 ? event.touches[0] : undefined;
      }}
      onTouchEnd={(event) => {
        const [from, to] = [start.current, event.changedTouches[0]];
        if (from === undefined || to === undefined) return;
        const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
        if (Math.abs(x) > farEnough && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x > 0 ? 'keep' : 'forget');
      }}
    >
      <p class="why">
        <b class={reasons[why].shade}>{upperFirst(reasons[why].words)}</b> <span class="meta">{visible(because)}</span>
        {action !== undefined && <span class="meta"> · fits: {action}</span>}
      </p>
      <Side side={card} link={placeOf(card, card)} />
      {brings.length > 0 && (
        <ul class="brings" aria-label="What it would bring">
          {brings.slice(0, 12).map((content, index) => (
            <li key={index}>
              <ins>
                <Text text={content} />
              </ins>
            </li>
          ))}
        </ul>
      )}
      {other !== undefined && (
        <>
          <p class="why between">
            <span class="meta">Known before</span>
          </p>
          <Side side={other} link={placeOf(card, other)} />
        </>
      )}
    </article>
  );
}

function Side({ side, link }: { readonly side: ReviewSide; readonly link: string | null }): JSX.Element {
  const zone = useZone();
  const { content, statement, subject, category, extractor, agent, score, time, sources } = side;
  const about = [subject, category, extractor ?? agent].filter((word) => word !== undefined).map(visible);
  return (
    <>
      <h2 class="claim">
        {link === null ? (
          <Text text={content} />
        ) : (
          <a href={link}>
            <Text text={content} />
          </a>
        )}
      </h2>
      {statement !== undefined && (
        <p class="second">
          <Text text={statement} />
        </p>
      )}
      {sources.slice(0, 4).map((source) =>
        source.text === undefined || source.text.trim() === content.trim() ? null : (
          <blockquote key={`${source.path}#${source.turn}`}>
            <b class="meta">{visible(source.speaker ?? source.role ?? '')}</b> <Text text={source.text} />
          </blockquote>
        ),
      )}
      <p class="meta">
        {about.length > 0 && <>{about.join(' · ')} · </>}
        {sources[0] !== undefined && link !== null ? <SourceLink source={sources[0]} /> : middleDay(dayOf(time, zone))}{' '}
        at {clockOf(time, zone)}
        {score !== undefined && (
          <>
            {' · '}
            <Strength score={score} />
          </>
        )}
      </p>
    </>
  );
}

function Precision({ precision }: { readonly precision: ReviewResult['precision'] }): JSX.Element {
  return (
    <Section title="How often it was right">
      {precision.length === 0 ? (
        <p class="meta">What an extractor found and you judge is counted here.</p>
      ) : (
        <ul class="history">
          {precision.map(({ extractor, kept, judged }) => (
            <li key={extractor}>
              <b>{visible(extractor)}</b>{' '}
              <span class="meta">
                {kept} of {judged} kept
              </span>{' '}
              <Share share={kept / judged} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Share({ share }: { readonly share: number }): JSX.Element {
  return (
    <span class="strength" aria-hidden="true">
      <i style={{ width: `${Math.round(share * 100)}%` }} />
    </span>
  );
}
