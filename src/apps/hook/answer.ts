// What a hook does at each moment of a session: what it keeps, and what it tells. Facts in the words of those who said them, or nothing.

import { statSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { isInside } from '../../adapters/inside.ts';
import { defined } from '../../base/errors.ts';
import { estimateTokens } from '../../base/token-estimate.ts';
import type { AboutKind, RecallHit } from '../../base/types.ts';
import { asContent, indented, wrapperOf } from '../../core/context/compile/data-text.ts';
import { placeText } from '../../features/about/index.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { isProbablyNothing } from '../../search/index.ts';
import { periodMark } from '../../store/claims/claim.ts';
import { sessionInPath } from '../../store/guard/message.ts';
import { unseenTold } from '../../store/patience.ts';
import { compileBeginning, mostTokens } from './beginning.ts';
import { failureTold, type HookEvent, handedTo } from './event.ts';
import { forgetTold, heardBy, noteTold, unasked } from './told.ts';

/** What came of an event. */
export interface Heard {
  /** How many turns were kept; absent where nothing is kept of such an event. */
  readonly kept?: number;
  /** For the program that called, in its own form. */
  readonly answer?: object;
}

/** Opens the memory of an event, to be read or also to be written to; null where there is none. */
export type Open = (isForReading: boolean) => Promise<MemoryPart | null>;

/** The agent is asked no more at the end of its turn. */
const askedTokens = 300;
const mostHits = 8;
/** What was learnt elsewhere stands behind much that is no answer. */
const mostSought = 24;
/** An agent that says fewer tokens says nothing: "Done." */
const leastSaid = 5;
/** The end of what a tool printed is where errors stand. */
const mostError = 4_000;
/** What was kept so lately is kept again when the agent rests. */
const restMs = 30_000;

/** Does what an event asks for. It never fails: a person sees every failure of a hook, in the midst of something else. A beginning tells of it. */
export async function answerTo(event: HookEvent, open: Open): Promise<Heard> {
  // Whatever a model of ours started has hooks, too: what it does is no session of a person.
  if (isInside()) return {};
  try {
    return await heard(event, open);
  } catch (error) {
    return defined({ answer: failureTold(event, error) });
  }
}

async function heard(event: HookEvent, open: Open): Promise<Heard> {
  // An edit is noted with the commit that it was made on.
  if (event.name === 'PostToolUse' && event.path !== undefined) return keptOf(event, open);
  switch (event.moment) {
    case 'begins': {
      const memory = await open(true);
      if (memory === null) return {};
      forgetTold(memory, event.session);
      return handed(event, await compileBeginning(memory));
    }
    case 'rests':
    case 'saves':
    case 'ends':
      return keptOf(event, open);
    default: {
      const memory = await open(true);
      if (memory === null) return {};
      const text = await toldOf(memory, event);
      const unseen = memory.store.damage.unseenSince(0);
      return handed(event, text === '' || unseen === 0 ? text : `${text}\n${unseenTold(unseen)}`);
    }
  }
}

const handed = (event: HookEvent, text: string): Heard => (text === '' ? {} : { answer: handedTo(event, text) });

/** Keeps what is new of the session. At the end of a turn the agent hears what seems worth keeping beyond it, or to change what is known. */
async function keptOf({ moment, name, transcript, isAgain }: HookEvent, open: Open): Promise<Heard> {
  if (transcript === undefined) return {};
  const memory = await open(false);
  if (memory === null || (moment === 'acted' && isFreshly(memory))) return {};
  const [{ sessionPath, takesContext }, { keepSession }] = await Promise.all([
    import('../../adapters/agent-program.ts'),
    import('../../memory/kept-sessions.ts'),
  ]);
  const path = sessionPath(transcript);
  const kept = await keepSession(memory, path, moment === 'ends');
  // Nobody waits for that at the end of a session; the next one begins at once.
  if (moment === 'ends') await compileBeginning(memory);
  if (kept === null) return { kept: 0 };
  if (moment !== 'rests') return { kept: kept.added };
  const from = unasked(memory, kept.path, kept.from + kept.added - 1);
  // While the agent answers what it was asked, its turn goes on.
  if (isAgain) return { kept: kept.added };
  const { askedOf } = await import('../../memory/proposals.ts');
  const asked = await askedOf(memory, { ...kept, from }, askedTokens);
  if (asked === undefined) return { kept: kept.added };
  const answer = takesContext(path) ? handedTo({ name }, asked) : { decision: 'block', reason: asked };
  return { kept: kept.added, answer };
}

function isFreshly({ store: { repository, ref } }: MemoryPart): boolean {
  const journal = `${repository.ownDirectory}/journal/${encodeURIComponent(ref)}.journal`;
  return Date.now() - (statSync(journal, { throwIfNoEntry: false })?.mtimeMs ?? 0) < restMs;
}

/** Gives what is known of what is asked or worked on, and the session has not heard; empty where that is probably nothing. */
async function toldOf(memory: MemoryPart, event: HookEvent): Promise<string> {
  const { moment, prompt, session, path, command, error } = event;
  // The agent has in its window what is of this session alone.
  const isOwn = (where: string): boolean => session !== undefined && isOfSession(where, session);
  // What was heard of a file is said again where it fails.
  const nameOf = (line: string): string => (error === undefined ? line : `failed: ${line}`);
  const isHeard = heardBy(memory, session);
  const told = (lines: readonly Said[], head?: string): string => {
    const fitting = fittingOf(
      lines.filter(({ line }) => !isHeard(nameOf(line))),
      head,
    );
    noteTold(memory, session, fitting.map(nameOf));
    return fitting.length === 0 ? '' : wrapped([head, ...fitting]);
  };
  if (prompt !== undefined) {
    const { hits } = await memory.recall(prompt, { limit: mostSought });
    const said = hits.filter((hit) => !isOwn(hit.path) && !isProbablyNothing([hit.confidence ?? 0]));
    return told(linesOf(said.slice(0, mostHits)).filter((one) => !isOwn(one.path)));
  }
  const { workTree } = memory.store.repository;
  const asked: readonly (readonly [string | undefined, AboutKind])[] =
    moment === 'acts'
      ? [
          [path !== undefined && workTree !== null && isAbsolute(path) ? relative(workTree, path) : path, 'path'],
          [command, 'command'],
        ]
      : [[error?.slice(-mostError), 'error']];
  for (const [target, kind] of asked) {
    if (target === undefined || target.startsWith('..')) continue;
    const { text, facts } = await memory.about(target, { kind, tokens: mostTokens });
    const [head, ...lines] = text.split('\n');
    if (facts.some((fact) => fact.fact !== 'checked' && !isOwn(fact.path)))
      return told(
        lines.map((line) => ({ line, path: '' })),
        head,
      );
  }
  return '';
}

/** Tells whether a file is of a session, or of one that goes on with it. The name of that ends with the number of its part. */
function isOfSession(path: string, session: string): boolean {
  const [, own = ''] = path.slice(path.lastIndexOf('/'), path.lastIndexOf('.')).replaceAll('.', '_').split('-');
  const name = sessionInPath(session).replaceAll('.', '_');
  return own === name || (own.startsWith(`${name}_`) && Number.isInteger(Number(own.slice(name.length + 1))));
}

interface Said {
  readonly line: string;
  readonly path: string;
  readonly time?: string | undefined;
}

/** Says each turn once, the best first, each ahead of what it was said later than; what tools did is of no matter here. */
function linesOf(hits: readonly RecallHit[]): Said[] {
  const known = new Set<string>();
  return hits
    .flatMap((hit) => [...(hit.later ?? []), hit])
    .flatMap((one) => {
      const words = indented(asContent(one.snippet));
      const isIdle = one.role === 'agent' && estimateTokens(one.snippet) < leastSaid;
      if (isIdle || one.snippet.startsWith('> [tool:') || known.has(words)) return [];
      known.add(words);
      const who = one.speaker ?? one.role;
      const lead = [one.time?.slice(0, 10), who === undefined ? undefined : `${asContent(who)}:`];
      const ended = 'until' in one || 'from' in one ? periodMark(one) : '';
      const away = 'learnt' in one && one.learnt !== undefined ? placeText(one.learnt) : '';
      const line = `- ${[...lead, words].filter((part) => part !== undefined).join(' ')}${ended}${away && ` ${asContent(away)}`}`;
      return [{ line, path: one.path, time: one.time }];
    });
}

/** Takes as many lines as fit. The later word stands above the earlier one. */
function fittingOf(lines: readonly Said[], head = ''): string[] {
  let tokens = estimateTokens(wrapped([head]));
  const fitting = lines.filter(({ line }) => {
    tokens += estimateTokens(`${line}\n`);
    return tokens <= mostTokens;
  });
  const order = ({ time = '' }: Said): number => Date.parse(time) || 0;
  return fitting.toSorted((one, other) => order(other) - order(one)).map(({ line }) => line);
}

function wrapped(lines: readonly (string | undefined)[]): string {
  const { open, close } = wrapperOf('memory');
  return [open, ...lines.filter((line) => line !== undefined), close].join('\n');
}
