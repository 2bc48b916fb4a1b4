// The extractor that a language model reads for. It proposes items; ids, paths, places and what becomes of what is there are decided
// elsewhere, and who is believed is trust.ts.

import { defined, MemoryError } from '../../../base/errors.ts';
import type { TextModel } from '../../../base/ports.ts';
import { dayOf } from '../../../base/time.ts';
import type {
  ClaimReference,
  Conversation,
  ExtractedItem,
  Extraction,
  ExtractionContext,
  Extractor,
  KnownClaim,
} from '../extractor.ts';
import { readAnswer } from './answer.ts';
import { askWithin, type Budget } from './budget.ts';
import { type AnswerCache, canonicalHash } from './cache-key.ts';
import {
  type AnsweredItem,
  answerSchema,
  endsClaim,
  instructions,
  inWords,
  promptVersion,
  repairOf,
  restOf,
} from './contract.ts';
import { type AskedTurn, handleOf, maxTurns, type Part, type Request, requestOf } from './request.ts';
import { type ShownClaim, speaksOf, type VerifiedItem, verify } from './verify.ts';
import { type Window, windowsOf } from './windows.ts';

/** What the extractor works with. */
export interface ModelExtractorDependencies {
  readonly model: TextModel;
  readonly cache: AnswerCache;
  readonly budget: Budget;
  readonly windowTokens: number;
  readonly outputTokens: number;
  /** Requests about one conversation at the same time. What one of them finds is not known to the others. */
  readonly parallel: number;
}

/** An extractor that says how its questions went. */
export interface ModelExtractor extends Extractor {
  readonly model: string;
  /** Windows so far: asked, answered from what was kept, and given up. */
  tally(): { readonly asked: number; readonly kept: number; readonly failed: number };
}

/** What trailers call it, whichever model reads: another model alone is no reason to read everything again. */
export const modelIdentity = { name: 'model', version: promptVersion } as const;

type Found = Required<Extraction>;
type Dropped = Found['dropped'][number];
/** A claim that was shown, by its id, or one that an item of the same answer makes. */
type Target = ShownClaim & ({ readonly id: string } | { readonly part: Part; readonly turn: number });

/** What is known of a conversation beside its words. */
type Beside = Omit<ExtractionContext, 'path'>;

const maxProblem = 200;
/** So many claims an item ends, and the items of one window together. */
const maxEndings = { item: 2, window: 5 } as const;

const nothing: Found = { items: [], dropped: [], confirmed: [], unread: [] };

/**
 * Makes the extractor of a model.
 *
 * It asks about windows of conversations; short ones share a request. It asks once more where it cannot read the answer, and once for what is
 * missing where the answer is cut. What it still cannot read is `unread`. Answers are kept by window and model and version of the instructions, so
 * that a run that is killed pays for nothing twice.
 *
 * `extract` and `ahead` throw MODEL_UNAVAILABLE when the model cannot be asked, and QUOTA when the budget is used up. The answers so far are kept.
 */
export function modelExtractor(dependencies: ModelExtractorDependencies): ModelExtractor {
  const { model, windowTokens, cache, parallel, outputTokens } = dependencies;
  const seed = `${promptVersion}\n${model.name}`;
  const counts = { asked: 0, kept: 0, failed: 0 };
  /** What was read ahead, by path. */
  const ready = new Map<string, Found>();

  const windowsIn = ({ transcript }: Conversation, { timeZone = 'UTC' }: Beside) =>
    windowsOf(transcript, { windowTokens, timeZone, cache, seed });
  const keyOf = ({ before, pieces }: Window): string =>
    // What was read once is not asked again because of claims that came since, its own among them.
    canonicalHash(['answer', seed, outputTokens, [before, pieces].map((some) => some.map(({ shown }) => shown))]);
  const keptOf = (window: Window): Found | undefined => {
    const text = cache.get(keyOf(window));
    return text === undefined ? undefined : (JSON.parse(text) as Found);
  };

  /**
   * Asks about some windows at once, and keeps what each of them says. Gives what was found by part. `earlier` are items of windows before, which are
   * shown as claims.
   */
  async function read(
    parts: readonly Part[],
    context: Beside,
    earlier: readonly ExtractedItem[] = [],
  ): Promise<Found[]> {
    counts.asked += parts.length;
    const request = requestOf(parts, { ...withEarlier(context, parts[0]!, earlier), path: '' });
    let found: Found[];
    try {
      found = (await answered(request, parts, context)).map((one) => placedAmong(one, earlier));
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'MODEL_FAILED') throw error;
      counts.failed += parts.length;
      const { what } = error;
      return parts.map(({ window: { first, last } }) => ({ ...nothing, unread: [{ first, last, why: what }] }));
    }
    for (const [at, { window }] of parts.entries()) {
      if (found[at]!.unread.length > 0) continue;
      cache.put(keyOf(window), JSON.stringify(found[at]));
      window.settle();
    }
    return found;
  }

  /** Gives what an answer that can be used says of each part. */
  async function answered(request: Request, parts: readonly Part[], context: Beside): Promise<Found[]> {
    const { signal } = context;
    let problem = '';
    for (let prompt = request.prompt, tries = 0; tries < 2; tries++) {
      const { text, isCut } = await ask(prompt, signal);
      let answer = readAnswer(text, isCut);
      if (!('problem' in answer) && answer.isCut && answer.items.length > 0) {
        const { items, ...rest } = answer;
        const more = await ask(restOf(request.prompt, items), signal);
        const second = readAnswer(more.text, more.isCut);
        const known = new Set(items.map(({ says }) => says));
        const added = 'problem' in second ? [] : second.items.filter(({ says }) => !known.has(says));
        const all = [...items, ...added].map((item, at) => ({ ...item, number: at + 1 }));
        answer = { ...rest, items: all, isCut: 'problem' in second || second.isCut };
      }
      if ('problem' in answer) problem = answer.problem;
      else {
        const found = foundIn(answer, request, parts, context.timeZone ?? 'UTC');
        if (answer.items.length === 0 || found.some(({ items }) => items.length > 0)) return found;
        problem = 'no turn says any of its items';
      }
      prompt = repairOf(request.prompt, text, problem);
    }
    throw new MemoryError('MODEL_FAILED', `its answer cannot be used: ${problem}`);
  }

  async function ask(prompt: string, signal: AbortSignal | undefined): Promise<{ text: string; isCut: boolean }> {
    const asked = { name: 'memories', system: instructions, inWords: inWords(answerSchema), schema: answerSchema };
    try {
      const question = { ...asked, prompt, maxOutputTokens: outputTokens, signal };
      return await askWithin(dependencies.budget, model, question);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof MemoryError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const what = `${model.name} cannot be asked: ${reason.slice(0, maxProblem)}`;
      throw new MemoryError('MODEL_UNAVAILABLE', what, { where: model.name, cause: error });
    }
  }

  /** Reads the windows of one conversation that no answer is kept for, `parallel` at a time. */
  async function alone({ path, transcript }: Conversation, windows: readonly Window[], context: Beside) {
    const found: Found[] = [];
    for (let at = 0; at < windows.length; at += parallel) {
      context.signal?.throwIfAborted();
      const next = windows.slice(at, at + parallel);
      const ended = await Promise.allSettled(
        next.map(async (window) => {
          const earlier = found.flatMap(({ items }) => items).slice(-mostEarlier);
          return keptFor(window) ?? (await read([{ path, transcript, window }], context, earlier))[0]!;
        }),
      );
      for (const end of ended) {
        if (end.status === 'rejected') throw end.reason;
        found.push(end.value);
      }
    }
    return found;
  }

  function keptFor(window: Window): Found | undefined {
    const kept = keptOf(window);
    if (kept !== undefined) counts.kept += 1;
    return kept;
  }

  return {
    ...modelIdentity,
    model: model.name,
    tally: () => ({ ...counts }),
    async ahead(conversations, context) {
      const { parts, taken } = sharing(conversations, (one) => windowsIn(one, context), keptOf, windowTokens);
      if (parts.length < 2) return taken;
      const found = await read(parts, context);
      // One that a model will not read must not keep the others from being read: each is asked about by itself then.
      if (found.every(({ unread }) => unread.length > 0)) return taken;
      for (const [at, { path }] of parts.entries()) ready.set(path, found[at]!);
      return taken;
    },
    async extract(transcript, context) {
      const { path, minConfidence = 0, maxItems = 200 } = context;
      const known = ready.get(path);
      ready.delete(path);
      const found =
        known === undefined
          ? await alone({ path, transcript }, windowsIn({ path, transcript }, context), context)
          : [known];
      const sure = found.flatMap((part) => part.items).filter(({ confidence }) => confidence >= minConfidence);
      const all = sure.map((item) => placed(item, path));
      const confirmed = found.flatMap((part) => part.confirmed);
      const unread = found.flatMap((part) => part.unread);
      return {
        items: surest(all, maxItems),
        dropped: found.flatMap((part) => part.dropped),
        ...(confirmed.length === 0 ? {} : { confirmed }),
        ...(unread.length === 0 ? {} : { unread }),
      };
    },
  };
}

/** So many items of the windows before are shown beside one, the last ones. */
const mostEarlier = 60;
/** Names an item of a window before; no id of a record begins so. */
const earlierId = (at: number): string => `#${at}`;

/** Shows what was found in earlier windows of a conversation as claims, though none of them is one yet. */
function withEarlier(context: Beside, { transcript }: Part, earlier: readonly ExtractedItem[]): Beside {
  if (earlier.length === 0) return context;
  const claims = earlier.map((item, at): KnownClaim => {
    const { statement = item.content, subject, attribute, entities, due, turns } = item;
    const { speaker, role, time } = transcript.turns[turns[0]! - 1]!;
    const day = dayOf(time, context.timeZone ?? 'UTC');
    return {
      id: earlierId(at),
      statement,
      day,
      who: speaker ?? role,
      entities,
      ...defined({ subject, attribute, due }),
    };
  });
  return { ...context, known: (text, asked) => [...(context.known?.(text, asked) ?? []), ...claims] };
}

/** Puts the turns and words of earlier items in the place of the names by which they were shown. */
function placedAmong(found: Found, earlier: readonly ExtractedItem[]): Found {
  const places = new Map(
    earlier.map(({ turns, statement, content }, at) => [
      earlierId(at),
      { path: '', turn: turns[0]!, words: statement ?? content },
    ]),
  );
  const place = (one: ClaimReference): ClaimReference => (typeof one === 'string' ? (places.get(one) ?? one) : one);
  return {
    ...found,
    items: found.items.map((item) => referringBy(item, place)),
    confirmed: found.confirmed.filter(({ id }) => !places.has(id)),
  };
}

/** Puts other references in the place of those of an item. */
function referringBy(item: ExtractedItem, place: (one: ClaimReference) => ClaimReference): ExtractedItem {
  return { ...item, ...defined({ replaces: item.replaces?.map(place), doubts: item.doubts?.map(place) }) };
}

/** A reference to the same conversation was kept without its path, so that the answer is of use wherever the conversation lies. */
const placed = (item: ExtractedItem, path: string): ExtractedItem =>
  referringBy(item, (one) => (typeof one === 'object' && one.path === '' ? { ...one, path } : one));

/**
 * Takes the first conversations of a list that go together in one request: those of one window. Gives how many were looked at; those that need no
 * request are among them.
 */
function sharing(
  conversations: readonly Conversation[],
  windowsIn: (conversation: Conversation) => readonly Window[],
  keptOf: (window: Window) => Found | undefined,
  most: number,
): { readonly parts: readonly Part[]; readonly taken: number } {
  const parts: Part[] = [];
  let [tokens, turns, taken] = [0, 0, 0];
  for (const conversation of conversations) {
    const windows = windowsIn(conversation);
    const [window, ...others] = windows.filter((one) => keptOf(one) === undefined);
    if (window !== undefined) {
      tokens += window.tokens;
      turns += window.pieces.length;
      const isAlone = others.length > 0 || windows.length > 1;
      if (isAlone && parts.length === 0) return { parts, taken: taken + 1 };
      if (isAlone || tokens > most || turns > maxTurns) break;
      parts.push({ ...conversation, window });
    }
    taken += 1;
  }
  return { parts, taken: Math.max(1, taken) };
}

/** Sorts what an answer says by the parts that it is about, as far as it is true. */
function foundIn(
  answer: Exclude<ReturnType<typeof readAnswer>, { readonly problem: string }>,
  { turns, claims, beside }: Request,
  parts: readonly Part[],
  timeZone: string,
): Found[] {
  // Of an answer that is cut twice, what stands behind its last item may be missing.
  const seen = answer.isCut ? Math.max(0, ...answer.items.flatMap(({ t }) => t)) : turns.length;
  const found = parts.map((part) => {
    const missing = turns.filter((turn) => turn.part === part && turn.t > seen).map(({ number }) => number);
    return {
      items: [] as ExtractedItem[],
      dropped: [] as Dropped[],
      confirmed: [] as { id: string; turn: number }[],
      unread: missing.length === 0 ? [] : [{ first: missing[0]!, last: missing.at(-1)!, why: 'its answer is cut' }],
    };
  });
  const of = (part: Part | undefined) => found[part === undefined ? 0 : parts.indexOf(part)]!;
  const byNumber = new Map(turns.map((turn) => [turn.t, turn]));
  const made = new Map<string, Target>();
  const shown = new Map<string, Target>(claims.map((claim, at) => [handleOf(at), { ...claim, says: claim.statement }]));
  const ground = { turns, beside, timeZone, claimOf: (k: string) => shown.get(k) ?? made.get(k) };
  const endings = new Map<Part, number>();
  const doubts = new Map<Part, number>();
  for (const why of answer.rejected) found[0]!.dropped.push({ content: 'the answer', why });
  for (const item of answer.items) {
    const verified = verify(item, ground);
    if ('why' in verified) {
      of(byNumber.get(item.t[0] ?? 0)?.part).dropped.push({ content: item.says, why: verified.why });
      continue;
    }
    const main = byNumber.get(verified.t[0]!)!;
    const { part } = main;
    const ends = verified.changes.filter(({ how }) => endsClaim(how));
    const before = endings.get(part) ?? 0;
    const room = Math.min(maxEndings.item, maxEndings.window - before);
    const counted = ends.filter(({ isSure }) => isSure).slice(0, room);
    endings.set(part, before + counted.length);
    const referenceTo = ({ claim }: (typeof ends)[number]): ClaimReference => {
      if ('id' in claim) return claim.id;
      return { path: claim.part === part ? '' : claim.part.path, turn: claim.turn, words: claim.says };
    };
    const asked = doubts.get(part) ?? 0;
    const most = Math.min(maxEndings.item, maxEndings.window - asked);
    const doubted = ends.filter((one) => !counted.includes(one)).slice(0, most);
    doubts.set(part, asked + doubted.length);
    of(part).items.push(
      extracted(item, verified, main, {
        turns: verified.t.flatMap((t) => (byNumber.get(t)!.part === part ? byNumber.get(t)!.number : [])),
        replaces: counted.map(referenceTo),
        ...(doubted.length === 0 ? {} : { doubts: doubted.map(referenceTo) }),
      }),
    );
    for (const why of verified.faults) of(part).dropped.push({ content: item.says, why });
    const { says = verified.quote, subject, entities } = verified;
    const who = main.turn.speaker ?? main.turn.role;
    made.set(`#${item.number}`, {
      says,
      who,
      entities,
      part,
      turn: main.number,
      ...defined({ subject, attribute: item.attribute }),
    });
  }
  for (const { k, t, how } of answer.unchanged) {
    const claim = shown.get(k);
    const turn = byNumber.get(t);
    if (how !== 'confirms' || claim === undefined || !('id' in claim) || turn === undefined) continue;
    if (!speaksOf(turn, claim)) continue;
    of(turn.part).confirmed.push({ id: claim.id, turn: turn.number });
  }
  return found;
}

/** Makes an item of what is true of it: the words as they were said, and what a model says they mean. */
function extracted(
  item: AnsweredItem,
  { quote, says, confidence, subject, entities, due, from, until }: VerifiedItem<Target>,
  { turn }: AskedTurn,
  placed: Pick<ExtractedItem, 'turns' | 'replaces' | 'doubts'>,
): ExtractedItem {
  const isDue = due !== undefined && item.kind === 'commitment';
  const marks = [item.isProcedure && 'procedure', item.isConstraint && 'P0', isDue && 'deadline'].filter(
    (mark) => typeof mark === 'string',
  );
  return {
    category: item.kind,
    content: quote,
    confidence,
    role: turn.role,
    entities,
    tags: [...new Set([...item.tags, ...marks])],
    ...placed,
    ...defined({
      statement: says,
      subject,
      attribute: subject === undefined ? undefined : item.attribute,
      from,
      until,
      due: isDue ? due : undefined,
      isStanding: item.isStanding,
      priority: item.isConstraint ? ('P0' as const) : undefined,
    }),
  };
}

function surest(items: readonly ExtractedItem[], most: number): readonly ExtractedItem[] {
  if (items.length <= most) return items;
  const kept = new Set([...items].sort((one, other) => other.confidence - one.confidence).slice(0, most));
  return items.filter((item) => kept.has(item));
}
