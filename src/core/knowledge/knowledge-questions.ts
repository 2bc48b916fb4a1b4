// What can be asked of the knowledge files of a state: which facts have not been verified lately, what contradicts, who links to whom.

import { count } from '../../base/count.ts';
import { defined, MemoryError, orElse } from '../../base/errors.ts';
import { checkDay, dayOf } from '../../base/time.ts';
import type {
  ConflictSide,
  Freshness,
  KnowledgeConflict,
  KnowledgeOptions,
  KnowledgeResult,
  ListedFact,
  RecallHit,
} from '../../base/types.ts';
import { askedPath } from '../../store/guard/path.ts';
import { type FreshnessRules, freshnessOf, freshnessStates } from '../../store/records/freshness.ts';
import { type KnowledgeFact, parseKnowledgeEntry } from '../../store/records/knowledge-facts.ts';
import { memoryPath } from '../../store/records/memory-record.ts';
import { snakeCase } from '../../store/records/new-event.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { conflictsAmong, type PackClaims } from '../context/pack/conflicts.ts';
import type { LedgerQuestion } from '../ledger/ledger-questions.ts';

const folder = 'knowledge/';

/** So much of a line tells it from others. */
const cutLength = 40;

/** What somebody should look at. */
const doubtful: readonly Freshness[] = ['stale', 'aging', 'undated'];

/** What is asked: a state, and what of it may contradict. */
export type KnowledgeQuestion = LedgerQuestion & { readonly claims: PackClaims };

/** Asks the knowledge files of a state. Throws INVALID_ARGUMENT, INVALID_DATE, INVALID_PATH, NOT_FOUND for a path that is not there. */
export function askKnowledge(question: KnowledgeQuestion, options: KnowledgeOptions): KnowledgeResult {
  const { snapshot, configuration, now } = question;
  const { states = doubtful, day = dayOf(now, configuration.timezone) } = options;
  checkDay(day);
  const unknown = states.find((state) => !freshnessStates.includes(state));
  if (unknown !== undefined) {
    throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(unknown)} is no state of a fact`, {
      where: 'states',
      hint: `There are ${freshnessStates.join(', ')}`,
    });
  }
  const { facts, unreadable } = factsBelow(snapshot, options.path);
  const entity = options.entity === undefined ? undefined : snakeCase(options.entity);
  const asked = facts.filter((fact) => entity === undefined || fact.entity === entity);
  const listed = asked.map((fact) => listedFact(fact, day, configuration.knowledge));
  const counts = { stale: 0, aging: 0, undated: 0, fresh: 0, lasting: 0 };
  for (const { state } of listed) counts[state] += 1;
  const age = ({ ageDays = Number.POSITIVE_INFINITY }: ListedFact) => ageDays;
  const wanted = listed.filter(({ state }) => states.includes(state));
  return {
    day,
    counts,
    facts: wanted.sort((a, b) => age(b) - age(a) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line)),
    conflicts: conflictsOf(question, asked),
    unreadable,
  };
}

/** Says of a fact in which state it is on a day, and why. */
function listedFact(fact: KnowledgeFact, day: string, rules: FreshnessRules): ListedFact {
  const { decays, due: _, ...told } = fact;
  const { state, ageDays } = freshnessOf(fact, day, rules);
  const why =
    state === 'lasting'
      ? 'it holds until somebody says otherwise'
      : state === 'undated'
        ? 'nobody said when it was last true'
        : `it was last said or verified ${ageDays === 0 ? 'today' : `${count(ageDays!, 'day')} ago`}`;
  return { ...told, state, ...(ageDays === undefined ? {} : { ageDays }), why };
}

/** Reads the facts of one file, or of all below a folder; of the whole base where none is named. */
function factsBelow(snapshot: Snapshot, asked: string | undefined) {
  const paths = knowledgePaths(snapshot, asked);
  const facts: KnowledgeFact[] = [];
  const unreadable: { path: string; why: string }[] = [];
  for (const [path, oid] of paths) {
    try {
      facts.push(...parseKnowledgeEntry(path, snapshot.readBlob(oid, path).toString('utf8')).facts);
    } catch (error) {
      if (!(error instanceof MemoryError) || !['INVALID_RECORD', 'TOO_LARGE'].includes(error.code)) throw error;
      unreadable.push({ path, why: error.what });
    }
  }
  return { facts, unreadable };
}

function knowledgePaths(snapshot: Snapshot, asked: string | undefined): (readonly [string, string])[] {
  const path = asked === undefined ? folder : askedPath(asked).replace(/\/$/, '');
  if (!`${path}/`.startsWith(folder))
    throw new MemoryError('INVALID_ARGUMENT', `${path} does not lie below knowledge/`, { where: 'path' });
  const own = snapshot.listedOidOf(path);
  const below = [...(own === null ? snapshot.list(path.endsWith('/') ? path : `${path}/`) : [[path, own] as const])];
  if (asked !== undefined && below.length === 0) throw noKnowledge(path);
  return below.filter(([name]) => name.endsWith('.md')).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Says that a file of knowledge is not there. */
export function noKnowledge(path: string): MemoryError {
  const hint = '`git memory list knowledge` tells what is';
  return new MemoryError('NOT_FOUND', `${path} is not in this memory`, { where: path, hint });
}

/** Lists conflicts with a side among these facts. A side that no line tells is named by the file of its memory. */
function conflictsOf({ claims, now }: KnowledgeQuestion, facts: readonly KnowledgeFact[]): KnowledgeConflict[] {
  return conflictsAmong(claims, Math.floor(now / 1000)).flatMap(({ entity, sides }): KnowledgeConflict[] => {
    const lines = sides.map(({ id, text }) =>
      facts.find((fact) => fact.memories.includes(id) || (fact.path === entity && text.includes(fact.text))),
    );
    const known = lines.find((line) => line !== undefined);
    if (known === undefined) return [];
    const told = (at: 0 | 1): ConflictSide => {
      const { id } = sides[at];
      const { path, line, text } = lines[at] ?? { path: memoryPath(id), line: 1, text: sides[at].text };
      return { path, line, text, id };
    };
    return [{ entity: known.entity, sides: [told(0), told(1)] }];
  });
}

/** Notes with hits in knowledge files which of the facts they show have not been verified lately. */
export function withFreshness(
  hits: readonly RecallHit[],
  snapshot: Snapshot,
  rules: FreshnessRules,
  day: string,
): RecallHit[] {
  const known = new Map<string, readonly ListedFact[]>();
  return hits.map((hit) => {
    const { path } = hit;
    if (!path.startsWith(folder) || !path.endsWith('.md')) return hit;
    const facts = known.get(path) ?? doubtfulFacts(snapshot, path, rules, day);
    known.set(path, facts);
    // A section may be long: what the snippet shows is what a reader relies on.
    const snippet = wordsIn(hit.snippet);
    const shown = facts.filter(({ text }) => isShown(wordsIn(text), snippet));
    if (shown.length === 0) return hit;
    return { ...hit, stale: shown.map(({ line, state, verified }) => ({ line, state, ...defined({ verified }) })) };
  });
}

/** A snippet may cut a line at either end. */
const isShown = (fact: string, snippet: string): boolean =>
  snippet.includes(fact.slice(0, cutLength)) || snippet.includes(fact.slice(-cutLength));

/** Words as a snippet has them, whatever marks and links are between them. */
function wordsIn(text: string): string {
  return text
    .replace(/\[\[(?:[^[\]|\n]*\|)?([^[\]\n]*)\]\]/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Lists the facts of one file that are old, oldest first; none for a file that is not there or cannot be read. */
function doubtfulFacts(snapshot: Snapshot, path: string, rules: FreshnessRules, day: string): ListedFact[] {
  const text = snapshot.readText(path);
  if (text === null) return [];
  const read = () => parseKnowledgeEntry(path, text).facts.map((fact) => listedFact(fact, day, rules));
  const facts = orElse(read, [], 'INVALID_RECORD', 'TOO_LARGE');
  return facts.filter(({ state }) => state === 'stale' || state === 'aging');
}
