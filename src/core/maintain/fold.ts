// Lines that earlier versions wrote twice for one turn, or whose memory or turn is gone. What each has to become is the rule that extraction
// and core/ledger/line-follower.ts hold to since; here it is applied to what was written before.

import { count } from '../../base/count.ts';
import { defined, orElse } from '../../base/errors.ts';
import { normaliseForHash } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import { unfinishedAt } from '../../store/brought.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { type ForgottenWords, forgottenIn } from '../../store/forgotten.ts';
import { type KnowledgeItem, knowledgeItems, withLineCount } from '../../store/records/knowledge-items.ts';
import {
  isSaidBy,
  isTurn,
  memoriesOfLine,
  ownersOfLine,
  saidBy,
  sourcesOfLine,
  turnsOfLine,
} from '../../store/records/knowledge-marks.ts';
import { memoryPath } from '../../store/records/memory-record.ts';
import { turnsIn } from '../../store/records/vitals.ts';
import { parseCapture } from '../extract/plan-transcript.ts';
import { type Heirs, heirsIn, type When } from '../ledger/ledger-follower.ts';
import { presentFate } from '../ledger/line-follower.ts';
import { type Fate, followedText, type LineWords, resaid } from '../lifecycle/memory-lines.ts';
import type { Pass, PassItem, PassView } from '../lifecycle/pass.ts';
import { changedFile } from '../lifecycle/record-changes.ts';

/**
 * Plans to fold the lines of the engine as it would write them now. An item is a page; its `why` names each line by its number.
 *
 * | a line | becomes |
 * |---|---|
 * | one of several of a turn, in journals or MEMORY.md | a part of the first of them |
 * | of a turn that memories were taken from since | theirs; elsewhere of the one that says the same |
 * | whose memory or turn was forgotten or is not there | nothing |
 * | whose memory is over, or was made into others | what the line follower makes of it |
 * | `[source: path]` whose words one turn alone has | a line of that turn |
 *
 * What names no source and no memory is a person's, and stays.
 */
export const fold: Pass<void> = {
  name: 'fold',
  plan(view) {
    const pages = foldedPages(view);
    // What goes from a page to another goes with both, or not at all.
    const groups = [pages.filter((one) => one.isCrossing), ...pages.map((one) => (one.isCrossing ? [] : [one]))];
    const items = groups.flatMap((some): PassItem[] => {
      const why = some.map(({ path, notes }) => `${path}: ${notes.join(', ')}`).join('; ');
      const changes = some.map(({ path, text }) => changedFile(view.snapshot, path, text));
      return some.length === 0 ? [] : [{ action: 'fold', ids: [], why, changes }];
    });
    return { items, left: [] };
  },
  describe: (items) => ({
    subject: `${count(items.flatMap(({ changes }) => changes).length, 'page')} with lines of earlier versions`,
    body: items.map(({ why }) => why).join('\n'),
  }),
};

/** What of a state is looked at. */
export type FoldView = Pick<PassView, 'snapshot' | 'memories' | 'relations' | 'configuration' | 'now'>;

/** Lists the pages that have lines to be folded: what each becomes (null where nothing is left), and what becomes of each line. */
export function foldedPages(view: FoldView) {
  const { snapshot } = view;
  const unfinished = new Set(unfinishedAt(snapshot));
  const drafts = ['knowledge/', 'boxes/', 'archive/'].flatMap((folder) =>
    [...snapshot.list(folder).keys()].sort().flatMap((path): Draft[] => {
      const before = path.endsWith('.md') && !unfinished.has(path) ? snapshot.textIfWhole(path) : null;
      if (before === null || !/\[(?:source: raw\/|memory: )/.test(before)) return [];
      const items = knowledgeItems(before).filter(({ line }) => ours.test(line));
      return [{ path, before, items, lines: before.split('\n'), notes: new Map(), isCrossing: false }];
    }),
  );
  const folding = new Folding(view);
  for (const draft of drafts) folding.foldTurns(draft);
  return drafts.flatMap((draft) => {
    const text = folding.followed(draft);
    const notes = [...draft.notes].sort(([one], [other]) => one - other).map(([at, what]) => `line ${at + 1} ${what}`);
    return text === draft.before ? [] : [{ ...draft, text, notes }];
  });
}

/** A page on its way. */
interface Draft {
  readonly path: string;
  readonly before: string;
  /** Those of the engine. */
  readonly items: readonly KnowledgeItem[];
  readonly lines: string[];
  /** What becomes of a line, by its 0-based number. */
  readonly notes: Map<number, string>;
  /** It gives lines to another page, or takes some. */
  isCrossing: boolean;
}

/** The first line of a turn, and what the lines of that turn say; a memory says it, or none does. */
interface Home {
  readonly draft: Draft;
  readonly at: number;
  said: readonly { readonly id?: string; readonly words: string }[];
}

/** Takes the place of a line that another one says, and leaves as the line of a memory that is gone does. */
const joined = '- [memory: joined]';
/** Marks of the engine stand last. */
const ours = /\[(?:source|verified|due|memory): [^\]]*\]\s*$/;
/** Where a turn has one line. */
const summaries = /^(?:archive\/)?knowledge\/(?:journal\/.*|memory\/MEMORY\.md)$/;
const gone: Fate = { kind: 'gone', was: '' };
const becoming: Readonly<Record<Fate['kind'], string>> = {
  gone: 'goes: its memory or turn is gone',
  faded: 'is of its turn alone',
  became: 'says what its memory became',
  over: 'is over',
  stands: 'says when it ends',
};

class Folding {
  private readonly view: FoldView;
  private readonly when: When;
  private readonly records: ReadonlyMap<string, MemoryRecord>;
  private readonly byTurn = new Map<string, MemoryRecord[]>();
  private readonly captures = new Map<string, Transcript | null>();
  private readonly forgotten: ForgottenWords;
  private readonly homes = new Map<string, Home>();
  private heirs: Heirs | undefined;

  constructor(view: FoldView) {
    this.view = view;
    this.when = { now: view.now, timeZone: view.configuration.timezone };
    this.records = new Map(view.memories.map(({ record }) => [record.id, record]));
    for (const record of this.records.values()) {
      for (const turn of turnsIn(record)) this.byTurn.set(turn, [...(this.byTurn.get(turn) ?? []), record]);
    }
    this.forgotten = forgottenIn(view.snapshot);
  }

  /** Gives lines of turns to the memories of these turns, and joins the lines of a turn. */
  foldTurns(draft: Draft): void {
    const isSummary = summaries.test(draft.path);
    for (const item of draft.items) {
      const at = item.start;
      const line = this.withTurn(item);
      if (line !== item.line) change(draft, at, line, 'names its turn');
      const ids = memoriesOfLine(line);
      const turns = turnsOfLine(line);
      const fates = ids.map((id) => this.fateOf(id, line));
      // What is private, or damaged, says nothing here.
      if (fates.includes(undefined)) continue;
      const brought = ids.length > 0 ? [] : [...new Set(turns.flatMap((turn) => this.byTurn.get(turn) ?? []))];
      const claims = isSummary ? brought : brought.filter((record) => isSaidBy(item.words, wordsOfClaim(record)));
      const said = [...claims.map(lineWords), ...ids.flatMap((id, one) => wordsIn(id, fates[one]!))];
      if (claims.length > 0) change(draft, at, resaid(line, said), 'is taken over by the memories of its turn');
      if (ids.length > 1 && said.length > 0 && fates.some((fate) => fate?.kind === 'gone' || fate?.kind === 'became'))
        change(draft, at, resaid(line, said), 'says what is left of it');
      const isLost = said.length === 0 && (ids.length > 0 || turns.some((turn) => this.isGone(turn)));
      if (!isSummary || turns.length === 0 || isLost) continue;
      this.join({ draft, at, said: said.length > 0 ? said : [{ words: saidBy(item.words) }] }, turns.join(' '));
    }
  }

  private join(own: Home, turn: string): void {
    const name = `${own.draft.path.slice(0, own.draft.path.lastIndexOf('/'))} ${turn}`;
    const home = this.homes.get(name);
    if (home === undefined) {
      this.homes.set(name, own);
      return;
    }
    const { draft, at } = home;
    const all = [...home.said, ...own.said];
    const named = all.filter(({ id }) => id !== undefined);
    const keyed = (named.length > 0 ? named : all).map((one) => [one.id ?? normaliseForHash(one.words), one] as const);
    home.said = [...new Map(keyed).values()];
    change(draft, at, resaid(draft.lines[at]!, home.said), 'says what its turn has');
    const isCrossing = draft !== own.draft;
    change(own.draft, own.at, joined, `joins line ${at + 1}${isCrossing ? ` of ${draft.path}` : ''}`);
    if (isCrossing) for (const one of [draft, own.draft]) one.isCrossing = true;
  }

  /** Lets the line that names a capture alone name its turn, if one turn has the words. */
  private withTurn({ line, words }: KnowledgeItem): string {
    const [path = '', ...others] = sourcesOfLine(line);
    const key = normaliseForHash(saidBy(words));
    if (key === '' || others.length + memoriesOfLine(line).length > 0 || !/^raw\/[^#]+$/.test(path)) return line;
    const turns = (this.captureAt(path)?.turns ?? []).flatMap(({ text }, at) =>
      ` ${normaliseForHash(text)} `.includes(` ${key} `) ? [at + 1] : [],
    );
    return turns.length === 1 ? line.replace(`[source: ${path}]`, () => `[source: ${path}#${turns[0]}]`) : line;
  }

  /** Tells whether a file is not there; of a private one nobody can tell. */
  private isAbsent(path: string): boolean {
    const { snapshot } = this.view;
    return snapshot.oidOf(path) === null && !snapshot.privacy.isPrivate(path);
  }

  private isGone(turn: string): boolean {
    const [path = '', number] = turn.split('#');
    if (this.forgotten.turns.get(path)?.has(Number(number)) || this.isAbsent(path)) return true;
    const capture = this.captureAt(path);
    return capture !== null && Number(number) > capture.turns.length;
  }

  private captureAt(path: string): Transcript | null {
    const known = this.captures.get(path);
    if (known !== undefined) return known;
    const text = this.view.snapshot.textIfWhole(path);
    const capture = text === null ? null : orElse(() => parseCapture(text, path, this.when.timeZone), null);
    this.captures.set(path, capture);
    return capture;
  }

  /** Lets the lines of a page follow what became of their owners. */
  followed({ path, before, items, lines, notes }: Draft): string | null {
    const of = new Map<string, Fate>([['joined', gone]]);
    const heirOf = new Map<string, string>();
    const becomes = items.map(({ start: at }) => {
      const fates = ownersOfLine(lines[at]!).flatMap((owner) => {
        const fate = isTurn(owner) ? (this.isGone(owner) ? gone : undefined) : this.fateOf(owner, lines[at]!);
        if (fate === undefined || (fate.kind === 'stands' && fate.until === undefined)) return [];
        of.set(owner, fate);
        if (isTurn(owner)) heirOf.set(owner, owner);
        return [becoming[fate.kind]];
      });
      return [at, fates[0]] as const;
    });
    const standing = (id: string) => {
      const record = this.records.get(id);
      return record && presentFate(record, this.when);
    };
    const day = dayOf(this.when.now, this.when.timeZone);
    const text = lines.join('\n');
    const after = orElse(() => followedText(path, text, { of, heirOf, standing, day }), text, 'INVALID_RECORD');
    if (after === before) return before;
    const kept = new Set(after?.split('\n'));
    for (const [at, what] of becomes) {
      if (what !== undefined && !notes.has(at) && !kept.has(lines[at]!)) notes.set(at, what);
    }
    return after && withLineCount(after);
  }

  /** What has become of a memory; undefined where nobody can tell. */
  private fateOf(id: string, line: string): Fate | undefined {
    const record = this.records.get(id);
    if (record === undefined) {
      if (!this.isAbsent(memoryPath(id))) return undefined;
      const { snapshot, relations } = this.view;
      const paths = relations.map(({ path }) => path);
      this.heirs ??= heirsIn(snapshot, paths);
      const heirs = this.heirs.of(id).map(lineWords);
      return heirs.length === 0 ? gone : { kind: 'became', was: '', heirs };
    }
    const fate = presentFate(record, this.when);
    if (fate.kind === 'stands' || record.validUntil !== undefined) return fate;
    // The memory knows no day: the one stays that stands behind its words.
    const until = / \(until ([\d-]{10})\)/.exec(line.split(fate.was).at(-1)!)?.[1];
    return { ...fate, ...defined({ until }) };
  }
}

function change({ lines, notes }: Draft, at: number, line: string, why: string): void {
  lines[at] = line;
  notes.set(at, why);
}

const lineWords = (record: MemoryRecord): LineWords => ({ id: record.id, words: wordsOfClaim(record) });

const wordsIn = (id: string, fate: Fate): readonly LineWords[] =>
  fate.kind === 'became' ? fate.heirs : fate.kind === 'gone' ? [] : [{ id, words: fate.was }];
