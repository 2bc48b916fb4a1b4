// From items to records: ids, duplicates, which older claims they close, and the fields that follow from an item. Plans only; the store commits.

import { defined } from '../../base/errors.ts';
import * as words from '../../base/generated/words.ts';
import { type NameHash, sha256Hex } from '../../base/hash.ts';
import { normaliseForHash } from '../../base/text.ts';
import { endOfDay, startOfDay } from '../../base/time.ts';
import type { MemoryCategory, MemoryRecord, SourceReference, Transcript } from '../../base/types/stored-types.ts';
import { anyOf, listed } from '../../base/words.ts';
import { attributeKeyOf, closed, isOpen, wordsOfClaim } from '../../store/claims/claim.ts';
import { newMemory } from '../../store/records/memory-record.ts';
import { untrustedTag } from '../lifecycle/quoted.ts';
import type { ClaimReference, ExtractedItem, Extraction, Extractor } from './extractor.ts';
import { confidenceTierOf, importanceOf, leastInferred, leastKept, minorImportance } from './importance.ts';
import { isActive, KnownMemories, sayingOf } from './known-memories.ts';
import { mayTouch, type TrustPolicy, trustOfRecord, trustOfWords } from './trust.ts';

/** Everything a plan is made of. */
export interface ExtractionInput {
  /** Path of the transcript. */
  readonly path: string;
  readonly transcript: Transcript;
  readonly items: readonly ExtractedItem[];
  /** Known claims that turns say again. */
  readonly confirmed?: Extraction['confirmed'];
  readonly trust?: TrustPolicy;
  readonly extractor: Pick<Extractor, 'name' | 'version'>;
  /** All memories of the branch, in any status; {@link KnownMemories} where more conversations follow. */
  readonly existing: Iterable<MemoryRecord> | KnownMemories;
  /** What ids are made with; default SHA-256. */
  readonly hash?: NameHash;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** What memory.yaml says; by default what it says when it is empty. */
  readonly rules?: Partial<PlanRules>;
}

/** How items become records. */
export interface PlanRules {
  /** Whether the same words confirm a memory and make no other. */
  readonly deduplicate: boolean;
  /** Whether the extraction distinguishes episodes from notes. */
  readonly episodesAndNotes: boolean;
  /** After so many days a guess expires that nothing confirms. */
  readonly speculativeDays: number;
  /** The zone in which a day begins. */
  readonly timeZone: string;
}

/** What an extraction would do to the memories of a branch, with the reason for everything it leaves out. */
export interface ExtractionPlan {
  readonly created: readonly MemoryRecord[];
  readonly updated: readonly { readonly before: MemoryRecord; readonly after: MemoryRecord }[];
  readonly skipped: readonly { readonly content: string; readonly why: string }[];
  /** Pairs of ids of what may have changed what: somebody is asked. */
  readonly doubts: readonly { readonly newer: string; readonly older: string }[];
}

const defaultRules: PlanRules = {
  deduplicate: true,
  episodesAndNotes: true,
  speculativeDays: 30,
  timeZone: 'UTC',
};

const daySeconds = 86_400;

/**
 * Computes the id of an extracted memory: the same conversation, turn, extractor and words give the same id anywhere.
 *
 * 32 hexadecimal digits of a SHA-256, or of `hash`.
 */
export function extractedId(
  path: string,
  turn: number,
  extractor: Pick<Extractor, 'name' | 'version'>,
  content: string,
  hash: NameHash = sha256Hex,
): string {
  const origin = JSON.stringify([path, turn, `${extractor.name}@${extractor.version}`, content]);
  return hash(origin).slice(0, 32);
}

function sourcesOf(item: ExtractedItem, path: string, transcript: Transcript): SourceReference[] {
  return [...new Set(item.turns)].map((turn) => ({
    path,
    turn,
    role: turn === item.turns[0] ? item.role : (transcript.turns[turn - 1]?.role ?? item.role),
  }));
}

/** What an item says beside its words. */
function toldBy(item: ExtractedItem, { timeZone }: PlanRules): Partial<MemoryRecord> {
  const { statement, subject, attribute, due, from, until, isStanding: standing, standingConfidence } = item;
  return defined({
    ...{ statement, subject, attribute, due, standing, standingConfidence },
    validFrom: from === undefined ? undefined : Math.floor(startOfDay(from, timeZone) / 1000),
    validUntil: until === undefined ? undefined : Math.ceil((endOfDay(until, timeZone) + 1) / 1000),
  });
}

function created(item: ExtractedItem, id: string, input: ExtractionInput, rules: PlanRules): MemoryRecord {
  const { path, transcript, now } = input;
  const said = transcript.turns[item.turns[0]! - 1]?.time ?? transcript.started;
  const confidence = Number.isFinite(item.confidence) ? Math.min(1, Math.max(0, item.confidence)) : undefined;
  const tier = confidenceTierOf(item.confidence);
  const tags = [...new Set([...item.tags, ...(transcript.tags ?? [])])];
  const record = newMemory({
    id,
    content: item.content,
    now: said,
    tags,
    source: path,
    context: transcript.topic ?? transcript.title,
    entities: [...item.entities],
    category: item.category,
    ...(confidence === undefined ? {} : { confidence }),
    confidenceTier: tier,
    importance: item.isMinor ? minorImportance : Math.max(leastKept, importanceOf(item.content, item.category, tags)),
    ...(rules.episodesAndNotes ? { memoryKind: memoryKindOf(item.content, item.category, tags) } : {}),
    ...(tier === 'speculative'
      ? { expiresAt: Math.floor(now / 1000) + Math.round(rules.speculativeDays * daySeconds) }
      : {}),
    ...toldBy(item, rules),
    sources: sourcesOf(item, path, transcript),
  });
  // A conversation of years ago is remembered from then, but forgotten from now: its decay begins with the extraction.
  return { ...record, lastUsed: Math.max(record.createdAt, Math.floor(now / 1000)) };
}

/** Somebody says himself what only a page or a tool had said. */
function believed({ meta }: MemoryRecord, { trust }: ExtractedItem): Partial<MemoryRecord> {
  if (trust === 'outside' || !meta.tags.includes(untrustedTag)) return {};
  return { meta: { ...meta, tags: meta.tags.filter((tag) => tag !== untrustedTag) } };
}

/** Lets a model say what a quote means that another way of reading has kept: the claim stays the same. */
function understood(record: MemoryRecord, item: ExtractedItem, rules: PlanRules): MemoryRecord {
  const confidence = Math.min(1, Math.max(0, item.confidence));
  const tags = [...new Set([...record.meta.tags, ...item.tags])];
  return {
    ...record,
    ...toldBy(item, rules),
    category: item.category,
    confidence,
    confidenceTier: confidenceTierOf(confidence),
    entities: [...new Set([...record.entities, ...item.entities])],
    meta: { ...record.meta, tags },
  };
}

/** Adds sources to a record that says the same already, which confirms it and counts as a use. */
function joined(
  record: MemoryRecord,
  item: ExtractedItem,
  added: readonly SourceReference[],
  seconds: number,
): MemoryRecord {
  const { expiresAt, ...kept } = record;
  const confidence = Math.max(
    record.confidence ?? 0,
    Number.isFinite(item.confidence) ? item.confidence : 0,
    leastInferred,
  );
  const wasSpeculative = record.confidenceTier === 'speculative';
  const isBetter = wasSpeculative || trustOfRecord(record) === 'outside';
  return {
    ...(wasSpeculative ? kept : record),
    ...(isBetter ? { confidence, confidenceTier: confidenceTierOf(confidence) } : {}),
    ...believed(record, item),
    sources: [...(record.sources ?? []), ...added],
    entities: [...new Set([...record.entities, ...item.entities])],
    ...defined({
      due: record.due ?? item.due,
      standingConfidence: record.standingConfidence ?? item.standingConfidence,
    }),
    useCount: record.useCount + 1,
    lastUsed: Math.max(record.lastUsed, seconds),
  };
}

/** What a plan makes: new memories and changed ones, and what those end or may end. */
interface Made {
  readonly known: KnownMemories;
  readonly fresh: Map<string, MemoryRecord>;
  readonly changed: Map<string, { before: MemoryRecord; after: MemoryRecord }>;
  /** By the id of what ends them. */
  readonly replaces: ReadonlyMap<string, readonly ClaimReference[]>;
  readonly doubts: ReadonlyMap<string, readonly ClaimReference[]>;
}

/**
 * Closes what new memories end: what their extractor names, and other values of the subject and attribute that it gave. The one that was said
 * later prevails, whichever was known first. A model that was shown what is known names all that it ends, and nothing else ends by what it read.
 *
 * Gives the pairs that somebody is to be asked about.
 */
function close({ known, fresh, changed, replaces, doubts }: Made, now: number): ExtractionPlan['doubts'] {
  const pairs: { newer: string; older: string }[] = [];
  const present = (record: MemoryRecord): MemoryRecord =>
    fresh.get(record.id) ?? changed.get(record.id)?.after ?? record;
  const find = (one: ClaimReference, by: string): MemoryRecord | undefined => {
    const found =
      typeof one === 'string' ? known.get(one) : (freshAt(fresh, one) ?? known.ofTurn(one.path, one.turn, one.words));
    return found === undefined || found.id === by ? undefined : present(found);
  };
  const end = (old: MemoryRecord, by: MemoryRecord): void => {
    if (!isOpen(old) || !isOpen(by) || !mayTouch(trustOfRecord(by), trustOfRecord(old))) return;
    // What was said by a clock that is ahead is said by now.
    const after = closed(old, { by: by.id, from: by.validFrom ?? by.createdAt, now: Math.max(now, by.createdAt) });
    if (fresh.has(old.id)) fresh.set(old.id, after);
    else changed.set(old.id, { before: changed.get(old.id)?.before ?? old, after });
  };
  const understoodIds = [...replaces.keys()].filter((id) => !fresh.has(id));
  const inOrder = [...fresh.keys(), ...understoodIds]
    .map((id) => fresh.get(id) ?? changed.get(id)!.after)
    .sort((one, other) => one.createdAt - other.createdAt);
  for (const [at, { id }] of inOrder.entries()) {
    const record = (): MemoryRecord => fresh.get(id) ?? changed.get(id)!.after;
    for (const replaced of replaces.get(id) ?? []) {
      const old = find(replaced, id);
      if (old !== undefined && old.createdAt <= record().createdAt) end(old, record());
    }
    for (const doubted of doubts.get(id) ?? []) {
      const old = find(doubted, id);
      if (old !== undefined && isOpen(old)) pairs.push({ newer: id, older: old.id });
    }
    const key = attributeKeyOf(record());
    if (key === undefined || replaces.has(id)) continue;
    for (const old of known.otherValues(record())) {
      if (old.createdAt > record().createdAt) end(present(record()), present(old));
      else end(present(old), present(record()));
    }
    // Of one conversation each is ended by the next.
    for (const old of inOrder.slice(0, at)) if (attributeKeyOf(old) === key) end(present(old), present(record()));
  }
  return pairs;
}

/** Finds what the same conversation has made of a turn. */
function freshAt(fresh: ReadonlyMap<string, MemoryRecord>, { path, turn, words }: Exclude<ClaimReference, string>) {
  const wanted = normaliseForHash(words);
  return [...fresh.values()].find(
    ({ sources = [], content, statement = content }) =>
      sources[0]?.path === path && sources[0].turn === turn && normaliseForHash(statement) === wanted,
  );
}

/**
 * Plans what the items of one conversation change.
 *
 * - what an active memory of the same speaker says already, letter case and punctuation apart, adds its source there. That confirms a
 *   speculative memory, and counts as a use
 * - an item whose source stands there already changes nothing, so extracting twice plans nothing new. Nor does one whose record was
 *   extracted before and has been superseded, archived or edited since
 * - so does one that has the words of a memory of the same turn among its own, or some of them. A model says what those words mean instead
 * - any other item is a new memory, made at the time it was said and last used now
 * - a new memory closes what its extractor says that it replaces, and other values of a subject and attribute that it gave. In whatever
 *   order conversations are extracted, the one that was said later prevails. Nothing else closes anything
 * - what a model says a turn confirms has that turn as a source more
 *
 * Nothing here is confirmed, added to or taken back by words that are believed less than its own (trust.ts).
 * Duplicates are sought among active memories only: after A, then B instead, A can be learned again.
 */
export function planExtraction(input: ExtractionInput): ExtractionPlan {
  const { path, transcript, items, extractor, existing, now } = input;
  const rules = { ...defaultRules, ...input.rules };
  const seconds = Math.floor(now / 1000);
  const memories = existing instanceof KnownMemories ? existing : new KnownMemories(existing);
  /** What this plan makes of memories, beside those that are there. */
  const byId = new Map<string, MemoryRecord>();
  const bySaying = new Map<string, MemoryRecord>();

  const fresh = new Map<string, MemoryRecord>();
  const changed = new Map<string, { before: MemoryRecord; after: MemoryRecord }>();
  const replaces = new Map<string, readonly ClaimReference[]>();
  const doubts = new Map<string, readonly ClaimReference[]>();
  const skipped: { content: string; why: string }[] = [];
  /** Takes an item in, or tells why it is left out. */
  const take = (item: ExtractedItem): string | undefined => {
    const turn = item.turns[0];
    const said = item.statement ?? item.content;
    const words = normaliseForHash(said);
    if (words === '') return 'it has no words';
    if (turn === undefined || transcript.turns[turn - 1] === undefined) return `the conversation has no turn ${turn}`;
    const id = extractedId(path, turn, extractor, said, input.hash);
    const known = byId.get(id) ?? memories.get(id) ?? memories.settledAt(path, turn, words);
    // Asked before the words: when the same was said again since, that is another memory and none of this turn's business.
    if (known !== undefined && !(isActive(known) && normaliseForHash(wordsOfClaim(known)) === words))
      return `memory ${known.id} was extracted before and is ${isActive(known) ? 'edited' : known.status} now`;
    const quoted =
      known === undefined && item.statement !== undefined ? memories.quotedFrom(path, turn, item.content) : undefined;
    if (quoted !== undefined && !changed.has(quoted.id) && mayTouch(item.trust ?? 'person', trustOfRecord(quoted))) {
      const after = understood(quoted, item, rules);
      changed.set(quoted.id, { before: quoted, after });
      byId.set(id, after);
      replaces.set(quoted.id, item.replaces ?? []);
      doubts.set(quoted.id, item.doubts ?? []);
      return undefined;
    }
    // Other rules only cut a turn otherwise.
    const isCut = known === undefined && item.statement === undefined;
    const overlapping = isCut ? memories.takenFrom(path, turn, words) : undefined;
    if (overlapping !== undefined) return `memory ${overlapping.id} has it from this turn already`;
    const record = created(item, id, input, rules);
    const saying = sayingOf(record);
    const keep = (made: MemoryRecord): undefined => {
      byId.set(made.id, made);
      bySaying.set(saying, made);
    };
    const same = known ?? (rules.deduplicate ? (bySaying.get(saying) ?? memories.saying(saying)) : undefined);
    if (same === undefined) {
      fresh.set(id, record);
      if (item.replaces !== undefined) replaces.set(id, item.replaces);
      if (item.doubts !== undefined) doubts.set(id, item.doubts);
      return keep(record);
    }
    const sources = same.sources ?? [];
    const added = sourcesOf(item, path, transcript).filter(
      (source) => !sources.some((one) => one.path === source.path && one.turn === source.turn),
    );
    if (added.length === 0) return `memory ${same.id} has it from this turn already`;
    const trust = item.trust ?? 'person';
    if (!mayTouch(trust, trustOfRecord(same))) {
      const who = trust === 'agent' ? 'an agent' : 'the outside';
      return `memory ${same.id} says it already, and words of ${who} confirm nothing that others said`;
    }
    if (fresh.has(same.id)) {
      // Said twice in one conversation: one memory with two sources, not a use of it.
      const record = { ...same, ...believed(same, item), sources: [...sources, ...added] };
      fresh.set(same.id, record);
      return keep(record);
    }
    const after = joined(same, item, added, seconds);
    changed.set(same.id, { before: changed.get(same.id)?.before ?? same, after });
    return keep(after);
  };
  for (const item of items) {
    const why = take(item);
    if (why !== undefined) skipped.push({ content: item.content, why });
  }
  for (const { id, turn } of input.confirmed ?? []) {
    const same = changed.get(id)?.after ?? memories.get(id);
    const said = transcript.turns[turn - 1];
    if (same === undefined || said === undefined || !isActive(same) || fresh.has(id)) continue;
    if ((same.sources ?? []).some((source) => source.path === path && source.turn === turn)) continue;
    if (!mayTouch(trustOfWords(transcript, said, wordsOfClaim(same), input.trust), trustOfRecord(same))) continue;
    const after = {
      ...same,
      sources: [...(same.sources ?? []), { path, turn, role: said.role }],
      useCount: same.useCount + 1,
      lastUsed: Math.max(same.lastUsed, seconds),
    };
    changed.set(id, { before: changed.get(id)?.before ?? same, after });
  }
  const asked = close({ known: memories, fresh, changed, replaces, doubts }, seconds);
  return { created: [...fresh.values()], updated: [...changed.values()], skipped, doubts: asked };
}

/** `episode`: something that happened at a time; `note`: a belief, choice or liking that holds until it changes. */
type MemoryKind = NonNullable<MemoryRecord['memoryKind']>;

const temporal = anyOf(words.temporal);
const pastAction = anyOf(words.doneWords);
const noteSignal = anyOf(words.holdingWords);
const noteTags: ReadonlySet<string> = new Set(listed(words.noteTags));
const episodeTags: ReadonlySet<string> = new Set(listed(words.episodeTags));
const noteCategories: ReadonlySet<MemoryCategory> = new Set([
  'preference',
  'decision',
  'commitment',
  'principle',
  'correction',
  'relationship',
  'entity',
  'skill',
]);
/**
 * Classifies a memory as episode or note; the first of these that speaks decides (spec 4):
 *
 * 1. a time that has passed, such as "yesterday": episode
 * 2. its category: a moment is an episode; a preference, decision, commitment and the like is a note
 * 3. its tags, those of notes first
 * 4. a verb of something done: episode
 * 5. words of what holds, such as "prefers", "always": note
 * 6. otherwise episode
 */
export function memoryKindOf(content: string, category?: MemoryCategory, tags: readonly string[] = []): MemoryKind {
  if (temporal.test(content)) return 'episode';
  if (category === 'moment') return 'episode';
  if (category !== undefined && noteCategories.has(category)) return 'note';
  const lower = tags.map((tag) => tag.toLowerCase());
  if (lower.some((tag) => noteTags.has(tag))) return 'note';
  if (lower.some((tag) => episodeTags.has(tag))) return 'episode';
  if (pastAction.test(content)) return 'episode';
  return noteSignal.test(content) ? 'note' : 'episode';
}
