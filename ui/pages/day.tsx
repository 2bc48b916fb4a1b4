// Today, a day, and two days: what came, changed, closed and went, by claim, and what waits for a person.

import type { JSX } from 'preact';
import { daySpan } from '../../src/apps/ui/brought.ts';
import { countChanges, type ThreadDay } from '../../src/apps/ui/changes.ts';
import type { PagedDiff } from '../../src/apps/ui/lists.ts';
import { upperFirst } from '../../src/base/text.ts';
import type { KnowledgeResult, LogResult, ReviewCard } from '../../src/base/types.ts';
import { isExport } from '../brought.ts';
import { Await, Button, ChangeList, linkOfPath, Row, Section, Text, useConfig, useLog, useZone } from '../parts.tsx';
import { at, go, linkTo, lookAt, useAnswer } from '../state.ts';
import { dayOf, dayPlus, listed, longDay, many, middleDay, shortDay, visible } from '../words.ts';
import { keyOf, placeOf, reasons, useReview } from './review.tsx';

const sentenceParts = {
  came: (number: number) => `${many(number, 'claim')} came`,
  closed: (number: number) => `${many(number, 'was', 'were').replace(/ (was|were)$/, ' $1')} closed by something newer`,
  changed: (number: number) => `${many(number, 'was changed', 'were changed')}`,
  gone: (number: number) => `${many(number, 'was forgotten', 'were forgotten')}`,
  back: (number: number) => `${many(number, 'came back', 'came back')}`,
  pages: (number: number) => `${many(number, 'page')} changed`,
  talks: (number: number) => `${many(number, 'conversation was', 'conversations were')} kept`,
  used: () => '',
};

function sentenceOf({ counts }: PagedDiff): string {
  const parts = countChanges(counts).map(({ number, kind }) => sentenceParts[kind](number));
  return parts.length === 0 ? 'Nothing came, and nothing went.' : `${upperFirst(listed(parts))}.`;
}

/** The days beside one in which something happened. */
function neighbours(days: readonly ThreadDay[], day: string): { readonly before?: string; readonly after?: string } {
  return {
    before: days.filter((one) => one.day < day).at(-1)?.day,
    after: days.find((one) => one.day > day)?.day,
  };
}

export function DayPage({ name }: { readonly name: string }): JSX.Element {
  const zone = useZone();
  const { days, isKnown } = useLog();
  const today = dayOf(Date.now(), zone);
  const asked = name !== '' ? name : (at.value ?? today);
  const isToday = name === '' && at.value === null;
  // The newest commit alone is there sooner than all of them.
  const [newest] = useAnswer<LogResult>(isToday ? 'log' : null, { limit: 1 }, { state: null }).data?.commits ?? [];
  const isZoneKnown = useConfig().size > 0;
  const newestDay = newest === undefined || !isZoneKnown ? undefined : dayOf(newest.time, zone);
  const lastDay = (isKnown ? days.map((one) => one.day) : newestDay === undefined ? [] : [newestDay])
    .filter((one) => one <= asked)
    .at(-1);
  // A silent today shows the last day on which something happened.
  const isSilent = isToday && lastDay !== undefined && lastDay !== today;
  const day = isSilent ? lastDay : asked;
  const isTold = isKnown ? days.length > 0 : lastDay !== undefined;
  const known = useAnswer<PagedDiff>(isTold ? 'diff' : null, daySpan(day), { state: null, isPaged: true });
  const { before, after } = neighbours(days, day);
  if (isKnown && days.length === 0) return <Empty />;
  return (
    <>
      <h1>{longDay(day)}</h1>
      <p class="lead">
        {isSilent && <>Nothing came today. This is the last day on which something did. </>}
        {known.data !== undefined && sentenceOf(known.data)}
      </p>
      <div class="buttons">
        <Button
          keyName="before"
          isDisabled={before === undefined}
          onClick={() => before !== undefined && lookAt(before)}
        >
          {before === undefined ? 'first' : shortDay(before)}
        </Button>
        <Button keyName="after" isDisabled={after === undefined} onClick={() => after !== undefined && lookAt(after)}>
          {after === undefined ? 'last' : shortDay(after)}
        </Button>
        {!isExport && (
          <Button keyName="days" onClick={() => go(linkTo('days', `${dayPlus(day, -7)}..${day}`))}>
            The week before
          </Button>
        )}
      </div>
      {isToday && <Waits isAsked={known.data !== undefined} />}
      <Await known={known}>{(diff) => <ChangeList diff={diff} more={known.more} />}</Await>
    </>
  );
}

function Empty(): JSX.Element {
  return (
    <>
      <h1>Nothing yet</h1>
      <p class="lead">
        This memory is empty. What agents and people write appears here by itself: try{' '}
        <code>git memory remember "…"</code>.
      </p>
    </>
  );
}

/** What a person should look at, a few of it. */
function Waits({ isAsked }: { readonly isAsked: boolean }): JSX.Element | null {
  const knowledge = useAnswer<KnowledgeResult>(isAsked ? 'knowledge' : null, {}, { state: null });
  const conflicts = knowledge.data?.conflicts ?? [];
  const stale = (knowledge.data?.facts ?? []).filter(({ state }) => state === 'stale');
  // The day first: to compare what is known takes a moment in a large memory.
  const { cards, number: waiting } = useReview(knowledge.data !== undefined || knowledge.failure !== undefined);
  return (
    <>
      {waiting > 0 && <WaitingCards cards={cards} number={waiting} />}
      {conflicts.length + stale.length > 0 && <WaitingLines conflicts={conflicts} stale={stale} />}
    </>
  );
}

/** What the review asks about. */
function WaitingCards({
  cards,
  number,
}: {
  readonly cards: readonly ReviewCard[];
  readonly number: number;
}): JSX.Element {
  return (
    <Section
      title="Waits for you"
      number={number}
      aside={!isExport && <a href={linkTo('review', '', { at: null })}>Go through them, one by one</a>}
    >
      <ul class="rows">
        {cards.slice(0, 4).map((card) => (
          <Row
            key={keyOf(card)}
            sign="wait"
            margin={
              <>
                <b class={reasons[card.why].shade}>{reasons[card.why].words}</b>
                <div>{visible(card.because)}</div>
              </>
            }
          >
            <a href={placeOf(card, card) ?? linkTo('review')}>
              <Text text={card.content} />
            </a>
            {card.other !== undefined && (
              <div class="second">
                <Text text={card.other.content} />
              </div>
            )}
          </Row>
        ))}
      </ul>
    </Section>
  );
}

/** Lines of pages that a person mends there: no card of the review asks about them. */
function WaitingLines({
  conflicts,
  stale,
}: {
  readonly conflicts: KnowledgeResult['conflicts'];
  readonly stale: KnowledgeResult['facts'];
}): JSX.Element {
  return (
    <Section title="Lines of pages to look at" number={conflicts.length + stale.length}>
      <ul class="rows">
        {conflicts.slice(0, 3).map(({ sides: [one, other] }) => (
          <Row
            key={`${one.path}:${one.line}`}
            sign="wait"
            margin={
              <>
                <b class="closed">contradicts</b>
                <div>both are open</div>
              </>
            }
          >
            <a href={linkOfPath(one.path)}>
              <Text text={one.text} />
            </a>
            <div class="second">
              <Text text={other.text} />
            </div>
          </Row>
        ))}
        {stale.slice(0, 3).map((fact) => (
          <Row
            key={`${fact.path}:${fact.line}`}
            sign="wait"
            margin={
              <>
                <b class="wait">grows old</b>
                <div>{visible(fact.why)}</div>
              </>
            }
          >
            <a href={linkTo('page', fact.path)}>
              <Text text={fact.text} />
            </a>
          </Row>
        ))}
      </ul>
    </Section>
  );
}

export function DaysPage({ name }: { readonly name: string }): JSX.Element {
  const zone = useZone();
  const today = dayOf(Date.now(), zone);
  const [from = '', to = ''] = name.split('..');
  const pair =
    from === '' || to === '' ? ([dayPlus(at.value ?? today, -7), at.value ?? today] as const) : ([from, to] as const);
  const known = useAnswer<PagedDiff>(
    'diff',
    { from: `${pair[0]}..${pair[1]}`, stat: true },
    { state: null, isPaged: true },
  );
  const choose = (one: string, other: string) =>
    one !== '' && other !== '' && go(linkTo('days', one < other ? `${one}..${other}` : `${other}..${one}`));
  return (
    <>
      <h1>
        From {middleDay(pair[0])} to {middleDay(pair[1])}
      </h1>
      <p class="lead">{known.data !== undefined && sentenceOf(known.data)}</p>
      <div class="buttons">
        <label>
          Between the end of{' '}
          <input type="date" value={pair[0]} onChange={(event) => choose(event.currentTarget.value, pair[1])} />
        </label>
        <label>
          and the end of{' '}
          <input type="date" value={pair[1]} onChange={(event) => choose(pair[0], event.currentTarget.value)} />
        </label>
      </div>
      <Await known={known}>{(diff) => <ChangeList diff={diff} more={known.more} />}</Await>
    </>
  );
}
