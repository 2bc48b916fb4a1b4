// The frame around every page: the thread of days, the ways to other pages, keys, what was said last; and which page an address means.

import { useSignal } from '@preact/signals';
import { type JSX, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { StatusResult } from '../src/base/types.ts';
import { isExport, unpack } from './brought.ts';
import { frameKey, type KeyName, keys, signOf } from './keys.ts';
import { ClaimPage } from './pages/claim.tsx';
import { ContextPage } from './pages/context.tsx';
import { DayPage, DaysPage } from './pages/day.tsx';
import { PagePage, PagesPage } from './pages/knowledge.tsx';
import { OperationPage, OperationsPage } from './pages/operations.tsx';
import { ReviewPage } from './pages/review.tsx';
import { SearchPage } from './pages/search.tsx';
import { TalkPage } from './pages/talk.tsx';
import { Button, Thread, takeBack, useConfig, useLog, useZone } from './parts.tsx';
import {
  at,
  follow,
  go,
  isLive,
  isTokenWrong,
  linkTo,
  lookAt,
  mayWrite,
  route,
  said,
  shade,
  takeFirst,
  turnTheme,
  useAnswer,
} from './state.ts';
import { dayOf, longDay, middleDay, visible } from './words.ts';

/** What a copy in one file does not hold. */
const liveOnly: readonly string[] = ['days', 'context', 'review'];

/** Pages that belong to a place. */
const within: Readonly<Record<string, string>> = { day: 'today', page: 'pages', operation: 'operations' };
const places = (Object.keys(keys) as KeyName[]).flatMap((name) => {
  const { page, what: title } = keys[name];
  return page === undefined || (isExport && liveOnly.includes(page)) ? [] : [{ name, page, title }];
});

function Page(): JSX.Element {
  const { page, name, query } = route.value;
  switch (page) {
    case 'today':
      return <DayPage name="" />;
    case 'day':
      return <DayPage name={name} />;
    case 'days':
      return <DaysPage name={name} />;
    case 'claim':
      return <ClaimPage key={name} name={name} />;
    case 'talk':
      return <TalkPage name={name} query={query} />;
    case 'search':
      return <SearchPage query={query} />;
    case 'pages':
      return <PagesPage />;
    case 'page':
      return <PagePage name={name} />;
    case 'context':
      return <ContextPage query={query} />;
    case 'review':
      return <ReviewPage />;
    case 'operations':
      return <OperationsPage query={query} />;
    case 'operation':
      return <OperationPage name={name} />;
    default:
      return (
        <>
          <h1>There is no such page</h1>
          <p class="lead">
            <a href={linkTo('today')}>Today</a> is always there.
          </p>
        </>
      );
  }
}

/** What a key does where nobody writes. */
function press(event: KeyboardEvent, showKeys: () => void, days: readonly string[], today: string): void {
  const target = event.target as HTMLElement;
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    target.closest('input:not([type=range]), textarea, select, [contenteditable], dialog') ||
    (event.key.startsWith('Arrow') && target.closest('input'))
  ) {
    if (event.key === 'Escape') target.blur();
    return;
  }
  const button = [...document.querySelectorAll<HTMLButtonElement>('main button[data-key]')].find(
    (one) => one.dataset.key === event.key && !one.disabled,
  );
  const name = frameKey(event.key);
  const place = places.find((one) => one.name === name);
  const handlers: Readonly<Partial<Record<KeyName, () => void>>> = {
    now: () => lookAt(null),
    before: () => lookAt(days.filter((day) => day < (at.peek() ?? today)).at(-1) ?? at.peek()),
    after: () => lookAt(days.find((day) => day > (at.peek() ?? today)) ?? null),
    theme: turnTheme,
    ...(said.peek()?.commit ? { undo: () => void takeBack(said.peek()!.commit!) } : {}),
    keys: showKeys,
    down: () => step(1),
    up: () => step(-1),
  };
  const handle = name === undefined || (keys[name].writes && !mayWrite.peek()) ? undefined : handlers[name];
  if (button !== undefined) button.click();
  else if (place !== undefined) go(linkTo(place.page));
  else if (handle !== undefined) handle();
  else return;
  event.preventDefault();
}

/** The keys of this page, for the list of them. */
function listedKeys(): readonly KeyName[] {
  const shown = new Set(places.map(({ name }) => name));
  return (Object.keys(keys) as KeyName[]).filter((name) =>
    keys[name].page === undefined ? mayWrite.value || !keys[name].writes : shown.has(name),
  );
}

/** Moves the focus to the next row, or the one before. */
function step(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('main .row a, main .hit .words > a')].filter(
    (link, index, all) => link.closest('li') !== all[index - 1]?.closest('li'),
  );
  const here = links.findIndex((link) => link.closest('li')!.contains(document.activeElement));
  links[Math.max(0, Math.min(links.length - 1, here + by))]?.focus();
}

function App(): JSX.Element {
  const isCalm = useSignal(isExport);
  const { days, isKnown } = useLog();
  const zone = useZone();
  const config = useConfig();
  const status = useAnswer<StatusResult>(isCalm.value ? 'status' : null, {}, { state: null, isLasting: true });
  const keyList = useRef<HTMLDialogElement>(null);
  const main = useRef<HTMLElement>(null);
  const isFirst = useSignal(true);
  const { page, name } = route.value;
  const isPast = at.value !== null || (page === 'day' && name < dayOf(Date.now(), zone));
  const dayNames = days.map(({ day }) => day);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) =>
      press(event, () => keyList.current?.showModal(), dayNames, dayOf(Date.now(), zone));
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [dayNames.join(), zone]);
  useEffect(() => {
    // It looks at every file of the work tree; the page itself goes first.
    const timer = setTimeout(
      () => {
        isCalm.value = true;
      },
      isKnown ? 200 : 5000,
    );
    return () => clearTimeout(timer);
  }, [isKnown]);
  useEffect(() => {
    document.documentElement.dataset.theme = shade.value;
    document.documentElement.dataset.past = String(isPast);
  }, [shade.value, isPast]);
  useEffect(() => {
    if (isFirst.peek()) isFirst.value = false;
    else {
      // A page may have put it where it belongs.
      if (main.current?.contains(document.activeElement) === false) main.current.focus({ preventScroll: true });
      if (page !== 'talk') scrollTo(0, 0);
    }
  }, [page, name]);
  const place = places.find((one) => one.page === (within[page] ?? page));
  const title = (config.get('name') as string | undefined) ?? status.data?.directory.split(/[\\/]/).at(-1) ?? '';
  useEffect(() => {
    document.title = `${place?.title ?? 'git memory'} · ${visible(title)}`;
  }, [place, title]);
  if (isTokenWrong.value) return <Locked />;
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        To the page
      </button>
      <header class="top">
        <a class="brand" href={linkTo('today', '', { at: null })}>
          <b>{visible(title) || 'git memory'}</b>
          <span>{visible(status.data?.branch ?? '')}</span>
        </a>
        <Thread />
        <div class="when">{at.value === null ? 'Now' : middleDay(at.value)}</div>
      </header>
      <nav class="rail" aria-label="Pages">
        {places.map((one) => (
          <a key={one.page} href={linkTo(one.page)} aria-current={one === place ? 'page' : undefined}>
            <span>{one.title}</span>
            <span class="key" aria-hidden="true">
              {signOf(one.name)}
            </span>
          </a>
        ))}
        <div class="foot">
          <button type="button" onClick={turnTheme}>
            Light or dark
          </button>
          <button type="button" onClick={() => keyList.current?.showModal()}>
            Keys
          </button>
          <p class="meta" role="status">
            {isExport
              ? 'A copy in one file'
              : isLive.value
                ? 'Live: what others write appears by itself'
                : 'Waiting for the program…'}
          </p>
        </div>
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        {at.value !== null && (
          <div class="past">
            <span>
              As it stood at the end of <b>{longDay(at.value)}</b>
            </span>
            <Button keyName="now" onClick={() => lookAt(null)}>
              Back to now
            </Button>
          </div>
        )}
        <Page />
      </main>
      <Toast />
      <dialog class="keys" ref={keyList} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl>
          {listedKeys().map((name) => (
            <div key={name}>
              <dt>
                <span class="key">{signOf(name)}</span>
              </dt>
              <dd>{keys[name].what}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit" class="button">
            Close
          </button>
        </form>
      </dialog>
    </div>
  );
}

function Toast(): JSX.Element {
  const last = said.value;
  useEffect(() => {
    if (last === null) return undefined;
    const timer = setTimeout(() => {
      said.value = null;
    }, 8000);
    return () => clearTimeout(timer);
  }, [last]);
  return (
    <div class="toast-place" role="status" aria-live="polite">
      {last !== null && (
        <div class={last.isBad === true ? 'toast bad' : 'toast'}>
          <span>{visible(last.text)}</span>
          {last.commit != null && mayWrite.value && (
            <button type="button" onClick={() => void takeBack(last.commit!)}>
              Undo{' '}
              <span class="key" aria-hidden="true">
                {signOf('undo')}
              </span>
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Locked(): JSX.Element {
  return (
    <main class="locked">
      <h1>This page needs its token</h1>
      <p class="lead">
        Open the whole address that <code>git memory ui</code> printed: the part behind <code>#token=</code> opens it.
      </p>
    </main>
  );
}

/** The frame is not shown empty, unless the program takes long to answer. */
const patience = new Promise<void>((resolve) => setTimeout(resolve, 250));
const ready = Promise.all([unpack(), Promise.race([takeFirst(), patience])]);
void ready.then(() => {
  render(<App />, document.getElementById('page')!);
  void follow();
});
