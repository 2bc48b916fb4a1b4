// Search over one state: the word index of the snapshot asked last, joined with who last changed what it finds.

import { defined, orElse, unreadable } from '../../base/errors.ts';
import { normaliseForHash } from '../../base/text.ts';
import { dayOf, formatLocalTime, formatTime } from '../../base/time.ts';
import { queryTokensOf, tokensOf } from '../../base/tokenizer.ts';
import type { SourceReference } from '../../base/types/stored-types.ts';
import type { LaterTurn, Learnt, RecallHit } from '../../base/types.ts';
import { LastChange } from '../../history/index.ts';
import {
  askedTimeOf,
  type Corpus,
  type CorpusFile,
  checkOptions,
  type Ended,
  endingsOfLines,
  type Follower,
  type FollowingOptions,
  type HiddenDocuments,
  headingOf,
  hitOf,
  type RecallOptions as IndexOptions,
  type IsPrivate,
  isProbablyNothing,
  type JudgedHit,
  type Layout,
  type LexicalIndex,
  maxLimit,
  namesClaims,
  parseQuery,
  type RankedHit,
  rankingSettings,
  type SearchDocument,
  SearchIndex,
  snippetOf,
} from '../../search/index.ts';
import { toBegin } from '../../store/claims/claim.ts';
import { isSamePrivacy } from '../../store/codec.ts';
import { damages } from '../../store/damaged-files.ts';
import { forgottenIn, shownText } from '../../store/forgotten.ts';
import type { Repository } from '../../store/git/repository.ts';
import type { Patience, Reading } from '../../store/patience.ts';
import { forgottenPath } from '../../store/records/forgotten-file.ts';
import { memoriesOfLine, sourcesOfLine } from '../../store/records/knowledge-marks.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import { parseUseCounts, useCountsPath } from '../../store/records/use-counts.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { worthKeeping } from '../../store/tree-listing.ts';
import { gistLineOf } from '../lifecycle/gist/memory-gist.ts';
import { holdingHits, type LogSources, replacedIn } from './holding-hits.ts';

/** How much is brought that was said after a hit. Of six writers of changes each has about as many in a context with half or twice of it. */
const followedHits = 6;
const mostFollowers = 3;
const leastLink = 0.12;
/** So many changes each process follows before the view is kept anew. */
const leastChanged = 16;

/** What all searchers of one memory share. */
export interface SearchSources extends LogSources {
  readonly repository: Repository;
  readonly corpus: Corpus;
  readonly patience: Patience;
  /** The index over words of a small state. */
  smallIndex(): LexicalIndex;
  /** Whether the words of a state may be written to the disk. */
  mayKeep(snapshot: Snapshot): boolean;
}

/** How to find; with `learntFrom`, which tells where conversations were held, what was learnt here comes first. */
export interface FindOptions extends IndexOptions {
  readonly learntFrom?: (sources: readonly Pick<SourceReference, 'path' | 'turn'>[]) => Learnt | undefined;
}

/** What was found, and whether that is probably no answer. */
export interface Found {
  readonly hits: readonly JudgedHit[];
  readonly probablyNothing: boolean;
}

/** Keeps the listing and the word index of the snapshot that was asked last. */
export class Searcher {
  private readonly index: SearchIndex;
  private readonly sources: SearchSources;
  private readonly isPresent: boolean;
  private readonly lastChange: LastChange;
  private snapshot: Snapshot | null = null;
  private version: string | null = null;
  private damageVersion = 0;
  /** How many files changed since the view was kept. */
  private sinceKept = Number.POSITIVE_INFINITY;
  private hidden: { readonly version: string; readonly documents: HiddenDocuments } | undefined;

  constructor(sources: SearchSources, isPresent: boolean) {
    const { corpus, repository } = sources;
    this.lastChange = new LastChange(repository);
    this.sources = sources;
    this.isPresent = isPresent;
    this.index = new SearchIndex((oid, path) => readOrNothing(this.snapshot!, oid, path), {
      corpus,
      // Of the past typed arrays are there, or are made in a fraction of the time, and it never changes.
      smallIndex: isPresent ? sources.smallIndex : undefined,
    });
  }

  /** Gives the documents that can be found in a snapshot. */
  layoutOf(snapshot: Snapshot): Layout {
    this.moveTo(snapshot);
    return this.index.layout;
  }

  /** Whether all words of a snapshot are kept, as far as that is known without reading them. */
  isKept(snapshot: Snapshot): boolean {
    return this.mayKeepView(snapshot) && this.sources.corpus.keptTree === snapshot.tree;
  }

  /** Does ahead of the first question what it would wait for, and keeps it; says how many files were read. */
  prepare(snapshot: Snapshot): { readonly documents: number; readonly read: number } {
    const { corpus } = this.sources;
    const before = corpus.filesRead;
    this.moveTo(snapshot, () => ({ keeps: true, isEnough: () => false }));
    const mayKeep = this.sources.mayKeep(snapshot);
    if (corpus.tend(mayKeep, true, this.held)) this.sinceKept = Number.POSITIVE_INFINITY;
    this.keepView(snapshot);
    return { documents: this.index.size, read: corpus.filesRead - before };
  }

  private moveTo(snapshot: Snapshot, all?: () => Reading): void {
    const { corpus, mayKeep, patience } = this.sources;
    const before = this.version === null ? null : this.snapshot;
    if (this.version === snapshot.version && (this.index.unseen === 0 || (all === undefined && !patience.isOver))) {
      snapshot.damage.leave(this.index.unseen);
      return;
    }
    this.version = null;
    this.snapshot = snapshot;
    const { damageVersion } = snapshot;
    // A key that came or went, another configuration, or damage that was met or repaired changes which files there are.
    const isSame =
      before !== null &&
      isSamePrivacy(before.privacy, snapshot.privacy) &&
      before.isUnlocked === snapshot.isUnlocked &&
      this.damageVersion === damageVersion;
    this.damageVersion = damageVersion;
    const changes = before === null ? this.changesSinceKept(snapshot) : null;
    const moved = changes ?? (isSame && this.index.canMoveBy ? changesBetween(before, snapshot) : null);
    // Of the past all is read, and what may not be kept is made by whoever asks.
    const reading = this.isPresent && mayKeep(snapshot) ? (all ?? (() => patience.reading())) : undefined;
    if (moved !== null) this.index.moveBy(moved, reading);
    else this.index.moveTo(snapshot.list(), reading);
    this.version = snapshot.version;
    snapshot.damage.leave(this.index.unseen);
    if (this.index.unseen > 0) return;
    // A command asks once, and the next one would read the same again. Where little is there that costs less than to keep it.
    const keepsAll = this.isPresent && before === null && corpus.isKept;
    if (corpus.tend(mayKeep(snapshot), keepsAll, this.isPresent ? this.held : undefined))
      this.sinceKept = Number.POSITIVE_INFINITY;
    else this.sinceKept += moved?.size ?? Number.POSITIVE_INFINITY;
    this.keepView(snapshot);
  }

  /** What differs from the view that is kept, which the index takes over; null where each file has to be looked up. */
  private changesSinceKept(snapshot: Snapshot): Map<string, string | null> | null {
    const tree = this.mayKeepView(snapshot) ? this.index.adopt() : null;
    if (tree === null) return null;
    const compare = () => changesIn(snapshot, snapshot.diffOf(tree, snapshot.tree), [snapshot]);
    const changes = orElse(compare, null, ...damages);
    if (changes !== null) this.sinceKept = 0;
    return changes;
  }

  /** Keeps which files the view has, where enough has changed since. */
  private keepView(snapshot: Snapshot): void {
    if (this.sinceKept <= worthKeeping(this.index.size, leastChanged)) return;
    const isPending = (snapshot.overlay?.files.size ?? 0) > 0;
    if (isPending || !this.index.canMoveBy || !this.mayKeepView(snapshot)) return;
    if (this.sources.corpus.keepView(snapshot.tree!, (file) => this.index.holds(file))) this.sinceKept = 0;
  }

  /** A view that is kept is that of a tree, for whoever asks about the present. */
  private mayKeepView(snapshot: Snapshot): boolean {
    return this.isPresent && snapshot.showsAll && snapshot.tree !== null && this.sources.mayKeep(snapshot);
  }

  /** What the view needs of all documents. */
  private get held(): { readonly needed: number; isNeeded(file: CorpusFile): boolean } {
    return { needed: this.index.size, isNeeded: (file) => this.index.holds(file) };
  }

  /** Ranks documents as they are, without who changed them last. Throws as the index does. */
  rank(snapshot: Snapshot, query: string, options: IndexOptions): RankedHit[] {
    this.moveTo(snapshot);
    return this.index.recall(query, {
      ...options,
      // Spec 5 §6.3 counts references, those of files too.
      ...(options.fusion === 'spec' ? { usesOf: usesOfFiles(snapshot) } : {}),
      ...defined({ hidden: this.hiddenIn(snapshot) }),
    });
  }

  /** What was forgotten, or put otherwise, is handed to nobody: neither the turns it came from nor the events that told of it. */
  private hiddenIn(snapshot: Snapshot): HiddenDocuments | undefined {
    const oid = snapshot.oidOf(forgottenPath);
    if (oid === null) return undefined;
    if (this.hidden?.version === snapshot.version) return this.hidden.documents;
    const { memories, reworded, turns } = forgottenIn(snapshot);
    const { archived, events } = this.sources.ledgers.ledgerOf(snapshot);
    const hidden = new Set<string>();
    // What such a memory says by now is another event.
    for (const { value } of events)
      if (reworded.has(value.memory ?? '') && value.supersedes !== undefined) hidden.add(value.supersedes);
    // "Put aside: Ana likes tea" takes back what told of the memory, in its words.
    for (const { id, value } of [...archived, ...events]) {
      const { memory, supersedes } = value;
      const isTold = memory === undefined ? supersedes !== undefined && hidden.has(supersedes) : memories.has(memory);
      if (isTold) hidden.add(id);
    }
    const documents = { turns, events: hidden };
    this.hidden = { version: snapshot.version, documents };
    return documents;
  }

  /**
   * Ranks, with what held at the time that is asked of first, and says of each hit what of it ended. Whether there is probably nothing
   * depends on the first hits as they were ranked, however many are wanted. Throws as the index does.
   */
  find(snapshot: Snapshot, query: string, { limit: most = 10, learntFrom, ...options }: FindOptions): Found {
    // Behind what was learnt elsewhere there may be what was learnt here.
    const limit = learntFrom === undefined ? most : Math.min(maxLimit, 2 * most);
    checkOptions(query, { ...options, limit });
    let first: readonly RankedHit[] = [];
    const rank = (size: number) => {
      const ranked = this.rank(snapshot, query, { ...options, limit: Math.max(size, rankingSettings.lookedAt) });
      first = ranked.slice(0, rankingSettings.lookedAt);
      return ranked.slice(0, size);
    };
    this.moveTo(snapshot);
    const { text, filters, phrases } = parseQuery(query, options.timeZone ?? 'UTC');
    const given = [options.category, options.since, options.until, options.session, options.paths];
    const isFiltered =
      given.some((one) => one !== undefined) ||
      Object.values(filters).some((one) => !Array.isArray(one) || one.length > 0) ||
      phrases.length > 0;
    const terms = queryTokensOf(text);
    const hits = holdingHits(limit, {
      rank,
      terms,
      claims: this.index.claims,
      textAt: (path) => snapshot.textIfWhole(path),
      replacedEvent: replacedIn(snapshot, this.sources),
      asked: askedTimeOf(text, options.now),
      now: Math.floor(options.now / 1000),
      mayLend: !isFiltered,
      hitOf: (document, { score, confidence, parts }) =>
        hitOf(document, terms, { score, ...defined({ confidence }), parts: { ...parts, lexical: 0 } }),
    });
    const shown = learntFrom === undefined ? hits : withElsewhereLast(hits, learntFrom).slice(0, most);
    return { hits: shown, probablyNothing: isProbablyNothing(first.map(({ confidence }) => confidence)) };
  }

  /**
   * Lists what was said after each hit and is nearest to it. The filters of the query that found it hold for that, too. Throws as the
   * index does.
   */
  followersOf(
    snapshot: Snapshot,
    hits: readonly SearchDocument[],
    query = '',
    { most = mostFollowers, least = leastLink, ...filter }: Partial<FollowingOptions> = {},
  ): Follower[][] {
    this.moveTo(snapshot);
    const hidden = defined({ hidden: this.hiddenIn(snapshot) });
    return this.index.followersOf(hits, query, { ...filter, most, least, ...hidden });
  }

  /** Gives the document of a turn by its path and number; undefined where there is none, or it was forgotten. */
  turnAt(snapshot: Snapshot, path: string, turn: number): SearchDocument | undefined {
    this.moveTo(snapshot);
    return this.hiddenIn(snapshot)?.turns.get(path)?.has(turn) ? undefined : this.index.turnAt(path, turn);
  }

  /**
   * Gives the turn whose words a memory is, or the memory that an event tells of. Undefined where nobody said them so, or the turn was
   * forgotten. Of several turns the last is quoted, also in the place of an earlier one that says no more.
   */
  quotedBy(
    snapshot: Snapshot,
    { record, tells, path: said, turn: number, text }: SearchDocument,
  ): SearchDocument | undefined {
    this.moveTo(snapshot);
    if (number !== undefined) {
      const turn = `${said}#${number}`;
      const [claim] = this.index.claims.takenFrom(new Set([turn])).get(turn) ?? [];
      if ((claim?.record.sources?.length ?? 0) < 2) return undefined;
      const last = this.quotedBy(snapshot, claim!.document);
      return last !== undefined && normaliseForHash(last.text) === normaliseForHash(text) ? last : undefined;
    }
    const claim = record ?? (tells === undefined ? undefined : this.index.claims.find(tells.memory)?.record);
    const words = normaliseForHash(claim?.content ?? '');
    if (words === '') return undefined;
    for (const { path, turn } of claim!.sources?.toReversed() ?? []) {
      const document = turn === undefined ? undefined : this.turnAt(snapshot, path, turn);
      if (document !== undefined && normaliseForHash(document.text).includes(words)) return document;
    }
    return undefined;
  }

  /** Lists all turns of conversations, where they have no more than so many words; undefined where they have more. */
  allTurns(snapshot: Snapshot, mostWords: number): SearchDocument[] | undefined {
    this.moveTo(snapshot);
    const hidden = this.hiddenIn(snapshot)?.turns;
    return this.index.allTurns(mostWords)?.filter(({ path, turn }) => !hidden?.get(path)?.has(turn!));
  }

  /** Finds which lines of a file tell what ended, by their numbers, counted from 0. */
  endingsIn(snapshot: Snapshot, text: string): ReadonlyMap<number, Ended> {
    if (!namesClaims(text)) return new Map();
    this.moveTo(snapshot);
    const replacedOf = replacedIn(snapshot, this.sources);
    // A line that was copied from events ended with all of them.
    const corrected = text.split('\n').flatMap((line, at): [number, Ended][] => {
      const ids = memoriesOfLine(line).length === 0 ? sourcesOfLine(line) : [];
      const ended = ids.map((id) => replacedOf({ category: 'ledger', id }));
      return ended.length > 0 && !ended.includes(undefined) ? [[at, ended.at(-1)!]] : [];
    });
    return new Map([...corrected, ...endingsOfLines(text, this.index.claims)]);
  }

  /** Finds, and says what probably was meant otherwise. Throws as the index does. */
  recall(
    snapshot: Snapshot,
    query: string,
    { learntFrom, ...options }: FindOptions,
  ): Pick<Found, 'probablyNothing'> & { readonly hits: readonly RecallHit[]; readonly hints: readonly string[] } {
    const { hits: judged, probablyNothing } = this.find(snapshot, query, { ...options, ...defined({ learntFrom }) });
    const terms = queryTokensOf(parseQuery(query, options.timeZone ?? 'UTC').text);
    const onDay = (seconds: number | undefined): string | undefined =>
      seconds === undefined ? undefined : dayOf(seconds * 1000, options.timeZone ?? 'UTC');
    const followed = judged.slice(0, followedHits).map(({ hit: { document } }) => document);
    const later = this.laterThan(snapshot, followed, query, terms, options);
    const hits = judged.map(
      (
        { hit: { document, snippet, highlights, line, turns, also, confidence, parts }, score, ended, learnt },
        at,
      ): RecallHit => ({
        path: document.path,
        ...defined({ id: document.id }),
        category: document.category,
        ...defined({ session: document.session, turn: document.turn, turns }),
        line,
        ...defined({
          speaker: document.speaker ?? also?.find(({ document: { turn } }) => turn !== undefined)?.document.speaker,
          role: document.role,
          time: document.time === undefined ? undefined : clockOf(document.time, options.timeZone),
          title: this.titleOf(snapshot, document),
          gist: document.record === undefined ? undefined : gistLineOf(document.record),
          sources: document.record?.sources,
          also: also?.map(alsoOf),
          from: onDay(document.record && toBegin(document.record, options.now / 1000)),
          until: onDay(ended?.until),
          replacedBy: ended?.by,
          later: later[at],
          learnt: learnt?.standing === 'here' ? undefined : learnt,
        }),
        snippet,
        highlights,
        score,
        ...defined({ confidence }),
        parts: { ...parts },
        commit: this.lastChangeOf(snapshot, document.path),
      }),
    );
    return { hits, probablyNothing, hints: this.index.hints(query, options) };
  }

  /** Tells what was said after each hit, or after the turn that it quotes. */
  private laterThan(
    snapshot: Snapshot,
    hits: readonly SearchDocument[],
    query: string,
    terms: readonly string[],
    options: IndexOptions,
  ): (readonly LaterTurn[] | undefined)[] {
    const documents = hits.map((hit) => this.quotedBy(snapshot, hit) ?? hit);
    return this.followersOf(snapshot, documents, query, options).map((followers, number) => {
      if (followers.length === 0) return undefined;
      const asked = [...terms, ...tokensOf(documents[number]!.text, documents[number]!.language)];
      return followers.map(({ document, link }): LaterTurn => {
        const { path, turn, line, speaker, role, time, text, language } = document;
        const at = { path, ...defined({ turn }), line, ...defined({ speaker, role }) };
        const { text: snippet } = snippetOf(text, asked, undefined, language);
        return { ...at, time: clockOf(time!, options.timeZone), snippet, link: Math.round(link * 1000) / 1000 };
      });
    });
  }

  /** The title of a conversation may be the words of a turn that was forgotten. */
  private titleOf(snapshot: Snapshot, { path, title }: RankedHit['document']): string | undefined {
    if (!this.hiddenIn(snapshot)?.turns.has(path)) return title;
    const text = shownText(snapshot, path, snapshot.textIfWhole(path) ?? '');
    return orElse(() => headingOf(parseTranscript(text, path)), undefined);
  }

  /** Gives the commit that last changed a file; `null` while a change of it is pending. */
  lastChangeOf(snapshot: Snapshot, path: string): string | null {
    return snapshot.overlay?.files.has(path) ? null : this.lastChange.of(snapshot.commit, path);
  }
}

/** A time as a clock of the zone shows it; a day alone is the same day in any zone. */
const clockOf = (time: number, timeZone = 'UTC'): string =>
  timeZone === 'UTC' || time % 86_400_000 === 0 ? formatTime(time) : formatLocalTime(time, timeZone);

function alsoOf({ document, score }: NonNullable<RankedHit['also']>[number]): NonNullable<RecallHit['also']>[number] {
  const { path, id, category, session, turn, line } = document;
  return { path, ...defined({ id }), category, ...defined({ session, turn }), line, score };
}

/** A private text that was damaged has no words; doctor tells of it. */
const readOrNothing = (snapshot: Snapshot, oid: string, path: string): Buffer =>
  orElse(() => snapshot.readBlob(oid, path), Buffer.alloc(0), ...unreadable);

/** Lists the files in which two states differ, path → blob id, null for those that are gone; null when the first is no longer there. */
export function changesBetween(before: Snapshot, after: Snapshot): Map<string, string | null> | null {
  const differences = after.diffFrom(before);
  return differences === null ? null : changesIn(after, differences, [before, after]);
}

/** Gives what a state has of the files that differ, and of those that are pending in some states. */
function changesIn(
  state: Snapshot,
  differences: readonly { readonly path: string }[],
  pendingIn: readonly Snapshot[],
): Map<string, string | null> {
  const paths = new Set(differences.map(({ path }) => path));
  for (const { overlay } of pendingIn) for (const path of overlay?.files.keys() ?? []) paths.add(path);
  return new Map([...paths].map((path) => [path, state.listedOidOf(path)]));
}

/** Tells which texts may leave no trace. Until paths are matched one by one, none may where any is private. */
export const privacyOf =
  (privatePaths: readonly string[]): IsPrivate =>
  () =>
    privatePaths.length > 0;

function usesOfFiles(snapshot: Snapshot): ReadonlyMap<string, number> {
  const counts = parseUseCounts(snapshot.textIfWhole(useCountsPath));
  return new Map([...counts].map(([path, { count }]) => [path, count]));
}

/** Says of hits where they were learnt, and puts those behind the others that belong to a branch that HEAD does not have. */
function withElsewhereLast(
  hits: readonly JudgedHit[],
  learntFrom: NonNullable<FindOptions['learntFrom']>,
): JudgedHit[] {
  const told = hits.map((one): JudgedHit => {
    const { path, record, turn } = one.hit.document;
    const learnt = learntFrom(record?.sources ?? [{ path, ...defined({ turn }) }]);
    return learnt === undefined || learnt.standing === 'unknown' ? one : { ...one, learnt };
  });
  const isAway = ({ learnt }: JudgedHit) => learnt?.standing === 'elsewhere' || learnt?.standing === 'lost';
  let least = 1;
  return [...told.filter((one) => !isAway(one)), ...told.filter(isAway)].map((one) => {
    least = Math.min(least, one.score);
    return least === one.score ? one : { ...one, score: least };
  });
}
