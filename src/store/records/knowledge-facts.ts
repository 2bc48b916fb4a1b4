// Reads the claims of knowledge files, line by line: dated facts of entities and people, what lasts, procedures, accounts. Pure.

import { defined, orElse } from '../../base/errors.ts';
import { fenceReader } from '../../base/fenced-blocks.ts';
import type { ListedFact } from '../../base/types/knowledge-types.ts';
import { parseKnowledge, type Section } from './knowledge-file.ts';
import { dueIn, memoriesOfLine, saidOn, sourcesOfLine, verifiedOf, wordsOfLine } from './knowledge-marks.ts';
import { snakeCase } from './new-event.ts';
import { isUnfinished, unfinishedMerge } from './unfinished-merge.ts';

/** A line of a knowledge file that claims something. */
export interface KnowledgeFact extends Omit<ListedFact, 'state' | 'ageDays' | 'why'> {
  /** Relationships, preferences, rules and procedures stay true until somebody says otherwise. */
  readonly decays: boolean;
  /** The memories that it was written from; none where a person wrote it. */
  readonly memories: readonly string[];
  /** The day on which it was due, `YYYY-MM-DD`. */
  readonly due?: string;
}

export interface KnowledgeEntry {
  readonly path: string;
  readonly title: string;
  /** `person`, `account` …; lower case, empty where it is not said. */
  readonly type: string;
  readonly facts: readonly KnowledgeFact[];
  /** The first line under "When to Use". */
  readonly when?: string;
}

const inPack = /^knowledge\/(?:entities|people|projects|procedures)\/[^/]+\.md$/;
/** Where reports on consolidation stand: they tell of facts and are none. */
export const reportsFolder = 'knowledge/consolidation-reports/';
/** Rules, how things are done, who somebody is, and what a day brought: none of it grows old. */
const lastingFolder = /^knowledge\/(?:identity|principles|procedures|insights|journal)\//;
const decayingHeading = /^(?:(?:key )?facts|known|(?:active )?context|status|metrics|accounts?)$/i;
const lastingHeading =
  /^(?:relationships?|relations|related|preferences|communication|principles|corrections|identity)$/i;

/** Tells whether a file is one that the pack reads. */
export const isPackKnowledge = (path: string): boolean => inPack.test(path);

/** Reads one knowledge file; null for one that cannot be read, which the change rules tell of. */
export const readKnowledgeEntry = (path: string, text: string): KnowledgeEntry | null =>
  orElse(() => parseKnowledgeEntry(path, text), null, 'INVALID_RECORD', 'TOO_LARGE');

/**
 * Reads what a knowledge file claims.
 *
 * A fact is an item of a list below a heading such as "Key Facts", "Context" or "Relationships", or anywhere with `[verified: …]`.
 *
 * @throws MemoryError INVALID_RECORD with path and line if the front matter is not YAML; for a merge that nobody finished.
 */
export function parseKnowledgeEntry(path: string, text: string): KnowledgeEntry {
  if (isUnfinished(path, text)) throw unfinishedMerge(path);
  const { data, sections } = parseKnowledge(text, path);
  const name = path.replace(/^.*\//, '').replace(/\.md$/, '');
  const title =
    sections.find(({ level }) => level === 1)?.heading.replace(/^(?:Procedure|Principle|Insight): /, '') ?? name;
  const head = sections.find(({ level }) => level === 1)?.text ?? '';
  const type = typeof data.type === 'string' ? data.type : (/^\*Type: ([^*|]+)/m.exec(head)?.[1] ?? '');
  const entity = snakeCase(name);
  const facts = path.startsWith(reportsFolder) ? [] : sections.flatMap((section) => factsIn(section, path, entity));
  const when = sections.find(({ heading }) => /^when to use$/i.test(heading))?.text.split('\n')[0];
  return { path, title, type: type.trim().toLowerCase(), facts, ...(when ? { when } : {}) };
}

function factsIn({ heading, text, textLine }: Section, path: string, entity: string): KnowledgeFact[] {
  const isLasting = lastingFolder.test(path) || lastingHeading.test(heading);
  const isFactual = decayingHeading.test(heading) || lastingHeading.test(heading);
  const placeOf = fenceReader();
  return text.split('\n').flatMap((line, at): KnowledgeFact[] => {
    const item = placeOf(line) !== null ? undefined : /^[ \t]*[-*+] +(.*\S)/.exec(line)?.[1];
    if (item === undefined) return [];
    const verified = verifiedOf(item);
    if (!isFactual && verified === undefined) return [];
    const found = {
      ...{ path, line: textLine + at, entity, heading, text: wordsOfLine(item) },
      ...{ sources: sourcesOfLine(item), memories: memoriesOfLine(item) },
    };
    // A quote says by itself when it was so.
    const day = verified ?? saidOn.exec(found.text)?.[1];
    return found.text === '' ? [] : [{ ...found, decays: !isLasting, ...defined({ verified: day, due: dueIn(item) }) }];
  });
}
