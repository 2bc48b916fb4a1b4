// What pages are made of: words of the memory, rows with their margin, sections, the thread of days.

import { useSignal } from '@preact/signals';
import { Component, type ComponentChildren, type JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Changes, ClaimChange, ThreadDay } from '../src/apps/ui/changes.ts';
import { foldDiff } from '../src/apps/ui/changes.ts';
import type { PagedDiff, PagedLog, PageQuestion } from '../src/apps/ui/lists.ts';
import type { DiffFile, VerdictKind } from '../src/base/types.ts';
import { isExport } from './brought.ts';
import { type KeyName, keys, signOf } from './keys.ts';
import { act, at, type Failure, type Known, linkTo, lookAt, mayWrite, useAnswer } from './state.ts';
import { dayOf, dayPlus, daysBetween, longDay, middleDay, monthOf, shortDay, visible, wordChanges } from './words.ts';

export interface Shown {
  readonly id: string;
  readonly content: string;
  readonly category?: string;
  readonly subject?: string;
  readonly status: string;
  readonly score: number;
}

interface ConfigAnswer {
  readonly keys: readonly { readonly key: string; readonly value?: unknown }[];
}

/** Gives the configuration by key. */
export function useConfig(): ReadonlyMap<string, unknown> {
  const { data } = useAnswer<ConfigAnswer>('config', {}, { state: null });
  if (data === undefined) return nothingKnown;
  // Each row of a list asks for the time zone.
  let map = configurations.get(data);
  if (map === undefined) {
    map = new Map(data.keys.map(({ key, value }) => [key, value]));
    configurations.set(data, map);
  }
  return map;
}

const nothingKnown: ReadonlyMap<string, unknown> = new Map();
const configurations = new WeakMap<ConfigAnswer, ReadonlyMap<string, unknown>>();

/** The time zone of the memory, which decides what a day is. */
export function useZone(): string {
  return (useConfig().get('timezone') as string | undefined) ?? 'UTC';
}

/** The log: its days, who wrote and how, and of the commits, newest first, as many as were asked for. */
export function useLog(only: NonNullable<PageQuestion['only']> = {}): {
  readonly log: PagedLog | undefined;
  readonly days: readonly ThreadDay[];
  readonly isKnown: boolean;
  readonly more: (() => void) | undefined;
} {
  // Behind what the first view asks: it is large, and its days need the time zone.
  const isZoneKnown = useConfig().size > 0;
  const { data: log, more } = useAnswer<PagedLog>(
    isZoneKnown ? 'log' : null,
    { limit: 100_000 },
    { state: null, isPaged: true, only },
  );
  return { log, days: log?.days ?? none, isKnown: log !== undefined, more };
}

const none: readonly ThreadDay[] = [];

const mostCharacters = 6000;

/** Text of the memory: as text, in its own direction, cut where it is long. */
export function Text({ text }: { readonly text: string }): JSX.Element {
  const isWhole = useSignal(false);
  const isLong = text.length > mostCharacters && !isWhole.value;
  return (
    <bdi dir="auto">
      {visible(isLong ? text.slice(0, mostCharacters) : text)}
      {isLong && (
        <>
          {'… '}
          <button
            type="button"
            class="more"
            onClick={() => {
              isWhole.value = true;
            }}
          >
            show all {text.length.toLocaleString('en')} characters
          </button>
        </>
      )}
    </bdi>
  );
}

/** A text and how it was before: the words that changed, where enough is shared, else the old one and the new one. */
export function Rewording({ before, after }: { readonly before: string; readonly after: string }): JSX.Element {
  const stretches = wordChanges(before, after);
  if (stretches === null) {
    return (
      <>
        <del>
          <Text text={before} />
        </del>
        <br />
        <ins>
          <Text text={after} />
        </ins>
      </>
    );
  }
  return (
    <bdi dir="auto">
      {stretches.map(({ text, is }, index) =>
        is === 'same' ? (
          visible(text)
        ) : is === 'new' ? (
          <ins key={index}>{visible(text)}</ins>
        ) : (
          <del key={index}>{visible(text)}</del>
        ),
      )}
    </bdi>
  );
}

/** Says that an answer is on its way, or why there is none; else shows it. */
export function Await<T>({
  known,
  children,
  quiet = false,
}: {
  readonly known: Known<T>;
  readonly quiet?: boolean;
  readonly children: (data: T) => ComponentChildren;
}): JSX.Element | null {
  if (known.failure !== undefined) return quiet ? null : <Problem failure={known.failure} />;
  if (known.data === undefined)
    return quiet ? null : (
      <p class="wait-line" role="status">
        Reading the memory…
      </p>
    );
  return <>{children(known.data)}</>;
}

export function Problem({ failure }: { readonly failure: Failure }): JSX.Element {
  return (
    <p class="problem" role="alert">
      <Text text={failure.what} />
      {failure.hint !== undefined && (
        <span class="meta">
          {'. '}
          <Text text={failure.hint} />
        </span>
      )}
    </p>
  );
}

/** A part of a page with a heading. */
export function Section({
  title,
  number,
  aside,
  children,
  id,
}: {
  readonly title: string;
  readonly number?: number;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly id?: string;
}): JSX.Element {
  return (
    <section class="section" id={id}>
      <header>
        <h2>
          {title} {number !== undefined && <span class="number">{number}</span>}
        </h2>
        {aside !== undefined && <span class="aside">{aside}</span>}
      </header>
      {children}
    </section>
  );
}

const signs = {
  came: ['+', 'came'],
  changed: ['~', 'changed'],
  closed: ['×', 'closed'],
  gone: ['−', 'forgotten'],
  back: ['↺', 'back'],
  used: ['·', 'used'],
  wait: ['?', 'waits'],
  none: ['', ''],
} as const;

export type Sign = keyof typeof signs;

/** Words in the column of text, and who, when, why in the margin beside them. */
export function Row({
  sign = 'none',
  children,
  margin,
}: {
  readonly sign?: Sign;
  readonly children: ComponentChildren;
  readonly margin?: ComponentChildren;
}): JSX.Element {
  const [mark, word] = signs[sign];
  return (
    <li class="row">
      <span class={`sign ${sign}`}>
        <span aria-hidden="true">{mark}</span>
        {word !== '' && <span class="unseen">{word}: </span>}
      </span>
      <div class="words">{children}</div>
      <div class="margin">{margin}</div>
    </li>
  );
}

const firstRows = 20;
/** About how high a row is, where it has not been laid out yet. */
const rowPixels = 47;

interface ChunkProps<T> {
  readonly items: readonly T[];
  readonly from: number;
  readonly row: (item: T, index: number) => JSX.Element;
}

/** Some rows of a list, which are neither made again when more come behind them nor laid out while they are out of sight. */
class Chunk<T> extends Component<ChunkProps<T>> {
  override shouldComponentUpdate({ items }: ChunkProps<T>): boolean {
    return items !== this.props.items;
  }

  override render({ items, from, row }: ChunkProps<T>): JSX.Element {
    const some = items.slice(from, from + firstRows);
    return (
      <ul class="rows" style={{ containIntrinsicSize: `auto ${some.length * rowPixels}px` }}>
        {some.map((item, index) => row(item, from + index))}
      </ul>
    );
  }
}

/** The end of what is here: more comes when it comes near, or is asked for. */
export function More({ more }: { readonly more: (() => void) | undefined }): JSX.Element | null {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (end.current === null || more === undefined) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) more();
      },
      { rootMargin: '600px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  });
  return more === undefined ? null : (
    <div ref={end} class="meta more-rows">
      <button type="button" class="more" onClick={more}>
        More
      </button>
    </div>
  );
}

/** A list of which as much is made as is looked at: more rows come when its end comes near. */
export function Rows<T>({
  items,
  children,
}: {
  readonly items: readonly T[];
  readonly children: (item: T, index: number) => JSX.Element;
}): JSX.Element {
  const shown = useSignal(firstRows);
  const end = useRef<HTMLDivElement>(null);
  const isMore = items.length > shown.value;
  useEffect(() => {
    if (end.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) shown.value += firstRows;
      },
      { rootMargin: '600px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isMore, shown.value]);
  return (
    <>
      {Array.from({ length: Math.ceil(Math.min(shown.value, items.length) / firstRows) }, (_, number) => (
        <Chunk key={number} items={items} from={number * firstRows} row={children} />
      ))}
      {isMore && (
        <div ref={end} class="meta more-rows">
          <button
            type="button"
            class="more"
            onClick={() => {
              shown.value += firstRows;
            }}
          >
            {(items.length - shown.value).toLocaleString('en')} more
          </button>
        </div>
      )}
    </>
  );
}

/** `desk, 26 Oct`, from the path of a conversation. */
export function talkName(path: string): string {
  const [, year, month, day, file = ''] = /(\d{4})\/(\d\d)\/(\d\d)\/([^/]+)\.md$/.exec(path) ?? [];
  const name = /^\d{4}-.+?-(.+)$/.exec(file)?.[1] ?? (file || path.split('/').at(-1)!.replace(/\.md$/, ''));
  return year === undefined ? name : `${name.replaceAll('-', ' ')}, ${shortDay(`${year}-${month}-${day}`)}`;
}

export function pageName(path: string): string {
  return path.replace(/^knowledge\//, '').replace(/\.md$/, '');
}

/** Where a claim was said. */
export function SourceLink({
  source,
}: {
  readonly source: { readonly path: string; readonly turn?: number };
}): JSX.Element {
  const turn = source.turn === undefined ? '' : `, turn ${source.turn}`;
  // A copy has the turns of its claims, and no conversation.
  if (isExport && source.path.startsWith('raw/'))
    return (
      <>
        {visible(talkName(source.path))}
        {turn}
      </>
    );
  if (!source.path.startsWith('raw/'))
    return <a href={linkTo('page', source.path)}>{visible(pageName(source.path))}</a>;
  return (
    <a href={linkTo('talk', source.path, { turn: source.turn?.toString() })}>
      {visible(talkName(source.path))}
      {turn}
    </a>
  );
}

/** Where something is shown: a claim, a page, a conversation. */
export function linkOfPath(path: string, turn?: number): string {
  const id = /^memories\/(?:[0-9a-f]{2}\/)?([^/]+)\.json$/.exec(path)?.[1];
  if (id !== undefined) return linkTo('claim', id);
  return path.startsWith('raw/') ? linkTo('talk', path, { turn: turn?.toString() }) : linkTo('page', path);
}

/** A short line that says how strong something is, with the number for those who cannot see it. */
export function Strength({ score }: { readonly score: number }): JSX.Element {
  return (
    <span
      class="strength"
      role="img"
      aria-label={`strength ${score.toFixed(2)}`}
      title={`strength ${score.toFixed(2)}`}
    >
      <i style={{ width: `${Math.round(Math.min(1, score) * 100)}%` }} />
    </span>
  );
}

function ClaimMargin({ claim }: { readonly claim: ClaimChange }): JSX.Element {
  const zone = useZone();
  const facts = [claim.subject, claim.category].filter((word) => word !== undefined);
  const source = claim.sources[0];
  return (
    <>
      {facts.length > 0 && <div>{visible(facts.join(' · '))}</div>}
      {claim.due !== undefined && <div>due {middleDay(claim.due)}</div>}
      {claim.kind === 'closed' && claim.until !== undefined && (
        <div>held until {middleDay(dayOf(claim.until * 1000, zone))}</div>
      )}
      {source !== undefined && (
        <div>
          said in <SourceLink source={source} />
        </div>
      )}
    </>
  );
}

/** The words of a claim as they stood in a state, for changes that do not carry them. */
function WordsOf({ id, state }: { readonly id: string; readonly state: string | null }): JSX.Element {
  const known = useAnswer<Shown>('show', { what: id }, { state });
  return known.data === undefined ? <span class="meta">{id.slice(0, 12)}</span> : <Text text={known.data.content} />;
}

function ClaimRow({
  claim,
  state,
}: {
  readonly claim: ClaimChange & { readonly by?: ClaimChange };
  readonly state: string | null;
}): JSX.Element {
  const words = claim.words ?? claim.wordsBefore;
  const old = words === undefined ? <WordsOf id={claim.id} state={state} /> : <Text text={words} />;
  if (claim.kind === 'changed' && claim.wordsBefore !== undefined && claim.words !== undefined) {
    return (
      <Row sign="changed" margin={<ClaimMargin claim={claim} />}>
        <a href={linkTo('claim', claim.id)}>
          <Rewording before={claim.wordsBefore} after={claim.words} />
        </a>
      </Row>
    );
  }
  return (
    <Row
      sign={claim.kind}
      margin={
        <>
          <ClaimMargin claim={claim.by ?? claim} />
          {claim.by !== undefined && <div class="meta">in place of what was known</div>}
        </>
      }
    >
      <a href={linkTo('claim', claim.id)}>
        {claim.kind === 'closed' || claim.kind === 'gone' ? <del>{old}</del> : old}
      </a>
      {claim.by?.words !== undefined && (
        <div>
          <a href={linkTo('claim', claim.by.id)}>
            <ins>
              <Text text={claim.by.words} />
            </ins>
          </a>
        </div>
      )}
      {claim.by === undefined && claim.kind === 'closed' && claim.replacedBy !== undefined && (
        <div>
          <a href={linkTo('claim', claim.replacedBy)}>
            <ins>
              <WordsOf id={claim.replacedBy} state={state} />
            </ins>
          </a>
        </div>
      )}
    </Row>
  );
}

function FileRow({ file, talk = false }: { readonly file: DiffFile; readonly talk?: boolean }): JSX.Element {
  const lines = [file.added > 0 ? `${file.added} lines came` : '', file.removed > 0 ? `${file.removed} went` : ''];
  const sign = file.change === 'added' ? 'came' : file.change === 'removed' ? 'gone' : 'changed';
  return (
    <Row sign={sign} margin={<span>{lines.filter((text) => text !== '').join(', ')}</span>}>
      <a href={linkOfPath(file.path)}>{visible(talk ? talkName(file.path) : pageName(file.path))}</a>
    </Row>
  );
}

/** Everything that happened between two states, by claim. `state` is the later one. */
export function ChangeList({
  diff,
  more,
}: {
  readonly diff: PagedDiff;
  /** Brings the next page of it. */
  readonly more: (() => void) | undefined;
}): JSX.Element {
  const changes: Changes = useMemo(() => foldDiff(diff), [diff]);
  const { counts, to: state } = diff;
  const sections: readonly (readonly [string, readonly ClaimChange[], number])[] = [
    ['Closed by something newer', changes.closed, counts.closed],
    ['Came', changes.came, counts.came],
    ['Changed', changes.changed, counts.changed],
    ['Came back', changes.back, counts.back],
    ['Forgotten', changes.gone, counts.gone],
  ];
  return (
    <>
      {sections.map(([title, claims, number]) =>
        claims.length === 0 ? null : (
          <Section key={title} title={title} number={number}>
            <Rows items={claims}>{(claim) => <ClaimRow key={claim.id} claim={claim} state={state} />}</Rows>
          </Section>
        ),
      )}
      {changes.pages.length > 0 && (
        <Section title="Pages" number={counts.pages}>
          <Rows items={changes.pages}>{(file) => <FileRow key={file.path} file={file} />}</Rows>
        </Section>
      )}
      {changes.talks.length > 0 && (
        <Section title="Conversations" number={counts.talks}>
          <Rows items={changes.talks}>{(file) => <FileRow key={file.path} file={file} talk />}</Rows>
        </Section>
      )}
      {changes.used.length > 0 && (
        <details class="quiet">
          <summary>{counts.used} used or weighed anew</summary>
          <Rows items={changes.used}>{(claim) => <ClaimRow key={claim.id} claim={claim} state={state} />}</Rows>
        </details>
      )}
      <More more={more} />
    </>
  );
}

/** A button with its key beside it. Where the page only reads, what writes is not there. */
export function Button({
  onClick,
  keyName,
  children,
  isMain = false,
  isDisabled = false,
  writes = keyName !== undefined && keys[keyName].writes === true,
}: {
  readonly onClick: () => void;
  readonly keyName?: KeyName;
  readonly children: ComponentChildren;
  readonly isMain?: boolean;
  readonly isDisabled?: boolean;
  readonly writes?: boolean;
}): JSX.Element | null {
  if (writes && !mayWrite.value) return null;
  return (
    <button
      type="button"
      class={isMain ? 'button main' : 'button'}
      onClick={onClick}
      disabled={isDisabled}
      data-key={keyName === undefined ? undefined : keys[keyName].key}
    >
      {children}
      {keyName !== undefined && (
        <span class="key" aria-hidden="true">
          {signOf(keyName)}
        </span>
      )}
    </button>
  );
}

/** A form for other words. */
export function Reword({
  words,
  onWrite,
  onLeave,
}: {
  readonly words: string;
  readonly onWrite: (words: string) => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const text = useSignal(words);
  return (
    <form
      class="reword"
      onSubmit={(event) => {
        event.preventDefault();
        onWrite(text.value.trim());
      }}
      onKeyDown={(event) => event.key === 'Escape' && onLeave()}
    >
      <label for="new-words">New words</label>
      <textarea
        id="new-words"
        rows={3}
        value={text.value}
        ref={(element) => element?.focus()}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <div class="buttons">
        <button type="submit" class="button main" disabled={['', words].includes(text.value.trim())}>
          Write
        </button>
        <Button onClick={onLeave}>Leave it</Button>
      </div>
    </form>
  );
}

/** What a verdict is called when it is done. */
export const verdictDone: Readonly<Record<VerdictKind, string>> = {
  keep: 'Kept: it is stronger now.',
  edit: 'Worded anew; the old words stay in history.',
  merge: 'Merged into one.',
  close: 'Closed: it no longer holds.',
  forget: 'Forgotten; history keeps it.',
};

/** Decides about a claim, in one commit. */
export function judge(verdict: VerdictKind, id: string, more: { other?: string; content?: string } = {}) {
  return act('review', { action: verdict, id, ...more }, verdictDone[verdict]);
}

/** Takes an operation back, and says so. */
export function takeBack(commit: string): Promise<unknown> {
  return act('undo', { revision: commit }, 'Taken back.');
}

const height = 44;
const base = 30;

/** The strip of all days, which is a slider. */
export function Thread(): JSX.Element {
  const { days, isKnown } = useLog();
  const zone = useZone();
  const today = dayOf(Date.now(), zone);
  const first = days[0]?.day ?? today;
  const last = (days.at(-1)?.day ?? today) > today ? days.at(-1)!.day : today;
  const count = Math.max(1, daysBetween(first, last) + 1);
  const drawing = useMemo(() => {
    const most = Math.max(1, ...days.map(({ up, down }) => Math.max(up, down)));
    const size = (number: number) => (number === 0 ? 0 : 4 + 22 * Math.sqrt(number / most));
    const bar = (day: string, length: number) => `M${daysBetween(first, day) + 0.5} ${base}v${-length}`;
    const up = days
      .map(({ day, up: number, commits }) => bar(day, Math.max(size(number), commits > 0 ? 1.5 : 0)))
      .join('');
    const down = days
      .filter((one) => one.down > 0)
      .map(({ day, down: number }) => bar(day, -Math.min(13, size(number) * 0.6)))
      .join('');
    const months: { day: string; x: number }[] = [];
    for (let day = `${first.slice(0, 8)}01`; day <= last; day = `${dayPlus(day, 32).slice(0, 8)}01`) {
      if (day > first) months.push({ day, x: daysBetween(first, day) / count });
    }
    const step = Math.ceil(months.length / 12);
    return { up, down, months: months.filter((_, index) => index % step === 0) };
  }, [days, first, last, count]);
  const index = at.value === null ? count : Math.max(0, Math.min(count - 1, daysBetween(first, at.value)));
  const share = Math.min(1, (index + 0.5) / count);
  return (
    <div class="thread" data-known={isKnown}>
      <svg viewBox={`0 0 ${count} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="line" d={`M0 ${base}H${count}`} />
        <path class="up" d={drawing.up} />
        <path class="down" d={drawing.down} />
        {at.value !== null && (
          <rect class="after" x={index + 1} y="0" width={Math.max(0, count - index - 1)} height={height} />
        )}
        <path class="here" d={`M${share * count} 2V${height - 2}`} />
      </svg>
      <div class="months" aria-hidden="true">
        {drawing.months.map(({ day, x }) => (
          <span key={day} style={{ left: `${x * 100}%` }}>
            {monthOf(day)}
          </span>
        ))}
      </div>
      <input
        type="range"
        min={0}
        max={count}
        value={index}
        aria-label="The day that is looked at"
        aria-valuetext={at.value === null ? 'now' : longDay(at.value)}
        onInput={(event) => {
          const value = Number(event.currentTarget.value);
          lookAt(value >= count ? null : dayPlus(first, value));
        }}
      />
    </div>
  );
}
