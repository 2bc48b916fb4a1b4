// Where the page is and what it knows: the address, the day that is looked at, and every answer, each a signal. Data flows one way:
// address → question → answer → elements; whatever is clicked changes the address, or writes by a verb.

import { computed, type Signal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { joined, type Paged, type PageQuestion } from '../src/apps/ui/lists.ts';
import { answerBrought, isExport } from './brought.ts';

/** `#/claim/3f2a?at=2026-11-02` */
export interface Route {
  readonly page: string;
  /** What follows the page: an id, a path, a day. */
  readonly name: string;
  readonly query: URLSearchParams;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s, 2);
  const [page = '', ...rest] = path.split('/');
  return { page: page === '' ? 'today' : page, name: rest.map(decoded).join('/'), query: new URLSearchParams(query) };
}

export const route = signal(parseRoute(location.hash));
const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\d$/.test(text);

/** The day whose end is looked at; null for now. */
export const at = computed(() => {
  const day = route.value.query.get('at');
  return isDay(day) ? day : null;
});

/** Gives the address of a page; it stays at the day that is looked at, unless the query says otherwise. */
export function linkTo(page: string, name = '', query: Record<string, string | null | undefined> = {}): string {
  const wanted = new URLSearchParams();
  for (const [key, value] of Object.entries({ at: at.value, ...query })) if (value) wanted.set(key, value);
  const path = name === '' ? page : `${page}/${name.split('/').map(encodeURIComponent).join('/')}`;
  return `#/${path}${wanted.size === 0 ? '' : `?${wanted}`}`;
}

/** Goes to an address; `replace` leaves no step behind for the way back. */
export function go(address: string, replace = false): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  route.value = parseRoute(location.hash);
}

/** Looks at another day from the page that is open. */
export function lookAt(day: string | null): void {
  // A copy knows the present, and what each day brought.
  if (isExport) {
    go(day === null ? linkTo('today') : linkTo('day', day), true);
    return;
  }
  const { page, name, query } = route.peek();
  go(
    linkTo(page === 'day' ? 'today' : page, page === 'day' ? '' : name, { ...Object.fromEntries(query), at: day }),
    true,
  );
}

addEventListener('popstate', () => {
  route.value = parseRoute(location.hash);
});
addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});

/** What went wrong, in the words of the memory. */
export interface Failure {
  readonly status: number;
  readonly what: string;
  readonly hint?: string;
}

interface Answer<T> {
  readonly data?: T;
  readonly failure?: Failure;
  /** At which state of the memory it was asked; -1: never. */
  readonly tick: number;
  /** How many pages of it are here, where it comes by pages. */
  readonly pages?: number;
}

/** Grows with each change of the memory: every answer that is shown is asked anew. */
export const tick = signal(0);
/** Whether the server tells of changes. */
export const isLive = signal(false);
export const isTokenWrong = signal(false);
const isReadOnly = signal(isExport);
/** Whether this page can change the memory; where it cannot, it offers nothing that would. */
export const mayWrite = computed(() => !isReadOnly.value);

/** Takes in what the head of an answer says of this page. */
function takeHead({ status, headers }: Response): void {
  isTokenWrong.value = status === 401;
  if (headers.get('Memory-Access') === 'read-only') isReadOnly.value = true;
}

type Input = Readonly<Record<string, unknown>>;

/** Names a question: the verb, its input and the state. */
export function questionOf(verb: string, input: Input, state: string | null): string {
  return JSON.stringify([verb, input, state]);
}

async function request(method: 'GET' | 'POST', address: string, body?: Input, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(address, {
    method,
    headers: { Authorization: `Bearer ${localStorage.getItem('token') ?? ''}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  takeHead(response);
  return response;
}

async function answerOf<T>(response: Response): Promise<T> {
  const answer = (await response.json()) as T & { error?: { what: string; hint?: string } };
  if (!response.ok) throw { status: response.status, ...answer.error } as Failure;
  return answer;
}

function failureOf(error: unknown): Failure {
  if (error instanceof Error) return { status: 0, what: 'The program that showed this page no longer answers.' };
  return error as Failure;
}

let first: Promise<void> | undefined;

/**
 * Takes in what was asked for the page of today while the rest was read: what it would ask one after another, each for the next. Whoever asks
 * meanwhile waits for it; what it does not hold is asked by itself.
 */
export function takeFirst(): Promise<void> | undefined {
  first = globalThis.firstAsked
    ?.then(async (response) => {
      takeHead(response);
      for (const [question, data] of Object.entries(await answerOf<Record<string, unknown>>(response))) {
        const [verb, input] = JSON.parse(question) as [string, Input];
        if (tick.peek() === 0) entryOf(questionOf(verb, input, null)).value = { data, tick: 0 };
      }
    })
    .catch(() => undefined);
  return first;
}

/** A question to a verb. */
interface Question {
  readonly verb: string;
  readonly input: Input;
  readonly state: string | null;
  readonly dryRun?: boolean;
  /** Of commits, those alone. */
  readonly only?: PageQuestion['only'];
}

/** Asks for one page of an answer. Throws a {@link Failure}. */
async function askPage<T>({ verb, input, state, dryRun, only }: Question, cursor?: string): Promise<T & Paged> {
  if (first !== undefined && state === null && !dryRun && !only && cursor === undefined && tick.peek() === 0) {
    await first;
    const found = answers.get(questionOf(verb, input, null))?.peek().data;
    if (found !== undefined && tick.peek() === 0) return found as T & Paged;
  }
  if (isExport) {
    const found = state === null ? answerBrought(verb, input, only) : undefined;
    if (found === undefined) throw { status: 404, what: 'This file does not hold that.' } as Failure;
    return found as T & Paged;
  }
  const query = new URLSearchParams({ input: JSON.stringify(input) });
  if (state !== null) query.set('at', state);
  if (dryRun) query.set('dryRun', '1');
  if (only !== undefined) query.set('only', JSON.stringify(only));
  if (cursor !== undefined) query.set('cursor', cursor);
  return answerOf<T & Paged>(await request('GET', `/api/${verb}?${query}`));
}

/** Asks for an answer, page after page: all of them, or so many. Throws a {@link Failure}. */
async function askPages<T extends object>(question: Question, most = Number.POSITIVE_INFINITY): Promise<T & Paged> {
  let answer = await askPage<T>(question);
  for (let page = 1; answer.next !== undefined && page < most; page += 1) {
    answer = joined<T>(answer, await askPage<T>(question, answer.next));
  }
  return answer;
}

/** Asks a verb for the whole of its answer. Throws a {@link Failure}. */
export function ask<T extends object>(verb: string, input: Input, state: string | null = null): Promise<T> {
  return askPages<T>({ verb, input, state });
}

/** Writes by a verb. Throws a {@link Failure}. */
export async function write<T>(verb: string, input: Input): Promise<T> {
  const answer = await answerOf<T>(await request('POST', `/api/${verb}`, input));
  tick.value += 1;
  return answer;
}

const answers = new Map<string, Signal<Answer<unknown>>>();
const mostAnswers = 400;

function entryOf(key: string): Signal<Answer<unknown>> {
  let entry = answers.get(key);
  if (entry === undefined) {
    entry = signal<Answer<unknown>>({ tick: -1 });
    answers.set(key, entry);
    // The oldest goes; whoever shows it keeps its signal.
    if (answers.size > mostAnswers) answers.delete(answers.keys().next().value!);
  }
  return entry;
}

async function refresh(entry: Signal<Answer<unknown>>, question: Question, isPaged: boolean): Promise<void> {
  const asked = tick.peek();
  if (entry.peek().tick === asked) return;
  // Who reads the third page goes on reading it.
  const pages = isPaged ? (entry.peek().pages ?? 1) : Number.POSITIVE_INFINITY;
  entry.value = { ...entry.peek(), tick: asked };
  try {
    entry.value = { data: await askPages<object>(question, pages), tick: asked, pages };
  } catch (error) {
    entry.value = { failure: failureOf(error), tick: asked };
  }
}

const onTheirWay = new WeakSet<Signal<Answer<unknown>>>();

/** Brings the next page of an answer, unless it is on its way. */
async function bringMore(entry: Signal<Answer<unknown>>, question: Question): Promise<void> {
  const { data, tick: asked, pages = 1 } = entry.peek() as Answer<Paged>;
  if (data?.next === undefined || onTheirWay.has(entry)) return;
  onTheirWay.add(entry);
  try {
    const more = await askPage<object>(question, data.next);
    if (entry.peek().data === data) entry.value = { data: joined(data, more), tick: asked, pages: pages + 1 };
  } catch (error) {
    said.value = { text: failureOf(error).what, isBad: true };
  } finally {
    onTheirWay.delete(entry);
  }
}

/** What a component knows of its question. */
export interface Known<T> {
  /** The answer; while a new one is on its way, the one before. */
  readonly data?: T;
  /** The day, commit or tag that `data` answers for; null for now. */
  readonly state: string | null;
  readonly failure?: Failure;
  readonly isWaiting: boolean;
  /** Brings the next page; undefined where all of the answer is here. */
  readonly more: (() => void) | undefined;
}

/**
 * Asks a verb for a component, and asks again when the memory changed. `verb` null asks nothing.
 *
 * @param state A day, commit or tag; null for now. Left out: the day that is looked at.
 * @param isLasting No change of the memory changes the answer.
 * @param isPaged The first page is enough to begin with; left out: the whole answer is waited for.
 * @param only Of commits, those alone.
 */
export function useAnswer<T extends object>(
  verb: string | null,
  input: Input = {},
  {
    state = at.value,
    dryRun = false,
    isLasting = false,
    isPaged = false,
    only,
  }: {
    state?: string | null;
    dryRun?: boolean;
    isLasting?: boolean;
    isPaged?: boolean;
    only?: PageQuestion['only'];
  } = {},
): Known<T> {
  const name = `${verb}${dryRun ? '!' : ''}${only === undefined ? '' : JSON.stringify(only)}`;
  const key = verb === null ? '' : questionOf(name, input, state);
  const question: Question = { verb: verb ?? '', input, state, dryRun, ...(only === undefined ? {} : { only }) };
  const entry = entryOf(key);
  const now = isLasting ? 0 : tick.value;
  const before = useRef<{ verb: string | null; state: string | null; data: unknown }>({
    verb: null,
    state,
    data: undefined,
  });
  useEffect(() => {
    if (verb !== null) void refresh(entry, question, isPaged);
  }, [key, now]);
  const { data, failure } = entry.value as Answer<T>;
  if (data !== undefined) before.current = { verb, state, data };
  const kept = before.current.verb === verb ? (before.current.data as T | undefined) : undefined;
  return {
    data: data ?? (failure === undefined ? kept : undefined),
    state: data === undefined && kept !== undefined ? before.current.state : state,
    failure,
    isWaiting: data === undefined && failure === undefined,
    more: (data as Paged | undefined)?.next === undefined ? undefined : () => void bringMore(entry, question),
  };
}

/** Follows the memory: the server says when it changed, by whomever. Begins again when the line broke. */
export async function follow(): Promise<void> {
  if (isExport) return;
  for (let isFirst = true; ; isFirst = false) {
    try {
      const response = await ((isFirst ? globalThis.eventsAsked : undefined) ?? request('GET', '/api/events'));
      takeHead(response);
      if (!response.ok || response.body === null) throw new Error(String(response.status));
      // What was missed while nobody listened; the first time this went out ahead of every question.
      if (!isFirst) tick.value += 1;
      isLive.value = true;
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (let rest = ''; ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        rest += decoder.decode(value, { stream: true });
        const events = rest.split('\n\n');
        rest = events.pop()!;
        if (events.some((event) => event.startsWith('data:'))) tick.value += 1;
      }
    } catch {
      // Tried again below.
    }
    isLive.value = false;
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
}

/** What was done last, to be said at the foot of the page, with the commit that an undo takes back. */
export const said = signal<{ readonly text: string; readonly commit?: string | null; readonly isBad?: boolean } | null>(
  null,
);

/** What of the answer of a write is looked at. */
interface Written {
  readonly commit?: string | null;
  readonly accepted?: { readonly commit: string | null };
  readonly conflicts?: readonly string[];
  readonly undone?: readonly string[];
  /** The claim that says it now. */
  readonly into?: string;
}

/** Commits that were taken back from this page. */
export const takenBack = signal<ReadonlySet<string>>(new Set());

/** Writes, says so, and offers to take it back; tells whether it went well. */
export async function act(verb: string, input: Input, text: string): Promise<Written | null> {
  try {
    const answer = await write<Written>(verb, input);
    if ((verb === 'undo' || input.action === 'undo') && (answer.conflicts?.length ?? 0) > 0) {
      said.value = {
        text: `Nothing was changed: later changes to ${answer.conflicts!.join(', ')} stand in the way.`,
        isBad: true,
      };
      return null;
    }
    for (const oid of answer.undone ?? []) takenBack.value = new Set([...takenBack.value, oid]);
    const commit = answer.commit ?? answer.accepted?.commit ?? null;
    said.value = { text, commit };
    return { ...answer, commit };
  } catch (error) {
    said.value = { text: failureOf(error).what, isBad: true };
    return null;
  }
}

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const systemShade = signal(systemIsDark.matches ? 'dark' : 'light');
systemIsDark.addEventListener('change', ({ matches }) => {
  systemShade.value = matches ? 'dark' : 'light';
});
const chosenShade = signal(localStorage.getItem('theme'));

/** light or dark: as the person chose, else as the system is. */
export const shade = computed(() => chosenShade.value ?? systemShade.value);

export function turnTheme(): void {
  chosenShade.value = shade.peek() === 'dark' ? 'light' : 'dark';
  localStorage.setItem('theme', chosenShade.value);
}
