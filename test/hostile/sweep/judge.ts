// The verdict upon one answer: right, whole but for what is damaged and named, refused by name, or wrong.

import type { Reply } from './asker.ts';
import { type Damage, isUntold, mayRefuse } from './damages.ts';
import type { Question } from './questions.ts';

/** `right`, `partly` and `named` are what may be; anything else is a complaint. */
export type Verdict = 'right' | 'partly' | 'named' | `WRONG ${string}`;

const longestCpuMs = 5_000;
/** Shorter words stand in other words by chance. */
const leastWords = 12;

/** Gives the form of an answer in which two of the same state are the same. */
export function comparable(reply: Reply): string {
  return (
    JSON.stringify(reply.output ?? reply.error?.code, (key, value) => {
      // A pass before this one has noted where nothing is to be found.
      if (key === 'transcripts' && Array.isArray(value)) return value.filter(({ created }) => created?.length !== 0);
      // The id of a purge that is only planned is drawn by lot; how an answer was found is told, too.
      return ['receipt', 'barren', 'reused', 'read', 'known', 'free', 'bytes'].includes(key) ? undefined : value;
    })
      .replace(/"id":"[a-z0-9]{10}","commit":null/, '')
      // The times of files.
      .replace(/\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z/g, 'T')
  );
}

/** Every line that stands in any text of a value, with its numbers made one, for a count that shrinks is no other content. */
export function linesOf(value: unknown, into = new Set<string>()): Set<string> {
  if (typeof value === 'string') for (const line of value.split('\n')) into.add(line.trim().replace(/\d+/g, '0'));
  else if (Array.isArray(value)) for (const one of value) linesOf(one, into);
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) linesOf(one, into);
  return into;
}

/** Things that have a name, with what is said of each: id, path or commit → its texts. */
function thingsOf(value: unknown, into = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) for (const one of value) thingsOf(one, into);
  else if (typeof value === 'object' && value !== null) {
    const { id, content } = value as Record<string, unknown>;
    if (typeof id === 'string' && typeof content === 'string') into.set(id, content);
    for (const one of Object.values(value)) thingsOf(one, into);
  }
  return into;
}

export interface Sound {
  readonly reply: Reply;
  readonly comparable: string;
  readonly things: ReadonlyMap<string, string>;
  readonly said: string;
}

export function soundOf(reply: Reply): Sound {
  return { reply, comparable: comparable(reply), things: thingsOf(reply.output), said: everything(reply) };
}

const everything = (reply: Reply) => `${JSON.stringify(reply.output ?? '')}\n${reply.text}\n${reply.notes}`;

/** Complaints that hold for every answer, whatever is damaged. */
export function manners(reply: Reply): Verdict | undefined {
  if (reply.broken !== undefined) return `WRONG broken: ${reply.broken.slice(0, 1500)}`;
  if (reply.ms.cpu > longestCpuMs) return `WRONG slow: ${Math.round(reply.ms.cpu)} ms`;
  if (/\bundefined\b|\[object Object\]|\bNaN\b/.test(`${reply.text}${reply.notes}${reply.error?.message ?? ''}`)) {
    return `WRONG nonsense: ${reply.text.slice(0, 300)} ${reply.notes.slice(0, 300)} ${reply.error?.message ?? ''}`;
  }
  return undefined;
}

/** Judges one answer about a damaged memory beside that about the sound one; `known` are the lines of all sound answers. */
export function judge(
  question: Question,
  reply: Reply,
  sound: Sound,
  damage: Damage,
  known: ReadonlySet<string>,
): Verdict {
  const bad = manners(reply);
  if (bad !== undefined) return bad;
  const naming = (names: readonly string[]) => {
    const forms = names.flatMap((name) => [name, ...linesOf(name)]);
    return (text: string) => forms.some((form) => text.includes(form));
  };
  const isNamed = naming(damage.names);
  const isTold = naming(damagedPaths(reply.output));
  if (reply.error !== undefined) {
    if (sound.reply.error?.code === reply.error.code) return 'right';
    const said = `${reply.error.code} ${reply.error.message}`;
    // Of a pack or folder it is named what it takes with it.
    const isPlaced = / may be in .+, which cannot be read/.test(said);
    if (!isNamed(said) && !isPlaced && !isUntold(damage)) return `WRONG unnamed: ${said}`;
    return mayRefuse(question, damage) ? 'named' : `WRONG refused: ${said}`;
  }
  if (comparable(reply) === sound.comparable) return 'right';
  const notes = everything(reply)
    .split(/\n|(?<=[}\]"]),/)
    .filter((line) => !sound.said.includes(line));
  if (!notes.some(isNamed) && !isUntold(damage))
    return `WRONG silent: ${difference(comparable(reply), sound.comparable)}`;
  // An earlier commit is shown, and said to be that.
  if (everything(reply).includes(' is shown as of ')) return 'partly';
  for (const [id, content] of thingsOf(reply.output)) {
    const before = sound.things.get(id);
    if (before !== undefined && before !== content) return `WRONG content: ${id}: ${content.slice(0, 200)}`;
  }
  const words = [...known].filter((line) => line.length >= leastWords);
  const isSaid = (line: string) => {
    // Context and differences put a name, a day or a sign before what is said.
    const bare = line.replace(/^(?:[-+ ]|↳ |\[0-0-0\] |@@[^@]*@@ |- |(?:the )?\w+: )+/, '');
    return bare.length >= leastWords && words.some((one) => one.includes(bare));
  };
  for (const line of linesOf(reply.output)) {
    // Where one hit is missing another comes, with what the memory says.
    if (
      known.has(line) ||
      isSaid(line) ||
      known.has(line.replace(/^(?:- )?\[[\w-]+\] | \((?:tags: [^)]*|0-0-0)\)$/g, '')) ||
      known.has(`# ${line}`) ||
      known.has(line.replace(/^[-+ ]/, '')) ||
      isNamed(line) ||
      isTold(line) ||
      notes.some((note) => note.includes(line) && isNamed(note))
    )
      continue;
    // A hit that comes in another's place has a place of its own.
    if (/^(?:<!-- )?[\w./-]+\.(?:json|md)(?:[:#]\d+)?(?: -->)?$/.test(line)) continue;
    // Ids of what would be made are others; of one that is mostly numbers little is left.
    if (/^(?=.*\d)[0-9a-z-]{5,}$|^[0-9a-z]{7,}$|^(?=.*\d)[0-9a-f]+$/.test(line)) continue;
    // Words of the engine itself about what is damaged hold no more than it says everywhere.
    if (
      /damage|missing|unreadable|cannot be read|not there|corrupt|left out|^failed$|not in this repository|purges|puts it aside|stage it again|from this turn already|where it pointed last|does so, too|its log says|puts it back|^unlink$|\/\.git\/refs\//i.test(
        line,
      )
    )
      continue;
    return `WRONG line: ${line.slice(0, 300)}`;
  }
  return 'partly';
}

/** What the answer itself names as damaged: of a folder or a pack, the files that it takes with it. */
function damagedPaths(output: unknown): string[] {
  const { damaged = [] } = (output ?? {}) as { damaged?: readonly { readonly path?: string }[] };
  return Array.isArray(damaged) ? damaged.flatMap(({ path }) => path ?? []) : [];
}

export function difference(given: string, expected: string): string {
  let at = 0;
  while (at < given.length && given[at] === expected[at]) at += 1;
  return `…${given.slice(Math.max(0, at - 80), at + 160)} for …${expected.slice(at, at + 120)}`;
}
