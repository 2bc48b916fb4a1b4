// What knowledge files say that the recall pack can use: dated facts of entities, procedures, accounts.

import { MemoryError } from '../../errors.ts';
import { parseKnowledge } from '../../records/knowledge-file.ts';
import { snakeCase } from '../../records/new-event.ts';

/** A line of a knowledge file that claims something. */
export interface KnowledgeFact {
  readonly path: string;
  /** The entity the file is about, in snake_case. */
  readonly entity: string;
  /** Without `[source: …]` and `[verified: …]`. */
  readonly text: string;
  /** `YYYY-MM-DD`; absent where nobody said when it was last true. */
  readonly verified?: string;
  /** Relationships and preferences stay true until somebody says otherwise. */
  readonly decays: boolean;
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

const factual = /^knowledge\/(?:entities|people|projects|procedures)\/[^/]+\.md$/;

/** Tells whether a file is one that the pack reads. */
export function isPackKnowledge(path: string): boolean {
  return factual.test(path);
}

/** Reads one knowledge file; null for one that cannot be read, which the change rules tell of. */
export function readKnowledgeEntry(path: string, text: string): KnowledgeEntry | null {
  try {
    const { data, sections } = parseKnowledge(text, path);
    const name = path.replace(/^.*\//, '').replace(/\.md$/, '');
    const title = sections.find(({ level }) => level === 1)?.heading.replace(/^Procedure: /, '') ?? name;
    const head = sections.find(({ level }) => level === 1)?.text ?? '';
    const type = typeof data.type === 'string' ? data.type : (/^\*Type: ([^*|]+)/m.exec(head)?.[1] ?? '');
    const entity = snakeCase(name);
    const facts = sections
      .filter(({ heading }) => /^(?:key facts|facts|relationships|active context|preferences)$/i.test(heading))
      .flatMap(({ heading, text: lines }) =>
        lines.split('\n').flatMap((line) => {
          const item = /^[-*+] +(.*\S)/.exec(line)?.[1];
          return item === undefined ? [] : [factOf(path, entity, item, /^(?:key )?facts$|^active/i.test(heading))];
        }),
      );
    const when = sections.find(({ heading }) => /^when to use$/i.test(heading))?.text.split('\n')[0];
    return { path, title, type: type.trim().toLowerCase(), facts, ...(when ? { when } : {}) };
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'INVALID_RECORD') return null;
    throw error;
  }
}

function factOf(path: string, entity: string, item: string, decays: boolean): KnowledgeFact {
  const verified = /\[verified: (\d{4}-\d\d-\d\d)\]/.exec(item)?.[1];
  const text = item.replace(/\s*\[(?:source|verified): [^\]]*\]/g, '').trim();
  return { path, entity, text, decays, ...(verified === undefined ? {} : { verified }) };
}
