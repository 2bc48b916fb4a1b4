// The one table of keys: what each does, where, and whether it writes. Menus, buttons, help and handlers are made of it.

/** A place of the page that has keys of its own; `frame` is around all of them. */
type Scope = 'frame' | 'search' | 'claim' | 'review';

/** A key, and what it does. */
export interface Key {
  readonly scope: Scope;
  /** As the browser names it. */
  readonly key: string;
  /** For the list of keys; of a place its title. */
  readonly what: string;
  /** It goes to that page. */
  readonly page?: string;
  /** It changes the memory: no such key is a way to a place, and a page that only reads has none of them. */
  readonly writes?: true;
}

const table = {
  today: { scope: 'frame', key: 't', what: 'Today', page: 'today' },
  days: { scope: 'frame', key: 'd', what: 'Two days', page: 'days' },
  search: { scope: 'frame', key: '/', what: 'Search', page: 'search' },
  pages: { scope: 'frame', key: 'k', what: 'Knowledge', page: 'pages' },
  context: { scope: 'frame', key: 'c', what: 'Context', page: 'context' },
  review: { scope: 'frame', key: 'r', what: 'Review', page: 'review' },
  operations: { scope: 'frame', key: 'o', what: 'Operations', page: 'operations' },
  before: { scope: 'frame', key: '[', what: 'the day before' },
  after: { scope: 'frame', key: ']', what: 'the day after' },
  now: { scope: 'frame', key: 'n', what: 'back to now' },
  down: { scope: 'frame', key: 'j', what: 'next row' },
  up: { scope: 'frame', key: 'J', what: 'row before' },
  undo: { scope: 'frame', key: 'u', what: 'take back what was done last', writes: true },
  theme: { scope: 'frame', key: 'L', what: 'light or dark' },
  keys: { scope: 'frame', key: '?', what: 'these keys' },
  leave: { scope: 'frame', key: 'Escape', what: 'leave a field' },
  play: { scope: 'search', key: 'p', what: 'play a question through time' },
  confirm: { scope: 'claim', key: '+', what: 'keep a claim', writes: true },
  reword: { scope: 'claim', key: 'e', what: 'reword a claim', writes: true },
  close: { scope: 'claim', key: 'x', what: 'close a claim', writes: true },
  forget: { scope: 'claim', key: '-', what: 'forget a claim', writes: true },
  restore: { scope: 'claim', key: 'b', what: 'bring a claim back', writes: true },
  forgetCard: { scope: 'review', key: 'ArrowLeft', what: 'review: forget', writes: true },
  keepCard: { scope: 'review', key: 'ArrowRight', what: 'review: keep', writes: true },
  editCard: { scope: 'review', key: 'e', what: 'review: reword', writes: true },
  mergeCard: { scope: 'review', key: 'm', what: 'review: merge', writes: true },
  closeCard: { scope: 'review', key: 'x', what: 'review: close', writes: true },
  later: { scope: 'review', key: 'ArrowDown', what: 'review: later' },
} as const satisfies Readonly<Record<string, Key>>;

/** Names a key of the table. */
export type KeyName = keyof typeof table;

export const keys: Readonly<Record<KeyName, Key>> = table;

const signs: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowDown: '↓',
  Escape: 'Esc',
};

/** Shows a key on a button. */
export function signOf(name: KeyName): string {
  const { key } = keys[name];
  return signs[key] ?? key;
}

/** Finds what a key of the frame does. */
export function frameKey(pressed: string): KeyName | undefined {
  return (Object.keys(keys) as KeyName[]).find((name) => keys[name].scope === 'frame' && keys[name].key === pressed);
}
