// Today, a day, and two days: what came, changed, closed and went, by claim, and what waits for a person.

import type { JSX } from 'preact';
import type { DiffResult, DueResult, KnowledgeResult, QuarantineListResult } from '../../src/types.ts';
import { countChanges, foldDiff, type ThreadDay } from '../changes.ts';
import { Await, Button, ChangeList, linkOfPath, Row, Rows, Section, Text, useLog, useZone } from '../parts.tsx';
import { at, go, isExport, linkTo, lookAt, useAnswer } from '../state.ts';
import { capital, dayOf, dayPlus, listed, longDay, many, middleDay, shortDay, visible } from '../words.ts';

/** What the states are called that a day lies between. */
export function questionOfDay(day: string): { readonly from: string; readonly stat: true } {
  return { from: `${dayPlus(day, -1)}..${day}`, stat: true };
}

const sentenceParts = {
  came: (number: number) => `${many(number, 'claim')} came`,
  closed: (number: number) => `${many(number, 'was', 'were').replace(/ (was|were)$/, ' $1')} closed by something newer`,
  changed: (number: number) => `${many(number, 'was changed', 'were changed')}`,
  gone: (number: number) => `${many(number, 'was forgotten', 'were forgotten')}`,
  back: (number: number) => `${many(number, 'came back', 'came back')}`,
  pages: (number: number) => `${many(number, 'page')} changed`,
  talks: (number: number) => `${many(number, 'conversation')} was held`.replace(/s was held$/, 's were held'),
  used: () => '',
};

function sentenceOf(diff: DiffResult): string {
  const parts = countChanges(foldDiff(diff)).map(({ number, kind }) => sentenceParts[kind](number));
  return parts.length === 0 ? 'Nothing came, and nothing went.' : `${capital(listed(parts))}.`;
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
  // A silent today shows the last day on which something happened.
  const lastDay = days.filter((one) => one.day <= asked).at(-1)?.day;
  const isSilent = isKnown && name === '' && at.value === null && lastDay !== undefined && lastDay !== today;
  const day = isSilent ? lastDay : asked;
  const isToday = name === '' && at.value === null;
  const known = useAnswer<DiffResult>(isKnown && days.length > 0 ? 'diff' : null, questionOfDay(day), { state: null });
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
        <Button keyName="[" isDisabled={before === undefined} onClick={() => before !== undefined && lookAt(before)}>
          {before === undefined ? 'first' : shortDay(before)}
        </Button>
        <Button keyName="]" isDisabled={after === undefined} onClick={() => after !== undefined && lookAt(after)}>
          {after === undefined ? 'last' : shortDay(after)}
        </Button>
        {!isExport && (
          <Button keyName="d" onClick={() => go(linkTo('days', `${dayPlus(day, -7)}..${day}`))}>
            The week before
          </Button>
        )}
      </div>
      {isToday && <Waits />}
      <Await known={known}>{(diff) => <ChangeList changes={foldDiff(diff)} state={diff.to} />}</Await>
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

/** What a person should look at, a few of each. */
function Waits(): JSX.Element | null {
  const quarantine = useAnswer<QuarantineListResult>('quarantine', {}, { state: null });
  const knowledge = useAnswer<KnowledgeResult>('knowledge', {}, { state: null });
  const due = useAnswer<DueResult>('due', { limit: 50 }, { state: null });
  const waiting = quarantine.data?.quarantined ?? [];
  const conflicts = knowledge.data?.conflicts ?? [];
  const stale = (knowledge.data?.facts ?? []).filter(({ state }) => state === 'stale');
  const fading = due.data?.memories ?? [];
  const number = waiting.length + conflicts.length + stale.length + fading.length;
  if (number === 0) return null;
  return (
    <Section title="Waits for you" number={number}>
      <ul class="rows">
        {waiting.slice(0, 3).map((entry) => (
          <Row
            key={entry.name}
            sign="wait"
            margin={
              <>
                <b class="gone">low trust</b>
                <div>{many(entry.memories.length, 'claim')} would come</div>
              </>
            }
          >
            <Text text={entry.captures[0]?.topic ?? entry.captures[0]?.turns[0]?.text ?? entry.name} />
          </Row>
        ))}
        {conflicts.slice(0, 3).map(({ sides: [one, other], differ }) => (
          <Row
            key={`${one.path}:${one.line}`}
            sign="wait"
            margin={
              <>
                <b class="closed">contradicts</b>
                <div>they differ in {differ}</div>
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
        {fading.slice(0, 3).map((memory) => (
          <Row
            key={memory.id}
            sign="wait"
            margin={
              <>
                <b class="wait">fades</b>
                <div>strength {memory.score.toFixed(2)}</div>
              </>
            }
          >
            <a href={linkTo('claim', memory.id)}>
              <Text text={memory.content} />
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
  const known = useAnswer<DiffResult>('diff', { from: `${pair[0]}..${pair[1]}`, stat: true }, { state: null });
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
      <Await known={known}>{(diff) => <ChangeList changes={foldDiff(diff)} state={diff.to} />}</Await>
    </>
  );
}

/** The days of a memory, as a list to choose from. */
export function AllDays(): JSX.Element {
  const { days } = useLog();
  return (
    <Section title="Days" number={days.length}>
      <Rows items={[...days].reverse()}>
        {({ day, commits }) => (
          <Row key={day} margin={many(commits, 'operation')}>
            <a href={linkTo('day', day)}>{longDay(day)}</a>
          </Row>
        )}
      </Rows>
    </Section>
  );
}
