// What the engine wrote from memories follows them, in the commit that changes them. These are lines of knowledge, journals, archives and
// boxes that name a memory, and the list of what was forgotten. The one owner of that rule; what becomes of a line is said in
// core/lifecycle/memory-lines.ts.

import { defined, orElse } from '../../base/errors.ts';
import { keptIn } from '../../base/once-per.ts';
import { normaliseForHash } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { LedgerCatalog } from '../../logs/index.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import type { Consequence, ConsequenceSource, StateChange } from '../../store/consequence.ts';
import { type StateFiles, withoutPrivate, withTexts } from '../../store/derive.ts';
import type { FileChange } from '../../store/operation.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { forgottenPath, formatForgotten, parseForgotten, rewordedMark } from '../../store/records/forgotten-file.ts';
import { kindOf } from '../../store/records/kind.ts';
import { keptUpdated } from '../../store/records/knowledge-edit.ts';
import { isTurn } from '../../store/records/knowledge-marks.ts';
import { formatMemory, memoryPath } from '../../store/records/memory-record.ts';
import { turnsIn } from '../../store/records/vitals.ts';
import { conflictMark, type PackClaims } from '../context/pack/conflicts.ts';
import { packOf, packPath } from '../context/pack/pack.ts';
import { dayOfPack } from '../context/pack/recall-pack.ts';
import { parseCapture } from '../extract/plan-transcript.ts';
import { refreshGist } from '../lifecycle/gist/memory-gist.ts';
import {
  type Fate,
  type Fates,
  followedText,
  ownersIn,
  rewordedLines,
  tellsOfDays,
} from '../lifecycle/memory-lines.ts';
import {
  type Heirs,
  heirsIn,
  isForgetting,
  recordIn,
  type Standing,
  standingsOf,
  textIfWhole,
  type When,
} from './ledger-follower.ts';

/** Owners of lines of files, by blob id: memories, and turns as `path#turn`. A file is looked through for them once. */
export class NamedMemories {
  private readonly files = new Map<string, ReadonlySet<string>>();

  /** Lists the files that have lines of each owner. */
  pathsIn(state: StateFiles): ReadonlyMap<string, readonly string[]> {
    const paths = new Map<string, string[]>();
    for (const folder of ['knowledge/', 'boxes/', 'archive/']) {
      for (const [path, oid] of state.list(folder)) {
        if (!path.endsWith('.md')) continue;
        for (const id of this.namedBy(state, path, oid)) keptIn(paths, id, () => []).push(path);
      }
    }
    return paths;
  }

  /** Lists the owners of a file's lines. */
  namedBy(state: StateFiles, path: string, oid = state.oidOf(path)): ReadonlySet<string> {
    if (oid === null) return new Set();
    const known = this.files.get(oid);
    if (known !== undefined) return known;
    const text = textIfWhole(state, path);
    // It may be read later, once the key is there.
    if (text === null) return new Set();
    return keptIn(this.files, oid, () => ownersIn(text), mostFiles);
  }
}

const mostFiles = 20_000;

export interface LineSources {
  readonly named: NamedMemories;
  configurationOf(files: StateFiles): Configuration;
}

/** These calls, like an editor, mean the line; a pass that writes one anew does not change what the memory says. */
const isByHand = ({ isHandEdit, name }: StateChange['operation']): boolean =>
  isHandEdit === true || name === 'edit' || name === 'write';

/**
 * Makes the rule. A line of a memory stands as long as that memory does and says the same; see {@link Fate}. A line of
 * a turn goes the way of the memory that came from that turn.
 *
 * An edit of such a line of knowledge/ is an edit of the memory. Its words become those of the line, its sources stay, and its other lines
 * follow. A memory that a person forgets is named in `state/forgotten.json` with its turns. Undo and merges bring the lines of their
 * commits; of what they change besides, lines follow that name a memory which no longer stands.
 */
export function lineFollower(sources: LineSources): ConsequenceSource {
  return (present, now): Consequence => {
    let paths: ReadonlyMap<string, readonly string[]> | undefined;
    const naming = (id: string) => {
      paths ??= sources.named.pathsIn(present);
      return paths.get(id) ?? [];
    };
    return {
      mayWrite(changed) {
        const records = changed.flatMap((path) => {
          if (isNaming(path)) return memoriesAmong(sources.named.namedBy(present, path)).map(memoryPath);
          return kindOf(path) === 'memory' ? [path] : [];
        });
        // What is new is named by nobody.
        const known = [...new Set(records)].filter((path) => present.oidOf(path) !== null);
        const isNoted = known.length > 0 || (records.length > 0 && present.oidOf(forgottenPath) !== null);
        // A page that a merge brings may name what fell here.
        const turnsOf = (path: string) => turnsIn(recordIn(textIfWhole(present, path), path) ?? {});
        const owners = known.flatMap((path) => [idOf(path), ...turnsOf(path)]);
        const pages = [...changed.filter(isNaming), ...owners.flatMap(naming)];
        return [...known, ...pages, ...(isNoted ? [forgottenPath] : [])];
      },
      follow: (change) => new Following(change, sources, now).changes(),
    };
  };
}

const memoriesAmong = (owners: Iterable<string>): string[] => [...owners].filter((owner) => !isTurn(owner));
const isNaming = (path: string): boolean => kindOf(path) === 'knowledge' || kindOf(path) === 'box';
const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Says what lines of a memory say that is as it was. */
export function presentFate(
  record: MemoryRecord,
  { now, timeZone }: When,
): Extract<Fate, { readonly kind: 'over' | 'stands' }> {
  const was = inOneLine(wordsOfClaim(record));
  const until = record.validUntil === undefined ? undefined : dayOf(record.validUntil * 1000, timeZone);
  if (record.status === 'superseded') return { kind: 'over', was, until: until ?? dayOf(now, timeZone) };
  return { kind: 'stands', was, ...(until === undefined ? {} : { until }) };
}

class Following {
  private readonly change: StateChange;
  private readonly sources: LineSources;
  private readonly when: When;
  private readonly configuration: Configuration;
  private readonly made = new Map<string, string | null>();
  private readonly files: StateFiles;

  constructor(change: StateChange, sources: LineSources, now: number) {
    this.change = change;
    this.sources = sources;
    this.configuration = sources.configurationOf(change.after);
    this.when = { now, timeZone: this.configuration.timezone };
    this.files = withTexts(change.after, this.made);
  }

  changes(): FileChange[] {
    const { before, after, operation, paths } = this.change;
    if (operation.bringsBack !== true && isByHand(operation)) this.takeWords();
    const standings = standingsOf(before, this.files, [...paths, ...this.made.keys()]).filter(concernsLines);
    const ids = new Map(standings);
    if (operation.bringsBack === true && operation.keepsLines !== true) this.addFallen(ids);
    if (ids.size > 0) {
      this.note(ids);
      this.followLines(ids);
    }
    return [...this.made].flatMap(([path, text]): FileChange[] => {
      const is = textIfWhole(after, path);
      return is === text ? [] : [{ path, before: after.oidOf(path), after: text === null ? null : Buffer.from(text) }];
    });
  }

  /** Lets memories say what somebody made of their lines. */
  private takeWords(): void {
    const { before, after, paths } = this.change;
    for (const path of paths) {
      if (kindOf(path) === 'memory') this.dropStatement(path);
      if (kindOf(path) !== 'knowledge') continue;
      const [old, text] = [textIfWhole(before, path), textIfWhole(after, path)];
      if (old === null || text === null || !text.includes('[memory: ')) continue;
      for (const [id, words] of rewordedLines(old, text)) {
        const place = memoryPath(id);
        const is = paths.includes(place) ? null : textIfWhole(this.files, place);
        const record = recordIn(is, place);
        if (record === null || wordsOfClaim(record) === words || !this.mayQuote(path, place)) continue;
        const said = record.statement === undefined ? { content: words } : { statement: words };
        const edit = { path: place, after: formatMemory({ ...record, ...said }) };
        this.made.set(place, refreshGist(edit, is, this.configuration.gist).after);
      }
    }
  }

  /** Of a record whose words somebody changed the statement is that of the former words. */
  private dropStatement(path: string): void {
    const [old, record] = [this.change.before, this.files].map((files) => recordIn(textIfWhole(files, path), path));
    if (!old || !record || record.statement === undefined) return;
    if (old.content === record.content || old.statement !== record.statement) return;
    const { statement: _, ...said } = record;
    this.made.set(path, formatMemory(said));
  }

  /** Adds the memories that files which came back name, and that do not stand. */
  private addFallen(ids: Map<string, Standing>): void {
    for (const path of this.change.paths) {
      if (!isNaming(path)) continue;
      for (const id of memoriesAmong(this.sources.named.namedBy(this.files, path))) {
        const place = memoryPath(id);
        const record = recordIn(textIfWhole(this.files, place), place);
        if (!ids.has(id) && (record === null || record.status === 'superseded'))
          ids.set(id, { before: record, after: record });
      }
    }
  }

  /** Notes what somebody forgot, what is back, and the turns that say nothing but what somebody worded otherwise since. */
  private note(ids: ReadonlyMap<string, Standing>): void {
    const { operation } = this.change;
    if (operation.bringsBack === true) return;
    const text = textIfWhole(this.files, forgottenPath);
    const forgotten = new Map(parseForgotten(text));
    for (const [id, { before, after }] of ids) {
      const reworded = `${id}${rewordedMark}`;
      if (after !== null) {
        forgotten.delete(id);
        if (before === null || wordsOfClaim(before) === wordsOfClaim(after)) continue;
        const saysAgain = this.turnsSaying(after);
        const turns = [...(forgotten.get(reworded) ?? []), ...(isByHand(operation) ? this.turnsSaying(before) : [])];
        if (saysAgain.length > 0) forgotten.delete(reworded);
        else if (turnsIn(before).length > 0 && (isByHand(operation) || turns.length > 0))
          forgotten.set(reworded, [...new Set(turns)]);
      } else if (before !== null && isForgetting(operation)) {
        forgotten.set(id, turnsIn(before));
      }
    }
    const renewed = formatForgotten(forgotten);
    if (renewed !== (text === null ? null : formatForgotten(parseForgotten(text))))
      this.made.set(forgottenPath, renewed);
  }

  /** Lists the turns of a memory that say what it says and nothing else, as `path#turn`. */
  private turnsSaying({ content, sources = [] }: MemoryRecord): string[] {
    const key = normaliseForHash(content);
    return sources.flatMap(({ path, turn }) => {
      const text = turn === undefined ? null : textIfWhole(this.files, path);
      const said =
        text === null ? null : orElse(() => parseCapture(text, path), null, 'INVALID_RECORD', 'INVALID_DATE');
      return said !== null && normaliseForHash(said.turns[turn! - 1]?.text ?? '') === key ? [`${path}#${turn}`] : [];
    });
  }

  private followLines(ids: ReadonlyMap<string, Standing>): void {
    const { named } = this.sources;
    const heirs = heirsIn(this.files, this.change.paths);
    const naming = named.pathsIn(this.files);
    const heirOf = new Map<string, string>();
    // What is gone first: nothing of its turn may stay for the sake of another.
    const order = [...ids].sort(([, one], [, other]) => Number(one.after !== null) - Number(other.after !== null));
    for (const [id, { before, after }] of order) {
      for (const turn of turnsIn(after ?? before ?? {}))
        if (!heirOf.has(turn) && naming.has(turn)) heirOf.set(turn, id);
    }
    const paths = new Map<string, string[]>();
    const note = (owner: string, id: string) => {
      for (const path of naming.get(owner) ?? []) paths.set(path, [...(paths.get(path) ?? []), id]);
    };
    for (const id of ids.keys()) note(id, id);
    for (const [turn, id] of heirOf) note(turn, id);
    for (const [path, owners] of [...paths].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const text = textIfWhole(this.files, path);
      if (text === null) continue;
      const of = new Map(owners.map((id) => [id, this.fateOf(id, ids.get(id)!, heirs, path)] as const));
      const followed = followedText(path, text, { ...this.fates(of), heirOf });
      if (followed !== text) this.made.set(path, followed);
    }
  }

  private fates(of: ReadonlyMap<string, Fate>): Fates {
    const standing = (id: string) => {
      const place = memoryPath(id);
      const record = recordIn(textIfWhole(this.files, place), place);
      return record === null ? undefined : presentFate(record, this.when);
    };
    return { of, standing, day: dayOf(this.when.now, this.when.timeZone) };
  }

  /** Private words are not said on an open page: there the line goes. */
  private fateOf(id: string, { before, after }: Standing, heirs: Heirs, page: string): Fate {
    const was = before === null ? '' : [...new Set([wordsOfClaim(before), before.content])].map(inOneLine).join('\n');
    const mayQuote = (of: string) => this.mayQuote(memoryPath(of), page);
    if (after === null) {
      const made = heirs.of(id).filter((heir) => mayQuote(heir.id));
      const { operation } = this.change;
      // What nobody took away, and what was put aside before, time took.
      const hasFaded =
        before !== null && before.status !== 'active' && operation.bringsBack !== true && !isForgetting(operation);
      if (made.length === 0) return { kind: hasFaded && tellsOfDays(page) ? 'faded' : 'gone', was };
      return { kind: 'became', was, heirs: made.map((heir) => ({ id: heir.id, words: wordsOfClaim(heir) })) };
    }
    const present = presentFate(after, this.when);
    if (present.kind === 'over') return { ...present, was };
    const isReworded = before !== null && wordsOfClaim(before) !== wordsOfClaim(after);
    if (isReworded && !mayQuote(id)) return { kind: 'gone', was };
    return { ...present, was, ...(isReworded ? { words: wordsOfClaim(after) } : {}) };
  }

  private mayQuote(from: string, to: string): boolean {
    const { isPrivate } = this.change.privacy;
    return !isPrivate(from) || isPrivate(to);
  }
}

/** Whether lines have to follow: words, an end, or that it is gone; uses and sources concern none. */
function concernsLines([, { before, after }]: readonly [string, Standing]): boolean {
  if (before === null || after === null) return before !== after;
  if (wordsOfClaim(before) !== wordsOfClaim(after) || before.validUntil !== after.validUntil) return true;
  return (before.status === 'superseded') !== (after.status === 'superseded');
}

/**
 * Makes the rule that renews the pack, where there is one. It is made anew when a memory that was there before says something else, or
 * holds no more.
 */
export function packFollower({
  ledgers,
  configurationOf,
}: Pick<LineSources, 'configurationOf'> & { readonly ledgers: LedgerCatalog }): ConsequenceSource {
  return (present, now): Consequence => ({
    mayWrite(paths) {
      const isTold = paths.some((path) => kindOf(path) === 'memory' && present.oidOf(path) !== null);
      return isTold && present.oidOf(packPath) !== null ? [packPath] : [];
    },
    follow({ before, after, operation, paths, privacy }) {
      const is = textIfWhole(after, packPath);
      if (is === null) return [];
      const isOld = ([, { before: old }]: readonly [string, Standing]) => old !== null || operation.bringsBack === true;
      if (!standingsOf(before, after, paths).some((one) => isOld(one) && concernsLines(one))) return [];
      const snapshot = privacy.isPrivate(packPath) ? after : withoutPrivate(after, privacy);
      // As of its own day: that another day has come changes no page.
      const day = dayOfPack(is) ?? undefined;
      const claims = claimsNamed(is, snapshot);
      const configuration = configurationOf(after);
      const { text } = packOf({ ledgers, snapshot, claims, configuration, now }, defined({ day }));
      return text === is ? [] : [{ path: packPath, before: after.oidOf(packPath), after: Buffer.from(text) }];
    },
  });
}

/** Makes the rule that `updated` of a page is kept, whoever writes it. What people wrote by hand stays. */
export function updatedFollower({ configurationOf }: Pick<LineSources, 'configurationOf'>): ConsequenceSource {
  return (_, now): Consequence => ({
    mayWrite: (paths) => paths.filter((path) => path.startsWith('knowledge/')),
    follow({ before, after, operation, paths }) {
      if (operation.bringsBack || operation.isHandEdit) return [];
      const pages = paths.filter((path) => kindOf(path) === 'knowledge');
      return pages.flatMap((path) => {
        const [was, is] = [textIfWhole(before, path), textIfWhole(after, path)];
        if (was === null || is === null) return [];
        const made = keptUpdated(was, is, now, configurationOf(after).timezone);
        return made === is ? [] : [{ path, before: after.oidOf(path), after: Buffer.from(made) }];
      });
    },
  });
}

/** Gives the claims that a page says to be in conflict, as far as they are there. So whoever renews it need not read all. */
function claimsNamed(page: string, files: StateFiles): PackClaims {
  const relations = page.split('\n').flatMap((line) => {
    if (!line.startsWith(`- ${conflictMark}`)) return [];
    const named = [...line.matchAll(/ ([A-Za-z0-9][\w.-]*) says "/g)].map(([, id]) => id!);
    const [fromMemoryId = '', ...others] = named.filter((id) => files.oidOf(memoryPath(id)) !== null);
    const toMemoryId = others.at(-1);
    return toMemoryId === undefined ? [] : [{ record: { relationType: 'contradicts', fromMemoryId, toMemoryId } }];
  });
  const ids = relations.flatMap(({ record: { fromMemoryId, toMemoryId } }) => [fromMemoryId, toMemoryId]);
  const records = ids.flatMap((id) => recordIn(textIfWhole(files, memoryPath(id)), memoryPath(id)) ?? []);
  return { memories: records.map((record) => ({ record })), relations };
}
