// A question: what is found now or on any day, why each hit stands where it stands, and when the answer turned.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RecallHit, RecallResult } from '../../src/base/types.ts';
import { isExport } from '../brought.ts';
import { Await, Button, linkOfPath, pageName, Section, Text, talkName, useLog, useZone } from '../parts.tsx';
import { at, go, linkTo, lookAt, tick, useAnswer } from '../state.ts';
import { askThrough, keyOf, type Through } from '../through.ts';
import { clockOf, dayOf, many, middleDay, shortDay, visible } from '../words.ts';

const partNames: Readonly<Record<string, string>> = {
  confidence: 'answers, probably',
  lexical: 'words',
  vector: 'meaning',
  session: 'its conversation',
  recency: 'how recent',
  use: 'strength and use',
  coverage: 'words it holds',
  unsaid: 'words nobody said',
  cosine: 'likeness',
};

export function SearchPage({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const asked = query.get('q') ?? '';
  const field = useRef<HTMLInputElement>(null);
  const known = useAnswer<RecallResult>(asked === '' ? null : 'recall', { query: asked, limit: 20 });
  useEffect(() => {
    if (field.current !== null && field.current.value !== asked) field.current.value = asked;
    if (asked === '') field.current?.focus();
  }, [asked]);
  return (
    <>
      <h1 class="unseen">Search</h1>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          go(linkTo('search', '', { q: field.current?.value.trim() }));
        }}
      >
        <label class="unseen" for="question">
          What do you want to know?
        </label>
        <input
          id="question"
          class="question"
          ref={field}
          type="search"
          autocomplete="off"
          placeholder="What do you want to know?"
          defaultValue={asked}
        />
      </form>
      {asked === '' ? (
        <p class="lead">
          Ask in words. {!isExport && 'Move the thread above to ask the same question on any other day.'}
        </p>
      ) : (
        <Await known={known}>
          {(result) => (
            <>
              <Best result={result} day={known.state} />
              {!isExport && <Time query={asked} />}
              <Section
                title={known.state === null ? 'What is found' : `What was found on ${middleDay(known.state)}`}
                number={result.hits.length}
              >
                {result.hits.length === 0 && <p class="meta">Nothing.</p>}
                <ol class="hits">
                  {result.hits.map((hit, index) => (
                    <Hit key={keyOf(hit)} hit={hit} number={index + 1} />
                  ))}
                </ol>
                {(result.hints ?? []).map((hint) => (
                  <p key={hint} class="meta">
                    <Text text={hint} />
                  </p>
                ))}
                {result.embedderNote !== undefined && (
                  <p class="meta">
                    <Text text={result.embedderNote} />
                  </p>
                )}
              </Section>
            </>
          )}
        </Await>
      )}
    </>
  );
}

function Best({ result, day }: { readonly result: RecallResult; readonly day: string | null }): JSX.Element {
  const [first] = result.hits;
  const when = day === null ? 'Now' : `On ${middleDay(day)}`;
  if (first === undefined) return <p class="lead">{when} nothing is found.</p>;
  return (
    <p class="lead">
      {result.probablyNothing
        ? `${when} probably nothing answers that. This comes nearest:`
        : `${when} this comes first:`}{' '}
      <a href={linkOfPath(first.path, first.turn)}>
        <b>
          <Text text={shortened(first.snippet)} />
        </b>
      </a>
    </p>
  );
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 180 ? `${line.slice(0, 179)}…` : line;
}

function whereOf(hit: RecallHit): string {
  if (hit.path.startsWith('raw/')) return talkName(hit.path);
  return hit.id === undefined ? pageName(hit.path) : (hit.category ?? 'claim');
}

function Hit({ hit, number }: { readonly hit: RecallHit; readonly number: number }): JSX.Element {
  const zone = useZone();
  return (
    <li class="hit">
      <span class="rank" aria-hidden="true">
        {number}
      </span>
      <div class="words">
        <a href={linkOfPath(hit.path, hit.turn)}>
          <Marked hit={hit} />
        </a>
        <div class="meta">
          {[hit.speaker ?? hit.role, whereOf(hit)]
            .filter((word) => word !== undefined)
            .map((word) => visible(word))
            .join(', ')}
          {hit.time !== undefined && (
            <>
              , {middleDay(dayOf(hit.time, zone))} {clockOf(hit.time, zone)}
            </>
          )}
          {hit.commit === null ? (
            !isExport && <>, not committed yet</>
          ) : (
            <>
              ,{' '}
              <a href={linkTo('operation', hit.commit)}>
                <code>{hit.commit.slice(0, 7)}</code>
              </a>
            </>
          )}
          {(hit.from !== undefined || hit.until !== undefined || hit.replacedBy !== undefined) && (
            <div class="closed">
              {holding(hit, at.value ?? dayOf(Date.now(), zone))}
              {hit.replacedBy !== undefined && (
                <>
                  ; <a href={linkOfReplacement(hit.replacedBy)}>what took its place</a>
                </>
              )}
            </div>
          )}
          {(hit.stale ?? []).map((one) => (
            <div key={one.line} class="wait">
              {one.state}: line {one.line}
            </div>
          ))}
        </div>
      </div>
      <div class="margin">
        <Parts hit={hit} />
      </div>
    </li>
  );
}

/** Until when it held, or on which days it will. */
function holding({ from, until }: RecallHit, today: string): string {
  if (from === undefined && until === undefined) return 'holds no more';
  const words = [
    ...(from === undefined ? [] : [`from ${middleDay(from)}`]),
    ...(until === undefined ? [] : [`until ${middleDay(until)}`]),
  ];
  return `${from === undefined && until! <= today ? 'held' : 'holds'} ${words.join(' ')}`;
}

function linkOfReplacement(name: string): string {
  const [path = '', turn] = name.split('#');
  return turn === undefined ? linkTo('claim', path) : linkOfPath(path, Number(turn));
}

/** The snippet with the words of the question marked. */
function Marked({ hit }: { readonly hit: RecallHit }): JSX.Element {
  if (hit.snippet.length > 4000) return <Text text={hit.snippet} />;
  const pieces: JSX.Element[] = [];
  let end = 0;
  for (const [from, to] of hit.highlights) {
    if (from < end || to > hit.snippet.length) continue;
    pieces.push(
      <span key={end}>{visible(hit.snippet.slice(end, from))}</span>,
      <mark key={`m${from}`}>{visible(hit.snippet.slice(from, to))}</mark>,
    );
    end = to;
  }
  return (
    <bdi dir="auto">
      {pieces}
      {visible(hit.snippet.slice(end))}
    </bdi>
  );
}

/** How probably it answers, and why it stands where it stands. */
function Parts({ hit: { confidence, score, parts } }: { readonly hit: RecallHit }): JSX.Element {
  const figures = confidence === undefined ? parts : { confidence, ...parts };
  return (
    <dl class="parts" aria-label={`${(confidence ?? score).toFixed(2)}, and why`}>
      {Object.entries(figures).map(([name, value]) => (
        <div key={name}>
          <dt>{visible(partNames[name] ?? name)}</dt>
          <dd>
            <span class="bar" aria-hidden="true">
              <i style={{ width: `${Math.max(0, Math.min(1, value)) * 100}%` }} />
            </span>
            <span>{value.toFixed(2)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const mostLanes = 5;
const stepMs = 140;

/** Answers through time: a band for each, thick where it stood first. */
function Time({ query }: { readonly query: string }): JSX.Element | null {
  const { days } = useLog();
  const through = useSignal<Through | null>(null);
  const isPlaying = useSignal(false);
  const names = days.map(({ day }) => day);
  const key = names.join();
  const now = tick.value;
  useEffect(() => {
    through.value = null;
    const controller = new AbortController();
    void askThrough(query, names, now, controller.signal, (known) => {
      through.value = known;
    }).catch(() => undefined);
    return () => controller.abort();
  }, [query, key]);
  useEffect(() => {
    if (!isPlaying.value) return undefined;
    let index =
      at.peek() === null
        ? 0
        : Math.max(
            0,
            names.findIndex((day) => day >= at.peek()!),
          );
    const timer = setInterval(() => {
      index += 1;
      if (index >= names.length) isPlaying.value = false;
      lookAt(index >= names.length ? null : names[index]!);
    }, stepMs);
    return () => clearInterval(timer);
  }, [isPlaying.value, key]);
  const known = through.value;
  if (known === null || names.length < 2) return null;
  const turns = turningDays(known, names);
  const lanes = lanesOf(known).slice(0, mostLanes);
  const here = at.value === null ? names.length - 1 : names.findLastIndex((day) => day <= at.value!);
  const play = () => {
    if (!isPlaying.value && at.peek() === null) lookAt(names[0]!);
    isPlaying.value = !isPlaying.value;
  };
  return (
    <Section
      title="Through time"
      aside={
        known.isDone
          ? turns.length === 0
            ? 'the answer never turned'
            : `the answer turned ${turns.length === 1 ? 'once' : turns.length === 2 ? 'twice' : many(turns.length, 'time')}`
          : 'asking…'
      }
    >
      <div class="buttons turns">
        <Button keyName="play" isMain onClick={play}>
          {isPlaying.value ? 'Stop' : 'Play'}
        </Button>
        {turns.slice(-6).map((day) => (
          <button
            type="button"
            key={day}
            class={day === at.value ? 'button on' : 'button'}
            aria-pressed={day === at.value}
            onClick={() => lookAt(day)}
          >
            {shortDay(day)}
          </button>
        ))}
      </div>
      <ul class="lanes">
        {lanes.map(({ hit, key: name, days: held }) => (
          <li key={name} class={known.answers[here]?.includes(name) ? 'lane' : 'lane off'}>
            <svg viewBox={`0 0 ${names.length} 20`} preserveAspectRatio="none" aria-hidden="true">
              {held.map(({ from, to, rank }) => (
                <rect
                  key={from}
                  class={rank === 0 ? 'first' : ''}
                  x={from}
                  width={to - from + 1}
                  y={3 + rank * 3}
                  height={14 - rank * 6}
                />
              ))}
              <path class="here" d={`M${here + 0.5} 0V20`} />
            </svg>
            <a href={linkOfPath(hit.path, hit.turn)}>
              <Text text={shortened(hit.snippet)} />
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Days on which another hit came first. */
function turningDays({ answers }: Through, days: readonly string[]): string[] {
  const turns: string[] = [];
  let last: string | undefined;
  answers.forEach((answer, index) => {
    if (answer === undefined) return;
    if (index > 0 && answer[0] !== last) turns.push(days[index]!);
    last = answer[0];
  });
  return turns;
}

interface Lane {
  readonly key: string;
  readonly hit: RecallHit;
  readonly weight: number;
  /** Runs of days at one rank, as indexes. */
  readonly days: { from: number; to: number; readonly rank: number }[];
}

/** What was an answer, the longest at the top first. */
function lanesOf({ answers, hits }: Through): readonly Lane[] {
  const lanes = new Map<string, { days: Lane['days']; weight: number }>();
  answers.forEach((answer, index) => {
    answer?.forEach((key, rank) => {
      let lane = lanes.get(key);
      if (lane === undefined) {
        lane = { days: [], weight: 0 };
        lanes.set(key, lane);
      }
      lane.weight += 1 / (1 + rank * 2);
      const run = lane.days.at(-1);
      if (run !== undefined && run.rank === rank && run.to === index - 1) run.to = index;
      else lane.days.push({ from: index, to: index, rank });
    });
  });
  return [...lanes].map(([key, lane]) => ({ key, hit: hits.get(key)!, ...lane })).sort((a, b) => b.weight - a.weight);
}
